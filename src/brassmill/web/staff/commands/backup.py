"""`brass admin backup` and `restore`: everything in one file."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

from brassmill.cli.saved_games import home
from brassmill.errors import BrassError
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _
from brassmill.web.server.home import write_key
from brassmill.web.staff.commands.common import AdminCommand, ask, one_yes


@click.command(
    cls=AdminCommand, help=N_("Save everything to one file while the site keeps running.")
)
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--with-key", is_flag=True, help=N_("Include the key that signs cookies and links."))
def backup(file: Path, with_key: bool) -> None:
    from brassmill.web.staff.backup import write

    header = write(file, with_key)
    words = _("{file}: {tables}, as of {moment}.")
    click.echo(words.format(file=file, tables=_tables(header), moment=header["at"]))


@click.command(cls=AdminCommand, help=N_("Restore everything from a backup."))
@click.argument("file", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--replace", is_flag=True, help=N_("Delete everything in the database first."))
@click.option(
    "--with-key", is_flag=True, help=N_("Restore the key too; restart the server afterwards.")
)
@one_yes
def restore(file: Path, replace: bool, with_key: bool, yes: bool) -> None:
    from brassmill.web.staff.backup import check, read

    header = check(file)
    if with_key:
        _check_key(file, header)
    if replace:
        ask(_("Delete everything in the database and restore {file}?").format(file=file), yes)
    read(file, replace)
    if with_key:
        write_key(home() / "secret.key", header["key"])
    words = _("{tables} restored, as of {moment}.")
    click.echo(words.format(tables=_tables(header), moment=header["at"]))


def _check_key(file: Path, header: dict[str, Any]) -> None:
    if "key" not in header:
        raise BrassError(
            _("{file} contains no key; it was made without --with-key").format(file=file)
        )
    if os.environ.get("BRASSMILL_SECRET_KEY"):
        raise BrassError(_("the key is set by BRASSMILL_SECRET_KEY here; leave out --with-key"))


def _tables(header: dict[str, Any]) -> str:
    number = header["rows"]["web.table"]
    return ngettext("{n} table", "{n} tables", number).format(n=number)
