"""A line of the log as symbols and figures, each with its words.

The title of a line says who did what and where. Everything else is a figure: the cards, the cost,
where coal, iron and beer come from, what is gained, what flips, and income. The words of a figure
are those of the sentence that it stands for.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from brassmill import terms
from brassmill.core.events import Event
from brassmill.editions.edition import INDUSTRY
from brassmill.language import gettext as _
from brassmill.svg.panel import capital, signed
from brassmill.words import event_words
from brassmill.words.events import BONUS
from brassmill.words.log import ACTIONS, LogEntry, line_kind, merged

MINUS = "\N{MINUS SIGN}"
GOODS = {"coal_used": "coal", "iron_used": "iron"}
RESOURCES = {"coal": "coal", "iron": "iron", "brewery": "beer"}  # by the industry that gives them


class FigurePiece(NamedTuple):
    """A piece of a figure."""

    kind: str  # sign or icon: a symbol by its name; cube; seat: a player's shape; text
    value: str


@dataclass(frozen=True)
class LogFigure:
    """Something that an action changed."""

    words: str
    parts: tuple[FigurePiece, ...]
    card: str = ""  # location, industry or wild: it is a card


def title_of(entry: LogEntry) -> str:
    """The line without what its figures show."""
    if entry.events and line_kind(entry.events[0]) == "income_paid":
        return _("Income")
    return entry.line.text


def figures_of(entry: LogEntry, seats: Sequence[str]) -> tuple[LogFigure, ...]:
    """The figures of a line; none if its title says it all."""
    if not entry.events:
        return ()
    match line_kind(entry.events[0]):
        case "income_paid":
            return tuple(_incomes(entry.events, seats))
        case "scored":
            return tuple(_scores(entry.events, seats))
        case "action" if entry.line.details:
            return tuple(_Action(entry, seats).figures())
    return ()


def _figure(words: str, *parts: tuple[str, str]) -> LogFigure:
    return LogFigure(capital(words), tuple(FigurePiece(*part) for part in parts))


def _gain(pounds: int) -> tuple[str, str]:
    return "text", terms.pounds(pounds) if pounds < 0 else f"+{terms.pounds(pounds)}"


# --- actions -------------------------------------------------------------------------------------


class _Action:
    """An action: its cards, its cost, then the rest in order."""

    def __init__(self, entry: LogEntry, seats: Sequence[str]) -> None:
        assert entry.line.seat is not None
        self.seat = entry.line.seat
        self.seats = seats
        self.events = entry.events
        towns = {  # named in the title
            terms.town(event.space)
            for event in self.events
            if event.kind in ACTIONS and "space" in event.as_dict()
        }
        self.own_flips = [
            event
            for event in self.events
            if event.kind == "flipped"
            and event.owner == self.seat
            and terms.town(event.space) in towns
        ]
        # A bonus on the income track is part of the move there.
        self.income_bonus = [
            event
            for event in self.events
            if event.kind == "bonus" and BONUS[event.place] == "income"
        ]
        self.is_loan = any(event.kind == "borrowed" for event in self.events)

    def figures(self) -> Iterator[LogFigure]:
        yield from self._cards()
        yield from self._cost()
        for event, count in merged(list(self.events)):
            yield from self._of(event, count)

    def _words(self, event: Event, count: int = 1) -> str:
        return event_words(event, self.seats, count, of=self.seat)

    def _cards(self) -> Iterator[LogFigure]:
        for event in self.events:
            if event.kind == "discarded":
                name = capital(terms.card(event.card))
                words = capital(self._words(event))
                yield LogFigure(words, (FigurePiece("text", name),), card_kind(event.card))

    def _cost(self) -> Iterator[LogFigure]:
        bought = [e for e in self.events if e.kind == "paid" or e.kind in GOODS]
        if total := sum(event.pounds for event in bought):
            pounds = terms.pounds(total)
            yield _figure(_("Cost {pounds}").format(pounds=pounds), ("text", f"{MINUS}{pounds}"))

    def _flips(self) -> LogFigure:
        """The tiles of the title that flip."""
        words = ", ".join(map(self._words, self.own_flips))
        count = [("text", str(len(self.own_flips)))] if len(self.own_flips) > 1 else []
        return _figure(words, ("sign", "flipped"), *count)

    def _income(self, event: Event) -> LogFigure:
        own = self.income_bonus if event.seat == self.seat else []
        words = ", ".join(map(self._words, [*own, event]))
        change = ("text", signed(event.after - event.before))
        return _figure(words, ("sign", "income"), *self._whose(event.seat), change)

    def _of(self, event: Event, count: int) -> Iterator[LogFigure]:
        """The figure of an event, unless the title or another figure shows it."""
        words = self._words(event, count)
        match event.kind:
            case "coal_used" | "iron_used":
                goods = ("cube", GOODS[event.kind]), ("text", str(count))
                yield _figure(words, *goods, self._source(event.source))
            case "beer_used":
                source = self._source(event.source)
                yield _figure(words, ("cube", "beer"), ("text", str(count)), source)
            case "barrel_used":
                source = self._source(event.merchant)
                yield _figure(words, ("cube", "beer"), ("text", "1"), source)
            case "delivered":
                cubes = ("cube", RESOURCES[event.industry]), ("text", str(count))
                yield _figure(words, *cubes, ("icon", "market"), _gain(event.pounds))
            case "received":
                yield _figure(words, _gain(event.pounds))
            case "overbuilt":
                level = ("text", terms.level(event.tile))
                whose = self._whose(event.owner)
                yield _figure(words, ("icon", "overbuilt"), *whose, level)
            case "flipped" if event in self.own_flips:
                if event == self.own_flips[0]:
                    yield self._flips()
            case "flipped":
                town = ("text", terms.town(event.space))
                yield _figure(words, ("sign", "flipped"), *self._whose(event.owner), town)
            case "income_moved" if not self.is_loan:  # whose title tells the income it costs
                yield self._income(event)
            case "distant_tile":
                yield _figure(words, ("icon", "market"), ("text", signed(-event.steps)))
            case "bonus" if event not in self.income_bonus:
                yield _figure(words, *self._bonus(event))

    def _source(self, name: str) -> tuple[str, str]:
        return ("icon", "market") if name == "market" else ("text", terms.town(name))

    def _whose(self, seat: int) -> list[tuple[str, str]]:
        """The shape of a player other than the one who acts."""
        return [] if seat == self.seat else [("seat", str(seat))]

    def _bonus(self, event: Event) -> Sequence[tuple[str, str]]:
        match BONUS[event.place]:
            case "points":
                return ("sign", "points"), ("text", signed(event.amount))
            case "develop":
                return (("sign", "develop"),)
        return (_gain(event.amount),)


def card_kind(name: str) -> str:
    """The kind of a card, by its plain name."""
    if name.startswith("wild "):
        return "wild"
    return "industry" if name.split("/")[0] in INDUSTRY else "location"


# --- the end of a round or an era ----------------------------------------------------------------


def _incomes(events: Sequence[Event], seats: Sequence[str]) -> Iterator[LogFigure]:
    for event in events:
        yield _figure(event_words(event, seats), ("seat", str(event.seat)), _gain(event.pounds))


def _scores(events: Sequence[Event], seats: Sequence[str]) -> Iterator[LogFigure]:
    """VP by source; links and tiles are added up."""
    points: Counter[str] = Counter()
    for event in events:
        points[event.kind] += event.points
    for kind, total in points.items():
        if not total:
            continue
        if kind == "link_scored":
            sign, words = "link", _("{number} VP for links").format(number=total)
        elif kind == "tile_scored":
            sign, words = "flipped", _("{number} VP for flipped tiles").format(number=total)
        else:
            sign = "money" if kind == "cash_scored" else "income"
            [event] = [event for event in events if event.kind == kind]
            words = event_words(event, seats, of=event.seat)
        yield _figure(words, ("sign", sign), ("text", str(total).replace("-", MINUS)))
