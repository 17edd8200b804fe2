"""Operators in Django's admin, for tests."""

from __future__ import annotations

from secrets import token_hex

from django.contrib.admin.models import LogEntry
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.test import Client

PASSWORD = "coal-and-cotton-1830"


def make_user(is_staff: bool = True) -> User:
    return User.objects.create(
        username=f"staff-{token_hex(4)}",
        password=make_password(PASSWORD),
        is_staff=is_staff,
        is_superuser=is_staff,
    )


def log_in(client: Client, who: User, password: str = PASSWORD) -> int:
    form = {"username": who.username, "password": password, "next": "/admin/"}
    return client.post("/admin/login/", form).status_code


def operator() -> Client:
    """Return a browser logged in as staff."""
    client = Client()
    assert log_in(client, make_user()) == 302
    return client


def page_of(client: Client, address: str) -> str:
    """Return a page of the admin as text."""
    answer = client.get(f"/admin/web/{address}")
    assert answer.status_code == 200, address
    return answer.content.decode()


def post(client: Client, address: str, **form: object) -> str:
    """Send a form of the admin; return the resulting page."""
    answer = client.post(f"/admin/web/{address}", form, follow=True)
    assert answer.status_code == 200, address
    return answer.content.decode()


def act(client: Client, model: str, action: str, *rows: object, **more: str) -> str:
    """Run an action of a list; return the resulting page."""
    chosen = [str(row) for row in rows]
    return post(client, f"{model}/", action=action, _selected_action=chosen, **more)


def written(words: str) -> bool:
    """Was this the last action logged?"""
    last = LogEntry.objects.first()
    return last is not None and words in f"{last.get_change_message()} {last}"
