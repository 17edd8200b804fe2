"""A trained network as a file that `net` plays."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from brassmill.bots.network import Network, made_for, write_network
from brassmill.editions import Edition
from brassmill.learn.settings import Settings


def export(
    path: Path,
    edition: Edition,
    settings: Settings,
    parts: Mapping[str, Any],
    test: Mapping[str, Any],
) -> Network:
    """Write float32 weights by name as int8; read them again, to be sure that they fit.

    A second file, `...-float.npz`, keeps them as they are.
    """
    about = {
        **made_for(edition),
        "options": dict(edition.options),
        "width": settings.network.width,
        "blocks": settings.network.blocks,
        "training": settings.as_dict(),
        "test": dict(test),
    }
    _write(path.with_name(f"{path.stem}-float.npz"), edition, about, parts, exact=True)
    return _write(path, edition, about, parts, exact=False)


def _write(
    path: Path, edition: Edition, about: Mapping[str, Any], parts: Mapping[str, Any], exact: bool
) -> Network:
    """Write a network and read it again; the file appears whole or not at all."""
    unfinished = path.with_suffix(".unfinished.npz")
    write_network(unfinished, about, parts, exact=exact)
    network = Network.read(unfinished, edition)
    unfinished.replace(path)
    return network
