"""A game without its history: one position, what can be chosen in it and what it is worth."""
