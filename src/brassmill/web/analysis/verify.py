"""Compare stored analyses with their games. Nothing is changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from brassmill.bots.brain import up_to_what_is_revealed
from brassmill.coach.analysis import PlayedAction
from brassmill.core.engine import Engine
from brassmill.editions.edition import Edition
from brassmill.errors import BrassError
from brassmill.notation import matching, stored
from brassmill.web.analysis.games import NotOver, game_of
from brassmill.web.analysis.jobs import moments_in
from brassmill.web.analysis.stored import Body
from brassmill.web.models import GameAnalysis


class VerifiedAnalysis(NamedTuple):
    """What was found in an analysis."""

    analysis: str
    judgements: int
    problem: str = ""  # empty: everything matches


def verified(table_ids: Iterable[str] = ()) -> Iterator[VerifiedAnalysis]:
    """Verify the analyses of these tables; without any, all analyses."""
    known = GameAnalysis.objects.select_related("table", "upload").order_by("pk")
    named = list(table_ids)
    for analysis in known.filter(table__in=named) if named else known:
        try:
            _verify(analysis)
        except NotOver:  # the game goes on: its analysis is shown to nobody
            yield VerifiedAnalysis(analysis.pk, analysis.done)
        except Exception as error:  # what is damaged may fail in any way
            yield VerifiedAnalysis(analysis.pk, analysis.done, str(error) or type(error).__name__)
        else:
            yield VerifiedAnalysis(analysis.pk, analysis.done)


def _verify(analysis: GameAnalysis) -> None:
    game = game_of(analysis)
    if game.digest != analysis.digest:
        raise BrassError("it is of another record")
    record = game.record
    moments = moments_in(record)
    if len(moments) != analysis.actions:
        raise BrassError(f"the game has {len(moments)} actions to analyse, not {analysis.actions}")
    found = list(analysis.judgements.values_list("number", "body"))
    if len(found) != analysis.done:
        raise BrassError(f"it has {len(found)} judgements, not {analysis.done}")
    for moment, (number, body) in zip(moments, found, strict=False):
        _verify_judgement(record.edition, moment, number, body)


def _verify_judgement(edition: Edition, moment: PlayedAction, number: int, body: Body) -> None:
    action = moment.action
    played = stored.read(edition, body["played"]["choices"])
    if number != action.number or stored.read(edition, body["action"]) != list(action.ids):
        raise BrassError(f"judgement {number} is of another action")
    if played != list(up_to_what_is_revealed(action.ids)):
        raise BrassError(f"judgement {number} is of another action")
    if body["other"]:
        other = stored.read(edition, body["other"]["choices"])
        engine = Engine(edition, action.seats, action.before)
        if refusal := matching.why_not_all(engine, other):
            raise BrassError(f"judgement {number}: {refusal.words}")
