"""Networks that a training begins with: of the same game, or of one that is much like it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from brassmill import editions
from brassmill.bots.network import Network, made_for, packaged
from brassmill.editions import Edition
from brassmill.observation import Layout

PACKAGED = "packaged"


def network_for(named: str, edition: Edition) -> Network:
    """The network that is packaged for a game, or a file: one of another game is adapted."""
    if named == PACKAGED:
        return packaged(edition)
    path = Path(named)
    with np.load(path) as stored:
        about = json.loads(str(stored["about"]))
    if all(about.get(key) == value for key, value in made_for(edition).items()):
        return Network.read(path, edition)
    other = editions.edition(about["edition"], about["players"])
    return adapted(Network.read(path, other), other, edition)


def adapted(network: Network, other: Edition, edition: Edition) -> Network:
    """A network of another game, with the inputs of this one.

    An input with the same name keeps its weights; one that the other game lacks begins with none.
    """
    there, here = Layout.of(other), Layout.of(edition)
    places = {name: place for place, name in enumerate(there.names)}
    parts = network.parts()
    given = parts["enter.weight"]
    legal = given[:, network.inputs :]
    enter = np.zeros((len(given), len(here)), np.float32)
    for place, name in enumerate(here.names):
        if (found := places.get(name)) is not None:
            enter[:, place] = given[:, found] * (here.scale[place] / there.scale[found])
    parts["enter.weight"] = np.concatenate([enter, legal], axis=1)
    about = {**network.about, **made_for(edition), "options": dict(edition.options)}
    return Network(about, parts, here.scale)
