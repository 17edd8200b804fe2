"""Openings: moves, counting, merging, tables, and games played side by side."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from itertools import accumulate
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

from brassmill import Batch
from brassmill.bots.net import Mind
from brassmill.bots.network import packaged
from brassmill.core.choice import MEANING, NUMBER, build_number
from brassmill.core.deal import Deal
from brassmill.core.engine import Engine
from brassmill.editions import Edition, edition
from brassmill.errors import BrassError, UnknownName
from brassmill.language import LANGUAGES, speaking
from brassmill.openings import (
    Openings,
    Tally,
    Tree,
    collect,
    kinds,
    move_text,
    move_words,
    openings,
    read,
    write,
)
from brassmill.openings.counts import WIN, Counts, merged, without_rare
from brassmill.openings.moves import Move, find_move, move_of
from brassmill.openings.play import HEAT, CompiledBrain, play
from brassmill.openings.store import OPENING_DEALS, OpeningSettings, digest_of
from brassmill.openings.table import FOLDER, SeededGames
from brassmill.rules.choices import TWO_CARDS
from brassmill.rules.layout import ACTION, CANAL, GAME_OVER, SYMBOLS, TURN_OVER

BIRMINGHAM = edition("birmingham", 4)
LANCASHIRE = edition("lancashire", 3)
LOAN, SCOUT, PASS = NUMBER["LOAN", 2], NUMBER["SCOUT", 0], NUMBER["PASS", 0]


def building(game: Edition, industry: str, town: str, space: int = 1) -> int:
    """The choice to build an industry on a space of a town, as the table of the edition has it."""
    number = game.place_spaces[game.find_place(town)][space - 1]
    return build_number(number, game.spaces[number].symbols.index(industry))


# --- moves ---------------------------------------------------------------------------------------


def test_two_spaces_of_a_town_are_the_same_move() -> None:
    first, second = (building(BIRMINGHAM, "manufacturer", "Birmingham", n) for n in (1, 2))
    assert first != second
    card = NUMBER["CARD", 3]
    assert move_of(BIRMINGHAM, [first, card]) == move_of(BIRMINGHAM, [second, card]) == (first,)


def test_the_order_of_developments_does_not_matter() -> None:
    coal, iron = (NUMBER["DEVELOP", number] for number in (1, 2))
    assert move_of(BIRMINGHAM, [iron, coal]) == move_of(BIRMINGHAM, [coal, iron]) == (coal, iron)


MOVES = [
    (BIRMINGHAM, (building(BIRMINGHAM, "coal", "Dudley"),), "build coal Dudley"),
    (
        LANCASHIRE,
        (building(LANCASHIRE, "port", "Lancaster"), TWO_CARDS),
        "build port Lancaster; two cards",
    ),
    (BIRMINGHAM, (NUMBER["LINK", 0],), "link Warrington-Stoke-on-Trent"),
    (BIRMINGHAM, (NUMBER["DEVELOP", 1], NUMBER["DEVELOP", 2]), "develop coal, iron"),
    (BIRMINGHAM, (LOAN,), "loan 30"),
    (BIRMINGHAM, (SCOUT,), "scout"),
    (BIRMINGHAM, (PASS,), "pass"),
    (
        BIRMINGHAM,
        (NUMBER["SELL", BIRMINGHAM.place_spaces[BIRMINGHAM.find_place("Leek")][0]],),
        "sell Leek",
    ),
]


@pytest.mark.parametrize(("game", "move", "text"), MOVES, ids=[text for *_, text in MOVES])
def test_a_move_is_written_and_found_again(game: Edition, move: Move, text: str) -> None:
    assert move_text(game, move) == text
    for language in LANGUAGES:
        assert find_move(game, move_text(game, move, language), [(PASS,), move]) == move
        with speaking(language):
            assert move_words(game, move)


def test_a_move_is_found_by_its_number() -> None:
    assert find_move(BIRMINGHAM, "2", [(PASS,), (SCOUT,)]) == (SCOUT,)
    with pytest.raises(UnknownName, match="pass"):
        find_move(BIRMINGHAM, "3", [(PASS,), (SCOUT,)])


# --- counts --------------------------------------------------------------------------------------

A, B, C = (LOAN,), (SCOUT,), (PASS,)
COUNTS: Counts = {
    (A, B, C): Tally(6, 3 * WIN, 600),
    (A, B, A): Tally(2, WIN // 2, 150),
    (A, C, C): Tally(1, 0, 90),
    (B, C, C): Tally(1, WIN, 120),
}


def test_counts_are_summed_along_the_tree() -> None:
    tree = Tree(COUNTS)
    assert tree.tally() == Tally(10, 4 * WIN + WIN // 2, 960)
    assert [(row.move, row.tally.games, row.share) for row in tree.rows()] == [
        (A, 9, 0.9),
        (B, 1, 0.1),
    ]
    first = tree.rows((A,))[0]
    assert first.move == B
    assert first.tally.won == pytest.approx(3.5 / 8)
    assert first.tally.mean_vp == 750 / 8
    assert tree.rows((A, B, C)) == []
    assert tree.tally((C,)).games == 0


def test_the_interval_is_wilsons() -> None:
    """The figures are those of Wilson's formula, worked out by hand."""
    assert Tally(10, 5 * WIN, 0).interval == pytest.approx((0.2366, 0.7634), abs=5e-5)
    assert Tally(4, 0, 0).interval == pytest.approx((0.0, 0.4899), abs=5e-5)
    low, high = Tally(1000, 500 * WIN, 0).interval
    assert (low, high) == pytest.approx((0.4691, 0.5309), abs=5e-5)


