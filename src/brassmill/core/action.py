"""Whole actions, as choices and as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property

import numpy as np

from brassmill.core.choice import MEANING, WORD, Choice, card_text
from brassmill.core.engine import Engine
from brassmill.editions.edition import Edition
from brassmill.language import known
from brassmill.rules.emit import EventKind
from brassmill.rules.layout import CARD as CARD_QUESTION
from brassmill.rules.layout import NOWHERE, STATE, SYMBOLS
from brassmill.vocabulary import say


class Action:
    """An action with all its choices, including forced ones; `str` writes it as text.

    An action that begins in the middle of another one is the rest of it. The choices of an action
    that has not been played are a plan: if the distant market closes on the way, the remaining ones
    do not apply (SELL-4).

    An action knows the position in which it began, including hidden information. Like the log, it
    is only for the code that runs the game: players get its text, its events and a view.
    """

    def __init__(
        self,
        edition: Edition,
        seats: tuple[str, ...],
        before: bytes,
        choices: Sequence[int],
        number: int | None = None,
    ) -> None:
        self.edition = edition
        self.seats = seats
        self.before = before  # the whole position, including hidden information
        self.ids = tuple(choices)
        self.number = number  # in the log, from 1; None if it has not been played

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices in their order."""
        return tuple(Choice(number, self.edition) for number in self.ids)

    @cached_property
    def seat(self) -> int:
        """The seat that acts."""
        return int(np.frombuffer(self.before, STATE)["seat"][0])

    @cached_property
    def text(self) -> str:
        """The action in the canonical words of `docs/formats/notation.md`."""
        return self.text_in("en")

    def text_in(self, language: str) -> str:
        """The action in the words of a language: `en`, `de` or `fr`. Each can be read again."""
        engine = Engine(self.edition, self.seats, self.before)
        return _Writer(engine, known(language)).write(self.ids)

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        number = "" if self.number is None else f"{self.number}. "
        return f"<{number}{self.seats[self.seat]}: {self.text}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Action):
            return NotImplemented
        return self.ids == other.ids and self.seat == other.seat

    def __hash__(self) -> int:
        return hash(self.ids)


BOUGHT = {EventKind.COAL_USED.value: "coal", EventKind.IRON_USED.value: "iron"}


def in_one_order(engine: Engine, options: list[int], made: Sequence[int]) -> list[int]:
    """The options that continue a set of cards without repeating it in another order."""
    if engine.phase == CARD_QUESTION and made and MEANING[made[-1]][0] == "CARD":
        return [option for option in options if option >= made[-1]]
    return options


# --- text ----------------------------------------------------------------------------------------


