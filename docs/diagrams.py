"""Draw the two pictures of `contribute/architecture.md`: `make docs`.

The layers come from the import contract in `pyproject.toml`, so that the picture cannot disagree
with what is checked. Both pictures have a ground of their own, for light pages and dark ones.
"""

from __future__ import annotations

import re
import tomllib
from html import escape
from pathlib import Path

DOCS = Path(__file__).parent

PAPER, INK, QUIET, LINE, BRASS = "#f4ecdb", "#2a2521", "#645a4f", "#c3b393", "#a8792a"
FILL = {"app": "#fbf7ee", "mid": "#f1e3bf", "core": "#efcf86"}
FONT = 'font-family="Inter, Segoe UI, Helvetica Neue, Roboto, Arial, DejaVu Sans, sans-serif"'

# What a package is for, in a few words.
ABOUT = {
    "__main__": "python -m brassmill",
    "web": "the table in the browser: Django",
    "env": "PettingZoo, Gymnasium, OpenSpiel",
    "cli": "the brass command, the terminal",
    "reports": "pages with charts",
    "learn": "training networks: PyTorch",
    "arena": "bots against bots, ratings",
    "rulebook": "the rules with pictures",
    "scenario": "positions with expectations, as files",
    "lessons": "games that teach",
    "puzzles": "find the best turn",
    "openings": "the first two rounds, counted",
    "coach": "advice and reviews",
    "play": "a game at a table, shared by cli and web",
    "batch": "many games, CPU threads or GPU",
    "game": "Game: the friendly face",
    "record": "whole games as text",
    "bots": "from random to master; see views only",
    "core": "engine, deal, events, views",
    "words": "reasons, events and the log",
    "notation": "actions as text",
    "observation": "a view as numbers",
    "position": "positions as data and text",
    "saving": "bytes with a version",
    "svg": "maps, tables and charts",
    "editions": "what is in each box: tables only",
    "rules": "the compiled rules, one file per chapter",
    "errors": "what can go wrong",
    "language": "the current language",
    "terms": "names of things",
    "vocabulary": "the words of the notation",
}
HIGH = {
    *("__main__", "web", "env", "cli", "reports", "learn", "puzzles", "openings"),
    *("arena", "rulebook", "lessons", "scenario"),
}
LOW = {"editions", "rules", "errors", "language", "terms", "vocabulary"}

# The path of a click: from which column to which, what happens, and where in the code.
LANES = ("your browser", "web: views", "web: session", "rules", "database", "other browsers")
STEPS = (
    (0, 1, "POST the choice", "static/web/table.js, urls.py"),
    (1, 2, "find the table in memory, or replay its log", "table/guards.py, table/sessions.py"),
    (2, 3, "is it legal? play it", "core/engine.py, rules/turn.py"),
    (2, 4, "append to the log: the number is the lock", "table/writing.py, models/"),
    (4, 5, "“something moved”: an event", "server/notify.py, table/live.py"),
    (2, 1, "this seat's view", "core/view.py"),
    (1, 0, "plain data, then HTML: the parts that are new", "page/model.py, page/parts.py"),
    (5, 1, "each fetches what its own seat may see", "table/views.py"),
)


def layers() -> list[list[str]]:
    """The layers of the package, the highest first, as the import contract has them."""
    project = tomllib.loads((DOCS.parent / "pyproject.toml").read_text(encoding="utf-8"))
    contract = next(
        contract
        for contract in project["tool"]["importlinter"]["contracts"]
        if contract["containers"] == ["brassmill"]
    )
    return [re.findall(r"\w+", layer) for layer in contract["layers"]]


def text(x: float, y: float, words: str, size: int = 13, colour: str = INK, more: str = "") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" fill="{colour}" {more}>{escape(words)}</text>'


def box(x: float, y: float, width: float, height: float, fill: str) -> str:
    return (
        f'<rect x="{x}" y="{y}" width="{width}" height="{height}" rx="5" fill="{fill}"'
        f' stroke="{LINE}"/>'
    )


def document(width: float, height: float, title: str, parts: list[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" {FONT}>'
    ground = f'<rect width="{width}" height="{height}" rx="8" fill="{PAPER}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", ground, *parts, "</svg>", ""])


def architecture() -> str:
    """A row for each layer; what is higher may import what is lower."""
    width, columns, gap = 880, 4, 8
    parts = [text(20, 34, "Each layer imports only layers below it", 17)]
    y = 52.0
    for layer in layers():
        rows = [layer[n : n + columns] for n in range(0, len(layer), columns)]
        high = 30 if len(layer) <= 2 else 46  # few names have room for their words beside them
        cells = min(len(layer), columns)
        wide = (width - 40 - (cells - 1) * gap) / cells
        for row in rows:
            for n, name in enumerate(row):
                x = 20 + n * (wide + gap)
                fill = FILL["app" if name in HIGH else "core" if name in LOW else "mid"]
                beside = (x + 116, y + 20) if high == 30 else (x + 10, y + 37)
                parts += [
                    box(x, y, wide, high, fill),
                    text(x + 10, y + 20, name, 14, more='font-weight="700"'),
                    text(*beside, ABOUT[name], 12, QUIET),
                ]
            y += high + 4
        y += gap / 2
    return document(width, y + 6, "The layers of Brassmill", parts)


def click() -> str:
    """Arrows between columns, from top to bottom."""
    width, step, top = 880, 54, 92
    lane = (width - 20) / len(LANES)
    height = top + step * len(STEPS) + 12
    parts = [
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="11"'
        ' markerHeight="11" markerUnits="userSpaceOnUse" orient="auto">'
        f'<path d="M0 0L8 4L0 8z" fill="{BRASS}"/></marker></defs>',
        text(20, 34, "The path of a click", 17),
    ]
    middle = [10 + lane * (n + 0.5) for n in range(len(LANES))]
    for x, name in zip(middle, LANES, strict=True):
        parts += [
            box(x - lane / 2 + 6, 48, lane - 12, 26, FILL["core" if name == "rules" else "mid"]),
            text(x, 66, name, 13, more='text-anchor="middle" font-weight="700"'),
            f'<path d="M{x} 74V{height - 12}" stroke="{LINE}" stroke-dasharray="3 4"/>',
        ]
    for number, (start, end, words, where) in enumerate(STEPS, 1):
        y = top + step * (number - 1) + 26
        left = min(middle[start], middle[end]) + 6
        parts.append(
            f'<path d="M{middle[start]} {y}H{middle[end] + (-2 if end > start else 2)}"'
            f' stroke="{BRASS}" stroke-width="2" marker-end="url(#tip)"/>'
        )
        lines = (f"{number}. {words}", where)
        widest = max(len(lines[0]) * 6.3, len(where) * 5.7)
        x = min(left, width - 14 - widest)
        parts += [
            f'<rect x="{x - 3}" y="{y - 18}" width="{widest + 6}" height="15" fill="{PAPER}"/>',
            f'<rect x="{x - 3}" y="{y + 4}" width="{widest + 6}" height="15" fill="{PAPER}"/>',
            text(x, y - 6, lines[0], 12),
            text(x, y + 15, lines[1], 11, QUIET),
        ]
    return document(width, height, "The path of a click", parts)


PICTURES = {"architecture.svg": architecture, "click.svg": click}


def main() -> None:
    for name, draw in PICTURES.items():
        (DOCS / "pictures" / name).write_text(draw(), encoding="utf-8")


if __name__ == "__main__":
    main()
