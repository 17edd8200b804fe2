"""Networks that play: their files, and whether they fit a game.

A file is a NumPy archive. Each matrix is stored as int8, with one float32 scale for each row
(`enter.weight` and `enter.weight.scale`), and each bias as float16. `about` is JSON: what the
network was made for, and how it was trained (`docs/bots/networks.md`).
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import as_file, files
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from brassmill.bots.bot import BotError
from brassmill.bots.inference import LANES, OUTPUTS
from brassmill.editions.edition import Edition
from brassmill.errors import error_text
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.observation.layout import Layout
from brassmill.rules.choices import CHOICES, KINDS

LARGEST = 127  # of an int8, in both directions

# What a network must have in common with a game.
MATTERS = {
    "edition": N_("edition"),
    "players": N_("number of players"),
    "observation": N_("observation layout"),
    "vocabulary": N_("vocabulary of choices"),
}


class Network:
    """The weights of a network, for `policy.judge`."""

    def __init__(self, about: Mapping[str, Any], parts: Mapping[str, Any], scale: Any) -> None:
        self.about = about
        self.inputs = len(scale)
        self.width, self.blocks = int(about["width"]), int(about["blocks"])
        layers = [scale]
        for name, (height, width) in shapes(self.inputs, self.width, self.blocks).items():
            weight, bias = parts[f"{name}.weight"], parts[f"{name}.bias"]
            if weight.shape != (height, width) or bias.shape != (height,):
                raise ValueError(f"{name} has the shape {weight.shape}, not {(height, width)}")
            layers += [weight.T.ravel(), bias]
        self.weights = np.concatenate(layers).astype(np.float32)

    def parts(self) -> dict[str, Any]:
        """The weights and biases by name, as they were given."""
        found, at = {}, self.inputs
        for name, (height, width) in shapes(self.inputs, self.width, self.blocks).items():
            end = at + height * width
            found[f"{name}.weight"] = self.weights[at:end].reshape(width, height).T
            found[f"{name}.bias"] = self.weights[end : end + height]
            at = end + height
        return found

    @classmethod
    def read(cls, path: Path, edition: Edition) -> Network:
        """Read a file; one that is no network, or does not fit the game, is refused."""
        try:
            with np.load(BytesIO(path.read_bytes())) as archive:
                stored = {name: archive[name] for name in archive.files}
            about = json.loads(str(stored["about"]))
            refuse_misfit(path.name, about, edition)
            return cls(about, restored(stored), Layout.of(edition).scale)
        except BotError:
            raise
        except Exception as error:  # a damaged file may raise anything
            message = _("{file} is not a network: {reason}")
            raise BotError(message.format(file=path.name, reason=error_text(error))) from error


def shapes(inputs: int, width: int, blocks: int) -> dict[str, tuple[int, int]]:
    """The layers in the order in which they are used: numbers that leave and enter each."""
    if width % LANES or width < 1:
        raise ValueError(f"the width is {width}, not a multiple of {LANES}")
    found = {"enter": (width, inputs + CHOICES)}
    for block in range(blocks):
        found |= {f"first.{block}": (width, width), f"second.{block}": (width, width)}
    return found | {"leave": (OUTPUTS, width)}


def packaged(edition: Edition) -> Network:
    """The network of this package for an edition; games with options use that of the plain game."""
    return _packaged(edition)


def has_network(edition: Edition) -> bool:
    """Is there a network for this game? An option with its own map has none."""
    try:
        packaged(edition)
    except BotError:
        return False
    return True


@cache
def _packaged(edition: Edition) -> Network:
    found = files("brassmill.bots") / "networks" / f"{edition.name}-{edition.players}.npz"
    with as_file(found) as path:
        try:
            return Network.read(path, edition)
        except BotError as error:
            message = _("net cannot play this game ({reason}); choose another bot")
            raise BotError(message.format(reason=error)) from error


# --- what a network was made for -----------------------------------------------------------------


def vocabulary() -> str:
    """A digest of the numbers of all choices."""
    return digest([[kind.name, kind.size] for kind in KINDS])


def digest(meaning: Any) -> str:
    """A short digest of plain data."""
    return sha256(json.dumps(meaning).encode()).hexdigest()[:16]


def made_for(edition: Edition) -> dict[str, Any]:
    """What a network for an edition says about itself."""
    layout = Layout.of(edition)
    return {
        "edition": edition.name,
        "players": edition.players,
        "observation": digest([layout.names, layout.scale.tolist()]),
        "vocabulary": vocabulary(),
    }


def refuse_misfit(file: str, about: Mapping[str, Any], edition: Edition) -> None:
    """Refuse a network that was made for another game, layout or vocabulary."""
    for key, here in made_for(edition).items():
        if about.get(key) != here:
            message = _("{file} does not fit this game: {what} {there} instead of {here}")
            there = about.get(key, _("unknown"))
            raise BotError(message.format(file=file, what=_(MATTERS[key]), there=there, here=here))


# --- int8 ----------------------------------------------------------------------------------------


def write_network(
    path: Path, about: Mapping[str, Any], parts: Mapping[str, Any], *, exact: bool = False
) -> None:
    """Write a network of float32 weights as a file of int8 with scales.

    An `exact` file keeps them as they are: four times as large, to compare the two.
    """
    stored = {}
    for name, part in parts.items():
        if exact:
            stored[name] = part.astype(np.float32)
            if part.ndim == 2:
                stored[f"{name}.scale"] = np.ones(len(part), np.float32)
        elif part.ndim == 2:
            scale = np.maximum(np.abs(part).max(axis=1), np.finfo(np.float32).tiny) / LARGEST
            stored[name] = np.rint(part / scale[:, None]).astype(np.int8)
            stored[f"{name}.scale"] = scale.astype(np.float32)
        else:
            stored[name] = part.astype(np.float16)
    np.savez(path, **stored, about=np.array(json.dumps(about)))


def restored(stored: Mapping[str, Any]) -> dict[str, Any]:
    """The float32 weights of a file."""
    parts = {}
    for name, part in stored.items():
        if name.endswith(".weight"):
            parts[name] = part.astype(np.float32) * stored[f"{name}.scale"][:, None]
        elif name.endswith(".bias"):
            parts[name] = part.astype(np.float32)
    return parts
