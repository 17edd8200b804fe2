"""The browser game: pages rendered from views; a game is stored as its log."""
