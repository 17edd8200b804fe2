"""Setting up a game: seats, options, clocks, seat links, rematches."""
