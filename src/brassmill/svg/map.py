"""The map of a view: the sheet with its ground, lines, towns, tiles and merchants."""

from __future__ import annotations

from collections.abc import Collection

from brassmill import editions, terms
from brassmill.language import gettext as _
from brassmill.svg.cartouche import cartouche, legend, rose
from brassmill.svg.draw import Picture
from brassmill.svg.ground import ground
from brassmill.svg.lights import Lights
from brassmill.svg.links import links
from brassmill.svg.places import places
from brassmill.svg.plan import plan
from brassmill.svg.theme import check_theme
from brassmill.view import View


def map(  # noqa: A001 (that is what it is)
    view: View,
    *,
    shape: str = "wide",
    theme: str | None = "auto",
    lit: Collection[int] = (),
) -> str:
    """The map as SVG.

    `shape` is wide, or tall for a phone held upright. `theme` is light, dark, auto (as the reader's
    system) or None: for a page that brings the style sheet. `lit` are the open choices: what stands
    for them is lit, and has their numbers in `data-choice`.
    """
    return map_picture(view, shape=shape, lit=lit).document(check_theme(theme))


def map_picture(view: View, *, shape: str = "wide", lit: Collection[int] = ()) -> Picture:
    """The map, to be put into another picture."""
    edition = editions.edition(view.edition, view.players, **view.options)
    sheet = plan(edition, shape)
    lights = Lights(lit)
    body = (
        ground(edition, shape),
        legend(sheet),
        rose(sheet),
        links(view, edition, sheet, lights),
        cartouche(view, edition, sheet),
        places(view, edition, sheet, lights),
    )
    label = _("Map of {edition}: {era}, round {round}").format(
        edition=edition.title, era=terms.era(view.era), round=view.round
    )
    return Picture("map", sheet.sheet.width, sheet.sheet.height, label, "".join(body))
