"""The cards on the table: which beats which, what may be played, rounds dealt by chance."""
