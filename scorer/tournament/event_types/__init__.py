"""Each kind of event of a tournament: its fields, when it may happen, what it does."""
