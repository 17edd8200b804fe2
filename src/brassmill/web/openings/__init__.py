"""The opening explorer."""
