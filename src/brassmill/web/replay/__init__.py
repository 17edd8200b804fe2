"""After a game: its result, its replay and its record."""
