"""The moves of an opening: what a seat does with an action, without the cards it discards.

A move is a few choices (`docs/reference/choices.md`). What hardly matters in an opening is left
out: the card, where coal and iron come from, and which space of a town is taken. So two builds of
the same industry in the same town are the same move.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from brassmill import terms
from brassmill.core.choice import MEANING, NUMBER, WORD, choice_text
from brassmill.core.engine import Engine
from brassmill.editions.edition import Edition
from brassmill.errors import UnknownName
from brassmill.language import N_, known, ngettext, together
from brassmill.language import gettext as _
from brassmill.rules.choices import TWO_CARDS
from brassmill.rules.layout import ACTION, CANAL, GAME_OVER, SYMBOLS, TURN_OVER
from brassmill.vocabulary import say

Move = tuple[int, ...]
Line = tuple[Move, ...]  # the moves of a seat in the opening, in their order

ROUNDS = 2  # of an opening
LONGEST = 3  # moves: one action in the first round of a game, then two

# The choices of an action that say what is done; all others say how.
SAYING = ("BUILD", "LINK", "SELL", "DEVELOP", "LOAN", "SCOUT", "PASS", "TWO_CARDS")
SEVERAL = ("LINK", "SELL", "DEVELOP")  # in any order


def move_of(edition: Edition, choices: Iterable[int]) -> Move:
    """The move of an action, from all its choices."""
    said = [choice for choice in choices if MEANING[choice][0] in SAYING]
    told = [in_town(edition, choice) for choice in said]
    return tuple(sorted(told)) if MEANING[told[0]][0] in SEVERAL else tuple(told)


def in_town(edition: Edition, choice: int) -> int:
    """The same choice on the first space of its town that fits."""
    kind, offset = MEANING[choice]
    if kind == "SELL":
        return NUMBER[kind, edition.place_spaces[edition.spaces[offset].place][0]]
    if kind != "BUILD":
        return choice
    space, symbol = divmod(offset, SYMBOLS)
    industry = edition.spaces[space].symbols[symbol]
    for other in edition.place_spaces[edition.spaces[space].place]:
        if industry in edition.spaces[other].symbols:
            symbol = edition.spaces[other].symbols.index(industry)
            return NUMBER[kind, other * SYMBOLS + symbol]
    raise AssertionError(choice)


def is_opening(engine: Engine) -> bool:
    """Is this position in the first rounds of a game?"""
    state = engine.state
    return engine.phase != GAME_OVER and state.era == CANAL and state.round_number <= ROUNDS


def lines_of(engine: Engine, choices: Iterable[int]) -> list[Line]:
    """The opening of every seat, in the first turn order.

    The engine has the first position of a game, and is played on; forced choices need not be
    given. Choices after the opening are ignored.
    """
    edition = engine.edition
    order = [int(seat) for seat in engine.state.order[: edition.players]]
    actions: list[list[list[int]]] = [[] for _seat in range(edition.players)]
    for choice in choices:
        if not is_opening(engine):
            break
        seat = engine.seat
        if engine.phase == ACTION:
            actions[seat].append([])
        actions[seat][-1] += engine.choose(choice)
        while engine.phase == TURN_OVER:
            engine.end_turn()
    return [tuple(move_of(edition, action) for action in actions[seat]) for seat in order]


# --- words ---------------------------------------------------------------------------------------


def move_text(edition: Edition, move: Move, language: str = "en") -> str:
    """A move in the words of the notation: `build coal Dudley`, `develop coal, iron`."""
    known(language)
    verb = say(WORD[MEANING[move[0]][0]], language)
    things = [_thing_text(edition, choice, language) for choice in move if choice != TWO_CARDS]
    text = f"{verb} {', '.join(filter(None, things))}".strip()
    return f"{text}; {say('two cards', language)}" if TWO_CARDS in move else text


def _thing_text(edition: Edition, choice: int, language: str) -> str:
    kind = MEANING[choice][0]
    if kind == "BUILD":
        return f"{say(industry_of(edition, choice), language)} {place_of(edition, choice)}"
    if kind == "SELL":
        return place_of(edition, choice)
    return choice_text(edition, choice, language).removeprefix(say(WORD[kind], language))[1:]


def industry_of(edition: Edition, choice: int) -> str:
    """The industry of a build or of a development."""
    kind, offset = MEANING[choice]
    if kind == "DEVELOP":
        return edition.industry_name(offset)
    space, symbol = divmod(offset, SYMBOLS)
    return edition.spaces[space].symbols[symbol]


def place_of(edition: Edition, choice: int) -> str:
    """The town of a build or a sale."""
    kind, offset = MEANING[choice]
    space = offset // SYMBOLS if kind == "BUILD" else offset
    return edition.place_name(edition.spaces[space].place)


TO_BUILD = N_("build {an_industry} in {place}")
TO_BUILD_WITH_TWO = N_("build {an_industry} in {place} with two cards (both actions)")
TO_LINK = N_("link {line}")
TO_BORROW = N_("take a {pounds} loan")
TO_DEVELOP = N_("develop {industries}")
TO_SCOUT = N_("scout")
TO_PASS = N_("pass")


def move_words(edition: Edition, move: Move) -> str:
    """A move in the language of the context, without capital and full stop."""
    kind, offset = MEANING[move[0]]
    match kind:
        case "BUILD":
            sentence = TO_BUILD_WITH_TWO if TWO_CARDS in move else TO_BUILD
            built = terms.an_industry(industry_of(edition, move[0]))
            return _(sentence).format(an_industry=built, place=place_of(edition, move[0]))
        case "LINK":
            return _(TO_LINK).format(line=edition.line_name(offset))
        case "LOAN":
            return _(TO_BORROW).format(pounds=terms.pounds(10 * (offset + 1)))
        case "DEVELOP":
            tiles = Counter(industry_of(edition, choice) for choice in move)
            named = [f"{terms.industry(name)}{TWICE[count]}" for name, count in tiles.items()]
            return _(TO_DEVELOP).format(industries=together(named))
        case "SELL":
            places = together([place_of(edition, choice) for choice in move])
            return ngettext(
                "sell the tile in {places}", "sell the tiles in {places}", len(move)
            ).format(places=places)
        case "SCOUT":
            return _(TO_SCOUT)
    return _(TO_PASS)


TWICE = {1: "", 2: " \N{MULTIPLICATION SIGN}2"}


def find_move(edition: Edition, text: str, among: Sequence[Move]) -> Move:
    """One of several moves, by its number in the list (from 1) or its words in any language."""
    wanted = text.strip().casefold()
    if wanted.isdigit() and 1 <= int(wanted) <= len(among):
        return among[int(wanted) - 1]
    for move in among:
        if wanted in {move_text(edition, move, code).casefold() for code in ("en", "de", "fr")}:
            return move
    raise UnknownName(N_("move"), text, [move_text(edition, move) for move in among])


def fits(edition: Edition, move: Move) -> bool:
    """Could this be a move of this edition, as `move_of` writes it?"""
    try:
        return move_of(edition, move) == move and bool(move_words(edition, move))
    except (IndexError, KeyError, TypeError):
        return False


def spaces_of(edition: Edition, choice: int) -> tuple[int, ...]:
    """The spaces of the town where a build could be meant."""
    kind, offset = MEANING[choice]
    space = offset // SYMBOLS if kind == "BUILD" else offset
    return tuple(
        other
        for other in edition.place_spaces[edition.spaces[space].place]
        if kind == "SELL" or industry_of(edition, choice) in edition.spaces[other].symbols
    )
