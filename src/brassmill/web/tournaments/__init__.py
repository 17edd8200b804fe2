"""Tournaments and leagues: sign-up, rounds that start by themselves, standings."""
