"""Mail to people."""

from __future__ import annotations

from django.core.mail import send_mail


def send(address: str, subject: str, text: str, language: str) -> None:
    """Send a mail, which is written in a language already; an error of the post is raised."""
    send_mail(subject, text, None, [address])