def test_counts_merge_in_any_order() -> None:
    one, two = dict(list(COUNTS.items())[:2]), dict(list(COUNTS.items())[1:])
    both = merged([one, two])
    assert both == merged([two, one])
    assert both[A, B, A] == Tally(4, WIN, 300)
    assert both[A, B, C] == COUNTS[A, B, C]


def test_rare_lines_are_shortened_and_nothing_is_lost() -> None:
    kept = without_rare(COUNTS, 2)
    assert set(kept) == {(A, B, C), (A, B, A), (A,), ()}
    tree, whole = Tree(kept), Tree(COUNTS)
    for line in ((), (A,), (A, B)):
        assert tree.tally(line) == whole.tally(line)
    assert tree.others((A,)) == COUNTS[A, C, C]
    assert tree.others() == COUNTS[B, C, C]
    assert tree.others((A, B)) == Tally(0, 0, 0)
    assert whole.others((A,)) == Tally(0, 0, 0)


# --- playing -------------------------------------------------------------------------------------


def by_hand(game: Edition, seed: int) -> list[tuple[list[str], float, int]]:
    """Play one game, choice by choice; by place: texts of the opening, the win, the VP."""
    engine = Engine(game, ("R", "Y", "G", "P")[: game.players])
    engine.set_up(Deal.from_seed(game, seed).record(game))
    order = engine.state.order[: game.players].tolist()
    mind, rng = Mind(game, packaged(game)), Random(f"opening {seed}")
    texts: dict[int, list[str]] = {seat: [] for seat in order}
    while engine.phase != GAME_OVER:
        if engine.phase == TURN_OVER:
            engine.end_turn()
            continue
        legal = engine.legal()
        scores = mind.look(engine.seat, engine.snapshot(), legal)
        best = max(scores[choice] for choice in legal)
        if engine.state.era == CANAL and engine.state.round_number <= 2:
            sums = list(accumulate(exp((scores[choice] - best) / HEAT) for choice in sorted(legal)))
            mark = rng.random() * sums[-1]
            choice = sorted(legal)[next(n for n, total in enumerate(sums) if total > mark)]
            seat, begins = engine.seat, engine.phase == ACTION
            made = engine.choose(choice)
            if begins:
                texts[seat].append("")
            texts[seat][-1] = with_choices(game, texts[seat][-1], made)
        else:
            engine.choose(min(choice for choice in legal if scores[choice] == best))
    ranks = {seat: engine.standing(seat) for seat in order}
    winners = list(ranks.values()).count(1)
    vp = engine.state.vp
    return [(texts[seat], (ranks[seat] == 1) / winners, int(vp[seat])) for seat in order]


def with_choices(game: Edition, text: str, made: list[int]) -> str:
    """A text with what choices add to it; it is not sorted."""
    for kind, offset in (MEANING[choice] for choice in made):
        if kind == "BUILD":
            space, symbol = divmod(offset, SYMBOLS)
            row = game.spaces[space]
            text = f"build {row.symbols[symbol]} {game.place_name(row.place)}"
        elif kind == "LINK":
            text = f"link {game.line_name(offset)}"
        elif kind == "DEVELOP":
            names = [*text.removeprefix("develop ").split(", "), game.industry_name(offset)]
            order = [game.industry_name(number) for number in game.industries]
            text = f"develop {', '.join(sorted(filter(None, names), key=order.index))}"
        elif kind == "SELL":
            place = game.place_name(game.spaces[offset].place)
            text = f"{text}, {place}" if text else f"sell {place}"
        elif kind == "LOAN":
            text = f"loan {10 * (offset + 1)}"
        elif kind in ("SCOUT", "PASS"):
            text = kind.lower()
        elif kind == "TWO_CARDS":
            text += "; two cards"
    return text


