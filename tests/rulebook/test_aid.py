"""The player aid: one page per game, as SVG and PDF."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from brassmill.cli.main import main
from brassmill.editions import EDITIONS, edition
from brassmill.language import LANGUAGES, speaking
from brassmill.rulebook.aid import HEIGHT, MARGIN, aid, aid_pdf
from brassmill.rulebook.brief import in_brief

KINDS = [(game, code) for game in EDITIONS for code in LANGUAGES]


@pytest.mark.parametrize(("game", "code"), KINDS)
def test_everything_is_on_the_page(game: str, code: str) -> None:
    drawn = aid(game, code)
    lowest = max(float(y) for y in re.findall(r'<text x="[^"]*" y="([^"]*)"', drawn))
    assert lowest <= HEIGHT - MARGIN / 2
    with speaking(code):
        for section in in_brief(game, at_table=False):
            assert section.title in drawn
            assert all(word in drawn for word in section.words.split()[:3])
    for row in edition(game).tiles:
        assert f">\N{MULTIPLICATION SIGN}{row.count}<" in drawn


@pytest.mark.parametrize(("game", "code"), KINDS[:1] + KINDS[-1:])
def test_pdf_has_one_page_with_our_fonts(game: str, code: str) -> None:
    made = aid_pdf(game, code)
    assert made.startswith(b"%PDF") and len(re.findall(rb"/Type /Page\b", made)) == 1
    assert b"Besley" in made
    width, height = map(float, re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", made)[0])
    assert width > height  # A4, across


def test_command(tmp_path: Path) -> None:
    pdf, svg = tmp_path / "aid.pdf", tmp_path / "aid.svg"
    done = CliRunner().invoke(main, ["--lang", "de", "aid", "classic", "--pdf", str(pdf)])
    assert done.exit_code == 0 and pdf.read_bytes().startswith(b"%PDF")
    done = CliRunner().invoke(main, ["--lang", "de", "aid", "classic", "--svg", str(svg)])
    assert done.exit_code == 0 and "Spielhilfe" in svg.read_text(encoding="utf-8")
    done = CliRunner().invoke(main, ["--lang", "en", "aid", "classic"])
    assert done.exit_code == 2 and "name a file" in done.output
    done = CliRunner().invoke(main, ["aid", "monopoly", "--pdf", str(pdf)])
    assert done.exit_code == 2
    missing = tmp_path / "nowhere" / "aid.pdf"
    done = CliRunner().invoke(main, ["--lang", "en", "aid", "classic", "--pdf", str(missing)])
    assert done.exit_code == 1 and "nowhere" in done.output
