"""The symbols of the pages: those of the game, and the icons of the interface.

Each has one meaning, told here or in `svg/glyphs.py`. Legends and tooltips take their words from
there, so a symbol cannot mean one thing in one place and another elsewhere.
"""

from __future__ import annotations

from brassmill import terms
from brassmill.language import N_
from brassmill.language import gettext as _
from brassmill.svg.glyphs import MARKS, PATHS, Symbol

# The parts of the table, the sections of the guide, and buttons.
ICONS = {
    # Tiles in rows.
    "mat": Symbol(
        "M3 3h8v8H3zM13 3h8v8h-8zM3 13h8v8H3zM13 13h8v8h-8zM15 15v4h4v-4z", N_("player mat")
    ),
    # Rising steps.
    "market": Symbol("M3 15h4.6v6H3zM9.7 9.5h4.6V21H9.7zM16.4 4H21v17h-4.6z", N_("markets")),
    # Two heads.
    "players": Symbol(
        "M8.5 4a3.6 3.6 0 1 1 0 7.2 3.6 3.6 0 0 1 0-7.2zM1.5 20c.3-4.4 2.8-7 7-7s6.7 2.6 7 "
        "7zM16 5.2a3 3 0 1 1 .6 6 5.4 5.4 0 0 0 .3-5.8zM16.8 12.9c3.3.2 5.4 2.5 5.7 "
        "6.1h-5c-.3-2.4-1.2-4.4-2.7-5.7.6-.3 1.3-.4 2-.4z",
        N_("players"),
    ),
    # A page of lines.
    "log": Symbol("M4.5 2h15v20h-15zM7.5 6v1.8h9V6zM7.5 11v1.8h9V11zM7.5 16v1.8h6V16z", N_("log")),
    # A mortarboard.
    "hint": Symbol(
        "M12 3.5l11.5 5.7L12 14.9.5 9.2zM5.2 13.3L12 16.7l6.8-3.4v4c-1.4 1.9-3.8 3-6.8 "
        "3s-5.4-1.1-6.8-3zM21.2 11.6l1.6-.8v6.7h-1.6z",
        N_("hint"),
    ),
    # A flag on a pole.
    "goal": Symbol("M4 2h2v20H4zM7.5 3.5H21l-3.6 5 3.6 5H7.5z", N_("goal")),
    # A pawn.
    "turn": Symbol(
        "M12 2a4.4 4.4 0 0 1 2.9 7.7h1.7v2h-2.4c.3 3 1.3 5.2 3.3 6.8H6.5c2-1.6 3-3.8 "
        "3.3-6.8H7.4v-2h1.7A4.4 4.4 0 0 1 12 2zM5 19.8h14V22H5z",
        N_("turn"),
    ),
    # A hammer.
    "build": Symbol(
        "M4 4.5C7 2 11 1.6 14.5 3.4l-1 2.2 2 2-2.1 2.1-2-2-1.3 1.3 9.8 9.8-2.3 2.3-9.8-9.8-1.6 "
        "1.6L2.5 9.2z",
        N_("build"),
    ),
    # Three towns and their roads.
    "network": Symbol(
        "M12 1.8a3.2 3.2 0 0 1 1.4 6.1l3.6 7.2a3.2 3.2 0 1 1-1.9 4.4H8.9a3.2 3.2 0 1 "
        "1-1.9-4.4l3.6-7.2A3.2 3.2 0 0 1 12 1.8zM12 8.5l-3.4 6.9c.4.5.6 1 .7 "
        "1.6h5.4c.1-.6.3-1.1.7-1.6z",
        N_("network"),
    ),
    # A cube.
    "goods": Symbol(
        "M12 1.8l8.6 4.6L12 11 3.4 6.4zM2.6 8.2l8.5 4.5v9.5l-8.5-4.6zM21.4 8.2v9.4l-8.5 4.6v-9.5z",
        N_("coal and iron"),
    ),
    # A tankard.
    "ale": Symbol(
        "M4 6.5h12v2h2a3.5 3.5 0 0 1 3.5 3.5v2.5A3.5 3.5 0 0 1 18 18h-2v3.5H4zM16 "
        "10.8v5h1.6a1.4 1.4 0 0 0 1.4-1.4v-2.2a1.4 1.4 0 0 0-1.4-1.4zM6.5 9.5v9H8v-9zM9.3 "
        "9.5v9h1.5v-9zM12 9.5v9h1.5v-9zM5.5 2.5h9A1.5 1.5 0 0 1 16 4v1.2H4V4a1.5 1.5 0 0 1 "
        "1.5-1.5z",
        N_("beer"),
    ),
    # A price tag.
    "sell": Symbol(
        "M2.5 2.5h9.3l10 10-9.3 9.3-10-10zM7 4.9a2.1 2.1 0 1 0 0 4.2 2.1 2.1 0 0 0 0-4.2z",
        N_("sell"),
    ),
    # A bank.
    "loan": Symbol(
        "M12 1.8l10 5V9H2V6.8zM4 10.4h3v7H4zM10.5 10.4h3v7h-3zM17 10.4h3v7h-3zM2.5 18.8h19V22h-19z",
        N_("loan"),
    ),
    # A telescope.
    "scout": Symbol(
        "M1.5 13.8l12.6-6.8 2.5 4.7-12.6 6.8zM15 4.7l5.5-3 3.5 6.5-5.5 3zM10.2 16.4l2-1.1 3.3 "
        "6.7h-2.3zM9.3 16.9l1.1 5.1H8.2l-.7-4.1z",
        N_("scout"),
    ),
    # A clock.
    "round": Symbol(
        "M12 2a10 10 0 1 1 0 20 10 10 0 0 1 0-20zM11 5.5v7l5.2 3.1 1.1-1.8-4.2-2.5V5.5z",
        N_("end of the round"),
    ),
    # A mill with a chimney.
    "era": Symbol(
        "M2.5 21.5V10l5.5 3.5V10l5.5 3.5V5h2.8v8.5h5.2v8zM5.5 16v2.5H8V16zM10.7 "
        "16v2.5h2.5V16zM16 16v2.5h2.5V16zM14 3.5c0-1.5 1-2 2.5-1.5 1-1.3 3-1 3.5.3 1.5 0 1.5 "
        "1.7 0 1.7z",
        N_("end of the era"),
    ),
    # A pointer.
    "table": Symbol("M5 1.8v17.7l4.6-4.3 3 7 2.9-1.2-3-6.9h6.3z", N_("at the table")),
    # A tile over another.
    "overbuilt": Symbol("M8 8h13v13H8zM3 3h13v3.2H6.2V16H3z", N_("overbuilt tile")),
    "undo": Symbol("M9 5V1L2 7.5 9 14v-4.2c5 0 8.5 1.6 11 5.2-1-6-4.5-9-11-10z", N_("undo")),
    # Back to where the turn began.
    "reset": Symbol("M3.5 4h2.8v16H3.5zM20.5 4v16L8.3 12z", N_("reset the turn")),
    "list": Symbol(
        "M3 4.5h3v3H3zM8.5 4.8H21v2.4H8.5zM3 10.5h3v3H3zM8.5 10.8H21v2.4H8.5zM3 16.5h3v3H3z"
        "M8.5 16.8H21v2.4H8.5z",
        N_("as list"),
    ),
    "previous": Symbol("M15.5 4L7 12l8.5 8 1.8-1.9L10.9 12l6.4-6.1z", N_("previous")),
    "next": Symbol("M8.5 4L17 12l-8.5 8-1.8-1.9L13.1 12 6.7 5.9z", N_("next")),
    "close": Symbol(
        "M5.5 4L12 10.5 18.5 4 20 5.5 13.5 12l6.5 6.5-1.5 1.5L12 13.5 5.5 20 4 18.5 10.5 12 4 5.5z",
        N_("close"),
    ),
    "plus": Symbol("M10.7 4h2.6v6.7H20v2.6h-6.7V20h-2.6v-6.7H4v-2.6h6.7z", N_("larger")),
    "minus": Symbol("M4 10.7h16v2.6H4z", N_("smaller")),
    # The corners of a sheet.
    "whole": Symbol(
        "M3 3h7v2.5H5.5V10H3zM14 3h7v7h-2.5V5.5H14zM3 14h2.5v4.5H10V21H3z"
        "M18.5 14H21v7h-7v-2.5h4.5z",
        N_("whole map"),
    ),
    "more": Symbol("M4 9l8 8 8-8-1.9-1.9L12 13.2 5.9 7.1z", N_("more")),
    "cover": Symbol(
        "M12 4.5c5 0 9 3.4 11 7.5-2 4.1-6 7.5-11 7.5S3 16.1 1 12c2-4.1 6-7.5 11-7.5zm0 3a4.5 "
        "4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM3.4 2L22 20.6 20.6 22 2 3.4z",
        N_("cover the hand"),
    ),
    "menu": Symbol("M3 5h18v2.4H3zM3 10.8h18v2.4H3zM3 16.6h18V19H3z", N_("menu")),
    "eye": Symbol(
        "M12 5c5 0 8.7 3.6 10.5 7-1.8 3.4-5.5 7-10.5 7S3.3 15.4 1.5 12C3.3 8.6 7 5 12 5zm0 "
        "2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zm0 2.3a2.2 2.2 0 1 1 0 4.4 2.2 2.2 0 0 1 "
        "0-4.4z",
        N_("spectators"),
    ),
    "chat": Symbol(
        "M3 3.5h18v13H10.5L5 21.5v-5H3zM7 7.6v1.8h10V7.6zM7 11.2V13h7v-1.8z", N_("chat")
    ),
    # A box with an arrow out of it.
    "share": Symbol(
        "M12 1.5l5.5 5.7-1.8 1.8-2.4-2.5V15h-2.6V6.5L8.3 9 6.5 7.2zM4 11h4.2v2.4H6.4v6.2h11.2v-6.2"
        "h-1.8V11H20v11H4z",
        N_("share"),
    ),
    # Three squares and dots.
    "code": Symbol(
        "M2.5 2.5h8v8h-8zM4.7 4.7v3.6h3.6V4.7zM13.5 2.5h8v8h-8zM15.7 4.7v3.6h3.6V4.7zM2.5 13.5h8v8"
        "h-8zM4.7 15.7v3.6h3.6v-3.6zM13.5 13.5h3v3h-3zM18.5 13.5h3v3h-3zM16 16h3v3h-3zM13.5 18.5h3"
        "v3h-3zM18.5 18.5h3v3h-3z",
        N_("QR code"),
    ),
    # A loudspeaker, crossed out.
    "muted": Symbol(
        "M2 9h4.5L12 4v16l-5.5-5H2zM15.4 8.2l2.6 2.6 2.6-2.6 1.4 1.4-2.6 2.6 2.6 2.6-1.4 "
        "1.4-2.6-2.6-2.6 2.6-1.4-1.4 2.6-2.6-2.6-2.6z",
        N_("sound off"),
    ),
    # A card with a compass star.
    "wild": Symbol(
        "M5 2h14v20H5zM12 5.5l-1.7 4.8L6.5 12l3.8 1.7 1.7 4.8 1.7-4.8 3.8-1.7-3.8-1.7z",
        N_("wild card"),
    ),
    "skip": Symbol("M4 4l8 8-8 8zM12 4l8 8-8 8z", N_("skip")),
}


def signs() -> dict[str, str]:
    """The paths of the game's symbols by name, for use in text."""
    return PATHS | {name: symbol.d for name, symbol in MARKS.items()}


def meaning(name: str) -> str:
    """What a symbol of the game means, in the current language."""
    return terms.industry(name) if name in PATHS else _(MARKS[name].meaning)
