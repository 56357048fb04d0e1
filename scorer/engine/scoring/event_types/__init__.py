"""The event classes: fields, `check`, `effect` and `candidates`."""
