"""Five levels for people, from beginner to master, all by the network of the game.

The expert plays the network's likeliest choice, and the master searches first. The others make the
mistakes of people: they overlook some actions for a whole turn, and they often prefer a choice that
is nearly as good. How far apart the levels are is measured in `docs/bots/bots.md`.

A game without a network of its own (`network.has_network`) is played by the scripted judgement,
with an error, a plan or a search instead.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from math import log
from random import Random

from brassmill.bots.bot import Answer, Bot, Clock
from brassmill.bots.greedy import Greedy
from brassmill.bots.net import Decision, Net, Player
from brassmill.bots.network import has_network, packaged
from brassmill.bots.planner import Planner
from brassmill.bots.spec import Seconds
from brassmill.core.view import View
from brassmill.editions.edition import Edition
from brassmill.rules.choices import CHOICES, PASS
from brassmill.rules.warmup import NETWORKS, SEARCH

MASTER_TIME = Seconds(1.0)


class Human(Player):
    """Plays by a network, with the mistakes of a person."""

    name = "human"

    def __init__(self, edition: Edition, seed: int, *, overlooks: float, wavers: float) -> None:
        """Overlook this share of the actions; waver between choices whose scores are this close."""
        super().__init__(edition, seed, packaged(edition))
        self.overlooks = overlooks
        self.wavers = wavers

    def decide(self, asked: Decision) -> int:
        scores = asked.scores
        # An exponential number makes each choice as likely as its score says (Gumbel's trick).
        mood = {choice: -log(asked.rng.expovariate(1)) for choice in asked.legal}
        seen = self.seen(asked.view) if asked.is_action else asked.legal
        return max(seen, key=lambda choice: (scores[choice] + self.wavers * mood[choice], -choice))

    def seen(self, view: View) -> list[int]:
        """The actions it notices: what it overlooks, it overlooks for the whole turn.

        Someone who sees nothing to do looks again before passing.
        """
        rng = Random(f"{self.seed} {view.era} {view.round}")
        noticed = [rng.random() >= self.overlooks for _ in range(CHOICES)]
        seen = [choice for choice in view.legal if noticed[choice]]
        return seen if any(choice != PASS for choice in seen) else list(view.legal)


class Level(ABC):
    """One of the five: a bot that plays by a network, or another one where there is none."""

    name = ""
    compiled: tuple[str, ...] = NETWORKS
    plays_plain = True

    def __init__(self, edition: Edition, seed: int) -> None:
        make = self.by_network if has_network(edition) else self.by_script
        self.bot = make(edition, seed)

    def choose(self, view: View, clock: Clock) -> Answer:
        return self.bot.choose(view, clock)

    def close(self) -> None:
        self.bot.close()

    @abstractmethod
    def by_network(self, edition: Edition, seed: int) -> Bot:
        """The bot for a game that has a network."""

    @abstractmethod
    def by_script(self, edition: Edition, seed: int) -> Bot:
        """The bot for any other game."""


class Beginner(Level):
    """Knows the moves, misjudges their value."""

    name = "beginner"

    def by_network(self, edition: Edition, seed: int) -> Bot:
        return Human(edition, seed, overlooks=0.75, wavers=2.5)

    def by_script(self, edition: Edition, seed: int) -> Bot:
        return Greedy(edition, seed, noise=12.0)


class Apprentice(Level):
    """Finds good actions, often takes the second best."""

    name = "apprentice"

    def by_network(self, edition: Edition, seed: int) -> Bot:
        return Human(edition, seed, overlooks=0.6, wavers=1.6)

    def by_script(self, edition: Edition, seed: int) -> Bot:
        return Greedy(edition, seed, noise=5.0)


class Journeyman(Level):
    """Plays soundly, overlooks a chance now and then."""

    name = "journeyman"

    def by_network(self, edition: Edition, seed: int) -> Bot:
        return Human(edition, seed, overlooks=0.4, wavers=1.2)

    def by_script(self, edition: Edition, seed: int) -> Bot:
        return Greedy(edition, seed, noise=2.0)


class Expert(Level):
    """Judges every choice well."""

    name = "expert"

    def by_network(self, edition: Edition, seed: int) -> Bot:
        return Net(edition, seed)

    def by_script(self, edition: Edition, seed: int) -> Bot:
        planner = Planner(edition, seed, worlds=1)
        planner.few = 1
        return planner


class Master(Level):
    """Judges every choice well, and looks ahead before it decides."""

    name = "master"
    compiled = SEARCH
    plays_plain = False

    def by_network(self, edition: Edition, seed: int) -> Bot:
        return Net(edition, seed, time=MASTER_TIME)

    def by_script(self, edition: Edition, seed: int) -> Bot:
        return Planner(edition, seed, time=MASTER_TIME)
