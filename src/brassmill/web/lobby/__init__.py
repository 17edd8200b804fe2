"""Before a game: the home page, new games, invitations and the waiting room."""
