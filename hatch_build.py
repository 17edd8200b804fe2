"""Compiles the message catalogues when the package is built or installed, editable or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    """Writes a `.mo` beside every `.po`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        for source in Path(self.root, "src", "brassmill", "locale").glob("*/LC_MESSAGES/*.po"):
            with source.open("rb") as file:
                catalogue = read_po(file, locale=source.parts[-3])
            with source.with_suffix(".mo").open("wb") as file:
                write_mo(file, catalogue)
