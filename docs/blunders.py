"""Plant blunders in games of networks, and see whether an analysis finds them.

    python docs/blunders.py --games 20      # half an hour on one core; a line for each game

The games are of all editions and numbers of players in turn. At some moments a random legal action
replaces that of the network, if a search of many worlds says that it loses as much as a blunder.
Then the whole game is analysed as on the web: in few worlds, and with another seed. An analysis has
found what it calls a mistake or a blunder.
"""

from __future__ import annotations

import argparse
from itertools import islice
from random import Random
from time import process_time

from brassmill import Game
from brassmill.bots import registry
from brassmill.bots.brain import up_to_what_is_revealed
from brassmill.coach.advice import advise
from brassmill.coach.analysis import MARKS, analyse
from brassmill.core.view import View
from brassmill.editions import EDITIONS, Edition
from brassmill.editions import edition as edition_of
from brassmill.play.host import Host
from brassmill.rules.warmup import warm_up

KINDS = [(name, players) for name, box in EDITIONS.items() for players in sorted(box.players)]
SEED = 4_100_000_000  # deals of their own: no network has seen them
WORLDS = 12  # as in the analysis on the web
CHECK_WORLDS, CHECK_SEED = 64, 1
TRIED = 8  # random actions at a moment
FARTHEST = 300  # of the legal actions listed
PLANTED = 5  # at most, in a game


def loss_of(edition: Edition, view: View, ids: tuple[int, ...], worlds: int, seed: int) -> float:
    """What an action loses against the best one found."""
    advice = advise(edition, view, worlds=worlds, seed=seed, played=ids)
    wanted = up_to_what_is_revealed(ids)
    return next(each.loss for each in advice if each.action.ids == wanted)


def blunder(game: Game, rng: Random) -> tuple[int, ...] | None:
    """A legal action that is certainly a blunder, if a few random ones include one."""
    view = game.view(game.seat)
    actions = list(islice(game.legal_actions(), FARTHEST))
    for action in rng.sample(actions, min(TRIED, len(actions))):
        loss = loss_of(game.edition, view, action.ids, CHECK_WORLDS, CHECK_SEED)
        if loss >= MARKS["blunder"]:
            return action.ids
    return None


def planted_game(number: int) -> tuple[Game, list[int]]:
    """A game of networks, and the numbers of the blunders planted in it."""
    rng = Random(SEED + number)
    edition = edition_of(*KINDS[number % len(KINDS)])
    game = Game(edition, seed=SEED + number)
    host = Host.of(["net"] * edition.players, edition, seed=number)
    wanted = set(rng.sample(range(4, 20 * edition.players), PLANTED))
    planted = []
    while not game.over:
        if game.question == "turn over":
            game.end_turn()
            continue
        bad = None
        if game.question == "action" and len(game.actions) in wanted:
            bad = blunder(game, rng)
        if bad:
            planted.append(len(game.actions) + 1)
        game.carry_out(bad or host.ask(game.copy()), ends_turn=False)
    host.close()
    return game, planted


def main() -> None:
    parser = argparse.ArgumentParser(prog="python docs/blunders.py")
    parser.add_argument("--games", type=int, default=20)
    given = parser.parse_args()
    warm_up(more=registry.compiled(["net"]))
    losses: list[float] = []
    seconds, actions = [], []
    for number in range(given.games):
        game, planted = planted_game(number)
        began = process_time()
        found = analyse(game.record(), worlds=WORLDS)
        seconds.append(process_time() - began)
        actions.append(len(found.verdicts))
        of_game = [found.verdicts[each - 1].loss for each in planted]
        losses += of_game
        shown = ", ".join(f"{loss:.1f}" for loss in of_game) or "none"
        print(
            f"{game.edition.name} {game.players}: {actions[-1]} actions, {seconds[-1]:.1f} s,"
            f" planted blunders lose {shown}",
            flush=True,
        )
    count = len(losses)
    marked = sum(loss >= MARKS["mistake"] for loss in losses)
    blunders = sum(loss >= MARKS["blunder"] for loss in losses)
    print(f"{count} planted: {marked} found ({marked / count:.0%}), {blunders} as blunders")
    print(
        f"{sum(seconds) / len(seconds):.1f} s of processor time a game on average,"
        f" {max(seconds):.1f} s at most, for {sum(actions) / len(actions):.0f} actions"
    )


if __name__ == "__main__":
    main()
