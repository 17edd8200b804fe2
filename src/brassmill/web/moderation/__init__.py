"""Reports of players, for the operators."""
