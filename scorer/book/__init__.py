"""Tables, ledgers and tournaments between store and web."""
