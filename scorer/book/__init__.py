"""Tables, groups and tournaments between store and web."""
