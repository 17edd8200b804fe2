"""The installable app: its description, icons, service worker and offline page."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from PIL import Image

from brassmill.svg import app_icon
from brassmill.web.app import views
from support.paths import ROOT
from support.web import make_table, visitor

pytestmark = pytest.mark.usefixtures("site")

STATIC = ROOT / "src" / "brassmill" / "web" / "static" / "web"
LANGUAGES = {"en": "No connection", "de": "Keine Verbindung", "fr": "Pas de connexion"}


def test_the_description_names_icons_that_exist_in_their_sizes() -> None:
    found = visitor(**{"Accept-Language": "de"}).get("/app.webmanifest")
    assert found["Content-Type"] == "application/manifest+json"
    data = found.json()
    assert (data["lang"], data["start_url"], data["display"]) == ("de", "/", "standalone")
    assert {icon["purpose"] for icon in data["icons"]} == {"any", "maskable"}
    for icon in data["icons"]:
        answer = visitor().get(icon["src"])
        assert answer["Content-Type"] == "image/png"
        width, height = Image.open(BytesIO(answer.content)).size
        assert icon["sizes"] == f"{width}x{height}"
    for shortcut in data["shortcuts"]:
        assert visitor().get(shortcut["url"]).status_code == 200
    assert visitor().get("/icon/x.png").status_code == 404


def test_a_maskable_icon_fills_its_square_and_keeps_the_wheel_in_the_middle() -> None:
    icon = Image.open(BytesIO(app_icon.app_icon(100, is_maskable=True))).convert("RGBA")
    ground = icon.getpixel((0, 0))
    assert isinstance(ground, tuple) and ground[3] == 255
    drawn = [
        (x - 49.5, y - 49.5)
        for x in range(100)
        for y in range(100)
        if icon.getpixel((x, y)) != ground
    ]
    assert drawn and all((x * x + y * y) ** 0.5 <= 40 for x, y in drawn)
    plain = Image.open(BytesIO(app_icon.app_icon(100))).convert("RGBA")
    corner = plain.getpixel((0, 0))
    assert isinstance(corner, tuple) and corner[3] == 0


def test_the_icon_is_the_one_of_the_page() -> None:
    drawn = (STATIC / "favicon.svg").read_text()
    assert app_icon.WHEEL in drawn and app_icon.WATER in drawn


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_worker_keeps_the_offline_page_in_the_visitors_language(code: str) -> None:
    page = visitor(**{"Accept-Language": code}).get("/").content.decode()
    found = re.search(r'<meta name="worker" content="([^"]+)"', page)
    assert found
    script = visitor().get(found[1].replace("&amp;", "&"))
    assert script["Content-Type"].startswith("text/javascript")
    assert script["Cache-Control"] == "no-cache"
    kept = re.search(r'"page": "([^"]+)"', script.content.decode())
    assert kept
    shown = visitor().get(kept[1].replace("\\u0026", "&")).content.decode()
    assert LANGUAGES[code] in shown and f'<html lang="{code}"' in shown


def test_the_worker_keeps_everything_the_offline_page_loads() -> None:
    page = visitor().get("/offline/").content.decode()
    loaded = set(re.findall(r'(?:href|src)="(/[^"]*)"', page))
    kept = views._setup("en", "")["kept"]
    assert isinstance(kept, list)
    assert loaded <= set(kept)
    assert all(path.startswith(("/static/", "/style/")) for path in kept)


def test_the_offline_page_knows_no_visitor_and_no_table() -> None:
    table = make_table(key="somebody")
    client = visitor("somebody")
    page = client.get("/offline/").content
    assert page == visitor("a stranger").get("/offline/").content
    assert table.id not in page.decode() and b"csrf" not in page


def test_another_version_of_a_kept_file_is_another_cache() -> None:
    names = {views._setup(code, theme)["name"] for code in LANGUAGES for theme in ("", "dark")}
    assert len(names) == 6
