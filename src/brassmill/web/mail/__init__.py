"""E-mail: addresses, texts, and the queue that sends them."""
