"""The deal of the day: the same game for everyone on this server, one attempt each."""
