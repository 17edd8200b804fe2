"""Puzzles: find the best turn."""
