"""Words that players never read, each with the one they do (`docs/contribute/words.md`)."""

from __future__ import annotations

import re

NEVER = {
    "en": {"external location": "market place", "waypoint": "place without spaces"},
    "de": {
        "Würfel": "Quader",
        "Baumwollfabrik": "Baumwollspinnerei",
        "Partie": "Spiel",
        "Baufeld": "Feld",
        "extern": "auswärtig",
        "Startwert": "Startzahl",
    },
    "fr": {
        "période": "Période",
        "réseau": "Réseau",
        "marché": "Marché",
        "plateau individuel": "plateau de joueur",
        "emplacement": "case",
        "tracé": "ligne",
        "recouvr": "remplacer",
        "à l.ère": "durant la Période",
    },
}


def never_said(text: str, code: str) -> list[str]:
    """The words of a text that have a better one."""
    return re.findall(rf"\b(?:{'|'.join(NEVER[code])})", text)
