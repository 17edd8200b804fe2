"""Records: a game that is written, read and replayed is the same game."""

from __future__ import annotations

import io
import json
import pickle
import random
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import brassmill
from brassmill import record
from brassmill.editions import Edition, edition
from brassmill.errors import BrassError
from brassmill.game import Game
from brassmill.record import Difference, Record, rows
from brassmill.record.replay import check_of, numbers
from support import kinds
from support.kinds import TIED_MINES, play_at_random

THREE = [edition("classic", 3), edition("lancashire", 2), edition("birmingham", 4)]
INTRO: dict[str, Any] = {"players": 2, "intro": True, "seats": ["Ada", "Ben"]}


def played(kind: Edition | str = "birmingham", seed: int = 3, **how: Any) -> Game:
    """Return a random game played to its end."""
    game = Game(kind, seed=seed, **how)
    play_at_random(game, random.Random(seed))
    return game


def whole_turns(game: Game) -> None:
    """Finish the action in progress."""
    while game.draft is not None:
        game.play(game.legal_choices()[0])


def texts(game: Game) -> list[str]:
    """Return the log; the order of cards discarded together has no meaning."""
    return [str(action) for action in game.actions]


def same_game(one: Game, two: Game) -> bool:
    return (
        one.engine.snapshot() == two.engine.snapshot()
        and texts(one) == texts(two)
        and (one.edition, one.seats, one.deal) == (two.edition, two.seats, two.deal)
    )


# --- writing and reading -------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_a_whole_game_can_be_written_read_and_replayed(kind: Edition) -> None:
    game = played(kind, 11)
    text = str(game.record())
    again = record.loads(text)
    assert str(again) == text
    assert again.is_complete
    assert again.verify() == []
    assert same_game(again.game(), game)
    assert max(map(len, text.splitlines())) <= 300
    outcome = game.outcome()
    assert outcome is not None
    assert again.headers["Winner"] == ", ".join(game.seats[seat] for seat in outcome.winners)


@pytest.mark.slow
@settings(max_examples=30)
@given(seed=st.integers(0, 2**64 - 1), kind=st.sampled_from(kinds.ALL), choices=st.integers(0, 250))
def test_a_game_can_be_written_and_read_at_any_point(
    seed: int, kind: Edition, choices: int
) -> None:
    game = Game(kind, seed=seed, seats=["Ann", "Ben: x", "{C\\}", 'D "d"'])
    play_at_random(game, random.Random(seed), choices)
    text = str(game.record())
    again = record.loads(text)
    assert str(again) == text
    whole_turns(game)
    again = record.loads(str(game.record()))
    assert again.verify() == []
    assert same_game(again.game(), game)


@pytest.mark.parametrize("kind", THREE, ids=repr)
def test_a_player_who_conceded_is_ranked_behind_all_others(kind: Edition) -> None:
    game = played(kind, 11)
    best = [result.seat for result in game.outcome().ranking]  # type: ignore[union-attr]
    conceded = best[:-1]  # the winner gave up first
    text = str(Record.of(game, conceded=conceded))
    again = record.loads(text)
    assert str(again) == text and again.verify() == [] and again.conceded == tuple(conceded)
    outcome = again.outcome_of(again.game())
    assert outcome is not None and outcome.winners == (best[-1],)
    assert [result.seat for result in outcome.ranking] == [best[-1], *reversed(conceded)]
    assert "(conceded)" in str(outcome)
    without = "".join(line for line in text.splitlines(True) if "[Conceded" not in line)
    assert record.loads(without).verify()  # the result was that of a concession


@pytest.mark.parametrize("kind", THREE, ids=repr)
def test_a_game_ended_by_agreement_is_scored_as_if_the_era_had_ended(kind: Edition) -> None:
    game = Game(kind, seed=4)
    rng = random.Random(4)
    while len(game.actions) < 25 or game.draft is not None:
        game.play(rng.choice(game.legal_choices()))
    if game.question == "turn over":
        game.end_turn()
    text = str(Record.of(game, by_agreement=True))
    assert text.endswith("\nended by agreement\n")
    again = record.loads(text)
    assert str(again) == text and again.verify() == [] and again.is_complete
    outcome = again.outcome_of(again.game())
    assert outcome is not None and outcome.by_agreement
    now = zip(game.view().seats, game.score_now(), strict=True)
    scores = [seat.vp + sum(more.values()) for seat, more in now]
    assert [result.total for result in outcome.results] == scores
    assert json.loads(json.dumps(again.as_dict()))["result"]["by_agreement"]
    assert record.loads(text.replace("ended by agreement", "unfinished")).verify()
    assert record.loads(text.replace("ended by agreement", "end")).verify()


