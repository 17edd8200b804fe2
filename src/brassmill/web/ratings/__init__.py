"""Ratings of players: rated games, leaderboards."""
