"""What the pages of lessons show: the table as the learner sees it, with less of it lit."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from markupsafe import Markup, escape

from brassmill.core.choice import NUMBER
from brassmill.language import gettext as _
from brassmill.language import in_language
from brassmill.lessons.lesson import LEARNER, Lesson, lessons
from brassmill.lessons.run import Run
from brassmill.web.page.game_list import title_of
from brassmill.web.page.log import LogPart
from brassmill.web.page.model import PageModel, SeatInfo, page_model
from brassmill.web.page.players import CardView

FIRST = "first"  # the id of the lesson that comes before all others

_EMPHASIS = re.compile(r"\*(.+?)\*")


@dataclass(frozen=True)
class Panel:
    """What the panel beside the table says."""

    lesson: str  # the id
    title: str
    game: str
    number: int  # of the step, from 1
    steps: int
    idea: str
    paragraphs: tuple[str, ...]
    nudge: str
    show: tuple[str, ...]  # parts of the page to point at
    awaits: str  # choose, end, continue or over
    rules: tuple[str, ...]


@dataclass(frozen=True)
class LessonRow:
    """A lesson in the list."""

    id: str
    title: str
    about: str
    is_done: bool
    is_begun: bool
    is_first: bool


def run_of(lesson: Lesson, clicks: Sequence[tuple[int, ...]], name: str) -> Run[LogPart]:
    """The lesson after these clicks; the learner goes by this name."""
    names = (name or _("Player"), *lesson.rivals)
    return Run(lesson, clicks, part=LogPart, names=names)


def panel_of(run: Run[LogPart]) -> Panel:
    """The panel at this point of a lesson."""
    lesson, step = run.lesson, run.step
    return Panel(
        lesson=lesson.id,
        title=in_language(lesson.title),
        game=title_of(lesson.edition.name),
        number=run.number + 1,
        steps=len(lesson.steps),
        idea=in_language(run.idea),
        paragraphs=tuple(in_language(run.text).split("\n")),
        nudge=in_language(step.nudge) if run.awaits == "choose" else "",
        show=() if run.is_solved or run.game.draft else step.show,
        awaits=run.awaits,
        rules=step.rules,
    )


def model_of(run: Run[LogPart]) -> PageModel:
    """The table as the learner sees it: only what the step is about can be chosen."""
    session, game = run.session, run.game
    model = page_model(
        game.view(LEARNER),
        [SeatInfo(name) for name in game.seats],
        number=len(run.clicks),
        stamp=f"{run.lesson.id}-{len(run.clicks)}",
        undoable=len(run.clicks),
        draft=game.draft,
        history=session.history_for(LEARNER),
        seen=session.seen[LEARNER],
        hints=False,
    )
    return narrowed(model, run)


def narrowed(model: PageModel, run: Run[LogPart]) -> PageModel:
    """The model with what the step is about; a card can be taken first for that, too."""
    offers = tuple(offer for offer in model.offers if offer.id in run.lit)
    starts = {way[:2] for way in run.ways}
    find = run.lesson.edition.find_card

    def is_meant(use: int, card: CardView) -> bool:
        return (use, NUMBER["CARD", find(card.name)]) in starts

    hand = tuple(
        replace(card, uses=tuple(use for use in card.uses if is_meant(use, card)))
        for card in model.hand
    )
    primary = model.primary
    if primary and primary.choice not in (*run.lit, *([None] if run.awaits == "end" else [])):
        primary = None
    return replace(
        model,
        offers=offers,
        hand=hand,
        primary=primary,
        can_undo=bool(run.clicks) and not run.is_over,
        can_reset=False,
        over=False,  # there is no result to show: the lesson goes on
    )


def marked_up(paragraph: str) -> Markup:
    """A paragraph of a lesson, where `*word*` is emphasised."""
    return Markup(_EMPHASIS.sub(r"<b>\1</b>", str(escape(paragraph))))


# --- the list ------------------------------------------------------------------------------------


def rows_of(edition: str, learned: Sequence[str], begun: Sequence[str]) -> list[LessonRow]:
    """The lessons of an edition, in the order in which they are taught."""
    return [
        LessonRow(
            id=lesson.id,
            title=in_language(lesson.title),
            about=in_language(lesson.about),
            is_done=lesson.id in learned,
            is_begun=lesson.id in begun,
            is_first=lesson.id == f"{edition}-{FIRST}",
        )
        for lesson in lessons().values()
        if lesson.edition.name == edition
    ]


def next_lesson(lesson: Lesson) -> Lesson | None:
    """The lesson that follows, of the same edition."""
    following = [
        other
        for other in lessons().values()
        if other.edition.name == lesson.edition.name and other.number > lesson.number
    ]
    return following[0] if following else None
