"""The commands of `bummerl`, one per module, and what they share."""
