"""What the page of a puzzle shows: the table as its seat sees it, the question, the verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from brassmill import terms
from brassmill.coach.reasons import reasons_for
from brassmill.coach.study import Study
from brassmill.core.action import Action
from brassmill.core.bill import PRICED, bill_of
from brassmill.core.choice import MEANING
from brassmill.core.engine import Engine
from brassmill.core.outcome import Points, points_of
from brassmill.core.view import View
from brassmill.language import N_, ngettext, together
from brassmill.language import gettext as _
from brassmill.puzzles import ExactAnswer, JudgedAnswer, Puzzle, PuzzleRun
from brassmill.puzzles.run import played, position_of
from brassmill.puzzles.themes import THEMES
from brassmill.rules.layout import CANAL, RAIL
from brassmill.svg.chart.scale import written
from brassmill.svg.panel import capital
from brassmill.web.page.draft import steps_of
from brassmill.web.page.game_list import title_of
from brassmill.web.page.log import LogPart
from brassmill.web.page.model import PageModel, SeatInfo, engine_of, page_model
from brassmill.web.puzzles.ratings import AttemptResult
from brassmill.web.server import startup
from brassmill.web.setup.chairs import NAMES
from brassmill.web.table.coach import reason_words

CANAL_ERA = "canal era"  # a source of VP, in the rail era
# How hard a puzzle is: by the five levels that find it.
LEVELS = (N_("very easy"), N_("easy"), N_("medium"), N_("hard"), N_("very hard"))


@dataclass(frozen=True)
class StepView:
    """An action of the best turn."""

    words: str
    details: str  # the card, and where coal, iron and beer come from
    price: str  # empty: it costs nothing
    is_shown: bool  # on the map, now
    reasons: tuple[str, ...]


@dataclass(frozen=True)
class SourceRow:
    """VP from one source: of the visitor's turn, and of the best one."""

    name: str
    yours: int | None  # None: there is no turn to compare
    best: int


@dataclass(frozen=True)
class OtherTurn:
    """A turn that the search compared with the best one."""

    words: str
    loss: str
    is_yours: bool


@dataclass(frozen=True)
class PuzzlePanel:
    """What the panel beside the table says."""

    puzzle: str  # the id
    kind: str  # exact or judged
    title: str
    game: str
    heading: str
    paragraphs: tuple[str, ...]
    level: int
    level_words: str
    themes: tuple[str, ...]  # known once it is over
    awaits: str  # choose, end or over
    is_solved: bool
    shown: int  # actions of the best turn that the map shows
    steps: tuple[StepView, ...]  # the best turn, once it is over
    sources: tuple[SourceRow, ...]
    total: SourceRow | None
    others: tuple[OtherTurn, ...]
    show: tuple[str, ...] = ()  # parts of the page to point at


def names_of(puzzle: Puzzle, name: str) -> tuple[str, ...]:
    """The names at the table: the visitor's, and period names for the others."""
    seat = position_of(puzzle.position).state.seat
    own = name or _("Player")
    free = [other for other in NAMES if other.casefold() != own.casefold()]
    names = Random(puzzle.id).sample(free, puzzle.players)
    names[int(seat)] = own
    return tuple(names)


def run_of(puzzle: Puzzle, clicks: Sequence[tuple[int, ...]], name: str) -> PuzzleRun[LogPart]:
    """The puzzle after these clicks; the visitor goes by this name."""
    return PuzzleRun(puzzle, clicks, part=LogPart, names=names_of(puzzle, name))


def view_of(run: PuzzleRun[LogPart]) -> View:
    """The view of the visitor's seat: everything on the page is made from it."""
    return run.game.view(run.seat)


def model_of(run: PuzzleRun[LogPart]) -> PageModel:
    """The table as the visitor sees it; once it is over, nothing can be chosen."""
    session, game = run.session, run.game
    model = page_model(
        view_of(run),
        [SeatInfo(name) for name in game.seats],
        number=len(run.clicks),
        stamp=f"{run.puzzle.id}-{len(run.clicks)}",
        undoable=session.undoable,
        draft=game.draft,
        history=session.history_for(run.seat),
        seen=session.seen[run.seat],
        hints=False,
    )
    if not run.is_over:
        return model
    return replace(
        model,
        question=question_when_over(run),
        offers=(),
        hand=tuple(replace(card, uses=()) for card in model.hand),
        primary=None,
        your_turn=False,
        to_move=None,
        draft_elements=elements_of_step(run),
        can_undo=False,
        can_reset=False,
    )


def question_when_over(run: PuzzleRun[LogPart]) -> str:
    """What the action bar says: what the map shows."""
    if run.shown:
        words = _("The best turn, action {number}: {action}")
        game = run.game
        return words.format(number=run.shown, action=action_words(game.actions[-1]))
    return _("You have given up.") if run.has_given_up else _("Your turn, as you have played it")


