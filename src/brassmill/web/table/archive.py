"""A game as stored: its deal, its log in words, and the full record once it is over.

What is stored depends neither on choice numbers nor on displayed texts. Every end of a turn has a
check, the digest of the position after it; these prove that the current rules still play the game
the same way (`fitting.py`). Stored texts name players by seat, so a player can be renamed or
anonymised without a replay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from brassmill.core.action import Action
from brassmill.core.deal import Deal
from brassmill.core.outcome import Outcome, Result
from brassmill.editions import Edition
from brassmill.game import Game
from brassmill.notation import stored
from brassmill.position.digest import digest_of
from brassmill.position.text import double
from brassmill.record import Record
from brassmill.record.rows import header_line, with_seed
from brassmill.record.writer import escaped
from brassmill.web.models import Archive, Seat, Table

if TYPE_CHECKING:
    from brassmill.web.table.session import TableSession

Body = dict[str, Any]  # of an entry

SEATS = ("§1", "§2", "§3", "§4")  # the players in stored texts
PROOF = ("check", "done")  # the extra keys at the end of a turn


def archive_of(table: Table) -> Archive:
    """What is stored of a game besides its log; for an old game, nothing yet.

    The record and outcome of a finished game are fetched on demand.
    """
    kept = Archive.objects.defer("record", "outcome").filter(pk=table.pk)
    return next(iter(kept), None) or Archive(table=table)


def deal_of(edition: Edition, table: Table, archive: Archive) -> Deal:
    """The deal of a game: the stored one, with its seed as long as that still produces it."""
    if archive.deal is None:
        return Deal.from_seed(edition, int(table.seed))
    deal = Deal.from_dict(edition, archive.deal)
    return with_seed(edition, deal, table.seed) if table.seed else deal


def bot_seed(table: Table, archive: Archive) -> int:
    """The seed for a table's bots: its own key, unrelated to the deal, or the chosen seed."""
    return int(archive.bot_key, 16) if archive.bot_key else int(table.seed)


# --- the log -------------------------------------------------------------------------------------


def written(edition: Edition, body: Body) -> Body:
    """An entry as stored: choices in words."""
    if "choose" not in body:
        return body
    return {**body, "choose": stored.write(edition, body["choose"])}


def read(edition: Edition, body: Body) -> Body:
    """A stored entry as played: choices by their current numbers, without the proof."""
    if "choose" in body:
        return {**body, "choose": stored.read(edition, body["choose"])}
    if "end" in body:
        return {key: value for key, value in body.items() if key not in PROOF}
    return body


def proof_of(game: Game, since: int) -> Body:
    """What is stored with the end of a turn: a check, and the actions since `since`."""
    return {
        "check": digest_of(game.edition, game.engine.snapshot()),
        "done": [[action.seat, _by_seats(action).text] for action in game.actions[since:]],
    }


def path_of(log: Sequence[Body], length: int) -> list[int]:
    """The entries that lead to the state at a length of the log, first to last.

    A rewind jumps to its target and leaves out the entries in between, but no other rewind: the
    history shows them all.
    """
    rewinds = [number for number, body in enumerate(log[:length], 1) if "rewind" in body]
    path = []
    while length:
        body = log[length - 1]
        if "rewind" in body:
            length = body["rewind"]
            while rewinds and rewinds[-1] > length:
                path.append(rewinds.pop())
        else:
            path.append(length)
            length -= 1
    return path[::-1]


# --- finished games ------------------------------------------------------------------------------


def record_text(session: TableSession) -> str:
    """The record of a finished game, with seats instead of names."""
    game = session.game
    copy = game.copy()
    copy.engine.seats = SEATS[: game.players]
    copy.actions = [*map(_by_seats, game.actions)]
    headers = {"Date": f"{session.table.began:%Y-%m-%d}"}
    record = Record.of(
        copy, headers=headers, conceded=session.conceded, by_agreement=session.is_agreed
    )
    return str(record)


def _by_seats(action: Action) -> Action:
    seats = SEATS[: action.edition.players]
    return Action(action.edition, seats, action.before, action.ids, action.number)


def named(text: str, names: Sequence[str]) -> str:
    """A stored text with the players' current names."""

    lines, in_position = [], False
    for line in text.splitlines(keepends=True):
        in_position = line.startswith("position:") or (in_position and line.startswith(" "))
        for seat, name in zip(SEATS, names, strict=False):
            line = line.replace(seat, double(name) if in_position else _name_in(line, name))
        lines.append(line)
    return "".join(lines)


def _name_in(line: str, name: str) -> str:
    """A name as written in a line of a record: a header, an action, or any other."""
    if line.startswith("["):
        return header_line("Name", name).removeprefix('[Name "').removesuffix('"]')
    return escaped(name, "{") if line[:1].isdigit() else name


def outcome_data(outcome: Outcome) -> dict[str, Any]:
    """The outcome of a game as plain data, without names."""
    results = [asdict(result) for result in outcome.results]
    for result in results:
        del result["name"]
    return {
        "results": results,
        "winners": list(outcome.winners),
        "tie_break": outcome.tie_break,
        **({"conceded": list(outcome.conceded)} if outcome.conceded else {}),
        **({"by_agreement": True} if outcome.by_agreement else {}),
    }


def outcome_from(data: dict[str, Any], names: Sequence[str]) -> Outcome:
    """The outcome of a game from stored data."""
    results = (Result(**row, name=names[row["seat"]]) for row in data["results"])
    return Outcome(
        tuple(results),
        tuple(data["winners"]),
        data["tie_break"],
        tuple(data.get("conceded", ())),
        data.get("by_agreement", False),
    )


def stored_outcome(table: Table, seats: Sequence[Seat]) -> Outcome | None:
    """The stored outcome of a game; None if it has no result."""
    data = Archive.objects.filter(pk=table.pk).values_list("outcome", flat=True).first()
    return outcome_from(data, [seat.name for seat in seats]) if data else None


def stored_record(table: Table, seats: Sequence[Seat]) -> str:
    """The stored record of a finished game; empty if there is none."""
    text = Archive.objects.filter(pk=table.pk).values_list("record", flat=True).first() or ""
    return named(text, [seat.name for seat in seats])
