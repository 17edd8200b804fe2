"""Profiles: what a player has achieved, how they play, and what of it others see."""
