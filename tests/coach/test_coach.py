"""The coach: what it advises, why, and what it does not know."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from brassmill.bots import Clock, make
from brassmill.bots.mind import TERMS, Term
from brassmill.coach import Advice, advice, advise
from brassmill.coach.advice import margins
from brassmill.coach.chances import (
    Factors,
    chance_text,
    chances,
    factors_for,
    is_forecast,
    stored_for,
)
from brassmill.coach.network_study import NetworkStudy
from brassmill.coach.reasons import LOAN, REASONS, main_reasons, reasons_for, terms_of
from brassmill.coach.study import Study
from brassmill.core.worlds import sample
from brassmill.editions import Edition, edition
from brassmill.game import Game
from brassmill.language import LANGUAGES, gettext, speaking
from brassmill.learn import calibration
from support.kinds import ALL, EACH, PLAIN, TIED_MINES
from support.moments import LAST_SALE, at_an_action
from support.paths import ROOT

FEW = 3  # worlds


def advice_for(game: Game, **more: object) -> list[Advice]:
    assert game.seat is not None
    return advise(game.edition, game.view(game.seat), **{"worlds": FEW, **more})  # type: ignore[arg-type]


# --- what is advised -----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", EACH, ids=repr)
def test_every_idea_can_be_played_and_the_best_comes_first(kind: Edition) -> None:
    game = at_an_action(kind, seed=kind.players, choices=40)
    found = advice_for(game)
    assert 1 <= len(found) <= 5
    assert found[0].loss == 0
    assert [idea.margin for idea in found] == sorted((i.margin for i in found), reverse=True)
    for idea in found:
        assert idea.loss == pytest.approx(found[0].margin - idea.margin) and idea.loss >= 0
        assert idea.error is not None and idea.error > 0
        assert sum(idea.wins) == pytest.approx(1)
        trial = game.copy()
        trial.choose(idea.action.text)
        assert idea.turns_tile or trial.draft is None


def test_ideas_lead_to_different_positions() -> None:
    game = at_an_action(PLAIN[0], seed=4, choices=150)
    after = set()
    for idea in advice_for(game, most=20):
        trial = game.copy()
        trial.choose(idea.action)
        after.add(trial.engine.snapshot())
    assert len(after) == len(advice_for(game, most=20)) > 8


def test_a_sale_that_wins_is_advised_and_says_why() -> None:
    game = Game.from_position(LAST_SALE)
    best, *others = advice_for(game)
    assert best.action.text.startswith("sell cotton Worcester")
    assert others[0].loss > 5
    assert best.reasons[0].name == "tiles" and best.reasons[0].points > 0
    assert "12" in best.reasons[0].words


def test_what_was_played_is_compared_too() -> None:
    game = at_an_action(PLAIN[0], seed=1, choices=60)
    last = game.legal_choices().ids[-1]  # to pass
    trial = game.copy()
    trial.choose(last)
    while trial.draft:
        trial.choose(trial.legal_choices().ids[0])
    best, played = advice_for(game, most=1, played=trial.actions[-1].ids)
    assert played.action.ids == trial.actions[-1].ids
    assert played.loss == pytest.approx(best.margin - played.margin)


def test_in_the_middle_of_an_action_ways_to_go_on_are_compared() -> None:
    game = Game.from_position(TIED_MINES)
    game.choose("build cotton Manchester; ...")
    found = advice_for(game)
    texts = {idea.action.text for idea in found}
    assert len(texts) > 1
    assert all("build" not in text for text in texts)
    for idea in found:
        trial = game.copy()
        trial.choose(idea.action)
        assert trial.draft is None
        # All of them build the mill: no reason names what they have in common.
        assert not {reason.name for reason in idea.reasons} & {"tiles", "income"}


DEBT: dict[str, object] = {
    "edition": "lancashire",
    "players": 2,
    "round": 3,
    "tiles": ["Y coal 1 Wigan (2)", "Y cotton 2 Bury flipped", "R coal 1 Oldham (2)"],
    "Y": {"cash": 0, "income": 5},
    "action": {"question": "give up", "seat": "Y", "owed": 2},
}


def test_in_debt_the_tile_that_is_missed_least_is_advised() -> None:
    game = Game.from_position(DEBT)
    assert game.question == "give up"
    best, other = advice_for(game)
    assert best.action.text == "give up coal Wigan"
    assert other.loss > 0


def test_a_seat_that_need_not_choose_gets_no_advice() -> None:
    game = Game("birmingham", players=2, seed=1)
    seat = game.seat
    assert seat is not None
    assert advise(game.edition, game.view(1 - seat), worlds=FEW) == []
    assert advise(game.edition, game.view(), worlds=FEW) == []
    game.choose("pass; card " + next(iter(game.view(seat).hand or ())))
    assert game.question == "turn over"
    assert advise(game.edition, game.view(seat), worlds=FEW) == []


BEYOND_THE_SEA: dict[str, object] = {
    "edition": "lancashire",
    "players": 3,
    "round": 4,
    "tiles": ["Y cotton 2 Preston 2", "R port 2 Preston 1 flipped"],
    "Y": {"cash": 0, "hand": ["Bury", "Wigan"]},
}


@pytest.fixture
def scripted(monkeypatch: pytest.MonkeyPatch) -> None:
    """A coach that has no network."""
    monkeypatch.setattr(advice, "is_forecast", lambda _edition: False)


@pytest.mark.usefixtures("scripted")
def test_a_sale_beyond_the_sea_counts_what_it_is_on_average() -> None:
    sure, doomed = (
        next(
            idea
            for idea in advice_for(Game.from_position({**BEYOND_THE_SEA, **more}), most=20)
            if idea.action.text.startswith("sell")
        )
        for more in ({"demand": 0}, {"demand": 6, "distant drawn": [0, 1]})
    )
    assert sure.turns_tile and doomed.turns_tile
    # Whatever tile comes, the second market closes: nothing is sold, and nothing promises it is.
    assert sure.loss < doomed.loss
    promised = [
        {reason.name for reason in idea.reasons if reason.points > 0} for idea in (sure, doomed)
    ]
    assert promised[0] >= {"income"} and not promised[1] & {"income", "tiles"}
    assert "tiles" not in {reason.name for reason in sure.reasons if reason.points < 0}


def test_what_is_judged_of_a_sale_beyond_the_sea_depends_on_no_tile_face_down() -> None:
    position = {**BEYOND_THE_SEA, "demand": 4}  # some tiles close the market, and others do not
    game = Game.from_position(position)
    view = game.view(0)
    sale = next(action.ids for action in game.legal_actions() if action.text.startswith("sell"))
    studies = [Study(game.edition, view, seed) for seed in range(10)]
    assert len({study.turn(sale)[0] for study in studies}) == 1
    assert len({study.terms(sale).tobytes() for study in studies}) == 1


def test_the_docs_name_every_reason() -> None:
    page = (ROOT / "docs/play/coach.md").read_text("utf-8")
    table = page.partition("| reason | terms |")[2].partition("\n\n")[0]
    named = [name for row in table.splitlines()[2:] for name in row.split("|")[1].split(",")]
    assert {name.strip() for name in named} == {*REASONS, "loan"}


# --- what it is made of --------------------------------------------------------------------------


def test_the_same_worlds_give_the_same_advice_and_others_do_not() -> None:
    game = at_an_action(PLAIN[0], seed=6, choices=40)
    assert advice_for(game) == advice_for(game)
    assert advice_for(game)[0].margin != advice_for(game, seed=1)[0].margin


@pytest.mark.parametrize("name", ["lancashire", "birmingham"])
def test_nothing_hidden_is_looked_at(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = at_an_action(edition(name, 3), seed=8, choices=60)
    other = game.copy()
    other.engine.restore(sample(game.edition, game.view(game.seat), seed=11))
    assert other.engine.snapshot() != game.engine.snapshot()
    assert advice_for(game) == advice_for(other)
    with monkeypatch.context() as without:
        without.setattr(advice, "is_forecast", lambda _edition: False)
        assert advice_for(game) == advice_for(other) and not advice_for(game)[0].by_network


# --- by the network ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ALL, ids=repr)
def test_a_network_advises_where_its_forecasts_hold(kind: Edition) -> None:
    fits = not kind.options.get("intro") and not kind.options.get("community_2p")
    assert is_forecast(kind) == fits


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_the_likeliest_actions_of_the_network_are_compared(kind: Edition) -> None:
    game = at_an_action(kind, seed=3, choices=60)
    assert game.seat is not None
    view = game.view(game.seat)
    study = NetworkStudy(kind, view, seed=0)
    likeliest = make("net", kind).choose(view, Clock())
    assert study.candidates(1) == [likeliest]
    found = study.candidates(8)
    assert found[0] == likeliest
    scripted = {choices[0] for choices in Study(kind, view, seed=0).candidates(3)}
    assert scripted <= {choices[0] for choices in found}
    assert max(study.turn(choices)[0] for choices in found) <= 0  # they are likelihoods
    assert all(idea.by_network for idea in advice_for(game))


def test_a_round_is_played_before_the_network_forecasts() -> None:
    """Every opponent has had a turn, and it is the seat's own again."""
    game = at_an_action(edition("birmingham", 4), seed=3, choices=60)
    assert game.seat is not None
    view = game.view(game.seat)
    study = NetworkStudy(game.edition, view, seed=0)
    [action] = study.candidates(1)
    asked: list[int] = []
    look = study._network.look
    study._network.look = lambda seat, *rest: asked.append(seat) or look(seat, *rest)  # type: ignore
    found = study.ending([action], world=5)
    assert {*asked} == {*range(4)} and asked[-1] == game.seat and study._engine.seat == game.seat
    assert found.wins.sum() == pytest.approx(1) and 0 < min(found.wins)
    assert all(40 < points < 250 for points in found.points)


