"""A game without its history: one position, its legal choices and its value."""
