"""A game being played: its session, clock, bots and pages."""