def test_at_the_end_of_the_game_the_result_counts() -> None:
    game = Game.from_position(LAST_SALE)
    assert game.seat is not None
    study = NetworkStudy(game.edition, game.view(game.seat), seed=0)
    for action in study.candidates(3):
        trial = game.copy()
        trial.choose(action[0])
        ending = study.ending([action], world=1)
        assert sorted(ending.wins.tolist())[-1] in (1, 0.5)
        assert all(points == int(points) for points in ending.points)


def test_chances_add_up_and_rise_with_the_forecasts() -> None:
    found = chances(np.array([140.0, 130, 120]), np.array([0.5, 0.3, 1.2]), Factors(0, 0.1))
    assert found.sum() == pytest.approx(1)
    assert found[0] / found[1] == pytest.approx(np.exp(1)) and found[1] > found[2]
    even = chances(np.array([120.0, 120]), np.array([-0.1, 1.1]), Factors(1, 0.1))
    assert 0 < even[0] < 0.01  # no forecast is certain


def test_only_what_is_certain_is_shown_as_certain() -> None:
    shown = {chance: chance_text(chance) for chance in (0.0, 0.001, 0.414, 0.9999, 1.0)}
    assert [*shown.values()] == ["0%", "1%", "41%", "99%", "100%"]


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_the_chances_were_fitted_to_this_network(kind: Edition) -> None:
    stored = stored_for(kind)
    assert stored["network"] == calibration.digest(kind), "run brassmill.learn.calibration"
    for factors in factors_for(kind):
        assert factors.win >= 0 and factors.vp >= 0


