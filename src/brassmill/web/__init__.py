"""The table in the browser: pages rendered from views, and a log that is the game."""
