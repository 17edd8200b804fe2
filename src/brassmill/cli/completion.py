"""Completion of the line being typed.

There are no rules here: the notation reads what was typed so far and plays it on a copy of the
game, and the engine's next question and its answers are the suggestions. They are in the player's
language, or in English if nothing in that language fits.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from brassmill.cli import commands
from brassmill.core.choice import ABOUT, MEANING, NUMBER, WORD, card_text, choice_text
from brassmill.core.engine import Engine
from brassmill.editions.names import fold
from brassmill.errors import BrassError
from brassmill.language import language
from brassmill.notation.matching import begin
from brassmill.notation.reader import ParsedText
from brassmill.play.offers import OPEN, verb_of, words_of
from brassmill.rules.choices import Subject
from brassmill.vocabulary import say

DONE = NUMBER["DONE", 0]
TWO_CARDS = "two cards"  # any two, instead of one that fits
TWO_UNITS = ("BUILD", "SELL", "GIVE_UP")  # an industry and a place
BUYERS = ("SELL_TO_PORT", "SELL_FAR", "BARREL_OF")
ANY = ("BUILD", "LINK", "DEVELOP", "LOAN", "SCOUT", "PASS")  # `why` takes these even if illegal
LAST_MARK = re.compile(r"[;,>](?!.*[;,>])", re.DOTALL)


class Suggestion(NamedTuple):
    """A text that replaces the last letters of a line."""

    text: str
    letters: int  # how many letters of the line it replaces


class Phrase(NamedTuple):
    """A choice in words: the verb, and its object in units that are typed one by one.

    `coal Dudley` is two units, `South Farm` is one.
    """

    kind: str
    verb: str
    about: tuple[str, ...]


def suggestions(engine: Engine, line: str, answers: Sequence[str] = ()) -> list[Suggestion]:
    """What may replace the end of a line; if a question is open, its answers come first."""
    word, blank, rest = line.lstrip().partition(" ")
    command = commands.find(word) if blank else None
    if command is None:
        words = [] if blank else [(known.word,) for known in commands.COMMANDS]
        named = [parts for answer in answers for parts in named_by(engine, answer)]
        return unique([*fitting(named, line), *of_action(engine, line), *fitting(words, line)])
    if command.en == "list":
        return unique(of_words(engine, rest))
    if command.en == "hold":
        return unique(of_hand(engine, rest))
    if command.en == "why":
        return unique([*of_anything(engine, rest), *of_action(engine, rest)])
    if command.en == "bill":
        return unique(of_action(engine, rest))
    return []


def unique(found: Iterable[Suggestion]) -> list[Suggestion]:
    return list(dict.fromkeys(found))


def of_action(engine: Engine, line: str) -> list[Suggestion]:
    """Suggestions in the notation."""
    for code in dict.fromkeys((language(), "en")):
        found = list(fitting(*units(engine, line, code)))
        if found:
            return found
    return []


def named_by(engine: Engine, answer: str) -> Iterator[tuple[str, ...]]:
    """The names of an answer: the whole text, or a town or card in it."""
    yield (answer,)
    for part in answer.split(";"):
        for unit in split(engine, part.strip()):
            yield (unit,)


def of_anything(engine: Engine, line: str) -> Iterator[Suggestion]:
    """Everything on the board that `why` can be asked about, legal or not."""
    if LAST_MARK.search(line):
        return
    edition, code = engine.edition, language()
    texts = []
    for number, (kind, offset) in enumerate(MEANING):
        text = choice_text(edition, number, code)
        verb = verb_of(number, code)
        about = text.removeprefix(verb).strip()
        if kind in ANY and about != str(offset):  # skip vocabulary that this edition does not use
            texts.append((verb, *split(engine, about)))
    yield from fitting(texts, line)


def of_hand(engine: Engine, line: str) -> Iterator[Suggestion]:
    """The cards of the player to move."""
    edition = engine.edition
    hand = np.flatnonzero(engine.state.hand[engine.seat]).tolist()
    yield from fitting([(card_text(edition, card, language()),) for card in hand], line)


def of_words(engine: Engine, line: str) -> Iterator[Suggestion]:
    """The words in the open choices."""
    phrases = phrases_at(engine.blind(), language())
    words = [(word,) for phrase in phrases for word in (phrase.verb, *phrase.about)]
    yield from fitting(words, line.rpartition(" ")[2])


# --- fitting -------------------------------------------------------------------------------------


def fitting(texts: Iterable[tuple[str, ...]], typed: str) -> Iterator[Suggestion]:
    """The next unit of every text that starts as typed; words before the last may be shortened."""
    typed = typed.lstrip()
    for text in texts:
        words = [(word, number) for number, unit in enumerate(text) for word in unit.split()]
        given = typed.split()
        open_word = given.pop() if typed and not typed[-1].isspace() else ""
        if len(given) >= len(words) + (not open_word):
            continue
        pairs = zip(words, given, strict=False)
        if not all(begins(word, short) or begins(short, word) for (word, _), short in pairs):
            continue
        rest = words[len(given) :]
        if not rest or not begins(rest[0][0], open_word):
            continue
        unit = rest[0][1]
        more = " ".join(word for word, number in rest if number == unit)
        yield Suggestion(more, len(open_word))


def begins(word: str, start: str) -> bool:
    wanted, typed = fold(word), fold(start)
    if bool(wanted) != bool(typed):  # folding drops articles, but keeps a half-typed one
        return word.casefold().startswith(start.casefold())
    return wanted.startswith(typed)


def units(engine: Engine, line: str, code: str) -> tuple[list[tuple[str, ...]], str]:
    """What may stand where the line ends, and how much of it is typed."""
    mark = LAST_MARK.search(line)
    back = not line.endswith((" ", ","))  # a link may be named from either end
    if mark is None:
        if not engine.in_progress:
            phrases = phrases_at(engine.blind(), code, back)
            return [(phrase.verb, *phrase.about) for phrase in phrases], line
        phrases = list(phrases_from(engine.blind(), code, back))
        if begins(line, say("cards", code)):
            phrases += phrases_after(engine, TWO_CARDS, code, back)
        texts = [(phrase.verb, *phrase.about) for phrase in phrases]
        texts += [
            phrase.about for phrase in phrases if phrase.about
        ]  # an answer may leave out the verb
        return texts, line
    before, typed = line[: mark.start()], line[mark.end() :]
    following = list(phrases_after(engine, before, code, back))
    verb = before.rpartition(";")[2].split()[:1]
    if mark[0] == ",":
        following = of_verb(following, verb)  # none if the first of two cards is enough
    if begins(typed, say("cards", code)) or (mark[0] == "," and not following):
        following += phrases_after(engine, f"{before}; {TWO_CARDS}", code, back)
    if mark[0] == ";":
        return [(phrase.verb, *phrase.about) for phrase in following], typed
    if mark[0] == ">":
        buyers = [phrase for phrase in following if phrase.kind in BUYERS]
        merchant = f"{say('merchant', code)} "  # the merchant's place is enough
        return [
            tuple(name.removeprefix(merchant) for name in phrase.about)
            if phrase.kind == "BARREL_OF"
            else (phrase.verb, *phrase.about)
            for phrase in buyers
        ], typed
    return [phrase.about for phrase in of_verb(following, verb)], typed


def of_verb(phrases: Iterable[Phrase], verb: Sequence[str]) -> list[Phrase]:
    """The phrases with the same verb, however it was shortened."""
    return [
        phrase
        for phrase in phrases
        if any(begins(phrase.verb, word) or begins(word, phrase.verb) for word in verb)
    ]


# --- what the engine offers ----------------------------------------------------------------------


def phrases_at(plan: Engine, code: str, back: bool = False) -> list[Phrase]:
    """The open choices in words; with `back`, links by both names."""
    found = []
    for choice in plan.legal():
        verb, about = words_of(plan, choice, code)
        kind, offset = MEANING[choice]
        two = kind in TWO_UNITS
        found.append(Phrase(kind, verb, split(plan, about) if two else (about,) if about else ()))
        if back and ABOUT[choice][0] == Subject.LINE:
            ends = plan.edition.lines[offset].ends[:2]
            found.append(Phrase(kind, verb, ("-".join(reversed(ends)),)))
    return found


def split(engine: Engine, about: str) -> tuple[str, ...]:
    """`coal Dudley 2` is an industry and a space; anything else is one unit."""
    for place in engine.edition.places:
        head, name, number = about.partition(place.name)
        if name and head.endswith(" ") and re.fullmatch(r"( \d+)?", number):
            return head.strip(), name + number
    return (about,) if about else ()


def phrases_after(engine: Engine, text: str, code: str, back: bool) -> Iterator[Phrase]:
    """What may follow a text: the questions it leaves open, each with its answers.

    To reach a later question, the first answer to each earlier one is taken: neither the card nor
    the source of a cube changes the later choices. Optional steps are skipped.
    """
    try:
        choices, parsed = begin(engine, f"{text}; {OPEN}")
    except BrassError:
        return
    plan = engine.blind()
    said = named(parsed)
    for choice in choices:  # the text names some of these; the others lead up to them
        part = PARTS.get(WORD[MEANING[choice][0]])
        if part and said[part] == 0:
            yield from phrases_at(plan, code, back)
        elif part:
            said[part] -= 1
        plan.step(choice)
    yield from phrases_from(plan, code, back)


def phrases_from(plan: Engine, code: str, back: bool) -> Iterator[Phrase]:
    """The remaining questions of the action in progress, each with its answers."""
    while plan.in_progress:
        yield from phrases_at(plan, code, back)
        options = plan.legal()
        plan.step(DONE if DONE in options else options[0])


def named(parsed: ParsedText) -> Counter[str]:
    """How many entries a text has for each of its parts."""
    return Counter(
        cards=len(parsed.cards) + parsed.two_cards,
        coal=len(parsed.coal),
        iron=len(parsed.iron),
        beer=len(parsed.beer),
        ends=len(parsed.ends),
        removes=len(parsed.removes),
    )


# The part of a text that names choices with this word. The action comes first and is always named.
PARTS = {
    "card": "cards",
    "two cards": "cards",
    "coal": "coal",
    "iron": "iron",
    "beer": "beer",
    "end": "ends",
    "remove": "removes",
    "port": "buyers",
    "distant": "buyers",
}
