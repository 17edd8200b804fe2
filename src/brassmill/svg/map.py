"""The map of a view: the sheet with background, lines, towns, tiles and merchants."""

from __future__ import annotations

from collections.abc import Collection

from brassmill import editions, terms
from brassmill.core.view import View
from brassmill.editions import Edition
from brassmill.language import gettext as _
from brassmill.svg.cartouche import cartouche, legend, rose
from brassmill.svg.draw import Picture, group
from brassmill.svg.ground import ground as draw_ground
from brassmill.svg.lights import Labels, Lights
from brassmill.svg.links import links
from brassmill.svg.places import places
from brassmill.svg.plan import Plan, plan
from brassmill.svg.theme import check_theme

KEPT = {"hx_morph_skip": ""}


def map(  # noqa: A001 (the best name)
    view: View,
    *,
    shape: str = "wide",
    theme: str | None = "auto",
    lit: Collection[int] = (),
    labels: Labels | None = None,
    ground: bool = True,
) -> str:
    """The map as SVG.

    `shape` is wide, tall for a phone held upright, or square for a phone that shows other things
    below it; a square map has no title. `theme` is light, dark, auto (follows the
    reader's system) or None, for a page that has the style sheet. `lit` are the legal choices:
    their elements are lit and have the numbers in `data-choice`. With `labels`, the choices in
    words, lit elements are buttons and the others explain why they are not. Without its `ground`
    the map has only what changes during a game, for a page that already has the background.
    """
    picture = map_picture(view, shape=shape, lit=lit, labels=labels, ground=ground)
    return picture.document(check_theme(theme))


def map_picture(
    view: View,
    *,
    shape: str = "wide",
    lit: Collection[int] = (),
    labels: Labels | None = None,
    ground: bool = True,
    between: str = "",
) -> Picture:
    """The map as a part of another picture; `between` separates what changes independently."""
    edition = editions.edition(view.edition, view.players, **view.options)
    sheet = plan(edition, shape)
    lights = Lights(lit, labels)
    body = (
        _ground(edition, sheet, shape) if ground else _no_ground(shape),
        links(view, edition, shape, lights, between),
        between,
        cartouche(view, edition, shape),
        between,
        places(view, edition, shape, lights, between),
    )
    label = _("Map of {edition}: {era}, round {round}").format(
        edition=edition.title, era=terms.era(view.era), round=view.round
    )
    size = sheet.sheet
    live = labels is not None
    whole = group(*body, class_=f"{view.era}-era")
    return Picture("map", size.width, size.height, label, whole, live=live)


def _ground(edition: Edition, sheet: Plan, shape: str) -> str:
    """The part that never changes; a page keeps it when the rest is replaced."""
    return group(
        draw_ground(edition, shape), legend(sheet), rose(sheet), id=f"ground-{shape}", **KEPT
    )


def _no_ground(shape: str) -> str:
    return group(id=f"ground-{shape}", **KEPT)
