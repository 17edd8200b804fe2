"""`brass admin verify`: replay stored games and compare them with what is stored."""

from __future__ import annotations

import json

import click

from brassmill.errors import BrassError
from brassmill.language import N_, ngettext
from brassmill.language import gettext as _
from brassmill.web.staff.commands.common import AdminCommand, find_table


@click.command(
    cls=AdminCommand,
    help=N_("Replay stored games and compare every check, log and result. Changes nothing."),
)
@click.argument("tables", nargs=-1, metavar="[TABLE]...")
@click.option("--json", "as_json", is_flag=True, help=N_("Print everything as JSON."))
def verify(tables: tuple[str, ...], as_json: bool) -> None:
    from brassmill.cli.progress import counting, warm_up_with_bar
    from brassmill.web.models import Table

    warm_up_with_bar()
    from brassmill.web.analysis import verify as analyses
    from brassmill.web.archive import verify as archives
    from brassmill.web.ratings import checks
    from brassmill.web.table.verify import verified

    named = [find_table(name).id for name in tables]
    wanted = named or list(Table.objects.order_by("pk").values_list("pk", flat=True))
    found = []
    with counting(_("Verifying")) as progress:
        for each in verified(wanted):
            found.append(each)
            progress(len(found), len(wanted))
    judged = list(analyses.verified(named))
    rated = list(checks.verified(named))
    bad = [each for each in found if each.problem]
    entered = list(archives.verified(named))
    wrong = [each for each in entered if each.problem]
    spoiled = [each for each in judged if each.problem]
    misrated = [each for each in rated if each.problem]
    if as_json:
        rows = [each._asdict() for some in (found, judged, rated, entered) for each in some]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
    else:
        for each in bad:
            click.echo(f"{each.table}: {each.problem}")
        for one in spoiled:
            click.echo(_("analysis {id}: {problem}").format(id=one.analysis, problem=one.problem))
        for entry in wrong:
            words = _("archive, {table}: {problem}")
            click.echo(words.format(table=entry.archived, problem=entry.problem))
        for ladder in misrated:
            click.echo(f"{ladder.ladder}: {ladder.problem}")
        entries = sum(each.entries for each in found)
        words = ngettext(
            "{n} game with {entries} log entries verified.",
            "{n} games with {entries} log entries verified.",
            len(found),
        )
        click.echo(words.format(n=len(found), entries=entries))
        if judged:
            words = ngettext("{n} analysis verified.", "{n} analyses verified.", len(judged))
            click.echo(words.format(n=len(judged)))
        if entered:
            words = ngettext(
                "{n} game in the archive verified.",
                "{n} games in the archive verified.",
                len(entered),
            )
            click.echo(words.format(n=len(entered)))
        if rated:
            words = ngettext("{n} ladder verified.", "{n} ladders verified.", len(rated))
            click.echo(words.format(n=len(rated)))
    if bad:
        words = ngettext("{n} game does not match.", "{n} games do not match.", len(bad))
        raise BrassError(words.format(n=len(bad)))
    if spoiled:
        words = ngettext("{n} analysis does not match.", "{n} analyses do not match.", len(spoiled))
        raise BrassError(words.format(n=len(spoiled)))
    if wrong:
        words = ngettext(
            "{n} game in the archive does not match.",
            "{n} games in the archive do not match.",
            len(wrong),
        )
        raise BrassError(words.format(n=len(wrong)))
    if misrated:
        words = ngettext("{n} ladder does not match.", "{n} ladders do not match.", len(misrated))
        raise BrassError(words.format(n=len(misrated)))
