"""The commands of `bummerl`, by topic."""
