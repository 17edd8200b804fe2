"""Actions as text: reading the words, and matching them with the legal choices."""
