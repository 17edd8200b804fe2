"""Making tournaments, and what their organisers decide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from brassmill.editions import EDITIONS, Value
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.mail import addresses
from brassmill.web.mail.texts import LINK
from brassmill.web.models import Account, Table, Tournament, TournamentSeat
from brassmill.web.server import database
from brassmill.web.setup.clocks import CLOCKS
from brassmill.web.setup.visible import has_blank, has_letter
from brassmill.web.table import repair
from brassmill.web.tournaments import entrants, formats, rounds
from brassmill.web.tournaments.state import sizes_of, state_of
from brassmill.web.tournaments.taking import TakenResult

MOST_AT_ONCE = 5  # unfinished tournaments of an organiser
MOST_PLAYERS = 128
MOST_ROUNDS = 20
LONGEST_NAME, LONGEST_ABOUT = 60, 500
FURTHEST = timedelta(days=366)  # ahead
# The numbers of the form: the least, the most, and the usual one.
NUMBERS = {
    "size": (2, 4, 4),
    "most": (2, MOST_PLAYERS, 64),
    "rounds": (1, MOST_ROUNDS, 3),
    "division": (3, 16, 8),
    "movers": (0, 8, 2),
    "days": (0, 60, 0),
    "minutes": (10, 720, 120),
}


@dataclass(frozen=True)
class Given:
    """The form of a new tournament as typed, and what is wrong with it."""

    values: Mapping[str, str] = field(default_factory=dict)
    faults: Mapping[str, str] = field(default_factory=dict)

    def value(self, name: str, usual: str = "") -> str:
        """What was typed into a field."""
        return self.values.get(name, usual)

    def number(self, name: str) -> int:
        """A number of a form without faults."""
        return int(self.values.get(name, NUMBERS[name][2]))

    def is_on(self, name: str) -> bool:
        return self.values.get(name) == "yes"

    @property
    def starts(self) -> datetime:
        return datetime.fromisoformat(self.values["starts"]).replace(tzinfo=UTC)

    @property
    def options(self) -> dict[str, Value]:
        """The options that differ from the default."""
        return {
            option.name: value
            for option in EDITIONS[self.values["edition"]].options
            for value in option.values
            if str(value) == self.values.get(option.name) and value != option.default
        }


def usual(now: datetime) -> Given:
    """The form as it is first shown."""
    starts = (now + timedelta(days=1)).astimezone(UTC).replace(second=0, microsecond=0)
    values = {name: str(number) for name, (_least, _most, number) in NUMBERS.items()}
    values |= {"style": formats.SWISS, "edition": "birmingham", "clock": "turn-1d", "late": "yes"}
    return Given({**values, "starts": f"{starts:%Y-%m-%dT%H:%M}"})


def read(sent: Mapping[str, Any], now: datetime) -> Given:
    """Read the form and collect all errors."""
    values = {name: " ".join(str(value).split()) for name, value in sent.items()}
    given = Given(values)
    return Given(values, dict(_faults(given, now)))


def _faults(given: Given, now: datetime) -> Iterator[tuple[str, str]]:
    choose = _("Choose one of these.")
    for name, longest in (("name", LONGEST_NAME), ("about", LONGEST_ABOUT)):
        text = given.value(name)
        if len(text) > longest:
            yield name, _("Too long: at most {most} characters.").format(most=longest)
        elif LINK.search(text) or not text.isprintable() or has_blank(text):
            yield name, _("Links and invisible letters are not allowed here.")
        elif name == "name" and not has_letter(text):
            yield name, _("Give the tournament a name.")
    if given.value("style") not in formats.FORMATS:
        yield "style", choose
    if given.value("clock") not in CLOCKS:
        yield "clock", _("A tournament needs a clock: choose one.")
    numbers_fault = dict(_number_faults(given))
    yield from numbers_fault.items()
    if given.value("edition") not in EDITIONS:
        yield "edition", choose
    elif "size" not in numbers_fault:
        yield from _game_faults(given)
    try:
        starts = given.starts
    except (ValueError, KeyError, OverflowError):
        yield "starts", _("This is not a date and time.")
    else:
        if not now - timedelta(minutes=10) <= starts <= now + FURTHEST:
            yield "starts", _("Choose a time within the next year.")
    if given.value("style") == formats.ARENA and given.is_on("duplicate"):
        yield (
            "duplicate",
            _("In an arena, tables begin at different times: they cannot share a deal."),
        )
    if given.is_on("rated") and given.is_on("duplicate"):
        yield (
            "rated",
            _("With the same deal at all tables, ratings would give results away: choose one."),
        )


def _number_faults(given: Given) -> Iterator[tuple[str, str]]:
    for name, (least, most, standard) in NUMBERS.items():
        text = given.value(name, str(standard))
        is_number = text.isascii() and text.isdecimal() and len(text) < 5
        if not is_number or not least <= int(text) <= most:
            yield name, _("Choose a number from {least} to {most}.").format(least=least, most=most)


def _game_faults(given: Given) -> Iterator[tuple[str, str]]:
    edition = EDITIONS[given.values["edition"]]
    chosen = given.options
    for option in edition.options:
        text = given.value(option.name, str(option.default))
        if text not in map(str, option.values):
            yield option.name, _("Choose one of these.")
        elif option.name in chosen and any(other in chosen for other in option.excludes):
            yield option.name, _("These options cannot be combined.")
    allowed = sizes_of(edition, chosen, given.number("size"))
    if given.number("size") not in allowed:
        yield "size", _("This game, with these options, is not for that many players.")
    elif given.value("style") == formats.LEAGUE and given.number("division") < allowed[0]:
        yield "division", _("A division needs enough players for a table.")
    if given.is_on("rated") and "intro" in chosen:
        yield "rated", _("Introductory games cannot be rated.")


def organiser_fault(account: Account | None) -> str:
    """Say why somebody cannot organise a tournament, or return nothing."""
    if account is None:
        return _("Sign in first: tournaments are for players with an account.")
    if addresses.confirmed(account.key) is None:
        return _("Confirm your e-mail address first: players must be able to rely on organisers.")
    if Tournament.objects.filter(organiser=account, ended=None).count() >= MOST_AT_ONCE:
        return _("You organise {n} tournaments already: let one of them end first.").format(
            n=MOST_AT_ONCE
        )
    return ""


def make(given: Given, account: Account, site: str) -> Tournament:
    """Make a tournament from a form without faults."""
    style = given.values["style"]
    is_arena, is_league = style == formats.ARENA, style == formats.LEAGUE
    with_rounds = style in (formats.SWISS, formats.LEAGUE)
    return Tournament.objects.create(
        name=given.values["name"],
        about=given.value("about"),
        organiser=account,
        style=style,
        edition=given.values["edition"],
        options=given.options,
        size=given.number("size"),
        clock=given.values["clock"],
        rated=given.is_on("rated"),
        duplicate=given.is_on("duplicate"),
        late=given.is_on("late"),
        most=given.number("most"),
        rounds=given.number("rounds") if with_rounds else 0,
        division=given.number("division") if is_league else 0,
        movers=given.number("movers") if is_league else 0,
        interval=timedelta(days=0 if is_arena else given.number("days")),
        lasting=timedelta(minutes=given.number("minutes")) if is_arena else None,
        starts=given.starts,
        site=site,
    )


# --- deciding ------------------------------------------------------------------------------------


def manage(tournament: Tournament, do: str, sent: Mapping[str, Any]) -> None:
    """Carry out what the organiser decides; an error says why it is impossible."""
    entrants.check_goes_on(tournament)
    match do:
        case "begin":
            _check_players(tournament)
            rounds.begin(tournament, database.now())
        case "pause":
            _change(tournament, Tournament.RUNNING, Tournament.PAUSED)
        case "resume":
            _change(tournament, Tournament.PAUSED, Tournament.RUNNING)
        case "cancel":
            cancel(tournament)
        case "remove":
            entrants.remove(tournament, _number(sent, "player"))
        case "replace":
            player, substitute = _number(sent, "player"), _number(sent, "substitute")
            entrants.replace(tournament, player, substitute)
        case "declare":
            number = _number(sent, "table")
            ranks = [_number(sent, f"rank-{n}") for n in range(4) if sent.get(f"rank-{n}")]
            declare(tournament, number, ranks)
        case _:
            raise BrassError(_("Choose one of these."))


def _check_players(tournament: Tournament) -> None:
    state = state_of(tournament)
    if len(state.active) < min(state.allowed):
        raise BrassError(_("Too few players have signed up."))


def _number(sent: Mapping[str, Any], name: str) -> int:
    text = str(sent.get(name, ""))
    if not (text.isascii() and text.isdecimal() and len(text) < 6):
        raise BrassError(_("Choose one of these."))
    return int(text)


def _change(tournament: Tournament, old: str, new: str) -> None:
    if not Tournament.objects.filter(pk=tournament.pk, state=old).update(state=new):
        raise BrassError(_("The tournament has changed in the meantime."))


def cancel(tournament: Tournament) -> None:
    """End a tournament without a winner; running games go on."""
    going = (Tournament.OPEN, Tournament.RUNNING, Tournament.PAUSED)
    found = Tournament.objects.filter(pk=tournament.pk, state__in=going)
    if not found.update(state=Tournament.CANCELLED, ended=database.now()):
        raise BrassError(_("The tournament has changed in the meantime."))


def declare(tournament: Tournament, number: int, ranks: list[int]) -> None:
    """Decide about a running table of the current round: its game ends, with these ranks."""
    with transaction.atomic():
        state = entrants.ongoing(tournament)
        tables = state.tables_of(state.round.number) if state.round else []
        table = next((each for each in tables if each.number == number), None)
        if table is None or table.is_decided:
            raise BrassError(_("This table is decided already."))
        if table.table and table.table.over:
            raise BrassError(_("This game is over: its result is being taken over."))
        entrants.check_impartial(state, table)
        seats = table.seats.count()
        if len(ranks) != seats or not all(1 <= rank <= seats for rank in ranks):
            raise BrassError(_("Give every player a place."))
        results = [TakenResult(rank, why=TournamentSeat.DECLARED) for rank in ranks]
        rounds.decide(table, results, database.now())
    if table.table_id and Table.objects.filter(pk=table.table_id, over=False).exists():
        repair.void(table.table_id)
