"""The queue of analyses: bounded, resumable, and behind everything a table needs."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from unittest import mock

import pytest
from django.core.cache import cache
from django.db import OperationalError
from django.db.models.functions import Now

from brassmill import record
from brassmill.web.analysis import jobs
from brassmill.web.analysis.jobs import AnalysisWork
from brassmill.web.identity import rate_limit
from brassmill.web.models import GameAnalysis, Judgement, Table, Upload
from brassmill.web.table import leases, sessions
from brassmill.web.table.bots import pool
from brassmill.web.table.pool import Urgency
from brassmill.web.table.session import TableSession
from support.analyses import asked, finished_game, work
from support.paths import RECORDS
from support.sessions import play, wait_for
from support.web import KEY, make_table, visitor

pytestmark = pytest.mark.usefixtures("site")

FOREVER = 1e9  # seconds
INTRO = (RECORDS / "birmingham-2-intro.brass").read_text("utf-8")


@pytest.fixture(scope="module")
def finished(site: None) -> TableSession:
    return finished_game()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Analyse in few worlds, and begin without analyses."""
    monkeypatch.setattr(jobs, "WORLDS", 2)
    GameAnalysis.objects.all().delete()
    cache.clear()  # the rate limits
    yield
    GameAnalysis.objects.all().delete()


def judgements(analysis: GameAnalysis) -> list[object]:
    return list(analysis.judgements.values_list("number", "body"))


@pytest.mark.slow
def test_an_analysis_is_the_same_however_often_it_is_interrupted(finished: TableSession) -> None:
    whole = judgements(work(asked(finished)))
    assert len(whole) == finished.actions
    GameAnalysis.objects.all().delete()
    analysis = asked(finished)
    while analysis.waits:
        work(analysis, 23)  # then its process is killed: nothing but the database is left
    assert judgements(analysis) == whole and analysis.is_done


