"""Notifications by push message and webhook: choices, queue, outgoing connections, calendar."""
