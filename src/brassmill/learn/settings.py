"""The settings of a training: the defaults, and a file that overrides some of them."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from brassmill.bots.inference import LANES
from brassmill.errors import BrassError, UnknownName

# The first deals of each step, far apart, so that no game is tested on that was learned from, and
# far from the small seeds that people play and test with.
TEACHER_DEALS, LEAGUE_DEALS, TEST_DEALS = 1 << 40, 1 << 41, 1 << 42

KINDS = {int: "a positive int", float: "a positive float", str: "a text", dict: "a table"}


@dataclass(frozen=True)
class NetworkSettings:
    width: int
    blocks: int


@dataclass(frozen=True)
class TeacherSettings:
    games: int
    bot: str
    width: int
    variation: float


@dataclass(frozen=True)
class ImitationSettings:
    updates: int
    minibatch: int
    rate: float


@dataclass(frozen=True)
class LeagueSettings:
    rounds: int
    games: int
    stretch: int
    epochs: int
    minibatch: int
    rate: float
    last_rate: float
    entropy: float
    last_entropy: float
    win: float
    imitation_games: float
    rival_games: float
    past_games: float
    past_every: int
    test_every: int
    test_games: int


@dataclass(frozen=True)
class Settings:
    """All settings; `defaults.toml` says what they mean."""

    seed: int
    network: NetworkSettings
    teacher: TeacherSettings
    imitation: ImitationSettings
    league: LeagueSettings

    @classmethod
    def read(cls, path: Path | None = None) -> Settings:
        """The defaults, overridden by a file."""
        text = (files("brassmill.learn") / "defaults.toml").read_text("utf-8")
        found = tomllib.loads(text)
        if path is not None:
            try:
                override(found, tomllib.loads(path.read_text("utf-8")))
            except tomllib.TOMLDecodeError as error:
                raise BrassError(f"{path}: {error}") from error
        return cls.of(found)

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Settings:
        """Settings from plain data, checked."""
        if data["network"]["width"] % LANES:
            raise BrassError(f"the width of a network must be a multiple of {LANES}")
        shares = ("imitation_games", "rival_games", "past_games")
        if sum(data["league"][share] for share in shares) > 1:
            raise BrassError(f"{', '.join(shares)} are more than all games together")
        return cls(
            data["seed"],
            NetworkSettings(**data["network"]),
            TeacherSettings(**data["teacher"]),
            ImitationSettings(**data["imitation"]),
            LeagueSettings(**data["league"]),
        )

    def as_dict(self) -> dict[str, Any]:
        """Plain data, for `of`."""
        return asdict(self)


def override(found: dict[str, Any], given: Mapping[str, Any], part: str = "") -> None:
    """Replace settings; unknown ones, and values of the wrong type, are refused."""
    for name, value in given.items():
        if name not in found:
            raise UnknownName("setting", part + name, [part + known for known in found])
        if isinstance(found[name], dict) and isinstance(value, dict):
            override(found[name], value, f"{name}.")
        elif isinstance(found[name], float) and type(value) in (int, float) and value >= 0:
            found[name] = float(value)
        elif type(value) is type(found[name]) and (isinstance(value, str) or value >= 0):
            found[name] = value
        else:
            kind = KINDS[type(found[name])]
            raise BrassError(f"{part}{name} cannot be {value!r}: it must be {kind}")
