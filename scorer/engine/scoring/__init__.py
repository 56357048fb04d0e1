"""The scoring machine: events, states, and what leads from one to the next."""
