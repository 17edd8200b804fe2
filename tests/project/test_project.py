"""Lazy imports, the command, constraints, and pages generated from the code."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import click
import pytest
from click.testing import CliRunner
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import brassmill
from brassmill.cli.main import COMMANDS, main
from brassmill.errors import BrassError
from support.paths import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]


def run_python(program: str) -> str:
    """Run a program in a new process and return its output."""
    done = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


# --- the package ---------------------------------------------------------------------------------

LOADED = "print(sorted({'numpy', 'numba', 'rich', 'yaml', 'prompt_toolkit'} & set(sys.modules)))"


@pytest.mark.parametrize(
    "program",
    [
        "import brassmill",
        "import brassmill; dir(brassmill)",
        "from brassmill import IllegalAction, Reason, __version__",
        "from brassmill.cli.main import main; main(['--help'], standalone_mode=False)",
        "from brassmill.cli.main import main; main(['--version'], standalone_mode=False)",
    ],
)
def test_importing_the_package_loads_nothing_heavy(program: str) -> None:
    assert run_python(f"import sys; {program}; {LOADED}").endswith("[]\n")


def test_every_name_of_the_package_can_be_imported() -> None:
    for name in brassmill.__all__:
        assert getattr(brassmill, name) is not None
        assert name in dir(brassmill)


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse((ROOT / "src/brassmill/__init__.py").read_text())
    seen = {
        (alias.name, node.module)
        for block in tree.body
        if isinstance(block, ast.If)
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert seen == set(brassmill._MODULES.items())
    assert set(brassmill.__all__) == {*brassmill._MODULES, "__version__"}


def test_public_packages_are_loaded_when_used() -> None:
    page = (ROOT / "docs/contribute/api-stability.md").read_text()
    promised = sorted(set(re.findall(r"`brassmill\.([a-z]+)`", page)))
    assert "record" in promised
    names = ", ".join(f"bm.{name}.__name__" for name in promised)
    loaded = run_python(f"import brassmill as bm; print([{names}])")
    assert loaded == f"{[f'brassmill.{name}' for name in promised]}\n"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="Gmae"):
        brassmill.__getattr__("Gmae")


# --- the command ---------------------------------------------------------------------------------


def test_help_lists_every_command() -> None:
    shown = CliRunner().invoke(main, ["--help"])
    assert shown.exit_code == 0
    assert re.findall(r"^  (\w+)  ", shown.output.split("Commands:")[1], re.M) == list(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_matches_the_list(name: str) -> None:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    assert command.name == name
    assert (command.help or "").splitlines()[0] == COMMANDS[name]
    assert CliRunner().invoke(main, [name, "--help"]).exit_code == 0


def test_version() -> None:
    assert CliRunner().invoke(main, ["--version"]).output == f"brass {brassmill.__version__}\n"


def test_an_unknown_command_is_a_usage_error() -> None:
    result = CliRunner().invoke(main, ["plya"])
    assert result.exit_code == 2
    assert "No such command 'plya'. Did you mean play?" in result.output


def test_an_error_of_the_package_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def refuse() -> None:
        raise BrassError("unknown edition 'london'")

    monkeypatch.setattr(main, "get_command", lambda context, name: refuse)
    result = CliRunner().invoke(main, ["refuse"])
    assert result.exit_code == 1
    assert result.output == "Error: unknown edition 'london'\n"


def test_editions_lists_every_edition_and_option() -> None:
    from brassmill.editions import EDITIONS

    result = CliRunner().invoke(main, ["editions"])
    assert result.exit_code == 0
    blocks = dict(block.split(": ", 1) for block in result.output.split("\n\n"))
    assert list(blocks) == list(EDITIONS)
    for name, box in EDITIONS.items():
        assert box.title in blocks[name]
        listed = re.findall(r"^  (\w+) = ", blocks[name], re.M)
        assert listed == [option.name for option in box.options]
    assert "community_2p = no | yes  (2 players, not with virtual_link)" in blocks["lancashire"]
    assert "rail_coal = nearest | chosen_end\n" in blocks["classic"]


# --- dependencies --------------------------------------------------------------------------------


def requirements() -> list[Requirement]:
    """Return all requirements of the project, including extras."""
    extras = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for extra in extras.values() for line in extra)]
    return [Requirement(line) for line in lines]


def test_constraints_are_plain_pins_within_the_ranges() -> None:
    pins = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        pin = re.fullmatch(r"([A-Za-z0-9._-]+)==([0-9][0-9A-Za-z.+!]*)", line)
        assert pin, line
        pins[canonicalize_name(pin[1])] = pin[2]
    for requirement in requirements():
        name = canonicalize_name(requirement.name)
        if name != "brassmill":
            assert name in pins
            assert requirement.specifier.contains(pins[name]), requirement


def test_every_range_has_a_lower_bound() -> None:
    for requirement in requirements():
        if requirement.name != "brassmill":
            assert any(part.operator == ">=" for part in requirement.specifier), requirement


def test_all_has_every_extra_but_learn_and_cuda() -> None:
    extras = PROJECT["optional-dependencies"]
    inside = {extra for line in extras["all"] for extra in Requirement(line).extras}
    assert inside == set(extras) - {"all", "dev", "learn", "cuda"}


# --- make and ci ---------------------------------------------------------------------------------


def make_play(folder: Path, python: str) -> str:
    shutil.copy(ROOT / "Makefile", folder)
    (folder / "pyproject.toml").touch()
    (folder / "constraints.txt").touch()
    done = subprocess.run(
        ["make", "play", f"PYTHON={python}"], cwd=folder, capture_output=True, text=True
    )
    assert done.returncode != 0
    assert not (folder / ".venv").exists()
    return done.stdout


def test_make_names_a_missing_python(tmp_path: Path) -> None:
    assert "python9 was not found" in make_play(tmp_path, "python9")


def test_make_names_an_old_python(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text('#!/bin/sh\ncase "$1" in --version) echo "Python 3.9.2" ;; *) exit 1 ;; esac\n')
    old.chmod(0o755)
    assert "needs Python 3.11 or newer, but ./python is Python 3.9.2" in make_play(
        tmp_path, "./python"
    )


def test_make_names_a_missing_venv_module(tmp_path: Path) -> None:
    bare = tmp_path / "python"
    bare.write_text('#!/bin/sh\ncase "$2" in *version_info*) exit 0 ;; *) exit 1 ;; esac\n')
    bare.chmod(0o755)
    assert "has no venv module" in make_play(tmp_path, "./python")


# --- docs ----------------------------------------------------------------------------------------


def script(name: str) -> Any:
    """Load a docs script as a module."""
    if str(ROOT / "docs") not in sys.path:
        sys.path.append(str(ROOT / "docs"))  # they import each other
    spec = importlib.util.spec_from_file_location(name, ROOT / f"docs/{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def tables() -> Any:
    return script("tables")


def test_the_site_shows_the_licence_of_the_project() -> None:
    shown = ROOT / "src/brassmill/web/static/web/licence.txt"
    assert shown.read_text() == (ROOT / "LICENSE").read_text()


def test_the_architecture_diagrams_match_the_contract() -> None:
    for name, draw in script("diagrams").PICTURES.items():
        assert (ROOT / "docs/pictures" / name).read_text() == draw(), "stale: run `make docs`"


def test_the_charts_show_the_measured_results() -> None:
    figures = script("figures").figures()
    drawn = {path.name for path in ROOT.glob("docs/charts/*.svg")}
    assert drawn == {*figures}
    for name, draw in figures.items():
        assert (ROOT / "docs/charts" / name).read_text() == draw(), "stale: run `make docs`"


def test_every_screenshot_is_taken_by_the_script_and_shown_on_a_page() -> None:
    pages = [*ROOT.glob("docs/**/*.md"), ROOT / "README.md"]
    shown = {name for page in pages for name in re.findall(r"web-[\w-]+\.webp", page.read_text())}
    taken = re.findall(r'    Shot\("([\w-]+)"', (ROOT / "docs/shots.py").read_text())
    assert shown == {f"web-{name}.webp" for name in taken}
    assert shown == {file.name for file in ROOT.glob("docs/pictures/web-*")}


def test_every_import_shown_on_a_page_works() -> None:
    for page in [*ROOT.glob("docs/**/*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]:
        lines = re.findall(r"^(?:>>> )?from (brassmill[\w.]*) import (.+)$", page.read_text(), re.M)
        for module, names in lines:
            found = importlib.import_module(module)
            for name in re.findall(r"\w+", names.split("#")[0]):
                if not hasattr(found, name):
                    importlib.import_module(f"{module}.{name}")  # raises if it fails


def test_generated_pages_match_the_code(tables: Any) -> None:
    pages = {path: path.read_text() for path in ROOT.glob("docs/**/*.md")}
    assert sum(text.count("<!-- table:") for text in pages.values()) == len(tables.TABLES)
    for path, text in pages.items():
        assert text == tables.with_tables(text), f"{path.name} is stale: run `make docs`"


def test_every_possible_choice_is_listed(tables: Any) -> None:
    from support.kinds import ALL  # these load the rules

    for kind in ALL:
        batch = brassmill.Batch(kind, games=32, threads=1)
        opened = set()
        for _ in range(60):
            for play in (batch.play_at_random, lambda b=batch: b.step(b.legal.argmax(axis=1))):
                opened |= set(batch.legal.any(axis=0).nonzero()[0].tolist())
                play()
        assert [choice for choice in opened if not tables.has(kind, choice)] == []


def test_the_rules_page_names_every_file() -> None:
    page = (ROOT / "docs/contribute/rules.md").read_text()
    files = {path.name for path in ROOT.glob("src/brassmill/rules/*.py")} - {"__init__.py"}
    listed = set(re.findall(r"`(\w+\.py)`", page.split("## The files")[1].split("\n## ")[0]))
    assert listed == files
