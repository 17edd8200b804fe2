"""The legal answers to a question, and the answers named in a scenario."""

from __future__ import annotations

from collections.abc import Sequence

from brassmill.core.choice import NUMBER, Choice
from brassmill.core.engine import Engine
from brassmill.core.names import QUESTIONS
from brassmill.notation import reader
from brassmill.notation.reader import Buyer, ParsedText, Spot, Target
from brassmill.rules import layout
from brassmill.rules.layout import SYMBOLS
from brassmill.scenario.errors import BadCheck

ACTIONS = ("build", "link", "develop", "sell", "loan")

# The questions: the phases in which each is open, and its kinds of choice.
ASKED: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    **{verb: ((layout.ACTION,), (verb,)) for verb in ACTIONS},
    "actions": (
        (layout.ACTION,),
        (*ACTIONS, "scout", "pass"),
    ),
    "card": ((layout.CARD,), ("card", "two_cards")),
    "coal": ((layout.COAL_SOURCE,), ("coal_from",)),
    "iron": ((layout.IRON_SOURCE,), ("iron_from",)),
    "beer": ((layout.BEER_SOURCE,), ("beer_from", "barrel_of")),
    "end": ((layout.RAIL_END,), ("coal_at",)),
    "buyer": ((layout.BUYER,), ("sell_to_port", "sell_far")),
    "remove": ((layout.FREE_DEVELOP,), ("remove",)),
    "give up": ((layout.DEBT,), ("give_up",)),
    "more": (
        (layout.MORE_RAIL, layout.MORE_SALES, layout.MORE_DEVELOP),
        ("link", "sell", "develop", "done"),
    ),
}

# Kinds whose offset is a space, or leads to one.
ON_SPACES = (
    "build", "sell", "give_up", "coal_from", "iron_from", "beer_from", "sell_to_port",
)  # fmt: skip


