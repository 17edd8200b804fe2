"""What the symbols mean: specimens of the table with notes, for every edition."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from django.test import Client

from brassmill.editions import Edition
from brassmill.language import LANGUAGES, speaking
from brassmill.web.page.key import key_context
from support.kinds import EACH, PLAIN
from support.web import make_table, visitor

pytestmark = pytest.mark.usefixtures("site")


@pytest.mark.parametrize("kind", EACH, ids=repr)
def test_every_specimen_has_a_number_for_each_note(kind: Edition) -> None:
    for code in LANGUAGES:
        with speaking(code):
            specimens = key_context(kind)["specimens"]
        assert len(specimens) == 7
        for specimen in specimens:
            root = ElementTree.fromstring(specimen.picture)
            shown = [
                "".join(mark.itertext())
                for mark in root.iter("{http://www.w3.org/2000/svg}g")
                if any(part.get("class") == "mark-dot" for part in mark)
            ]
            assert shown == [str(n) for n in range(1, len(specimen.notes) + 1)]
            assert " id=" not in specimen.picture  # the table's ids are on the same page


@pytest.mark.parametrize("kind", PLAIN, ids=repr)
def test_an_edition_explains_the_symbols_it_uses_and_no_others(kind: Edition) -> None:
    shown = {name for name, _words in key_context(kind)["symbols_of_game"]}
    assert ("brewery" in shown) == ("beer" in shown) == bool(kind.merchants)
    assert ("shipyard" in shown) == bool(kind.distant_bonus)
    assert ("bulb" in shown) == any(not row.developable for row in kind.tiles)


def test_rules_and_table_show_the_same_key() -> None:
    page = Client().get("/rules/lancashire/").content.decode()
    assert '<a href="#symbols">What the symbols mean</a>' in page
    table = make_table("Ada,random,random,random", "lancashire", key="ada")
    drawer = visitor("ada").get(f"/t/{table.id}/part/?drawer=symbols").content.decode()
    assert drawer.count('class="key-part"') == 7
    assert drawer.strip() in page
