"""The lines of a map: canals and railways, open to all or built."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from brassmill.core.view import LinkView, View
from brassmill.editions import Edition, Line
from brassmill.language import gettext as _
from brassmill.svg.draw import circle, classes, group, path
from brassmill.svg.glyphs import shape
from brassmill.svg.kept import kept
from brassmill.svg.lights import Lights, Lit
from brassmill.svg.plan import BADGE, Track, plan


def links(
    view: View,
    edition: Edition,
    shape: str,
    lights: Lights,
    between: str = "",
    only: Collection[int] | None = None,
) -> str:
    """All lines of a view, or only some; `between` separates them."""
    built = {link.line: link for link in view.links}
    drawn = [_ferry(track, lights) for track in plan(edition, shape).ferries]
    for number in range(len(edition.lines)) if only is None else only:
        link, lit = built.get(number), lights.about(("line", number))
        owner = view.seats[link.owner].name if link else ""
        drawn.append(_line(edition, shape, view.era, number, link, owner, lit))
    return group(between.join(drawn), class_="lines")


@kept(24_000)
def _line(
    edition: Edition,
    shape: str,
    era: str,
    number: int,
    link: LinkView | None,
    owner: str,
    lit: Lit,
) -> str:
    line, track, lights = edition.lines[number], plan(edition, shape).tracks[number], lit.lights
    choices = lights.of("line", number)
    usable = line.canal if era == "canal" else line.rail
    name = classes(
        "line",
        "canal" if line.canal else None,
        "rail" if line.rail else None,
        None if usable else "closed",
        f"built seat-{link.owner}" if link else None,
        "lit" if choices else None,
    )
    parts = [path(track.d, "halo")] if choices else []
    parts.append(built_link(era, track, link.owner) if link else open_line(line, track, era))
    return lights.thing(
        _words(era, line, link, owner), *parts, choices=choices, id=f"line-{line.id}", class_=name
    )


@lru_cache(1_000)  # a line stays the same for many pictures
def open_line(line: Line, track: Track, era: str) -> str:
    """An open line: water, sleepers, or sleepers over water; in the canal era with towpaths."""
    parts = []
    if line.canal and era == "canal":
        parts.append(path(track.d, "towpath"))
    if line.canal:
        parts.append(path(track.d, "water"))
    if line.rail:
        parts += [path(track.d, "sleepers"), path(track.d, "track")]
    return "".join(parts)


@lru_cache(2_000)
def built_link(era: str, track: Track, owner: int) -> str:
    """A link: the owner's colour, water or sleepers in the middle, the owner's shape on top."""
    x, y = track.middle
    parts = [
        path(track.d, "case"),
        path(track.d, "link"),
        path(track.d, f"core {era}"),
        circle(x, y, BADGE, "badge"),
        shape(owner, x, y, BADGE * 0.55, "own"),
    ]
    return "".join(parts)


def _ferry(track: Track, lights: Lights) -> str:
    """Two towns that count as connected although no line connects them."""
    said = _("Virtual link, for industry cards only")
    return lights.note(said, path(track.d, "ferry"), class_="line virtual")


def _words(era: str, line: Line, link: LinkView | None, owner: str) -> str:
    """A line in words."""
    if link is not None:
        if era == "canal":
            return _("{line}: {owner}'s canal").format(line=line.name, owner=owner)
        return _("{line}: {owner}'s railway").format(line=line.name, owner=owner)
    if line.canal and line.rail:
        return _("{line}: canal, later railway").format(line=line.name)
    if line.canal:
        return _("{line}: canal").format(line=line.name)
    return _("{line}: railway").format(line=line.name)
