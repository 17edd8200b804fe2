"""The commands of a player: words that are no actions, in three languages, all understood always.

None of them is a word of the notation: `Karte` and `carte` are cards there, so the map has others.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from typing import NamedTuple

from brassmill.editions.names import fold
from brassmill.language import N_, language
from brassmill.language import gettext as _
from brassmill.vocabulary import say, with_umlauts


class Command(NamedTuple):
    """A command: its word by language, what may follow it, and what it does."""

    en: str
    de: str
    fr: str
    argument: str
    meaning: str
    also: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """In the language of the context."""
        return getattr(self, language())  # type: ignore[no-any-return]

    @property
    def spellings(self) -> Iterator[str]:
        for word in (self.en, self.de, self.fr, *self.also):
            yield from with_umlauts(word)

    @property
    def use(self) -> str:
        """How it is typed."""
        return f"{self.word} {_(self.argument)}" if self.argument else self.word


ACTION, WORDS, FILE = N_("ACTION"), N_("[WORDS]"), N_("[FILE]")

COMMANDS = (
    Command("list", "Liste", "liste", WORDS, N_("what you can do, by number; with words, some")),
    Command("hint", "Tipp", "conseil", "", N_("what the coach would do, and why; by number")),
    Command("why", "warum", "pourquoi", ACTION, N_("why something cannot be done")),
    Command(
        *("bill", "Rechnung", "facture", ACTION),
        N_("what it costs and brings, and where everything comes from"),
    ),
    Command(
        "undo", "zurück", "annuler", "", N_("take back your last step, until you end your turn")
    ),
    Command("score", "Punkte", "points", "", N_("the points if the era ended now")),
    Command("table", "Tisch", "table", "", N_("everything on the table")),
    Command("map", "Plan", "plan", "", N_("the map")),
    Command(
        *("towns", "Städte", "villes", ""),
        N_("the towns one by one, and the lines between them"),
    ),
    Command("mats", "Stapel", "plateaux", "", N_("the tiles left to everybody")),
    Command("hand", "Hand", "main", "", N_("your cards")),
    Command(
        *("save", "speichern", "enregistrer", FILE),
        N_("where the game is kept; with a file, write its record there"),
    ),
    Command("help", "Hilfe", "aide", "", N_("this; a question mark does it too"), ("?",)),
    Command(
        *("quit", "beenden", "quitter", "", N_("stop; brass play goes on with the game later")),
        also=("exit", "q"),
    ),
)

_KNOWN = {fold(word) or word: command for command in COMMANDS for word in command.spellings}

# Enter ends a turn too.
END = tuple(map(fold, ("end", "end turn", "Ende", "fin", "fin du tour")))


def find(word: str) -> Command | None:
    """A command by its word."""
    return _KNOWN.get(fold(word) or word)


def near(word: str, known: Iterable[str]) -> list[str]:
    """What somebody may have meant: the known words that are much like this one, best first."""
    spelled = {entry.casefold(): entry for entry in known}
    return [spelled[entry] for entry in get_close_matches(word.casefold(), spelled, 3, 0.7)]


def is_end(line: str) -> bool:
    """Does it end the turn?"""
    return fold(line) in END


def examples(scouting: bool) -> list[str]:
    """Actions as they are typed, in the language of the context."""
    town, code = _("TOWN"), language()

    def line(*words: str) -> str:
        return " ".join(say(word, code) for word in words)

    return [
        f"{line('build', 'coal')} {town}; {line('card')} {town}",
        f"{line('link')} {town}-{town}",
        f"{line('sell', 'cotton')} {town}",
        f"{line('develop', 'iron')}, {line('coal')}",
        f"{line('loan')} 30",
        *([line("scout")] if scouting else []),
        line("pass"),
    ]