def action_words(action: Action) -> str:
    """An action that was played, without the card."""
    steps = steps_of(Engine(action.edition, action.seats, action.before), action.ids)
    return ", ".join(steps.actions or steps.others)


def elements_of_step(run: PuzzleRun[LogPart]) -> tuple[str, ...]:
    """The elements of the page that the last action is about."""
    if not run.game.actions:
        return ()
    action = run.game.actions[-1]
    return steps_of(Engine(action.edition, action.seats, action.before), action.ids).elements


# --- the panel -----------------------------------------------------------------------------------


def panel_of(run: PuzzleRun[LogPart]) -> PuzzlePanel:
    """The panel at this point of a puzzle."""
    puzzle, verdict = run.puzzle, run.verdict
    is_over = verdict is not None
    sources, total = sources_of(run) if is_over else ((), None)
    return PuzzlePanel(
        puzzle=puzzle.id,
        kind=puzzle.kind,
        title=title_of_puzzle(puzzle),
        game=game_words(puzzle),
        heading=heading_of(run),
        paragraphs=tuple(verdict_words(run)) if is_over else tuple(question_words(run)),
        level=puzzle.level,
        level_words=level_words(puzzle.level),
        themes=tuple(map(theme_words, puzzle.themes)) if is_over else (),
        awaits=run.awaits,
        is_solved=bool(verdict and verdict.is_best),
        shown=run.shown,
        steps=steps_of_best(run) if is_over else (),
        sources=sources,
        total=total,
        others=others_of(run) if is_over else (),
    )


def title_of_puzzle(puzzle: Puzzle) -> str:
    """What the puzzle is about, without its answer."""
    if isinstance(puzzle.answer, ExactAnswer):
        if ends_game(puzzle):
            return _("The last turn of the game")
        return _("The last turn of the canal era")
    words = _("Rail era, round {round}") if puzzle.era == "rail" else _("Canal era, round {round}")
    return words.format(round=puzzle.round)


def ends_game(puzzle: Puzzle) -> bool:
    """Does the game end with the era?"""
    return puzzle.era == "rail" or puzzle.table.traits.canal_era_only


def game_words(puzzle: Puzzle) -> str:
    """The game, its players and whether it has options."""
    words = _("{game}, {number} players")
    named = words.format(game=title_of(puzzle.edition), number=puzzle.players)
    return _("{game}, with options").format(game=named) if puzzle.options else named


def level_words(level: int) -> str:
    return _(LEVELS[level - 1])


def theme_words(theme: str) -> str:
    return _(THEMES[theme])


def heading_of(run: PuzzleRun[LogPart]) -> str:
    verdict = run.verdict
    if verdict is None:
        is_exact = isinstance(run.puzzle.answer, ExactAnswer)
        return _("How many VP can you reach?") if is_exact else _("Find the best turn")
    if verdict.is_best:
        return _("Solved!")
    return _("The best turn") if run.has_given_up else _("Not the best turn")


def question_words(run: PuzzleRun[LogPart]) -> list[str]:
    """What is asked, and what counts."""
    puzzle = run.puzzle
    if isinstance(puzzle.answer, JudgedAnswer):
        return [
            _("Which turn is best in the long run?"),
            _(
                "What you build, link, sell, develop or borrow counts. Which card you discard, "
                "and whose coal or iron you use, does not."
            ),
        ]
    vp = int(run.game.state.vp[run.seat])
    return [
        _("You play last, and then the game ends.")
        if ends_game(puzzle)
        else _("You play last, and then the canal era is scored."),
        _(
            "You have {vp} VP. How many can you have after the scoring? Only your own VP count, "
            "not your lead."
        ).format(vp=vp),
    ]


def verdict_words(run: PuzzleRun[LogPart]) -> list[str]:
    """What the turn was worth."""
    verdict, answer = run.verdict, run.puzzle.answer
    assert verdict is not None
    if isinstance(answer, ExactAnswer):
        return exact_words(verdict.vp, answer)
    if verdict.is_best:
        words = _("The next best turn is worth {vp} VP less.")
        return [words.format(vp=written(answer.compared[1].loss, 1))]
    if run.has_given_up:
        words = _("It is worth {vp} VP more than the next best one.")
        return [words.format(vp=written(answer.compared[1].loss, 1))]
    if verdict.loss is None:
        return [
            _(
                "Your turn looked too unpromising for the search to try it. The best one is "
                "clearly ahead."
            )
        ]
    words = _("Your turn is worth {vp} VP less than the best one.")
    return [words.format(vp=written(verdict.loss, 1))]


