"""What a page shows of a game, as plain data in words."""
