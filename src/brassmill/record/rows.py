"""The headers of a record, and the rows of its deal."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from brassmill import editions, position
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.core.outcome import Outcome
from brassmill.core.view import UNKNOWN
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.position.words import SEAT_NAMES, find_seat
from brassmill.record.tree import NOT_TEXT

if TYPE_CHECKING:
    from brassmill.game import Game
    from brassmill.record.record import Record

FORMAT = "1"
RESULT_HEADERS = ("Result", "Winner", "TieBreak")
CONCEDED = "Conceded"  # the header with the seats that conceded, first to last
OWN_HEADERS = (  # set by the game itself
    "Brass", "Edition", "Players", "Options", "Seats", "Rules", "Seed", "View", CONCEDED,
    *RESULT_HEADERS,
)  # fmt: skip
ROWS = ("order", "deck", "rail deck", "distant", "rail distant", "merchants", "position", "checks")
HIDDEN = "?"
SPECTATOR, SEAT = "spectator", "seat "  # the header View: `spectator` or `seat Ada`
WIDTH = 100

HEADER = re.compile(r'\[([A-Za-z][A-Za-z0-9_]*) "((?:[^"\\]|\\.)*)"\]')


# --- headers -------------------------------------------------------------------------------------


def header_line(name: str, value: str) -> str:
    """A header as text."""
    if not isinstance(value, str):
        raise BrassError(
            _("the header {header} must be text, not {value!r}").format(header=name, value=value)
        )
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    line = f'[{name} "{escaped}"]'
    if not HEADER.fullmatch(line) or NOT_TEXT.search(line):
        raise BrassError(
            _(
                "{header} cannot be a header: the name needs letters and digits, the value one line"
            ).format(header=repr(line))
        )
    return line


def read_header(line: str) -> tuple[str, str]:
    """The name and the value of a header."""
    match = HEADER.fullmatch(line)
    if match is None:
        raise BrassError(_('a header is written [Name "value"]'))
    return match[1], re.sub(r"\\(.)", r"\1", match[2])


def headers_of(record: Record, rules: int, more: Mapping[str, str]) -> dict[str, str]:
    """The headers of a new record: the required ones first, then those added."""
    edition = record.edition
    headers = {"Edition": edition.name, "Players": str(edition.players)}
    if edition.changed_options:
        headers["Options"] = ", ".join(
            f"{name}={_value_text(value)}" for name, value in edition.changed_options.items()
        )
    headers["Seats"] = ", ".join(record.seats)
    headers["Rules"] = str(rules)
    if record.deal and record.deal.seed is not None:
        headers["Seed"] = str(record.deal.seed)
    if record.viewer is not None:
        seat = record.viewer
        headers["View"] = SPECTATOR if isinstance(seat, str) else f"{SEAT}{record.seats[seat]}"
    if record.conceded:
        headers[CONCEDED] = ", ".join(record.seats[seat] for seat in record.conceded)
    for name, value in more.items():
        header_line(name, value)  # raises an error if it cannot be a header
        if name in OWN_HEADERS:
            raise BrassError(_("the header {header} is set by the game").format(header=name))
    return headers | dict(more)


def _value_text(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)


def edition_of(headers: Mapping[str, str]) -> Edition:
    """The edition that the headers name."""
    if "Edition" not in headers:
        raise BrassError(_('the header [Edition "..."] is missing'))
    options: dict[str, Any] = {}
    for entry in headers.get("Options", "").split(","):
        name, equals, value = entry.partition("=")
        if entry.strip():
            if not equals:
                raise BrassError(
                    _("an option is written name=value, not {text}").format(text=entry)
                )
            options[name.strip()] = value.strip()
    players = headers.get("Players")
    if players is not None and not re.fullmatch("[0-9]", players):
        raise BrassError(_("{text} is not a number of players").format(text=repr(players)))
    number = None if players is None else int(players)
    return editions.edition(headers["Edition"], number, **options)


def names_of(edition: Edition, headers: Mapping[str, str]) -> tuple[str, ...]:
    """The names of the seats; without the header, the default ones."""
    if "Seats" not in headers:
        return SEAT_NAMES
    names = tuple(name.strip() for name in headers["Seats"].split(","))
    if len(names) != edition.players:
        raise BrassError(
            _("there are {names} seats for {players} players").format(
                names=len(names), players=edition.players
            )
        )
    return names


def conceded_in(headers: Mapping[str, str], seats: tuple[str, ...]) -> tuple[int, ...]:
    """The seats that conceded, first to last."""
    found = tuple(find_seat(seats, name) for name in _list(headers.get(CONCEDED, "")))
    if len(set(found)) < len(found):
        raise BrassError(_("the header {header} names a seat twice").format(header=CONCEDED))
    return found


def result_headers(outcome: Outcome) -> dict[str, str]:
    """The headers with the result of a game."""
    return {
        "Result": ", ".join(f"{result.name} {result.total}" for result in outcome.ranking),
        "Winner": ", ".join(outcome.results[seat].name for seat in outcome.winners),
        "TieBreak": outcome.tie_break,
    }


def parts(text: str) -> set[str]:
    """The items of a header, in any order."""
    return {part.strip() for part in text.split(",")}


# --- the deal ------------------------------------------------------------------------------------


def began_by_deal(game: Game) -> bool:
    """Whether the game began with its deal, not from another position."""
    engine = Engine(game.edition, game.seats)
    engine.set_up(game.deal.record(game.edition))
    return engine.snapshot() == game.start


def position_text(game: Game) -> str:
    """The position in which a game began, as one line."""
    engine = Engine(game.edition, game.seats, game.start)
    return position.to_text(game.edition, engine.state, game.seats, one_line=True)


def deal_rows(edition: Edition, seats: tuple[str, ...], deal: Deal) -> Iterator[str]:
    """A deal, or what is known of it, row by row."""

    def cards(deck: tuple[int, ...]) -> str:
        return ", ".join(HIDDEN if card == UNKNOWN else edition.card_name(card) for card in deck)

    def steps(tiles: tuple[int, ...]) -> str:
        return ", ".join(HIDDEN if tile == UNKNOWN else str(tile) for tile in tiles)

    yield from row("order", ", ".join(seats[seat] for seat in deal.order))
    for name, deck in zip(("deck", "rail deck"), deal.decks, strict=True):
        yield from row(name, cards(deck))
    if edition.distant:
        for name, tiles in zip(("distant", "rail distant"), deal.distant, strict=True):
            yield from row(name, steps(tiles))
    if edition.merchants:
        tiles_at: dict[str, list[str]] = {}
        for place, goods in zip(edition.merchants, deal.merchants, strict=True):
            tiles_at.setdefault(place, []).append(edition.goods_name(goods))
        places = [f"{place}: {', '.join(tiles)}" for place, tiles in tiles_at.items()]
        yield from row("merchants", "; ".join(places))


def row(name: str, text: str) -> list[str]:
    """A row, wrapped into lines."""
    return textwrap.wrap(
        f"{name}: {text}",
        WIDTH,
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def needed(edition: Edition) -> tuple[str, ...]:
    """The rows of a deal."""
    distant = ("distant", "rail distant") if edition.distant else ()
    merchants = ("merchants",) if edition.merchants else ()
    return ("order", "deck", "rail deck", *distant, *merchants)


def read_row(edition: Edition, seats: tuple[str, ...], name: str, text: str) -> tuple[int, ...]:
    """A row of a deal as numbers; hidden ones are UNKNOWN."""
    if name == "merchants":
        return _merchants(edition, text)
    find: Callable[[str], int] = {
        "order": lambda entry: find_seat(seats, entry),
        "deck": edition.find_card,
        "rail deck": edition.find_card,
        "distant": _steps,
        "rail distant": _steps,
    }[name]
    return tuple(
        UNKNOWN if entry == HIDDEN and name != "order" else find(entry) for entry in _list(text)
    )


def refuse_unknown(deal: Deal) -> None:
    """Raise an error if a deal is not known completely."""
    if any(UNKNOWN in row for row in (*deal.decks, *deal.distant)):
        raise BrassError(
            _("only the record of a seat or a spectator (header View) has hidden cards")
        )


def _list(text: str) -> list[str]:
    return [entry.strip() for entry in text.split(",")] if text else []


def _steps(text: str) -> int:
    if not re.fullmatch("[0-9]", text):
        raise BrassError(
            _("{text} is not a distant market tile: write its number of steps").format(text=text)
        )
    return int(text)


def _merchants(edition: Edition, text: str) -> tuple[int, ...]:
    """The tiles by merchant space, from `Oxford: all, blank; Gloucester: ...`."""
    tiles_at: dict[str, list[int]] = {}
    for entry in filter(None, text.split(";")):
        place, _colon, tiles = entry.partition(":")
        name = edition.place_name(edition.find_place(place.strip()))
        tiles_at.setdefault(name, []).extend(edition.find_goods(tile) for tile in _list(tiles))
    for name in {*tiles_at, *edition.merchants}:
        spaces = edition.merchants.count(name)
        if len(tiles_at.get(name, ())) != spaces:
            raise BrassError(
                _("merchants: {place} has {spaces} spaces, not {tiles}").format(
                    place=name, spaces=spaces, tiles=len(tiles_at.get(name, ()))
                )
            )
    return tuple(tiles_at[place].pop(0) for place in edition.merchants)


def with_seed(edition: Edition, deal: Deal, seed: str) -> Deal:
    """The deal with its seed, if the seed produces it; else the deal alone."""
    if not re.fullmatch("[0-9]{1,20}", seed):
        return deal
    try:
        again = Deal.from_seed(edition, int(seed))
    except BrassError:
        return deal
    return again if replace(again, seed=None) == deal else deal


def read_checks(text: str) -> tuple[int, ...]:
    """The checks of the actions: four hexadecimal digits each."""
    for check in text.split():
        if not re.fullmatch("[0-9a-f]{4}", check):
            raise BrassError(
                _("{text} is not a check: it needs four digits, 0 to 9 and a to f").format(
                    text=check
                )
            )
    return tuple(int(check, 16) for check in text.split())


def viewer_of(
    headers: Mapping[str, str], seats: tuple[str, ...]
) -> int | Literal["spectator"] | None:
    """The seat whose record it is."""
    view = headers.get("View")
    if view is None or view == SPECTATOR:
        return None if view is None else "spectator"
    if not view.startswith(SEAT):
        raise BrassError(
            _("View must be 'spectator' or 'seat NAME', not {text}").format(text=repr(view))
        )
    return find_seat(seats, view.removeprefix(SEAT))


def read_position(edition: Edition, seats: tuple[str, ...], text: str) -> str:
    """The text of a position, checked for this edition and these seats."""
    read = position.read(position.from_text(text))
    if read.edition is not edition or read.seats != seats:
        raise BrassError(_("the position belongs to another edition or to other seats"))
    return text