@pytest.mark.parametrize(("value", "words"), [("Nobody", "Nobody"), ("Ada, Ada", "twice")])
def test_the_header_of_concessions_names_seats_once(value: str, words: str) -> None:
    text = str(Game("birmingham", seed=3, **INTRO).record())
    with pytest.raises(BrassError, match=words):
        record.loads(text.replace("[Rules", f'[Conceded "{value}"]\n[Rules', 1))


@settings(max_examples=20)
@given(seed=st.integers(0, 2**32), kind=st.sampled_from(kinds.ALL), choices=st.integers(0, 150))
def test_a_game_from_a_position_can_be_written_and_read(
    seed: int, kind: Edition, choices: int
) -> None:
    rng = random.Random(seed)
    first = Game(kind, seed=seed, seats=["Ann", "Ben", "Cat | dog", "Dan"])
    play_at_random(first, rng, choices)
    if first.over:
        return
    game = Game.from_position(first.position())
    play_at_random(game, rng, 20)
    whole_turns(game)
    if game.over and not game.actions:
        return
    text = str(game.record())
    again = record.loads(text)
    assert str(again) == text
    assert again.verify() == []
    assert again.game().engine.snapshot() == game.engine.snapshot()
    assert texts(again.game()) == texts(game)


def test_a_draft_is_not_written() -> None:
    game = Game.from_position(TIED_MINES)
    game.choose("build cotton Manchester; card Manchester; ...")
    written = game.record()
    assert written.actions == ()
    assert "build" not in str(written)
    assert record.loads(str(written)).game().actions == []


def test_an_unfinished_turn_stays_unfinished() -> None:
    game = Game(seed=3)
    game.choose(next(iter(game.legal_actions())))
    assert game.question == "turn over"
    again = record.loads(str(game.record()))
    assert str(again).endswith("\n\nturn over\n")
    assert same_game(again.game(), game)
    game.end_turn()
    assert str(game.record()).endswith("\n\nunfinished\n")


def test_a_game_that_starts_after_a_turn() -> None:
    game = Game(seed=3)
    game.choose(next(iter(game.legal_actions())))
    other = Game.from_position(game.position())
    assert record.loads(str(other.record())).game().question == "turn over"
    other.end_turn()
    other.play(next(iter(other.legal_actions())))
    again = record.loads(str(other.record()))
    assert again.verify() == []
    assert again.game().engine.snapshot() == other.engine.snapshot()


def test_a_debt_is_an_action_of_the_debtor() -> None:
    game = Game.from_position(
        {
            "edition": "birmingham",
            "players": 2,
            "round": 3,
            "order": ["R", "Y"],
            "to move": "Y",
            "actions left": "1",
            "tiles": ["R coal 1 Dudley (1)", "R iron 1 Coalbrookdale 1 (1)", "R brewery 1 Stone"],
            "R": {"cash": "0", "income": "8"},
            "Y": {"cash": "9"},
        }
    )
    game.play(f"pass; card {next(iter(game.view(0).hand or {}))}")
    assert game.question == "give up"
    game.play("give up coal Dudley")
    lines = str(game.record()).splitlines()
    assert "2 R: give up coal Dudley" in lines
    assert record.loads(str(game.record())).game().engine.snapshot() == game.engine.snapshot()


def test_contents_of_a_record() -> None:
    game = played(seats=["Ada", "Ben", "Cay", "Dot"])
    written = game.record(headers={"Date": "2026-11-15", "Event": 'The "Black\\White" club'})
    again = record.loads(str(written))
    assert again.headers == written.headers
    assert list(again.headers)[:5] == ["Edition", "Players", "Seats", "Rules", "Seed"]
    assert again.headers["Event"] == 'The "Black\\White" club'
    assert again.deal == game.deal
    assert again.seats == ("Ada", "Ben", "Cay", "Dot")
    assert again.rules == str(record.RULES_VERSION)
    assert len(again.actions) == len(game.actions)
    assert again.actions[0] == f"{game.seats[game.actions[0].seat]}: {game.actions[0]}"
    assert again.result is not None
    assert again.result.split(", ")[0].rsplit(" ", 1)[0] in again.headers["Winner"].split(", ")
    assert repr(again) == "<Record birmingham, Ada, Ben, Cay, Dot, 127 actions>"