def test_the_fit_finds_the_factors_that_made_the_results() -> None:
    rng, true = np.random.default_rng(3), Factors(0.5, 0.05)
    points, shares = rng.normal(130, 15, (4000, 3)), rng.uniform(0.1, 0.9, (4000, 3))
    likely = chances(points, shares, true)
    won = np.array([rng.multinomial(1, row) for row in likely], float)
    rows = np.arange(4000)
    turns = calibration.Turns(rows, rows % 3, rows % 2, points, shares, points, won)
    found = calibration.fit(turns)
    assert found == pytest.approx(true, abs=0.06)
    checked = calibration.check(turns, found)
    assert sum(count for count, _chance, _won in checked["reliability"]) == won.size
    assert checked["score"] < checked["score_uncalibrated"]
    assert checked["margin_error"] == 0


def test_calibration_plays_the_same_games_again() -> None:
    kind = edition("lancashire", 2)
    first, again = (calibration.play(kind, range(2)) for _ in range(2))
    assert all(np.array_equal(*both) for both in zip(first, again, strict=True))
    assert (first.won.sum(axis=1) == 1).all()


def test_one_game_tells_nothing_about_the_error() -> None:
    game = at_an_action(PLAIN[0], seed=6, choices=40)
    for idea in advice_for(game, worlds=1):
        assert idea.error is None and idea.as_dict()["error"] is None


