"""Training a network that plays, for `brass train`: teacher games, imitation, league, export.

Nothing that plays imports this package. Only `model`, `imitation`, `league` and `run` need PyTorch.
"""
