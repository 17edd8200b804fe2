"""For operators: Django's admin and `brass admin`."""