def test_another_process_takes_over_when_the_lease_expires(
    finished: TableSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    analysis = work(asked(finished), 30)
    assert 0 < analysis.done < analysis.actions
    monkeypatch.setattr(leases, "HOLDER", "another")
    assert not jobs.take(analysis.pk)
    GameAnalysis.objects.filter(pk=analysis.pk).update(leased_until=Now() - timedelta(seconds=1))
    done = analysis.done
    assert work(analysis, 20).done > done
    monkeypatch.undo()
    monkeypatch.setattr(jobs, "WORLDS", 2)
    slow = AnalysisWork(analysis.pk)  # the first one, which was only slow, comes back
    while slow.step() is not None:
        pass
    analysis.refresh_from_db()
    assert analysis.leased_by == "another" and not analysis.is_done
    assert len(judgements(analysis)) == analysis.done


@pytest.mark.slow
def test_a_thread_of_the_bots_makes_it_after_everything_else(finished: TableSession) -> None:
    analysis = asked(finished)
    jobs.work_on_next()
    wait_for(lambda: GameAnalysis.objects.get(pk=analysis.pk).is_done)
    assert AnalysisWork("x").urgency() == max(Urgency)
    wait_for(lambda: not pool.underway())


def test_one_process_works_on_one_analysis_at_a_time(finished: TableSession) -> None:
    first, second = asked(finished), asked(finished_game(), "ben")
    with mock.patch.object(AnalysisWork, "step", return_value=FOREVER):
        jobs.work_on_next()
        jobs.work_on_next()
    assert [work.key for work in pool.work()] == [f"analysis {first.pk}"]
    assert GameAnalysis.objects.get(pk=second.pk).leased_until is None
    assert jobs.place_of(second) == 1
    for making in pool.work():
        pool.remove(making)


def test_a_lost_database_or_a_failure_loses_nothing(
    finished: TableSession, caplog: pytest.LogCaptureFixture
) -> None:
    analysis = asked(finished)
    with mock.patch.object(jobs, "game_of", side_effect=OperationalError("no answer")):
        work(analysis)
    assert analysis.waits and "no answer" in caplog.text
    with mock.patch.object(jobs, "think", side_effect=RuntimeError("a fault")):
        work(analysis)
    assert analysis.has_failed
    page = visitor().get(f"/analysis/{analysis.pk}/").content.decode()
    assert f"/t/{finished.table.id}/analyse/" in page and "Try again" in page
    assert work(asked(finished)).is_done


# --- who may ask ---------------------------------------------------------------------------------


def test_a_running_game_is_never_analysed() -> None:
    session = sessions.get(make_table("Ada,beginner", seed=None).id)
    play(session, lambda: session.actions > 5)
    answer = visitor().post(f"/t/{session.table.id}/analyse/")
    assert answer.status_code == 409 and not GameAnalysis.objects.exists()
    begun = str(record.loads(INTRO).game(to=5).record())
    upload = Upload.objects.create(visitor=KEY, name="begun", text=begun)
    answer = visitor().post(f"/records/{upload.id}/analyse/")
    assert answer.status_code == 409 and not GameAnalysis.objects.exists()


def test_a_game_that_is_played_on_again_shows_nothing() -> None:
    session = finished_game()
    analysis = work(asked(session))
    session.rewind(session.length - 3)
    for address in ("", "1/"):
        answer = visitor().get(f"/analysis/{analysis.pk}/{address}")
        assert answer.status_code == 409
    play(session, lambda: False)
    again = asked(session)
    assert again.pk == analysis.pk or not GameAnalysis.objects.filter(pk=analysis.pk).exists()


def test_whoever_may_see_the_result_gets_the_same_analysis(finished: TableSession) -> None:
    analysis = work(asked(finished))
    assert asked(finished, "a stranger") == analysis
    page = visitor("a stranger").get(f"/t/{finished.table.id}/result/").content.decode()
    assert f'action="/t/{finished.table.id}/analyse/"' in page


def test_a_visitor_has_one_analysis_in_the_queue(finished: TableSession) -> None:
    first = asked(finished)
    assert asked(finished) == first, "the same click twice"
    other = finished_game()
    refused = visitor().post(f"/t/{other.table.id}/analyse/")
    assert refused.status_code == 429 and "One of your games" in refused.content.decode()
    assert GameAnalysis.objects.count() == 1


def test_the_queue_and_the_day_are_limited(
    finished: TableSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "MOST_WAITING", 0)
    assert visitor().post(f"/t/{finished.table.id}/analyse/").status_code == 429
    monkeypatch.undo()
    for allowed in ([True, False], [False]):
        with mock.patch.object(rate_limit, "is_allowed", side_effect=allowed) as asked_for:
            assert visitor().post(f"/t/{finished.table.id}/analyse/").status_code == 429
        limits = [call.args[1] for call in asked_for.call_args_list]
        assert limits == [rate_limit.QUEUED, rate_limit.ANALYSES][: len(allowed)]
    assert not GameAnalysis.objects.exists()


def test_one_address_does_not_fill_the_queue() -> None:
    upload = Upload.objects.create(visitor=KEY, name="many", text="\n\n".join([INTRO] * 30))
    address = f"/records/{upload.id}/analyse/?game="
    for number in range(1, 31):
        visitor(f"new-{number}").post(f"{address}{number}", REMOTE_ADDR="203.0.113.7")
    assert 0 < GameAnalysis.objects.filter(waits=True).count() < jobs.MOST_WAITING / 3
    other = visitor("another").post(f"{address}30", REMOTE_ADDR="203.0.113.9")
    assert other.status_code == 302


def test_an_uploaded_record_is_analysed_game_by_game() -> None:
    upload = Upload.objects.create(visitor=KEY, name="two", text=INTRO + "\n\n" + INTRO)
    answer = visitor().post(f"/records/{upload.id}/analyse/?game=2")
    analysis = work(GameAnalysis.objects.get(pk=answer["Location"].split("/")[2]))
    assert analysis.is_done and (analysis.upload_id, analysis.game) == (upload.id, 2)
    assert visitor("anyone").get(f"/analysis/{analysis.pk}/").status_code == 200
    upload.delete()
    assert not Judgement.objects.exists()


@pytest.mark.slow
def test_it_is_deleted_with_its_game() -> None:
    session = finished_game()
    work(asked(session))
    Table.objects.filter(pk=session.table.pk).delete()
    assert not GameAnalysis.objects.exists() and not Judgement.objects.exists()


def test_nobody_asks_for_a_game_that_does_not_exist() -> None:
    assert visitor().post("/t/none/analyse/").status_code == 404
    assert visitor().post("/records/none/analyse/").status_code == 404
    assert visitor().get("/analysis/none/").status_code == 404
