"""Options that several commands share: which game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def one_game(command: Command) -> Command:
    """`--edition`, `--players` and `--option`."""
    for decorate in (
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="NAME=VALUE",
            callback=pairs,
            help="An option of the edition, as `brass editions` lists them; may be repeated.",
        ),
        click.option("--players", type=int, help="Number of players.  [default: the most]"),
        click.option(
            "--edition",
            "name",
            default="birmingham",
            show_default=True,
            help="classic, lancashire or birmingham.",
        ),
    ):
        command = decorate(command)
    return command


def pairs(
    _context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]
) -> dict[str, str]:
    """`NAME=VALUE` as a mapping."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise click.BadParameter(f"{text!r} is not NAME=VALUE, as in --option intro=yes")
        found[name.strip()] = value.strip()
    return found
