"""`brass admin ratings`: count all rated games again, from the first to the last."""

from __future__ import annotations

import json

import click

from brassmill.language import N_, ngettext
from brassmill.language import gettext as _
from brassmill.web.staff.commands.common import AdminCommand


@click.command(
    cls=AdminCommand,
    help=N_("Recompute all ratings from the stored results, in order of finish."),
)
@click.option("--json", "as_json", is_flag=True, help=N_("Print everything as JSON."))
def ratings(as_json: bool) -> None:
    from brassmill.web.models import Ladder
    from brassmill.web.ratings import counting

    counting.count_all()  # what has just ended is no difference
    names = Ladder.objects.order_by("pk").values_list("pk", flat=True)
    found = [counting.recount(name) for name in names]
    if as_json:
        rows = [each._asdict() for each in found]
        click.echo(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    for each in found:
        words = ngettext(
            "{ladder}: {n} game, {players}, {differing} different.",
            "{ladder}: {n} games, {players}, {differing} different.",
            each.games,
        )
        people = ngettext("{n} player", "{n} players", each.players).format(n=each.players)
        click.echo(
            words.format(ladder=each.ladder, n=each.games, players=people, differing=each.differing)
        )
    click.echo(_("All ratings are recomputed."))