def test_time_is_kept_and_progress_told() -> None:
    game = at_an_action(PLAIN[0], seed=3, choices=200)
    told: list[float] = []
    short = advise(game.edition, game.view(game.seat), seconds=0.01, progress=told.append)
    assert short[0].worlds >= FEW
    assert told == sorted(told) and all(0 <= share <= 1 for share in told)


def test_margins_add_up_to_nothing() -> None:
    found = margins(np.array([[100.0, 80.0, 60.0], [3.0, 3.0, 3.0]]))
    assert found.sum(axis=1).tolist() == [0, 0]
    assert found[0].tolist() == [30, 0, -30]


def test_a_tie_on_points_is_won_by_income_and_shared_without() -> None:
    wins = {}
    for income in (12, 10):
        last: dict[str, object] = {
            "edition": "birmingham",
            "players": 2,
            "era": "rail",
            "round": 10,
            "Y": {"cash": 0, "income": income, "hand": ["Dudley"]},
            "R": {"cash": 0, "income": 10, "hand": []},
        }
        for idea in advice_for(Game.from_position(last)):
            assert idea.points == (0, 0)
            wins[income, idea.action.text[:4]] = idea.wins
    # A loan costs income.
    assert wins == {
        (12, "pass"): (1, 0),
        (12, "loan"): (0, 1),
        (10, "pass"): (0.5, 0.5),
        (10, "loan"): (0, 1),
    }


# --- reasons -------------------------------------------------------------------------------------


def test_every_term_belongs_to_one_reason() -> None:
    named = [term for name in REASONS for term in terms_of(name)]
    assert sorted([*named, Term.CONSTANT]) == list(range(TERMS))


def all_sentences() -> Iterator[str]:
    for group in REASONS.values():
        for saying in group:
            yield from (saying.good, saying.bad)
    yield LOAN


@pytest.mark.parametrize("code", [code for code in LANGUAGES if code != "en"])
def test_every_reason_has_words_in_every_language(code: str) -> None:
    with speaking(code):
        for english in all_sentences():
            said = gettext(english)
            assert said != english
            assert ("{" in said) == ("{" in english)


def test_reasons_say_what_has_changed() -> None:
    weights = np.ones(TERMS)
    change = np.zeros(TERMS)
    change[Term.LINKS], change[Term.CASH], change[Term.RIVALS_POINTS] = 4, -7, 2
    weights[Term.RIVALS_POINTS] = -1
    reasons = main_reasons(change, weights)
    assert [(r.name, r.points) for r in reasons] == [("links", 4), ("rivals", -2), ("money", -7)]
    assert [r.words for r in reasons] == [
        "links: +4 VP",
        "gives opponents VP",
        "£7 less to spend",
    ]
    # Where no words are true of it, nothing is said.
    weights[Term.LINKS] = -1
    assert "links" not in {reason.name for reason in main_reasons(change, weights)}


