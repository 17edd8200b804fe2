"""`python -m brassmill` is `brass`."""

from __future__ import annotations

from brassmill.cli.main import main

main(prog_name="brass")
