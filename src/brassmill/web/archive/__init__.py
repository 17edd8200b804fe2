"""The archive of finished public games, and what visitors follow and bookmark."""
