"""A player's commands: words that are not actions. All three languages always work.

None is a word of the notation: `Karte` and `carte` are cards there, so the map is `Plan` or `plan`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from brassmill.editions import Edition
from brassmill.editions.names import fold
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.vocabulary import say, with_umlauts


class Command(NamedTuple):
    """A command: its word in each language, its argument, and what it does."""

    en: str
    de: str
    fr: str
    argument: str
    meaning: str
    also: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The command in the current language."""
        return getattr(self, language())  # type: ignore[no-any-return]

    @property
    def spellings(self) -> Iterator[str]:
        for word in (self.en, self.de, self.fr, *self.also):
            yield from with_umlauts(word)

    @property
    def use(self) -> str:
        """How to type it."""
        return f"{self.word} {_(self.argument)}" if self.argument else self.word


ACTION, WORDS, FILE, CARD = N_("ACTION"), N_("[WORDS]"), N_("[FILE]"), N_("[CARD]")

COMMANDS = (
    Command(
        "list", "Liste", "liste", WORDS, N_("list your choices by number; words narrow the list")
    ),
    Command(
        *("hold", "nehmen", "prendre", CARD),
        N_("take a card before the action: only what it can do is offered; alone: put it back"),
    ),
    Command("hint", "Tipp", "conseil", "", N_("ask the coach what to do, and why")),
    Command("why", "warum", "pourquoi", ACTION, N_("explain why an action is not allowed")),
    Command(
        *("bill", "Rechnung", "facture", ACTION),
        N_("show what an action costs and earns, and where the resources come from"),
    ),
    Command("undo", "zurück", "annuler", "", N_("undo your last step, until you end your turn")),
    Command("score", "Punkte", "points", "", N_("show the VP if the era ended now")),
    Command("table", "Tisch", "table", "", N_("show the whole table")),
    Command("map", "Plan", "plan", "", N_("show the map")),
    Command(
        *("towns", "Städte", "villes", ""),
        N_("list the towns and the lines between them"),
    ),
    Command("mats", "Stapel", "plateaux", "", N_("show everyone's remaining tiles")),
    Command("hand", "Hand", "main", "", N_("show your cards")),
    Command(
        *("save", "speichern", "enregistrer", FILE),
        N_("show where the game is saved; with a file, write its record there"),
    ),
    Command("help", "Hilfe", "aide", "", N_("show this help; ? works too"), ("?",)),
    Command(
        *("quit", "beenden", "quitter", "", N_("leave; brass play resumes the game later")),
        also=("exit", "q"),
    ),
)

_KNOWN = {fold(word) or word: command for command in COMMANDS for word in command.spellings}

# Words that end a turn, as Enter does.
END = tuple(map(fold, ("end", "end turn", "Ende", "fin", "fin du tour")))


def find(word: str) -> Command | None:
    """Find a command by its word."""
    return _KNOWN.get(fold(word) or word)


def near(word: str, known: Iterable[str]) -> list[str]:
    """The known words most like this one, best first."""
    spelled = {entry.casefold(): entry for entry in known}
    return [spelled[entry] for entry in get_close_matches(word.casefold(), spelled, 3, 0.7)]


def is_end(line: str) -> bool:
    """Does this line end the turn?"""
    return fold(line) in END


def examples(edition: Edition) -> list[str]:
    """Example actions of an edition, in the current language."""
    town, code = _("TOWN"), language()

    def line(*words: str) -> str:
        return " ".join(say(word, code) for word in words)

    return [
        f"{line('build', 'coal')} {town}; {line('card')} {town}",
        f"{line('link')} {town}-{town}",
        f"{line('sell', 'cotton')} {town}",
        f"{line('develop', 'iron')}, {line('coal')}",
        f"{line('loan')} {max(edition.loans)}",
        *([line("scout")] if edition.traits.scouting else []),
        line("pass"),
    ]