def exact_words(vp: int | None, answer: ExactAnswer) -> list[str]:
    """How many VP the turn makes, and how many are possible."""
    next_best = _("The next best turn reaches {vp} VP.").format(vp=answer.next_vp)
    if vp is None:
        return [_("It reaches {vp} VP.").format(vp=answer.vp), next_best]
    if vp == answer.vp:
        words = _("{vp} VP: no turn reaches more. {next_best}")
        return [words.format(vp=vp, next_best=next_best)]
    return [_("Your turn reaches {vp} VP; {best} are possible.").format(vp=vp, best=answer.vp)]


# --- the best turn -------------------------------------------------------------------------------


def steps_of_best(run: PuzzleRun[LogPart]) -> tuple[StepView, ...]:
    """The actions of the best turn, in words; the one that the map shows has reasons."""
    puzzle = run.puzzle
    best = played(puzzle, puzzle.solution, LogPart, run.game.seats).game
    found = []
    for number, action in enumerate(best.actions, 1):
        before = played(puzzle, puzzle.solution[: number - 1], LogPart, run.game.seats).game
        view = before.view(run.seat)
        steps = steps_of(engine_of(view), action.ids)
        priced = MEANING[action.ids[0]][0] in PRICED
        is_shown = number == run.shown
        found.append(
            StepView(
                words=capital(", ".join(steps.actions or steps.others)),
                details=capital(", ".join(steps.others)) if steps.actions else "",
                price=terms.pounds(bill_of(engine_of(view), action.ids).total) if priced else "",
                is_shown=is_shown,
                reasons=reasons_of(puzzle, view, action.ids) if is_shown else (),
            )
        )
    return tuple(found)


def reasons_of(puzzle: Puzzle, view: View, ids: tuple[int, ...]) -> tuple[str, ...]:
    """Why an action is good, as the coach says it; a last turn is explained by its VP alone."""
    if isinstance(puzzle.answer, ExactAnswer) or not startup.is_compiled():
        return ()
    (reasons,) = reasons_for(Study(puzzle.table, view, seed=0), [ids])
    return tuple(map(reason_words, reasons))


def sources_of(run: PuzzleRun[LogPart]) -> tuple[tuple[SourceRow, ...], SourceRow | None]:
    """Where the VP of a last turn come from, and those of the best turn."""
    puzzle, verdict = run.puzzle, run.verdict
    if not isinstance(puzzle.answer, ExactAnswer) or verdict is None:
        return (), None
    best = vp_by_source(played(puzzle, puzzle.solution, LogPart).game.engine, run.seat)
    yours = None if run.end is None else vp_by_source(run.end, run.seat)
    names = list(dict.fromkeys([*best, *(yours or {})]))
    rows = tuple(
        SourceRow(
            _("Canal era") if name == CANAL_ERA else capital(terms.source(name)),
            None if yours is None else yours.get(name, 0),
            best.get(name, 0),
        )
        for name in names
    )
    return rows, SourceRow(_("VP in total"), verdict.vp, puzzle.answer.vp)


def vp_by_source(engine: Engine, seat: int) -> Points:
    """All VP of a seat once the era is scored; those of the canal era are one source."""
    plan = engine.copy()
    plan.score_era()
    earlier = sum(points_of(plan, seat, CANAL).values()) if plan.state.era == RAIL else 0
    known = {CANAL_ERA: earlier} if earlier else {}
    return known | points_of(plan, seat, int(plan.state.era))


def others_of(run: PuzzleRun[LogPart]) -> tuple[OtherTurn, ...]:
    """The other turns that the search compared, with what they are worth less."""
    puzzle, verdict = run.puzzle, run.verdict
    if not isinstance(puzzle.answer, JudgedAnswer):
        return ()
    return tuple(
        OtherTurn(
            words=turn_words(run, compared.turn),
            loss=f"\N{MINUS SIGN}{written(compared.loss, 1)}",
            is_yours=verdict is not None and verdict.compared == number,
        )
        for number, compared in enumerate(puzzle.answer.compared)
        if number
    )


def turn_words(run: PuzzleRun[LogPart], turn: Sequence[str]) -> str:
    """A whole turn in words, without its cards."""
    game = played(run.puzzle, turn, LogPart, run.game.seats).game
    return capital(together([action_words(action) for action in game.actions]))


# --- ratings -------------------------------------------------------------------------------------


def result_words(result: AttemptResult) -> str:
    """What an attempt has done to the visitor's rating."""
    standing = result.standing
    if not result.is_first:
        return _("Your rating stays at {rating}: only the first attempt counts.").format(
            rating=standing.rating
        )
    sign = "+" if result.gained >= 0 else "\N{MINUS SIGN}"
    return _("Your rating: {rating} ({change})").format(
        rating=standing.rating, change=f"{sign}{abs(result.gained)}"
    )


def streak_words(streak: int) -> str:
    """How many puzzles were solved in a row."""
    words = ngettext("{number} solved in a row", "{number} solved in a row", streak)
    return words.format(number=streak)
