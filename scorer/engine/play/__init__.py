"""Card play: which card wins, which may be played, and simulated rounds."""
