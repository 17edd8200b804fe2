"""A game at a table: seats, bots, drafts and what each player has seen."""
