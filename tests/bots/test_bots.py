"""Bots by name: specs, lists of them, the registry, and bots from other packages."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
import textwrap
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from brassmill.bots import (
    BotError,
    Clock,
    Parameter,
    Seconds,
    Spec,
    divide,
    make,
    parse,
    registry,
)
from brassmill.bots.registry import BUILT_IN, find, parameters_of
from brassmill.bots.spec import BotKind
from brassmill.cli.main import main
from brassmill.core.choice import MEANING, Choices
from brassmill.core.names import QUESTIONS
from brassmill.editions import edition
from brassmill.game import Game
from brassmill.language import LANGUAGES, speaking
from brassmill.play.seating import read_seats, seats_in_words, seats_text
from brassmill.vocabulary import Word
from support.kinds import play_at_random
from support.paths import ROOT

PAGE = ROOT / "docs/bots/bots.md"


def blocks(language: str) -> list[str]:
    """The code blocks of the page in some language."""
    parts = PAGE.read_text().split(f"```{language}\n")[1:]
    return [part.split("```")[0] for part in parts]


# A kind with a parameter of every sort.
THINKER = BotKind(
    Word("thinker", "Denker", "penseur"),
    "nowhere:Thinker",
    "thinks",
    (
        Parameter("time", Seconds, Seconds(0.1)),
        Parameter("threads", int, 1, least=1),
        Parameter("greed", float, 0.5),
        Parameter("bold", bool, False),
        Parameter("style", str, "plain"),
    ),
)


# --- specs ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("", "thinker"),
        ("2s", "thinker:2s"),
        ("2000ms", "thinker:2s"),
        ("0.25s", "thinker:250ms"),
        ("time=1.5s", "thinker:1.5s"),
        ("100ms", "thinker"),  # as it would be anyway
        (" threads = 2 , 2 s ", "thinker:2s,threads=2"),
        ("bold=yes,greed=.25,style=wild,seed=7", "thinker:greed=0.25,bold=yes,style=wild,seed=7"),
        ("THREADS=2,bold=No", "thinker:threads=2"),
    ],
)
def test_one_bot_has_one_canonical_text(text: str, canonical: str) -> None:
    spec = Spec.read(THINKER, text)
    assert spec.text == canonical
    assert Spec.read(THINKER, canonical.partition(":")[2]) == spec
    assert divide(f"you,{spec.text},random") == ["you", spec.text, "random"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("2", "thinker's time cannot be '2'; it must be a time such as 2s or 500ms"),
        ("0s", "thinker's time cannot be '0s'"),
        ("fast", "thinker's time cannot be 'fast'"),
        ("threads=0", "thinker's threads cannot be '0'; it must be a whole number, at least 1"),
        ("threads=two", "thinker's threads cannot be 'two'; it must be a whole number"),
        ("greed=inf", "thinker's greed cannot be 'inf'; it must be a number"),
        ("bold=perhaps", "thinker's bold cannot be 'perhaps'; it must be yes or no"),
        ("thread=2", "thinker has no parameter 'thread'; did you mean threads?"),
        ("2s,time=3s", "thinker's time is set twice"),
    ],
)
def test_a_wrong_parameter_is_reported_with_what_would_be_right(text: str, words: str) -> None:
    with pytest.raises(BotError) as error:
        Spec.read(THINKER, text)
    assert str(error.value).startswith(words)


def test_a_time_alone_is_for_a_bot_that_takes_one() -> None:
    with pytest.raises(BotError, match="random does not understand '2s'; it takes: seed=NUMBER"):
        parse("random:2s")


def test_an_unknown_bot_is_reported_with_those_that_exist() -> None:
    with pytest.raises(
        BotError, match=r"unknown bot 'randon'; did you mean random\? Choose one of: .*proc"
    ):
        parse("randon:seed=3")
    with pytest.raises(BotError, match="the bot is missing"):
        parse("")


@pytest.mark.parametrize("code", LANGUAGES)
def test_a_bot_goes_by_its_name_in_every_language(code: str) -> None:
    for kind in BUILT_IN:
        word = getattr(kind.word, code)
        assert find(word.upper()) is kind
        with speaking(code):
            assert find(kind.name).local_name == word


# --- lists ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "entries"),
    [
        ("you, random", ["you", "random"]),
        ("thinker:2s,threads=2,random", ["thinker:2s,threads=2", "random"]),
        ("thinker:threads=2,2s,you", ["thinker:threads=2,2s", "you"]),
        ("random,seed=3", ["random", "seed=3"]),  # without a colon it is no parameter
        ("process:sh -c 'a, b',random", ["process:sh -c 'a, b'", "random"]),
        ('you,process:bot "x,y" z', ["you", 'process:bot "x,y" z']),
        ("O'Brien,D'Arcy", ["O'Brien", "D'Arcy"]),
        ("a,,b,", ["a", "", "b", ""]),
    ],
)
def test_a_list_is_divided_between_bots_and_not_within(text: str, entries: list[str]) -> None:
    assert divide(text) == entries


@given(st.lists(st.text(min_size=1), min_size=1).filter(lambda words: any(words)))
def test_a_command_of_any_words_is_one_entry_of_a_list(words: list[str]) -> None:
    import shlex

    spec = parse(f"process:{shlex.join(words)}")
    first, *others = divide(f"{spec.text},you")
    assert others == ["you"]
    assert shlex.split(dict(parse(first).values)["command"]) == words  # type: ignore[arg-type]


def test_seats_are_kept_by_their_canonical_text() -> None:
    seats = read_seats("Du, Zufall:seed=3, process:python3 bot.py 'a,b', O'Brien")
    assert [seat.is_person for seat in seats] == [True, False, False, True]
    kept = seats_text(seats)
    assert kept == "you,random:seed=3,process:python3 bot.py 'a,b',O'Brien"
    assert read_seats(kept) == seats
    with speaking("fr"):
        assert seats_in_words(kept, ",") == kept.replace("you", "vous").replace(
            "random", "hasard"
        ).replace("process", "processus")


# --- the registry --------------------------------------------------------------------------------


def test_naming_a_bot_loads_nothing_heavy() -> None:
    program = (
        "import sys; from brassmill.bots import names, parse; [parse(f'{name}:x')"
        " if name == 'process' else parse(name) for name in names()];"
        "print(sorted({'numpy', 'numba'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


@pytest.mark.parametrize("kind", BUILT_IN, ids=lambda kind: kind.name)
def test_the_table_lists_what_a_bot_takes(kind: BotKind) -> None:
    factory = registry._load(kind.name, kind.factory)
    if any(parameter.takes_rest for parameter in kind.parameters):
        return  # it must be given, so the signature has no default
    listed = [(each.name, each.sort, each.default) for each in kind.parameters]
    assert listed == [
        (each.name, each.sort, each.default) for each in parameters_of(kind.name, factory)
    ]


@pytest.mark.parametrize("code", LANGUAGES)
def test_bots_are_listed_in_the_language(code: str) -> None:
    shown = CliRunner().invoke(main, ["--lang", code, "bots"]).output
    for kind in BUILT_IN:
        assert f"{getattr(kind.word, code)}" in shown
        with speaking(code):
            assert all(f"  {parameter.use}" in shown for parameter in kind.parameters)


def test_the_page_names_every_bot_and_parameter() -> None:
    rows = [line for line in PAGE.read_text().splitlines() if line.startswith("| `")]
    for kind in BUILT_IN:
        [row] = [line for line in rows if line.startswith(f"| `{kind.name}")]
        assert all(f"`{word}`" in row for word in (kind.word.de, kind.word.fr))
        assert all(parameter.use in row for parameter in kind.parameters)


def test_the_page_names_every_question_and_what_answers_it() -> None:
    rows = re.findall(r"^\| `([\w ]+)` \| .* \| (`\w+`(?:, `\w+`)*) \|$", PAGE.read_text(), re.M)
    answers = {question: set(re.findall(r"\w+", kinds)) for question, kinds in rows}
    assert [*answers, "turn over", "game over"] == [*QUESTIONS]
    assert set().union(*answers.values()) == {kind.lower() for kind, _offset in MEANING}
    for name in ("birmingham", "lancashire", "classic"):
        game, rng = Game(name, seed=2), Random(2)
        while not game.over:
            assert game.seat is not None
            view = game.view(game.seat)
            asked = {choice.kind for choice in Choices(game.edition, view.legal)}
            assert asked <= answers[view.question]
            game.play(rng.choice(view.legal))


def test_the_page_shows_the_whole_program() -> None:
    assert (PAGE.parent / "examples/bot.py").read_text() in blocks("python")


def test_the_page_does_what_it_shows() -> None:
    [block] = blocks("pycon")
    test = doctest.DocTestParser().get_doctest(block, {}, "docs/bots/bots.md", None, 0)
    assert doctest.DocTestRunner().run(test) == (0, len(test.examples))
    assert len(test.examples) > 5


# --- bots of other packages ----------------------------------------------------------------------


@pytest.fixture
def other_package(tmp_path: Path) -> Path:
    """The package shown on the page, and a broken one, as if installed."""
    (tmp_path / "thrifty.py").write_text(blocks("python")[0])
    line = next(line for line in blocks("toml")[0].splitlines() if line.startswith("thrifty"))
    info = tmp_path / "thrifty-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: thrifty\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(
        textwrap.dedent(
            f"""\
            [brassmill.bots]
            {line.replace('"', "")}
            broken = no_such_module:Bot
            noisy = thrifty:no_such_name
            random = thrifty:Thrifty
            """
        )
    )
    return tmp_path


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(folder), *sys.path])},
        capture_output=True,
        text=True,
    )


def test_bots_of_other_packages_are_listed_and_broken_ones_reported(other_package: Path) -> None:
    done = run(other_package, "-m", "brassmill", "bots")
    assert done.returncode == 0, done.stderr
    assert "thrifty: " in done.stdout
    listed = [block for block in blocks("text") if block.startswith("thrifty: ")]
    assert all(block in done.stdout for block in listed) and len(listed) == 1
    assert "the bot broken cannot be loaded: no_such_module:Bot: ModuleNotFound" in done.stdout
    assert "the bot noisy cannot be loaded: thrifty:no_such_name: AttributeError" in done.stdout
    assert done.stdout.count("random: plays any legal choice") == 1  # ours keeps its name


def test_a_bot_of_another_package_plays(other_package: Path) -> None:
    program = """
        from brassmill.bots import make, parse
        from brassmill.game import Game
        from brassmill.play.host import Host
        game = Game("birmingham", players=2, seed=3)
        host = Host([make("thrifty:keep=20", game.edition), make("random", game.edition)])
        while not game.over:
            host.play(game)
        print(parse("Thrifty:keep=10"), parse("thrifty:keep=20"), host.forfeits)
    """
    done = run(other_package, "-c", textwrap.dedent(program))
    assert done.stdout == "thrifty thrifty:keep=20 []\n", done.stderr


def test_a_failing_factory_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    box = edition("birmingham", 2)
    for factory, words in [
        (lambda edition, seed: 1 // 0, "the bot random failed to start: ZeroDivisionError"),
        (lambda edition, seed: "a bot", "the bot random failed to start: TypeError"),
    ]:
        monkeypatch.setattr(registry, "_load", lambda name, path, factory=factory: factory)
        with pytest.raises(BotError, match=words):
            make("random", box)


def test_without_a_list_the_parameters_are_what_is_taken_by_keyword() -> None:
    def factory(edition: object, seed: int, *, keep: int = 10, bold: bool = False) -> None: ...

    assert parameters_of("plain", factory) == (
        Parameter("keep", int, 10),
        Parameter("bold", bool, False),
    )


@pytest.mark.parametrize("listed", [["keep"], [Parameter("model", object)]])
def test_a_list_of_something_else_is_refused(listed: list[object]) -> None:
    class Odd:
        parameters = listed

    with pytest.raises(
        BotError, match=r"the bot odd cannot be loaded: .* is not a Parameter of type"
    ):
        parameters_of("odd", Odd)


def test_parameters_that_are_no_list_are_something_else() -> None:
    class Network:
        def __init__(self, edition: object, seed: int, *, depth: int = 2) -> None: ...

        def parameters(self) -> list[float]:
            return []

    assert parameters_of("network", Network) == (Parameter("depth", int, 2),)


def test_a_parameter_without_a_plain_default_is_refused() -> None:
    def factory(edition: object, seed: int, *, model: object = None) -> None: ...

    with pytest.raises(BotError, match="the bot odd cannot be loaded: the default of model"):
        parameters_of("odd", factory)


# --- random --------------------------------------------------------------------------------------


def test_random_is_repeated_by_its_seed_and_by_what_it_sees() -> None:
    game = Game("birmingham", players=3, seed=1)
    play_at_random(game, Random(1), 30)
    assert game.seat is not None
    view = game.view(game.seat)
    twice = [make("random", game.edition, 5) for _ in "12"]
    assert twice[0].choose(view, Clock()) == twice[1].choose(view, Clock())
    fixed = make("random:seed=5", game.edition, 99)
    assert fixed.choose(view, Clock()) == twice[0].choose(view, Clock())


def test_random_has_new_luck_in_every_position() -> None:
    game = Game("birmingham", players=2, seed=1)
    bot = make("random", game.edition, 5)
    luck: dict[int, set[int]] = {}
    while not game.over:
        assert game.seat is not None
        view = game.view(game.seat)
        choice = bot.choose(view, Clock())
        assert isinstance(choice, int)
        luck.setdefault(len(view.legal), set()).add(view.legal.index(choice))
        game.play(choice)
    assert max(map(len, luck.values())) > 3


def test_random_takes_every_open_choice_about_as_often() -> None:
    game = Game("birmingham", players=2, seed=1)
    assert game.seat is not None
    view = game.view(game.seat)
    times = 60 * len(view.legal)
    found = Counter(
        make("random", game.edition, seed).choose(view, Clock()) for seed in range(times)
    )
    assert set(found) == set(view.legal)
    assert max(found.values()) < 3 * 60
