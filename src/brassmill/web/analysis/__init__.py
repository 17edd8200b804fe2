"""Analyses of finished games: the queue, the pages, the analysis board."""
