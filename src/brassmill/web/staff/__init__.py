"""For operators: Django's admin, and `brass admin` for what cannot wait for a browser."""
