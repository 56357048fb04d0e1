"""Rule sets and packs of cards."""
