"""Compiles the message catalogues when the package is built or installed, editable or not."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class Catalogues(BuildHookInterface[Any]):
    """Writes a `.mo` beside every `.po`."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        messages = runpy.run_path(str(Path(self.root, "messages.py")))
        messages["compile_all"](Path(self.root, "src", "brassmill"))
