"""Who is asking, and how often they may."""
