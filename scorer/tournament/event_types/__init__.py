"""The event classes of a tournament: their fields, when they are legal, and their effect."""
