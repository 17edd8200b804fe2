"""Accounts: signing in, statistics, e-mail settings, export and deletion."""
