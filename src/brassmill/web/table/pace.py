"""How fast bots play, so that people can follow."""

from __future__ import annotations

PACES = {"slow": 2500, "normal": 1200, "fast": 400}  # milliseconds per action
