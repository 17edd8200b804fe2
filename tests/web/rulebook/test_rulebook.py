"""The pages of the rules: complete, linked from every refusal, the same for everyone."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from brassmill.editions import EDITIONS
from brassmill.language import LANGUAGES
from brassmill.rulebook import rules
from brassmill.rules.reasons import Reason
from brassmill.web.page.rule_links import rule_links
from brassmill.words import RULES
from support.web import make_table, visitor

pytestmark = pytest.mark.usefixtures("site")

IDS = re.compile(r'\bid="([^"]+)"')
LINKS = re.compile(r'href="#([^"]+)"')


def page(address: str, language: str = "en") -> str:
    client = Client()
    client.cookies["language"] = language
    answer = client.get(address)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize("game", EDITIONS)
def test_every_rule_of_a_game_has_its_anchor(game: str) -> None:
    text = page(f"/rules/{game}/")
    ids = IDS.findall(text)
    assert len(ids) == len(set(ids)), "every id stands once"
    assert {rule.anchor for rule in rules().values() if game in rule.games} <= set(ids)
    assert {rule.anchor for rule in rules().values() if game not in rule.games}.isdisjoint(ids)
    assert set(LINKS.findall(text)) - {"content"} <= set(ids)
    assert text.count('<figure class="example') >= 25


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_page_speaks_one_language(code: str) -> None:
    text = unescape(page("/rules/birmingham/", code))
    rule = rules()["COAL-3"]
    for language in LANGUAGES:
        assert (rule.text[language] in text) == (language == code)
    assert f'lang="{code}"' in text


def test_no_picture_has_a_style_that_the_policy_forbids() -> None:
    text = page("/rules/classic/")
    assert " style=" not in text and "<style" not in text
    assert all('aria-label="' in svg for svg in re.findall(r'<svg[^>]*class="brass[^>]*>', text))


def test_every_reason_links_to_a_rule_that_is_there() -> None:
    anchors = {game: set(IDS.findall(page(f"/rules/{game}/"))) for game in EDITIONS}
    for reason in Reason:
        for game in EDITIONS:
            for link in rule_links(game, RULES.get(reason, "").split(", ")):
                address, _hash, anchor = link.url.partition("#")
                assert address == f"/rules/{game}/" and anchor in anchors[game]
    assert all(
        any(rule_links(game, ids.split(", ")) for game in EDITIONS) for ids in RULES.values()
    )


def test_a_refusal_at_the_table_links_to_its_rule() -> None:
    table = make_table("Ada,random", "birmingham", seed=1, key="ada", intro=True)
    answer = visitor("ada").get(f"/t/{table.id}/why/?on=line-dudley-wolverhampton")
    text = answer.content.decode()
    told = visitor("ada").get(f"/t/{table.id}/why/?on=do-sell").content.decode()
    assert 'href="/rules/birmingham/#SELC-1"' in told and "#SELL-1" not in told + text
    assert told.count('class="rule-id"') == 1  # a refusal names one rule, and its title the others
    menu = visitor("ada").get(f"/t/{table.id}/").content.decode()
    assert 'href="/rules/birmingham/"' in menu


def test_the_guide_leads_to_the_rules() -> None:
    for game in EDITIONS:
        assert Client().get(f"/how/{game}/").headers["Location"] == f"/rules/{game}/"
        assert Client().get(f"/how/{game}.json").headers["Location"] == f"/rules/{game}.json"
    for address in ("/how/monopoly/", "/rules/monopoly/", "/rules/monopoly/aid.pdf"):
        assert Client().get(address).status_code == 404
    assert Client().get("/rules/classic/ground-steam.svg").status_code == 404


def test_rules_as_data() -> None:
    told = Client().get("/rules/birmingham.json").json()
    found = {rule["id"]: rule for chapter in told["chapters"] for rule in chapter["rules"]}
    assert found["COAL-3"]["examples"][0]["verdicts"][0]["allowed"] is False
    assert [section["title"] for section in told["sections"]][:2] == ["The goal", "Your turn"]


def test_games_side_by_side() -> None:
    text = page("/rules/")
    assert text.count('<th scope="row">') > 15
    assert 'href="/rules/lancashire/#LNK-2"' in text and "#SELC-1" in text
    for address in set(re.findall(r'href="(/rules/[^"#]*)', text)):
        assert Client().get(address).status_code == 200


def test_player_aids() -> None:
    drawn = Client().get("/rules/lancashire/aid.svg")
    assert drawn["Content-Type"] == "image/svg+xml" and b"Player aid" in drawn.content
    made = Client().get("/rules/lancashire/aid.pdf")
    assert made["Content-Type"] == "application/pdf" and made.content.startswith(b"%PDF")
    assert "brassmill-lancashire-en.pdf" in made["Content-Disposition"]


def test_the_home_page_leads_to_the_rules() -> None:
    text = page("/")
    assert 'href="/rules/"' in text and 'href="/rules/birmingham/"' in text
