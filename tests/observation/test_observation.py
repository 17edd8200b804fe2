"""An observation is a view in numbers: all of it, in the layout's words, and nothing else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from brassmill import Batch, BrassError, Game, Layout, UnknownName
from brassmill.batch.twins import Twins
from brassmill.cli.main import main
from brassmill.core.engine import Engine
from brassmill.core.events import ERAS
from brassmill.core.names import DUE
from brassmill.core.view import PUBLIC, View, view_of
from brassmill.core.worlds import sample
from brassmill.editions import OPTIONS, Edition, edition
from brassmill.observation import observation_of
from brassmill.observation.index import seat_names
from brassmill.rules.layout import (
    CARDS,
    INDUSTRIES,
    LINES,
    MERCHANTS,
    SEATS,
    SOURCES,
    SPACES,
    STATE,
)
from support import kinds

BIRMINGHAM = edition("birmingham", 4)
LANCASHIRE = edition("lancashire", 3)

Told = dict[tuple[str, str, str], int]


def told_by(layout: Layout, values: Any) -> Told:
    """All numbers that are not 0, by their words."""
    return {
        (part.name, index.subject, index.detail): int(value)
        for part in layout.parts.values()
        for index, value in zip(part.indices, values[part.span], strict=True)
        if value
    }


# --- a view, in the words of the layout ----------------------------------------------------------


def expected(kind: Edition, view: View) -> Told:
    """What a view says, number by number; nothing but the view is asked."""
    rows = (
        *of_moment(kind, view),
        *of_action(kind, view),
        *of_seats(kind, view),
        *of_cards(kind, view),
        *of_markets(kind, view),
        *of_map(kind, view),
    )
    told = {(part, subject, detail): n for part, subject, detail, n in rows if n}
    assert len(told) == sum(1 for *_, number in rows if number)
    return told


Rows = Iterator[tuple[Any, ...]]


def of_moment(kind: Edition, view: View) -> Rows:
    for option in OPTIONS[kind.name]:
        values = ", ".join(f"{number} {value}" for number, value in enumerate(option.values))
        yield "options", option.name, values, option.values.index(view.options[option.name])
    state = np.frombuffer(view.position, STATE)[0]
    yield "progress", "era", "0 canal, 1 rail", ERAS.index(view.era)
    yield "progress", "round", "of this era", view.round
    yield "progress", "turns", "finished this round", int(state["turn"])
    left = "left to the seat on turn, the one in progress included"
    yield "progress", "actions", left, view.actions_left
    yield "progress", "incomes", "paid this round", int(state["income_turn"])
    yield "progress", "cards", "left to draw", view.deck


def of_action(kind: Edition, view: View) -> Rows:
    state = np.frombuffer(view.position, STATE)[0]
    yield "action", "the open question", view.question, 1
    for word, field, _largest in DUE:
        yield "action", "its numbers", word, int(state[field])
    yield "action", "debt", "pounds still owed", view.owed
    if state["end"] >= 0:
        yield "action", "where its rail takes coal", kind.place_name(int(state["end"])), 1
    if view.action is not None:
        yield "action", "what is being done", view.action.doing, 1
        if view.action.industry is not None:
            yield "action", "its industry", view.action.industry, 1
        if view.action.space is not None:
            yield "spaces", view.action.space, "the action in progress is here", 1
        if view.action.line is not None:
            yield "lines", view.action.line, "the action in progress is here", 1


def round_the_table(kind: Edition, view: View) -> list[int]:
    """The numbers of the seats, as the one that looks counts them."""
    assert view.seat is not None
    return [(view.seat + far) % kind.players for far in range(kind.players)]


def of_seats(kind: Edition, view: View) -> Rows:
    for name, number in zip(seat_names(kind), round_the_table(kind, view), strict=True):
        seat = view.seats[number]
        yield "seats", name, "pounds", seat.cash
        yield "seats", name, "pounds spent this round", seat.spent
        yield "seats", name, "space of the income marker", seat.income
        yield "seats", name, "income level", seat.level
        yield "seats", name, "points", seat.vp
        yield "seats", name, "cards in hand", seat.cards
        yield "seats", name, "link tiles left", seat.links_left
        for card in seat.wild:
            yield "seats", name, f"holds a {card}", 1
        place = view.order.index(number) + 1
        yield "seats", name, f"is number {place} in the turn order", 1
        yield "seats", name, "must choose now", int(view.to_move == number)
        for industry, levels in seat.mat.items():
            for level, count in Counter(levels).items():
                yield "mats", f"{name}, {industry}", f"tiles of level {level} left", count
        for era, sources in seat.points.items():
            for source, points in sources.items():
                yield "points", f"{name}, {era} era", source, points


def of_cards(kind: Edition, view: View) -> Rows:
    assert view.hand is not None
    for card, count in view.hand.items():
        yield "hand", "your cards", card, count
    for number, count in kind.deck.items():
        card = kind.card_name(number)
        seen = view.hand.get(card, 0) + view.discards.get(card, 0)
        yield "unseen", "cards of this era", card, count - seen
    if view.distant is not None:
        for steps, count in (Counter(kind.distant) - Counter(view.distant.revealed)).items():
            yield "unseen", "distant tiles of this era", f"{steps} steps", count


def of_markets(kind: Edition, view: View) -> Rows:
    for name, market in (("coal", view.coal_market), ("iron", view.iron_market)):
        yield "markets", f"{name} market", "cubes", market.cubes
        yield "markets", f"{name} market", "price of the next cube", market.price
    goods = {"all": ("cotton", "manufacturer", "pottery"), "blank": ()}
    for number, merchant in enumerate(view.merchants):
        name = f"merchant of {kind.merchant_name(number)}"
        for good in goods.get(merchant.goods, (merchant.goods,)):
            yield "markets", name, f"buys {good}", 1
        yield "markets", name, "has a barrel", int(merchant.barrel)
    if view.distant is not None:
        yield "markets", "distant market", "space of the marker", view.distant.marker
        yield "markets", "distant market", "income spaces for a sale there", view.distant.bonus


def of_map(kind: Edition, view: View) -> Rows:
    name = dict(zip(round_the_table(kind, view), seat_names(kind), strict=True))
    for tile in view.tiles:
        yield "spaces", tile.name, f"a tile of {name[tile.owner]}", 1
        yield "spaces", tile.name, tile.industry, 1
        yield "spaces", tile.name, "level", tile.level
        yield "spaces", tile.name, "flipped", int(tile.flipped)
        yield "spaces", tile.name, "cubes or barrels", tile.cubes
    for link in view.links:
        yield "lines", link.name, f"a link of {name[link.owner]}", 1


# --- whole games ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_an_observation_says_what_the_view_says(kind: Edition) -> None:
    """Every number of it, in every phase that random games come to."""
    layout = Layout.of(kind)
    rng = Random(6)
    game = Game(kind, seed=6)
    while not game.over:
        for seat in {game.seat, rng.randrange(kind.players)} if rng.random() < 0.2 else ():
            values = game.observation(seat)
            assert told_by(layout, values) == expected(kind, game.view(seat))
            assert (layout.low <= values).all() and (values <= layout.high).all()
        if game.question == "turn over":
            game.end_turn()
        else:
            game.choose(rng.choice(game.legal_choices().ids))
    assert told_by(layout, game.observation(1)) == expected(kind, game.view(1))


def test_a_debtor_sees_what_is_owed() -> None:
    game = Game.from_position(kinds.IN_DEBT)
    game.play("pass")
    for seat in range(2):
        told = told_by(Layout.of(game.edition), game.observation(seat))
        assert told == expected(game.edition, game.view(seat))
        assert told["action", "debt", "pounds still owed"] == 3


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_what_a_seat_cannot_see_changes_nothing(kind: Edition) -> None:
    """Whole games: whatever is hidden from a seat is dealt anew, and its observation stays."""
    batch = Batch(kind, games=4, seed=8, threads=1)
    rng = Random(8)
    dealt_anew = 0
    while not batch.ended.any():
        if rng.random() < 0.1:
            saved, legal = batch.snapshot(), batch.legal.copy()
            for seats in (None, *range(kind.players)):
                before, positions = batch.observations(seats).copy(), batch.positions()
                batch.resample(rng.getrandbits(60), seats)
                assert batch.observations(seats).tobytes() == before.tobytes()
                dealt_anew += batch.positions().tobytes() != positions.tobytes()
                if seats is None:
                    assert (batch.legal == legal).all()
                batch.restore(saved)
        batch.step([rng.choice(np.flatnonzero(row).tolist()) for row in batch.legal])
    assert dealt_anew > 10


# --- nothing that is public is missing -----------------------------------------------------------


def places_of(kind: Edition, state: Any, field: str) -> list[tuple[int, ...]]:
    """Where in a field there is something that means anything in this position."""
    sizes = {SEATS: kind.players, SPACES: len(kind.spaces), LINES: len(kind.lines)}
    sizes |= {MERCHANTS: len(kind.merchants), CARDS: CARDS}
    sources = (*kind.industries, *range(INDUSTRIES, SOURCES))
    return [
        place
        for place in np.ndindex(STATE[field].shape)
        if (not place or place[0] < sizes[STATE[field].shape[0]])
        and (field not in ("owner", "flipped", "cubes", "tile") or state["tile"][place])
        and (field != "gone" or place[1] in kind.industries)
        and (field != "points" or place[2] in sources)
        and (field != "discards" or place[0] in kind.deck)
    ]


def another(kind: Edition, field: str, place: tuple[int, ...], old: int) -> int:
    """Another value that a field could have there."""
    board = kind.board
    if field == "merchant":
        return old ^ 1  # buys cotton, or does not
    if field == "industry":
        return kind.industries[int(old == kind.industries[0])]
    if field == "tile":
        return next(int(kind) for kind in board.stack[board.industry_of[old]] if kind != old)
    sizes = {"seat": kind.players, "owner": kind.players, "link_owner": kind.players, "phase": 14}
    sizes |= {"doing": 8, "space": len(kind.spaces), "line": len(kind.lines), "demand": 9}
    sizes["end"] = len(kind.places)
    size = int(board.stack_size[place[1]]) + 1 if field == "gone" else sizes.get(field, 100)
    return old + 1 if old + 1 < size else old - 1


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_everything_public_changes_some_number(kind: Edition) -> None:
    game = Game(kind, seed=2)
    kinds.play_at_random(game, Random(2), 40)
    engine = Engine(kind, game.seats, game.engine.snapshot())
    before, told = engine.snapshot(), observe(engine)
    state = engine.state
    for field in PUBLIC:
        places = places_of(kind, state, field)
        assert places or field in ("merchant", "barrel")
        if field in ("demand", "distant_next") and not kind.distant:
            continue
        for place in places:
            if field == "order":
                other = (place[0] + 1) % kind.players
                state["order"][[place[0], other]] = state["order"][[other, place[0]]]
            elif place:
                state[field][place] = another(kind, field, place, int(state[field][place]))
            else:
                state[field] = another(kind, field, place, int(state[field]))
            assert (observe(engine) != told).any(), (field, place)
            engine.restore(before)


def observe(engine: Engine) -> Any:
    view = view_of(engine.edition, engine.seats, engine.state, 1, 0)
    return observation_of(engine.edition, view)


# --- the layout ----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_every_number_has_words_of_its_own(kind: Edition) -> None:
    layout = Layout.of(kind)
    words = [layout.words(number) for number in range(len(layout))]
    assert len(set(words)) == len(words)
    assert (layout.low <= layout.high).all() and (layout.scale >= 1).all()
    slices = [layout[part] for part in layout.parts]
    assert [part.start for part in slices] == [0, *(part.stop for part in slices[:-1])]
    assert slices[-1].stop == len(layout)


@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_options_change_no_layout_but_by_another_map(kind: Edition) -> None:
    if not kind.options.get("community_2p"):
        plain, layout = Layout.of(edition(kind.name, kind.players)), Layout.of(kind)
        assert layout.names == plain.names
        assert layout.scale.tolist() == plain.scale.tolist()


def test_a_layout_is_asked_by_names() -> None:
    layout = Layout.of(BIRMINGHAM)
    assert layout is Layout.of(edition("birmingham", 4))
    number = layout.index("spaces", "Derby 2", "level")
    assert layout.words(number) == "spaces: Derby 2: level"
    assert (layout.low[number], layout.high[number], layout.scale[number]) == (0, 8, 8)
    with pytest.raises(UnknownName, match="hands"):
        layout["hands"]
    with pytest.raises(BrassError, match="'Derby 9'"):
        layout.index("spaces", "Derby 9", "level")
    with pytest.raises(BrassError, match=f"0 to {len(layout) - 1}"):
        layout.words(len(layout))


# --- games and batches ---------------------------------------------------------------------------


def test_a_game_is_observed_by_the_seat_to_move_or_by_any_seat() -> None:
    game = Game(BIRMINGHAM, seed=1)
    assert (game.observation() == game.observation(game.seat)).all()
    with pytest.raises(BrassError, match="no seat 4"):
        game.observation(4)
    with pytest.raises(BrassError, match="not a spectator"):
        observation_of(BIRMINGHAM, game.view())
    kinds.play_at_random(game, Random(1))
    with pytest.raises(BrassError, match="name a seat"):
        game.observation()


def test_a_world_is_a_game_that_could_be_this_one() -> None:
    game = Game(BIRMINGHAM, seed=1)
    kinds.play_at_random(game, Random(1), 31)
    worlds = [game.world(seed=seed) for seed in (3, 4, 3)]
    assert worlds[0].engine.snapshot() == worlds[2].engine.snapshot()
    assert worlds[0].engine.snapshot() == sample(BIRMINGHAM, game.view(game.seat), 3)
    assert worlds[0].engine.snapshot() != worlds[1].engine.snapshot()
    assert worlds[1].legal_choices().ids == game.legal_choices().ids
    assert (worlds[1].observation() == game.observation()).all()


def test_a_batch_is_observed_as_its_games_are() -> None:
    batch = Batch(LANCASHIRE, games=5, seed=3, threads=2)
    batch.play_at_random(20)
    games = [batch.game(row) for row in range(5)]
    seen = batch.observations()
    assert (seen == [game.observation() for game in games]).all()
    assert batch.observations() is seen  # written in place
    assert (batch.observations(1) == [game.observation(1) for game in games]).all()
    each = batch.observations([0, 1, 2, 0, 1])
    assert (each == [game.observation(row % 3) for row, game in enumerate(games)]).all()


def test_observations_go_where_they_are_wanted() -> None:
    batch = Batch(LANCASHIRE, games=3, threads=1)
    mine = np.zeros((2, 3, len(batch.layout)), np.int16)
    part = mine[1]
    assert batch.observations(into=part) is part
    assert (mine[1] == batch.observations()).all() and not mine[0].any()
    assert np.shares_memory(np.from_dlpack(batch.observations()), batch.observations())
    wrong = (part.tolist(), part[:2], part.astype(np.int32), mine[:, :, 0], part.T)
    for into in wrong:
        with pytest.raises(BrassError, match=f"3 times {len(batch.layout)}"):
            batch.observations(into=into)
    with pytest.raises(BrassError, match="C-contiguous"):
        batch.observations(into=np.zeros((len(batch.layout), 3), np.int16).T)


@pytest.mark.parametrize(
    ("seats", "said"),
    [
        (3, "unknown seat 3; seats are 0 to 2"),
        ([0, 1, -1], "unknown seat -1"),
        ([0, 1], "one integer, or 3"),
        (1.0, "one integer, or 3"),
    ],
)
def test_only_seats_look(seats: Any, said: str) -> None:
    batch = Batch(LANCASHIRE, games=3, threads=1)
    with pytest.raises(BrassError, match=said):
        batch.observations(seats)
    with pytest.raises(BrassError, match=said):
        batch.resample(1, seats)


def test_threads_make_the_same_worlds() -> None:
    one, many = (Batch(BIRMINGHAM, games=9, seed=9, threads=threads) for threads in (1, 3))
    for batch in (one, many):
        batch.play_at_random(30)
    games = [one.game(row) for row in range(9)]
    for batch in (one, many):
        batch.resample(5)
    assert Twins(one, many).difference() is None
    assert one.observations().tobytes() == many.observations().tobytes()
    for row, game in enumerate(games):
        assert one.game(row).engine.snapshot() == game.world(seed=5 + row).engine.snapshot()


# --- networks ------------------------------------------------------------------------------------


@pytest.mark.torch
def test_torch_sees_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    batch = Batch(BIRMINGHAM, games=4, threads=1)
    for take in (torch.as_tensor, torch.from_dlpack):
        seen = take(batch.observations())
        assert seen.data_ptr() == batch.observations().ctypes.data
    mine = torch.zeros_like(seen)
    assert batch.observations(torch.ones(4, dtype=torch.int64), into=mine) is mine
    assert mine.tolist() == batch.observations(1).tolist()
    batch.step(torch.as_tensor(batch.legal).to(torch.uint8).argmax(dim=1))


@pytest.mark.torch
def test_bench_lets_a_network_play() -> None:
    pytest.importorskip("torch")
    words = ("--network", "--players", "4", "--seconds", "0.01", "--games", "8", "--json")
    done = CliRunner().invoke(main, ["bench", *words])
    assert done.exit_code == 0, done.output
    figures = json.loads(done.output[done.output.index("{") :])
    assert figures["choices_per_second"] > 0
    assert 1_000_000 < figures["network_parameters"] < 1_200_000


# --- on a GPU ------------------------------------------------------------------------------------


@pytest.mark.gpu
@pytest.mark.parametrize("kind", kinds.EACH, ids=repr)
def test_a_gpu_sees_and_samples_as_a_cpu(kind: Edition, gpu: None) -> None:
    batches = [Batch(kind, games=77, seed=4, device=device) for device in ("cpu", "cuda")]
    twins = Twins(*batches)
    seats = [row % kind.players for row in range(77)]
    for _ in range(6):
        for batch in batches:
            batch.play_at_random(9)
        assert twins.step() is None
        for looking in (None, 1, seats):
            cpu, cuda = (batch.observations(looking) for batch in batches)
            assert cpu.tobytes() == cuda.copy_to_host().tobytes()
        for batch in batches:
            batch.resample(7, seats)
        assert twins.difference() is None


@pytest.mark.gpu
@pytest.mark.torch
def test_torch_sees_in_the_memory_of_the_gpu(gpu: None) -> None:
    torch = pytest.importorskip("torch")
    batch = Batch(BIRMINGHAM, games=64, device="cuda")
    seen = torch.as_tensor(batch.observations(), device="cuda")
    assert seen.data_ptr() == batch.observations().__cuda_array_interface__["data"][0]
    mine = torch.zeros_like(seen)
    assert batch.observations(torch.ones(64, dtype=torch.int64, device="cuda"), into=mine) is mine
    again = torch.from_dlpack(mine)
    assert (again == torch.as_tensor(batch.observations(1), device="cuda")).all()
    with pytest.raises(BrassError, match="in the memory of cuda"):
        batch.observations(into=np.zeros(seen.shape, np.int16))
