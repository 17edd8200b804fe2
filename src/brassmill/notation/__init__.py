"""Actions as text: reading the words, and matching them with the open choices."""
