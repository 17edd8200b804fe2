"""What operators use: Django's admin and `brass admin`."""