def test_an_impossible_header_is_refused() -> None:
    game = Game(seed=1)
    for name in rows.OWN_HEADERS:
        for seat in (None, 0):
            with pytest.raises(BrassError, match=f"the header {name} is set by the game"):
                game.record(seat=seat, headers={name: "x"})
    no_text: Any = {"Date": 3}
    with pytest.raises(BrassError, match="the header Date must be text, not 3"):
        game.record(headers=no_text)
    for name, value in (("Two words", "x"), ("Event", "a\nb"), ("1", "x"), ("Event", "\x00")):
        with pytest.raises(BrassError, match="cannot be a header"):
            game.record(headers={name: value})


def test_rounds_are_grouped() -> None:
    game = played(seed=5, **INTRO)
    lines = str(game.record()).splitlines()
    headings = [line for line in lines if line.startswith("canal ")]
    assert [line.split(":")[0] for line in headings] == [
        f"canal {n}" for n in range(1, game.round + 1)
    ]
    assert headings[0] == f"canal 1: {', '.join(game.seats[seat] for seat in game.deal.order)}"
    assert not any(line.startswith("rail ") for line in lines if "deck" not in line)
    assert lines[-1] == "end"


def test_the_deal_takes_precedence_over_the_seed() -> None:
    text = str(played(**INTRO).record())
    again = record.loads(text.replace('[Seed "3"]', '[Seed "4"]'))
    assert again.verify() == ["the header Seed is 4, which does not produce this deal"]
    assert again.game().over
    assert again.deal is not None and again.deal.seed is None
    assert record.loads(text.replace('[Seed "3"]\n', "")).verify() == []


def test_optional_parts_and_alternative_spellings() -> None:
    game = played(**INTRO)
    text = str(game.record())
    lines = text.splitlines()
    few = [
        line
        for line in lines
        if not line.startswith(("[Rules", "[Seed", "[Result", "[Winner", "[TieBreak", "canal "))
    ]
    start = next(n for n, line in enumerate(few) if line.startswith("checks:"))
    end = few.index("", start)
    few = few[:start] + few[end:]
    again = record.loads("\n".join(few))
    assert again.checks == ()
    assert again.verify() == []
    assert same_game(again.game().copy(), again.game())
    loose = "\ufeff\n" + text.replace("\n[", "\n\n[").replace("\n", " \r\n").replace(
        "Ada:", "ADA :"
    )
    assert record.loads(loose.removeprefix("\ufeff")).verify() == []
    assert [found.verify() for found in record.read(io.BytesIO(loose.encode()))] == [[]]  # type: ignore[union-attr]


def test_other_spellings_of_actions_are_understood() -> None:
    game = Game(seed=3, **INTRO)
    text = str(game.record())
    card = next(iter(game.view(game.seat).hand or {}))
    name = game.seats[game.seat or 0]
    more = text.replace("\nunfinished", f"\n1 {name}: PASS ;  card {card.upper()}\n\nunfinished")
    again = record.loads(more)
    assert again.verify() == []
    assert str(again.game().actions[0]) == f"pass; card {card}"
    assert f"\n1 {name}: PASS ;  card {card.upper()}\n" in str(again)  # kept as read
    assert again.as_dict()["actions"][0]["text"] == f"pass; card {card}"
    first = again.main_line()[0]
    for words in (f"pass; card {card}", f"passe; Karte {card}"):
        assert again.root.add_variation(words) is first
    other = again.root.add_variation(f"loan 30; card {card}")
    assert again.root.children == [first, other]
    german = record.loads(str(again).replace(other.text, f"leihe 30; Karte {card}"))
    assert german.root.children[1].text.startswith("leihe")
    ((variation,),) = german.as_dict()["actions"][0]["variations"]
    assert variation["text"] == other.text


# --- several games -------------------------------------------------------------------------------


