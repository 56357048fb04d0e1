"""What a score, a raise and a "gehen" are worth in chances to win the game."""