def played(game: Edition, first: int, games: int) -> list[Counts]:
    batch = Batch(game, games=games, threads=1)
    try:
        return play(batch, CompiledBrain(batch, packaged(game)), range(first, first + games), HEAT)
    finally:
        batch.close()


@pytest.mark.parametrize("game", [edition("birmingham", 2), LANCASHIRE], ids=repr)
def test_games_are_counted_as_by_hand(game: Edition) -> None:
    seeds = range(OPENING_DEALS, OPENING_DEALS + 3)
    expected: list[dict[tuple[str, ...], list[float]]] = [{} for _ in range(game.players)]
    for seed in seeds:
        for place, (texts, win, vp) in enumerate(by_hand(game, seed)):
            entry = expected[place].setdefault(tuple(texts), [0, 0, 0])
            for number, value in enumerate((1, win * WIN, vp)):
                entry[number] += value
    counted = [
        {tuple(move_text(game, move) for move in line): [*tally] for line, tally in counts.items()}
        for counts in played(game, seeds[0], len(seeds))
    ]
    assert counted == expected


def test_a_game_is_the_same_in_any_batch() -> None:
    game = edition("classic", 3)
    together = played(game, OPENING_DEALS + 7, 3)
    alone = [played(game, OPENING_DEALS + 7 + number, 1) for number in range(3)]
    assert together == [merged(counts[place] for counts in alone) for place in range(3)]


@pytest.mark.torch
def test_pytorch_scores_choices_alike() -> None:
    """On a GPU the same code runs: a batch there, and its arrays as tensors."""
    pytest.importorskip("torch")
    from brassmill.openings.torch_brain import TorchBrain

    game = edition("birmingham", 2)
    with np.errstate(all="raise"):
        batch = Batch(game, games=6, threads=1)
        one, other = CompiledBrain(batch, packaged(game)), TorchBrain(batch, packaged(game), "cpu")
        batch.reset(seed=OPENING_DEALS)
        games, rng, same, asked = np.arange(6), np.random.default_rng(1), 0, 0
        for _step in range(40):
            assert one.rounds().tolist() == other.rounds().tolist()
            draws = np.where(rng.random(6) < 0.5, rng.random(6), -1.0)
            chosen = one.choose(games, draws, HEAT)
            same += int((chosen == other.choose(games, draws, HEAT)).sum())
            asked += len(games)
            batch.step(chosen)
        batch.close()
    assert same >= asked - 1  # rounding may decide between two choices that are all but equal


@pytest.mark.torch
def test_pytorch_plays_whole_games() -> None:
    pytest.importorskip("torch")
    from brassmill.openings.torch_brain import TorchBrain

    game = edition("birmingham", 2)
    batch = Batch(game, games=3, threads=1)
    seeds = range(OPENING_DEALS, OPENING_DEALS + 3)
    counts = play(batch, TorchBrain(batch, packaged(game), "cpu"), seeds, HEAT)
    batch.close()
    assert [sum(tally.games for tally in each.values()) for each in counts] == [3, 3]
    assert sum(tally.wins for each in counts for tally in each.values()) == 3 * WIN


@pytest.mark.gpu
@pytest.mark.torch
def test_a_part_is_played_on_a_gpu(gpu: None) -> None:
    from brassmill.openings.run import play_part

    settings = OpeningSettings.of(edition("birmingham", 2), 1, HEAT, 64)
    counts = play_part(settings, 0, "cuda").counts
    assert [sum(tally.games for tally in each.values()) for each in counts] == [64, 64]


# --- tables --------------------------------------------------------------------------------------


def small(seed: int = 1, **other: Any) -> Openings:
    """A table of ten games, with the same counts for both seats."""
    found = Openings(
        edition="birmingham",
        players=2,
        options={},
        network="a network",
        heat=2.0,
        sources=(SeededGames(seed, 10),),
        least=1,
        counts=(COUNTS, COUNTS),
    )
    return replace(found, **other)


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    path = tmp_path / "table.json.gz"
    write(path, small())
    data = path.read_bytes()
    assert read(path) == small()
    write(path, read(path))
    assert path.read_bytes() == data


