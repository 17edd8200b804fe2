"""Finished games and their analyses, for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from support.sessions import play
from support.web import KEY, make_table, visitor

if TYPE_CHECKING:
    from brassmill.web.models import GameAnalysis
    from brassmill.web.table.session import TableSession


def finished_game(seats: str = "Ada,beginner", **options: object) -> TableSession:
    """A short game, played to its end."""
    from brassmill.web.table import sessions

    session = sessions.get(make_table(seats, **{"intro": True, **options}).id)  # type: ignore[arg-type]
    play(session, lambda: False)
    return session


def asked(session: TableSession, key: str = KEY) -> GameAnalysis:
    """The analysis that a visitor asks for."""
    from django.core.cache import cache

    from brassmill.web.models import GameAnalysis

    cache.clear()  # the rate limits, for tests that ask for many
    answer = visitor(key).post(f"/t/{session.table.id}/analyse/")
    assert answer.status_code == 302, answer.content
    return GameAnalysis.objects.get(pk=answer["Location"].split("/")[2])


def work(analysis: GameAnalysis, steps: int = 100_000) -> GameAnalysis:
    """Work on an analysis as a thread would: all of it, or some steps."""
    from brassmill.web.analysis import jobs
    from brassmill.web.analysis.jobs import AnalysisWork

    assert jobs.take(analysis.pk)
    making = AnalysisWork(analysis.pk)
    for _step in range(steps):
        if making.step() is None:
            break
    making.close()
    analysis.refresh_from_db()
    return analysis
