"""What a page shows of a game, as plain data and words."""