@pytest.mark.parametrize(
    ("era", "intro", "said"),
    [
        ("canal", False, ["a tile that stays for the rail era"]),
        ("canal", True, []),
        ("rail", False, []),
    ],
)
def test_a_tile_stays_for_the_rail_era_where_one_is_to_come(
    era: str, intro: bool, said: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    position: dict[str, object] = {
        "edition": "birmingham",
        "options": {"intro": intro},
        "players": 2,
        "era": era,
        "round": 5,
        "Y": {"cash": 40, "hand": ["Burton-on-Trent"] * 2, "mat": {"brewery": "2"}},
    }
    nothing_else = np.eye(TERMS)[Term.SURVIVORS]
    monkeypatch.setattr(Study, "weights", lambda _study: nothing_else)
    game = Game.from_position(position)
    study = Study(game.edition, game.view(game.seat), seed=0)
    game.play("build brewery Burton-on-Trent; card Burton-on-Trent")
    [reasons] = reasons_for(study, [game.actions[-1].ids])
    assert [reason.words for reason in reasons] == said


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_reasons_are_real_changes(kind: Edition) -> None:
    game = at_an_action(kind, seed=5, choices=70)
    seat = game.seat
    assert seat is not None
    before = game.view(seat).seats[seat]
    for idea in advice_for(game, most=8):
        trial = game.copy()
        trial.choose(idea.action)
        after = trial.view(seat).seats[seat]
        for reason in idea.reasons:
            if reason.name == "money":
                assert (reason.points > 0) == (after.cash > before.cash)
                assert reason.number == abs(after.cash - before.cash)
            if reason.name == "income" and "{pounds}" in reason.sentence and not idea.turns_tile:
                assert reason.number == abs(after.level - before.level)


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_of_a_loan_it_is_said_what_it_brings_and_what_it_costs(kind: Edition) -> None:
    game = at_an_action(kind, seed=5, choices=20)
    seat = game.seat
    assert seat is not None
    study = Study(game.edition, game.view(seat), seed=0)
    before = game.view(seat).seats[seat]
    loans = [action for action in game.legal_actions() if action.text.startswith("loan")]
    for loan, reasons in zip(loans, reasons_for(study, [each.ids for each in loans]), strict=True):
        trial = game.copy()
        trial.choose(loan)
        after = trial.view(seat).seats[seat]
        brings, costs = after.cash - before.cash, before.level - after.level
        words = f"£{brings} now, for £{costs} less income a round"
        assert [reason.words for reason in reasons if reason.name == "loan"] == [words]
        assert not {reason.name for reason in reasons} & {"money", "income"}
    assert loans


def test_a_loan_is_explained_even_where_its_money_is_worth_nothing() -> None:
    change, weights = np.zeros(TERMS), np.zeros(TERMS)
    change[Term.CASH], change[Term.LEVEL] = 30, -3
    [reason] = main_reasons(change, weights, borrows=True)
    assert reason.words == "£30 now, for £3 less income a round"


def one_reason(weights: dict[Term, float], change: dict[Term, float]) -> str:
    """What is said where nothing else changes and nothing else counts."""
    rows = np.zeros((2, TERMS))
    for row, numbers in zip(rows, (change, weights), strict=True):
        row[list(numbers)] = list(numbers.values())
    [reason] = main_reasons(*rows)
    return reason.words


def test_only_the_price_that_moves_is_named() -> None:
    weights = {Term.COAL_PRICE: -1.0, Term.IRON_PRICE: -1.0}
    assert one_reason(weights, {Term.IRON_PRICE: 1}) == "iron gets more expensive"
    assert one_reason(weights, {Term.COAL_PRICE: -1}) == "coal gets cheaper"


def test_of_the_mat_the_most_that_is_true_is_said() -> None:
    weights = {Term.GONE_OF: 1.0, Term.NEXT_OF: 1.0, Term.DEAD_TILES: -1.0}
    gone, old, better = {Term.GONE_OF: 1.0}, {Term.DEAD_TILES: -1.0}, {Term.NEXT_OF: 2.0}
    assert one_reason(weights, gone) == "closer to better tiles on your mat"
    clears = "clears canal-era-only tiles from your mat"
    assert one_reason(weights, gone | old) == clears
    more = "better tiles next: +2 VP"
    assert one_reason(weights, gone | old | better) == more


def test_the_weights_of_a_study_are_those_of_the_judgement() -> None:
    game = at_an_action(PLAIN[0], seed=7, choices=50)
    assert game.seat is not None
    study = Study(game.edition, game.view(game.seat), seed=0)
    assert study.judge() == pytest.approx(float((study.terms() * study.weights()).sum()))