class _Writer:
    """Writes choices as text while making them.

    Cards are always written, and a buyer if there was a choice. Sources, ends and the tiles of the
    Gloucester bonus are written as a whole list if one of them was a choice, because a list
    is read in order.
    """

    LISTS = ("end", "coal", "iron", "beer", "remove")

    def __init__(self, engine: Engine, language: str = "en") -> None:
        self.engine = engine
        self.edition = engine.edition
        self.language = language
        self.verb = ""
        self.targets: list[str] = []
        self.cards: list[int] = []
        self.buyer = ""  # of a sale that began before
        self.lists: dict[str, list[str]] = {name: [] for name in self.LISTS}
        self.chosen: set[str] = set()  # the lists in which something was a choice
        self.options: list[int] = []

    def write(self, choices: Sequence[int]) -> str:
        for choice in choices:
            self.options = self.engine.legal()
            self.note(choice)
            self.engine.step(choice)
            for kind, _, space, _ in self.engine.rows:
                if space == NOWHERE and kind in BOUGHT:
                    self.lists[BOUGHT[kind]].append(self.say("market"))
        return "; ".join(self.parts()) or self.say("done")

    def say(self, word: str) -> str:
        """A word in the language that is written."""
        return say(word, self.language)

    def parts(self) -> Iterator[str]:
        if self.verb:
            yield f"{self.say(self.verb)} {', '.join(self.targets)}".strip()
        if self.buyer:
            yield self.buyer
        for name, entries in self.lists.items():
            if name in self.chosen:
                yield f"{self.say(name)} {', '.join(entries)}"
        if self.cards:
            # Sorted by English name in every language: the order means nothing.
            cards = sorted(self.cards, key=self.edition.card_name)
            names = ", ".join(card_text(self.edition, card, self.language) for card in cards)
            yield f"{self.say('cards' if cards[1:] else 'card')} {names}"
        if self.engine.in_progress:
            yield "..."

    def note(self, choice: int) -> None:
        """Write one choice, given the position before it."""
        kind, offset = MEANING[choice]
        word, edition = WORD[kind], self.edition
        match kind:
            case "BUILD":
                self.target(word, self.built(offset))
            case "LINK":
                self.target(word, edition.line_name(offset))
            case "SELL" | "GIVE_UP":
                self.target(word, self.tile(kind, offset))
            case "DEVELOP":
                self.target(word, self.say(edition.industry_name(offset)))
            case "LOAN":
                self.target(word, str(10 * (offset + 1)))
            case "SCOUT" | "PASS":
                self.verb = word
            case "CARD":
                self.cards.append(offset)
            case "COAL_FROM" | "IRON_FROM" | "BEER_FROM":
                self.listed(word, self.source(kind, offset))
            case "BARREL_OF":
                self.barrel(offset)
            case "COAL_AT":
                self.listed(word, edition.place_name(offset))
            case "REMOVE":
                self.listed(word, self.say(edition.industry_name(offset)))
            case "SELL_TO_PORT":
                self.sold_to(f"{self.say(word)} {self.source(kind, offset)}")
            case "SELL_FAR":
                self.sold_to(self.say(word))

    def target(self, verb: str, text: str) -> None:
        self.verb = verb
        self.targets.append(text)

    def listed(self, name: str, text: str) -> None:
        self.lists[name].append(text)
        if len(self.options) > 1:
            self.chosen.add(name)

    def sold_to(self, buyer: str) -> None:
        if len(self.options) == 1:
            return
        if self.targets:
            self.targets[-1] += f" > {buyer}"
        else:
            self.buyer = buyer

    def barrel(self, merchant: int) -> None:
        """A merchant's barrel names the buyer; in a sale begun earlier, it is one of a list."""
        place = self.edition.merchants[merchant]
        others = self.others("BARREL_OF", lambda n: self.edition.merchants[n] == place)
        name = self.edition.merchant_name(merchant) if others else place
        if self.targets:
            self.sold_to(name)
        else:
            self.listed("beer", f"{self.say('merchant')} {name}")

    # --- names that are long enough --------------------------------------------------------------

    def others(self, kind: str, like: Callable[[int], bool]) -> int:
        """How many other legal choices of the kind are like the one being written."""
        alike = [MEANING[option] for option in self.options]
        return sum(name == kind and like(offset) for name, offset in alike) - 1

    def built(self, offset: int) -> str:
        place, industry = self.site(offset)
        others = self.others("BUILD", lambda n: self.site(n) == (place, industry))
        space = self.edition.space_name(offset // SYMBOLS)
        return f"{self.say(industry)} {space if others else self.edition.place_name(place)}"

    def site(self, offset: int) -> tuple[int, str]:
        """The place and the industry of a build."""
        space, symbol = divmod(offset, SYMBOLS)
        return self.edition.spaces[space].place, self.edition.spaces[space].symbols[symbol]

    def tile(self, kind: str, space: int) -> str:
        """An own tile: `cotton Bury`, with the number of the space if there are two."""
        place = self.edition.spaces[space].place
        industry = self.industry(space)
        others = self.others(
            kind, lambda n: self.edition.spaces[n].place == place and self.industry(n) == industry
        )
        name = self.edition.space_name(space) if others else self.edition.place_name(place)
        return f"{self.say(industry)} {name}"

    def industry(self, space: int) -> str:
        return self.edition.tile[int(self.engine.state.tile[space])].industry

    def source(self, kind: str, space: int) -> str:
        """`Bury`; `R Bury` if there are two candidates; `R Bury 2` if both are R's."""
        place = self.edition.spaces[space].place
        owner = int(self.engine.state.owner[space])
        name = self.edition.place_name(place)
        if not self.others(kind, lambda n: self.edition.spaces[n].place == place):
            return name
        if self.others(
            kind,
            lambda n: self.edition.spaces[n].place == place and self.engine.state.owner[n] == owner,
        ):
            name = self.edition.space_name(space)
        return f"{self.engine.seats[owner]} {name}"