def test_several_games_in_one_file(tmp_path: Path) -> None:
    games = [played(kind, 2) for kind in kinds.PLAIN[:3]]
    path = tmp_path / "games.brass"
    record.write(path, (game.record() for game in games))
    found = list(record.read(path))
    assert [str(entry) for entry in found] == [str(game.record()) for game in games]
    assert str(record.load(path)) == str(games[0].record())
    assert same_game(record.load(path, 3).game(), games[2])
    with pytest.raises(BrassError, match=r"^there is no game 4: the file has 3$"):
        record.load(path, 4)
    with pytest.raises(BrassError, match="holds 3 games"):
        record.loads(path.read_text(encoding="utf-8"))
    again = io.StringIO()
    record.write(again, [entry for entry in found if isinstance(entry, Record)])
    assert again.getvalue() == path.read_text(encoding="utf-8")
    again.seek(0)
    assert len(list(record.read(again))) == 3
    assert len(list(record.read(again.getvalue().splitlines()))) == 3


def test_games_are_read_one_at_a_time() -> None:
    text = str(Game(seed=1).record())

    def endless() -> Any:
        while True:
            yield from text.splitlines()

    found = record.read(endless())
    assert [str(next(found)) for _ in range(3)] == [text] * 3


def test_a_file_is_replaced_atomically(tmp_path: Path) -> None:
    path = tmp_path / "game.brass"
    record.write(path, Game(seed=1).record())
    before = path.read_bytes()

    def broken() -> Any:
        yield Game(seed=2).record()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        record.write(path, broken())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    record.write(str(path), [])
    assert list(record.read(path)) == []
    with pytest.raises(BrassError, match=r"^there is no game in this file$"):
        record.load(path)


# --- replay --------------------------------------------------------------------------------------


def test_a_record_can_be_replayed_up_to_any_action() -> None:
    game = played(**INTRO)
    again = record.loads(str(game.record()))
    for number in (0, 1, 7, len(game.actions)):
        part = again.game(to=number)
        assert texts(part) == texts(game)[:number]
        if number < len(game.actions):
            assert part.engine.snapshot() == game.actions[number].before
    for wrong in (-1, len(game.actions) + 1):
        with pytest.raises(BrassError, match=f"no action {wrong}"):
            again.game(to=wrong)
    no_numbers: list[Any] = ["3", 2.5, True]
    for no_number in no_numbers:
        with pytest.raises(BrassError, match="not the number of an action"):
            again.game(to=no_number)


def edited(text: str, number: int, action: str) -> str:
    """Return the text with one action replaced by another of the same seat."""
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if line.startswith(f"{number} "))
    lines[at] = f"{lines[at].split(':')[0]}: {action}"
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("action", "words"),
    [
        ("loan 30; card wild industry", "wild"),
        ("build coal Atlantis", "Atlantis"),
        ("pass; ...", "is not complete"),
        ("pass", r"pass; card \w+ \| pass; card"),
        ("give up coal Dudley", "give up"),
    ],
)
def test_a_difference_names_the_action(action: str, words: str) -> None:
    book = record.loads(edited(str(played(seed=4, **INTRO).record()), 9, action))
    with pytest.raises(Difference, match=rf"^action 9 \(.*{words}") as caught:
        book.game()
    assert caught.value.number == 9
    assert caught.value.action.endswith(f": {action}")
    assert not caught.value.why.startswith(action)
    assert book.verify() == [str(caught.value)]


def test_the_wrong_seat_is_a_difference() -> None:
    text = str(played(seed=4, **INTRO).record())
    node = record.loads(text).main_line()[4]
    other = "Ben" if node.seat == "Ada" else "Ada"
    wrong = record.loads(text.replace(f"\n5 {node.seat}:", f"\n5 {other}:"))
    with pytest.raises(Difference, match=rf"^action 5 .*{node.seat} must act here, not {other}"):
        wrong.game()
    assert texts(wrong.game(to=4)) == texts(record.loads(text).game(to=4))


def test_a_wrong_check_is_reported_at_its_action() -> None:
    game = played(seed=4, **INTRO)
    good = game.record()
    for number in (1, 6, len(game.actions)):
        wrong = record.loads(str(good))
        checks = list(wrong.checks)
        checks[number - 1] ^= 1
        wrong.checks = tuple(checks)
        again = record.loads(str(wrong))
        with pytest.raises(Difference, match="does not lead to the numbers") as caught:
            again.game()
        assert caught.value.number == number
        assert len(again.verify()) == 1


def test_checks_follow_the_specification() -> None:
    game = Game(seed=1, players=2)
    first = game.deal.order[0] + 1
    said = f"canal 1 {first} 1 13 8 17 0 10 0 8 17 0 10 0 8"
    assert " ".join(map(str, numbers(game.engine))) == said
    assert check_of(game.engine) == zlib.crc32(said.encode()) % 65536