def damaged(found: Openings) -> dict[str, bytes]:
    """Files that are no table, by what is wrong."""
    data = found.as_dict()
    line = data["counts"][0][0][0]
    wrong: dict[str, Any] = {
        "another format": {**data, "format": "brassmill puzzles"},
        "another version": {**data, "version": 99},
        "no counts": {name: value for name, value in data.items() if name != "counts"},
        "a seat missing": {**data, "counts": data["counts"][:1]},
        "games missing": {**data, "counts": [data["counts"][0], data["counts"][1][:-1]]},
        "more wins than games": {**data, "counts": [[[line, 10, 10 * WIN + 1, 5]]] * 2},
        "half a game": {**data, "counts": [[[line, 9.5, 0, 5], [[], 0.5, 0, 0]]] * 2},
        "a line twice": {**data, "counts": [[[line, 5, 0, 5], [line, 5, 0, 5]]] * 2},
        "no such choice": {**data, "counts": [[[[[9999]], 10, 0, 5]]] * 2},
        "no move": {**data, "counts": [[[[[NUMBER["CARD", 1]]], 10, 0, 5]]] * 2},
        "four moves": {**data, "counts": [[[[list(A)] * 4, 10, 0, 5]]] * 2},
        "another game": {**data, "edition": "chess"},
        "not a table": [1, 2, 3],
    }
    whole = gzip.compress(json.dumps(data).encode())
    return {
        **{name: gzip.compress(json.dumps(value).encode()) for name, value in wrong.items()},
        "cut off": whole[:-20],
        "not compressed": json.dumps(data).encode(),
        "changed bytes": whole[:40] + b"????" + whole[44:],
        "empty": b"",
    }


@pytest.mark.parametrize("name", damaged(small()))
def test_a_damaged_table_is_refused(name: str, tmp_path: Path) -> None:
    path = tmp_path / "table.json.gz"
    path.write_bytes(damaged(small())[name])
    with pytest.raises(BrassError, match="this is not a table of openings"):
        read(path)


def test_tables_are_added_up(tmp_path: Path) -> None:
    both = collect([small(seed=2), small(seed=1)])
    assert both.games == 20
    assert both.sources == (SeededGames(1, 10), SeededGames(2, 10))
    assert both.counts[0] == merged([COUNTS, COUNTS])
    assert collect([small()], least=2).least == 2
    assert collect([small(least=3), small(seed=2)]).least == 3
    path = tmp_path / "both.json.gz"
    write(path, collect([both], least=5))
    assert read(path).games == 20


def test_what_does_not_belong_together_is_not_added_up() -> None:
    with pytest.raises(BrassError, match=r"heat is 2\.0 here, 1\.0 there"):
        collect([small(), small(seed=2, heat=1.0)])
    with pytest.raises(BrassError, match="network is"):
        collect([small(), small(seed=2, network="another")])
    with pytest.raises(BrassError, match="the games with the seed 1 would be counted twice"):
        collect([small(), small()])


# --- the package ---------------------------------------------------------------------------------

ALL = (
    *(("classic", players) for players in (3, 4)),
    *(("lancashire", players) for players in (2, 3, 4)),
    *(("birmingham", players) for players in (2, 3, 4)),
)


def test_every_game_has_its_table() -> None:
    assert kinds() == ALL
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 400_000
    with pytest.raises(BrassError, match="players"):
        openings("classic", 2)


@pytest.mark.parametrize(("name", "players"), ALL)
def test_a_table_of_the_package_comes_from_its_network(name: str, players: int) -> None:
    """A new network needs new tables: `docs/play/openings.md` has the commands."""
    found = openings(name, players)
    assert found.network == digest_of(packaged(found.table))
    assert found.heat == HEAT
    assert found.games >= 256
    won = sum(tree.tally().wins for tree in found.trees)
    assert won == found.games * WIN
    for tree in found.trees:
        assert tree.tally().games == found.games
        assert sum(row.tally.games for row in tree.rows()) + tree.others().games == found.games


def test_the_first_games_of_a_table_can_be_played_again() -> None:
    """Their first moves: lines of few games are shortened."""
    found = openings("lancashire", 2)
    again = played(found.table, OPENING_DEALS + (found.sources[0].seed << 32), 2)
    for place, counts in enumerate(again):
        for line, tally in counts.items():
            stored = found.trees[place].tally(line[:1])
            assert stored.games >= tally.games
            assert stored.vp >= tally.vp
