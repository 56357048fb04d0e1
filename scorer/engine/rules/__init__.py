"""What a rule set is, and the packs of cards it is played with."""
