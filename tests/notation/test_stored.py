"""The words that store choices: frozen, unique, and valid notation."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from brassmill import editions
from brassmill.core.choice import MEANING
from brassmill.errors import UnknownName
from brassmill.game import Game
from brassmill.notation import matching, stored
from brassmill.rules.choices import KINDS
from support.digests import pinned
from support.other_source import environment, other_source

# The words of each edition as first stored; see `docs/contribute/when-a-rule-changes.md`.
FROZEN = {
    "birmingham": "2f4095b14dd260e7",
    "classic": "afd12bbce1ad38d7",
    "lancashire": "afd12bbce1ad38d7",
}


@pytest.mark.parametrize("name", FROZEN)
def test_the_words_are_frozen(name: str) -> None:
    words = sorted(stored.words_of(editions.edition(name, 4)).choice)
    assert sha256("\n".join(words).encode()).hexdigest()[:16] == FROZEN[name]


@pytest.mark.slow
def test_a_renamed_town_and_industry_keep_their_stored_names(tmp_path: Path) -> None:
    """The steps for a rename in `docs/contribute/when-a-rule-changes.md`, in a copy of the source.

    The recorded games are read there too, with the old names.
    """
    source = other_source(
        tmp_path,
        {
            "editions/birmingham.py": {
                '"Stone"': '"Marble"',
                '(310, 250), banner="blue"': '(310, 250), banner="blue", other_names=("Stone",)',
                "pottery": "ceramics",
            },
            "vocabulary.py": {
                'Word("pottery", "Töpferei", "poterie", "': (
                    'Word("ceramics", "Töpferei", "poterie", "pottery, '
                )
            },
            "editions/stored_names.py": {
                "STORED_NAMES: dict[str, str] = {}": (
                    'STORED_NAMES = {"Marble": "Stone", "ceramics": "pottery"}'
                )
            },
        },
    )
    program = [sys.executable, "-m", "support.digests"]
    done = subprocess.run(program, env=environment(source), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert sha256("\n".join(found["words"]).encode()).hexdigest()[:16] == FROZEN["birmingham"]
    for row in pinned():
        if row.game in found["digests"]:
            assert found["digests"][row.game][row.number] == row.digest
    assert [found[key] for key in ("place", "card", "industry")] == ["Marble", *["ceramics"] * 2]


def test_the_first_vocabulary_is_unchanged() -> None:
    assert {kind.name: kind.size for kind in KINDS} == stored.FIRST_SIZES  # still the same
    for number in range(len(MEANING)):
        assert stored.from_first(number) == number
    for number in (-1, len(MEANING)):
        with pytest.raises(UnknownName):
            stored.read(editions.edition("birmingham", 4), [number])


@pytest.mark.parametrize(
    ("name", "players"), [("birmingham", 3), ("lancashire", 4), ("classic", 3)]
)
def test_stored_words_give_back_their_choice_and_are_notation(name: str, players: int) -> None:
    game = Game(name, players, seed=8)
    rng = random.Random(8)
    while not game.over:
        for choice in game.legal_choices().ids:
            (words,) = stored.write(game.edition, [choice])
            assert stored.read(game.edition, [words]) == [choice]
            chosen, _wish = matching.begin(game.engine, words)
            assert chosen[:1] == (choice,)
        game.play(rng.choice(game.legal_choices().ids))


def test_unknown_words_are_named() -> None:
    with pytest.raises(UnknownName, match="Atlantis"):
        stored.read(editions.edition("birmingham", 4), ["build coal Atlantis"])