def test_rounds_and_order_are_checked() -> None:
    text = str(played(seed=4, **INTRO).record())
    for old, new, words in (
        ("\ncanal 2", "\ncanal 3", "it is listed under canal 3, but belongs to canal 2"),
        ("\ncanal 2", "\nrail 2", "rail 2"),
    ):
        with pytest.raises(Difference, match=words) as caught:
            record.loads(text.replace(old, new)).game()
        assert caught.value.number == 3
    heading = next(line for line in text.splitlines() if line.startswith("canal 2:"))
    swapped = "canal 2: " + ", ".join(reversed(heading.removeprefix("canal 2: ").split(", ")))
    with pytest.raises(Difference, match="the turn order is"):
        record.loads(text.replace(heading, swapped)).game()


def test_a_wrong_result_is_a_difference() -> None:
    game = played(seed=4, **INTRO)
    text = str(game.record())
    result = game.record().headers["Result"]
    parts = result.split(", ")
    name, points = parts[0].rsplit(" ", 1)
    other = text.replace(f'[Result "{parts[0]}', f'[Result "{name} {int(points) + 1}')
    with pytest.raises(Difference, match="Result is") as caught:
        record.loads(other).game()
    assert caught.value.number == len(game.actions)
    assert record.loads(text.replace(result, ", ".join(parts[::-1]))).verify() == []
    broke = game.record().headers["TieBreak"]
    with pytest.raises(Difference, match=f"TieBreak is {broke}, not shared"):
        record.loads(text.replace(f'[TieBreak "{broke}"]', '[TieBreak "shared"]')).game()


def test_the_end_is_verified() -> None:
    game = played(seed=4, **INTRO)
    text = str(game.record())
    with pytest.raises(Difference, match="the game is over here"):
        record.loads(text.removesuffix("end\n") + "unfinished\n").game()
    game.undo()
    text = str(game.record())
    with pytest.raises(Difference, match="the game is not over"):
        record.loads(text.removesuffix("unfinished\n") + "end\n").game()


@pytest.mark.parametrize("name", rows.RESULT_HEADERS)
def test_a_result_before_the_end_is_a_difference(name: str) -> None:
    game = Game(seed=4, **INTRO)
    play_at_random(game, random.Random(4), 20)
    text = str(game.record()).replace("[Rules", f'[{name} "Ada 5"]\n[Rules')
    (problem,) = record.loads(text).verify()
    assert f"the game is not over, but the record has the header {name}" in problem


def test_a_different_rules_version_is_named() -> None:
    game = played(seed=4, **INTRO)
    text = str(game.record()).replace('[Rules "1"]', '[Rules "77"]')
    assert record.loads(text).verify() == []
    with pytest.raises(Difference, match=r"version 77 of the rules; this is version 1") as caught:
        record.loads(edited(text, 5, "give up coal Dudley")).game()
    assert (caught.value.number, caught.value.rules) == (5, "77")
    assert pickle.loads(pickle.dumps(caught.value)).number == 5


# --- as data -------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_a_record_as_data(kind: Edition) -> None:
    game = played(kind, 6)
    data = json.loads(json.dumps(record.loads(str(game.record())).as_dict()))
    assert data["headers"]["Edition"] == kind.name
    assert data["deal"] == game.deal.to_dict(kind)
    assert len(data["actions"]) == len(game.actions)
    first, last = data["actions"][0], data["actions"][-1]
    assert (first["number"], first["era"], first["round"]) == (1, "canal", 1)
    assert first["text"] == str(game.actions[0])
    assert tuple(first["choices"]) == game.actions[0].ids
    assert [event["kind"] for event in last["events"]][-1] == "game_ended"
    assert all(event["words"] for action in data["actions"] for event in action["events"])
    outcome = game.outcome()
    assert outcome is not None
    assert [row["total"] for row in data["result"]["results"]] == [
        result.total for result in outcome.results
    ]


def test_an_unfinished_game_as_data() -> None:
    game = Game(seed=3, **INTRO)
    play_at_random(game, random.Random(1), 12)
    data = game.record().as_dict()
    assert (data["result"], data["finished"]) == (None, False)
    seen = json.loads(json.dumps(game.record(seat=1).as_dict()))
    assert seen["view"] == 1
    assert None in seen["deal"]["deck"]


def test_the_package_exports_records() -> None:
    assert brassmill.Record is Record
