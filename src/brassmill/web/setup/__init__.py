"""What a new game is made of: who sits where, options and clocks, links to seats, rematches."""