class Question:
    """A question of a scenario in a position."""

    def __init__(self, engine: Engine, text: str, card_name: str | None = None) -> None:
        self.engine, self.edition = engine, engine.edition
        self.industry: int | None = None
        words = " ".join(text.split())
        if words not in ASKED and words.startswith("build "):
            self.industry = self.edition.find_industry(words.removeprefix("build "))
            words = "build"
        if words not in ASKED:
            raise BadCheck(f"unknown question {text!r}; choose one of: {', '.join(ASKED)}")
        self.asked = words
        self.phases, self.kinds = ASKED[words]
        self.card = None if card_name is None else self.edition.find_card(card_name)
        if self.card is not None and self.phases != (layout.ACTION,):
            raise BadCheck(f"'card' goes with a question about actions, not with {text!r}")

    @property
    def is_open(self) -> bool:
        return self.engine.phase in self.phases

    @property
    def open_question(self) -> str:
        """The question that is actually open."""
        return QUESTIONS[self.engine.phase]

    def choices(self) -> list[Choice]:
        """The legal choices that answer it."""
        choices = [Choice(number, self.edition) for number in self.engine.legal()]
        return [choice for choice in choices if choice.kind in self.kinds and self.fits(choice)]

    def fits(self, choice: Choice) -> bool:
        """Does it fit the given industry and card?"""
        if self.industry is not None and self.building(choice)[0] != self.industry:
            return False
        if self.card is None:
            return True
        trial = self.engine.copy()
        trial.step(choice.id)
        return NUMBER["CARD", self.card] in trial.legal()

    def building(self, choice: Choice) -> tuple[int, int]:
        """The industry and the space of a build."""
        space, symbol = divmod(choice.offset, SYMBOLS)
        return int(self.edition.board.symbol[space, symbol]), space

    # --- answers -----------------------------------------------------------------------------

    def named(self, text: str, choices: Sequence[Choice]) -> list[Choice]:
        """Those of the given choices that an answer names."""
        if self.asked == "actions":
            return [choice for choice in choices if choice.kind == text.strip()]
        parsed = self.read(text)
        return [choice for choice in choices if self.is_named(parsed, choice)]

    def read(self, text: str) -> ParsedText:
        """Read an answer, which is written as in an action."""
        text = text.strip()
        heads = {"buyer": "", "more": "", "build": "build "}
        head = heads.get(self.asked, f"{self.asked} ")
        if self.industry is not None:
            head = f"build {self.edition.industry_name(self.industry)} "
        if self.asked == "more" and text != "done":
            more = {layout.MORE_RAIL: "link ", layout.MORE_SALES: "sell "}
            head = more.get(self.engine.phase, "develop ")
        if self.asked == "card" and text == "two cards":
            head = ""
        return reader.read(self.edition, self.engine.seats, head + text)

    def is_named(self, parsed: ParsedText, choice: Choice) -> bool:
        """Does the text name this choice?"""
        kind, offset = choice.kind, choice.offset
        if kind == "done":
            return parsed.done
        if kind == "card":
            return parsed.cards == [offset]
        if kind == "two_cards":
            return parsed.two_cards
        if kind in ("coal_from", "iron_from", "beer_from"):
            return self.is_source(parsed.coal + parsed.iron + parsed.beer, offset)
        if kind == "barrel_of":
            return self.is_barrel(parsed.beer, offset)
        if kind == "coal_at":
            return parsed.ends == [offset]
        if kind == "remove":
            return parsed.removes == [offset]
        if kind in ("sell_to_port", "sell_far"):
            return self.is_buyer(parsed.buyer, kind, offset)
        return len(parsed.targets) == 1 and self.is_target(parsed.targets[0], choice)

    def is_target(self, target: Target, choice: Choice) -> bool:
        kind, offset = choice.kind, choice.offset
        if kind == "link":
            return target.line == offset
        if kind == "develop":
            return target.industry == offset
        if kind == "loan":
            return target.levels == offset + 1
        if kind == "build":
            industry, space = self.building(choice)
            return target.industry == industry and self.at(target.spot, space)
        if kind in ("sell", "give_up"):
            industry = int(self.edition.board.industry_of[int(self.engine.state.tile[offset])])
            return target.industry in (None, industry) and self.at(target.spot, offset)
        return False

    def is_source(self, spots: Sequence[Spot | Buyer], space: int) -> bool:
        return len(spots) == 1 and isinstance(spots[0], Spot) and self.at(spots[0], space)

    def is_barrel(self, spots: Sequence[Spot | Buyer], merchant: int) -> bool:
        if len(spots) != 1 or not isinstance(spots[0], Buyer):
            return False
        spot, places = spots[0].spot, self.edition.merchant_places
        number = merchant - places.index(places[merchant]) + 1
        return spot.place == places[merchant] and spot.number in (None, number)

    def is_buyer(self, buyer: Buyer | None, kind: str, space: int) -> bool:
        if buyer is None:
            return False
        if kind == "sell_far":
            return buyer.kind == "distant"
        return buyer.kind == "port" and self.at(buyer.spot, space)

    def at(self, spot: Spot, space: int) -> bool:
        """Is this the named space, as far as it is named?"""
        row = self.edition.spaces[space]
        owner = int(self.engine.state.owner[space])
        return (
            spot.place == row.place
            and spot.number in (None, row.number)
            and spot.owner in (None, owner)
        )

    # --- the legal choices in words --------------------------------------------------------------

    def texts(self, choices: Sequence[Choice]) -> list[str]:
        """The choices as written in a scenario, each unique."""
        if self.asked == "actions":
            return list(dict.fromkeys(choice.kind for choice in choices))
        return [self.text(choice, choices) for choice in choices]

    def text(self, choice: Choice, choices: Sequence[Choice]) -> str:
        """The shortest wording that names only this choice."""
        wordings = self.wordings(choice)
        for words in wordings:
            if self.named(words, choices) == [choice]:
                return words
        return wordings[-1]

    def wordings(self, choice: Choice) -> list[str]:
        """How a choice can be written, shortest first."""
        edition, kind, offset = self.edition, choice.kind, choice.offset
        if kind == "two_cards":
            return ["two cards"]
        if kind == "done":
            return ["done"]
        if kind == "sell_far":
            return ["distant"]
        if kind == "barrel_of":
            names = edition.merchants[offset], edition.merchant_name(offset)
            return [f"merchant {name}" for name in names]
        if kind not in ON_SPACES:
            _, _, words = str(choice).partition(" ")
            return [words]
        space = self.building(choice)[1] if kind == "build" else offset
        row = edition.spaces[space]
        town = edition.place_name(row.place)
        front = self.front(choice, space)
        numbered = f"{front}{town} {row.number}"
        owner = int(self.engine.state.owner[space])
        if kind == "build" or owner < 0:
            return [f"{front}{town}", numbered]
        return [f"{front}{town}", f"{front}{self.engine.seats[owner]} {town}", numbered]

    def front(self, choice: Choice, space: int) -> str:
        """The words before the place."""
        if choice.kind == "build":
            if self.industry is not None:
                return ""
            return f"{self.edition.industry_name(self.building(choice)[0])} "
        if choice.kind in ("sell", "give_up"):
            tile = int(self.engine.state.tile[space])
            return f"{self.edition.tile_name(tile).split(' ')[0]} "
        return "port " if choice.kind == "sell_to_port" else ""
