"""Lessons: games that teach."""
