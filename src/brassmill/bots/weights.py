"""The tuned weights: one file per edition and number of players."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from brassmill.bots.mind import TERMS, names_of_terms
from brassmill.editions.edition import Edition
from brassmill.rules.layout import CANAL, RAIL

ERAS = {"canal": CANAL, "rail": RAIL}


def weights_for(edition: Edition) -> Any:
    """The weights for an edition; games with options use those of the plain game."""
    return read_weights(f"{edition.name}-{edition.players}.json")


@cache
def read_weights(name: str) -> Any:
    """Read weights from a file of this package: by era, term, and end value or slope."""
    text = (files("brassmill.bots") / "tuned" / name).read_text("utf-8")
    return from_data(json.loads(text)["weights"])


def from_data(data: dict[str, dict[str, list[float]]]) -> Any:
    """Weights as an array; terms without a weight get zero."""
    weight = np.zeros((2, TERMS, 2))
    number = {name: term for term, name in enumerate(names_of_terms())}
    for era, terms in data.items():
        for name, pair in terms.items():
            weight[ERAS[era], number[name]] = pair
    return weight


def to_data(weight: Any) -> dict[str, dict[str, list[float]]]:
    """Weights by name, for a file."""
    return {
        era: {
            name: [round(float(number), 4) for number in weight[row, term]]
            for term, name in enumerate(names_of_terms())
            if weight[row, term].any()
        }
        for era, row in ERAS.items()
    }
