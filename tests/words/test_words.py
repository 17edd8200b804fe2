"""The catalogues are complete, and every text exists in every language."""

from __future__ import annotations

import importlib.util
import random
import re
import sys
import threading
from collections.abc import Iterator
from gettext import GNUTranslations
from pathlib import Path
from string import Formatter
from types import ModuleType
from typing import Any

import pytest
from babel.messages.catalog import Catalog, Message
from click.testing import CliRunner

from brassmill import language as spoken
from brassmill import terms
from brassmill.cli.main import main
from brassmill.core.choice import MEANING
from brassmill.core.events import Event
from brassmill.core.names import SOURCES
from brassmill.core.outcome import TIE_BREAKS
from brassmill.editions import EDITIONS, Edition
from brassmill.editions.edition import INDUSTRY
from brassmill.errors import BrassError, InvalidOption, UnknownName
from brassmill.game import Game
from brassmill.language import (
    LANGUAGES,
    gettext,
    language,
    language_of,
    ngettext,
    pgettext,
    speak,
    speaking,
)
from brassmill.notation.matching import CHECKED
from brassmill.rules.choices import CHOICES
from brassmill.rules.emit import EventKind, Money
from brassmill.rules.layout import BUILDING, TURN_OVER
from brassmill.rules.reasons import Reason
from brassmill.words import (
    EVENTS,
    PARTS,
    QUESTIONS,
    REASONS,
    SPECIAL,
    event_words,
    refusal,
)
from brassmill.words.log import log_lines
from brassmill.words.sentences import SEAT, TO_CHOOSE, UNSAID
from support import kinds
from support.glossary import NEVER, never_said
from support.paths import ROOT

OTHERS = [code for code in LANGUAGES if code != "en"]


def load(name: str) -> ModuleType:
    """Load a script of the project."""
    spec = importlib.util.spec_from_file_location(name, ROOT / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


messages = load("messages")
MARKED: Catalog = messages.marked()


def path_of(code: str) -> Path:
    return messages.SOURCE / "locale" / code / "LC_MESSAGES" / "brassmill.po"  # type: ignore[no-any-return]


def catalogue(code: str) -> Catalog:
    return messages.read(path_of(code))  # type: ignore[no-any-return]


def said(catalogue: Catalog) -> list[Message]:
    """Return the messages of a catalogue without its header."""
    return [message for message in catalogue if message.id]


def forms(text: Any) -> tuple[str, ...]:
    """Return a message, or its singular and plural forms."""
    return (text,) if isinstance(text, str) else tuple(text)


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


# --- the catalogues ------------------------------------------------------------------------------


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_is_complete(code: str) -> None:
    found = catalogue(code)
    missing = [message.id for message in said(found) if not all(forms(message.string))]
    assert missing == [], "make messages lists them, then translate"
    assert [message.id for message in found if message.fuzzy and message.id] == []
    assert list(found.obsolete) == []


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_has_exactly_the_messages_marked_in_the_code(code: str) -> None:
    marked = {(message.context, message.id) for message in said(MARKED)}
    there = {(message.context, message.id) for message in said(catalogue(code))}
    assert (marked - there, there - marked) == (set(), set()), "make messages"


@pytest.mark.parametrize("code", OTHERS)
def test_a_translation_has_the_fields_of_its_message(code: str) -> None:
    for message in said(catalogue(code)):
        originals, translations = forms(message.id), forms(message.string)
        assert len(originals) == len(translations), message.id
        for original, translation in zip(originals, translations, strict=True):
            assert fields(original) == fields(translation), (original, translation)


# In these messages a network is a bot's, or one of computers.
OTHER_NETWORK = re.compile(
    r"not a network|net cannot play|trained network|another network|Train a network|forecast"
    r"|Saved the network|others on your network|on this computer only"
)


@pytest.mark.parametrize("code", OTHERS)
def test_a_catalogue_uses_the_rulebooks_words_and_real_apostrophes(code: str) -> None:
    for message in said(catalogue(code)):
        assert not never_said(forms(message.id)[0], "en")
        is_other = OTHER_NETWORK.search(forms(message.id)[0])
        for text in forms(message.string):
            found = never_said(text, code)
            assert not found or (is_other and set(found) == {"réseau"}), (text, NEVER[code])
            assert not re.search(r"[^\W\d]'[^\W\d]", text), text


@pytest.mark.slow
@pytest.mark.parametrize("code", OTHERS)
def test_updating_a_catalogue_twice_changes_nothing(code: str) -> None:
    found = catalogue(code)
    found.update(MARKED, no_fuzzy_matching=True, update_header_comment=False)
    assert messages.written(found) == path_of(code).read_bytes(), "make messages"


def read_compiled(path: Path) -> GNUTranslations:
    with path.open("rb") as file:
        return GNUTranslations(file)


def heard(translations: GNUTranslations, message: Message) -> tuple[str, ...]:
    """Look up a message in a compiled catalogue."""
    one, *many = forms(message.id)
    if many:
        return tuple(translations.ngettext(one, many[0], number) for number in (1, 2))
    if message.context:
        return (translations.pgettext(message.context, one),)
    return (translations.gettext(one),)


@pytest.mark.parametrize("code", OTHERS)
def test_the_compiled_catalogue_matches_its_source(code: str) -> None:
    compiled = read_compiled(path_of(code).with_suffix(".mo"))
    for message in said(catalogue(code)):
        assert heard(compiled, message) == forms(message.string), "make messages"


def test_new_messages_are_added_and_removed_ones_dropped(tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text(
        "_('Hello {name}')\nN_('later')\nNN_('one', 'many')\npgettext('end', 'stop')\n_(f'{x}')\n"
    )
    found = messages.marked(tmp_path)
    assert [message.id for message in said(found)] == [
        *("Hello {name}", "later", ("one", "many"), "stop"),
    ]
    old = Catalog(locale="de")
    old.add("gone", "weg")
    old.add("later", "später")
    old.update(found, no_fuzzy_matching=True)
    text = messages.written(old).decode()
    assert "weg" not in text
    assert "später" in text
    assert "Date" not in text


def test_installing_compiles_the_catalogues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Run the build hook with a fake builder."""
    folder = tmp_path / "src" / "brassmill" / "locale" / "de" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "brassmill.po").write_text(path_of("de").read_text())
    (tmp_path / "messages.py").write_text((ROOT / "messages.py").read_text())
    names = ["hatchling", "builders", "hooks", "plugin", "interface"]
    for count in range(1, len(names) + 1):
        module = ModuleType(".".join(names[:count]))
        monkeypatch.setitem(sys.modules, module.__name__, module)

    class Builder:
        root = str(tmp_path)

        def __class_getitem__(cls, item: object) -> type:
            return cls

    module.BuildHookInterface = Builder  # type: ignore[attr-defined]
    hook = load("hatch_build").Catalogues()
    hook.initialize("standard", {})
    compiled = read_compiled(folder / "brassmill.mo")
    for message in said(catalogue("de")):
        assert heard(compiled, message) == forms(message.string)


# --- which language ------------------------------------------------------------------------------


def test_english_is_the_default_language() -> None:
    assert language() == "en"
    with speaking("de"):
        assert language() == "de"
        with speaking("fr"):
            assert gettext("The game is over.") == "La partie est terminée."
        assert gettext("The game is over.") == "Das Spiel ist zu Ende."
    assert gettext("The game is over.") == "The game is over."


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({}, "en"),
        ({"LANG": "de_AT.UTF-8"}, "de"),
        ({"LANG": "fr_CA"}, "fr"),
        ({"LANG": "C"}, "en"),
        ({"LANG": "it_IT", "LC_ALL": ""}, "en"),
        ({"LANG": "de_DE", "LC_ALL": "fr_FR"}, "fr"),
        ({"LANG": "de_DE", "LC_MESSAGES": "en_GB"}, "en"),
        ({"LANG": "de_DE", "LANGUAGE": "fr:de"}, "fr"),
        ({"LANG": "de_DE", "LANGUAGE": "it:fr"}, "fr"),
    ],
)
def test_the_environment_sets_the_language(environment: dict[str, str], code: str) -> None:
    assert language_of(environment) == code


def test_english_is_used_without_a_compiled_catalogue(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """It warns once only."""
    monkeypatch.setattr(spoken, "FOLDER", tmp_path)
    spoken._catalogue.cache_clear()
    try:
        with speaking("de"):
            assert gettext("The game is over.") == "The game is over."
            assert ngettext("{n} seat is free", "{n} seats are free", 2) == "{n} seats are free"
    finally:
        spoken._catalogue.cache_clear()
    (record,) = caplog.records
    assert "Deutsch catalogue is not compiled" in record.getMessage()


def test_an_unsupported_language_is_refused_by_name() -> None:
    with pytest.raises(InvalidOption, match=r"'it'.*de .Deutsch"):
        speak("it")


@pytest.mark.parametrize(
    ("arguments", "environment", "words"),
    [
        (["editions"], {"LANGUAGE": "", "LC_ALL": "C"}, "the 2018 edition"),
        (["editions"], {"LANGUAGE": "", "LC_ALL": "de_DE.UTF-8"}, "die Ausgabe von 2018"),
        (["--lang", "fr", "editions"], {"LC_ALL": "de_DE.UTF-8"}, "édition de 2018, de deux"),
        (["--lang", "en", "editions"], {"LANGUAGE": "de"}, "the 2018 edition"),
    ],
)
def test_the_command_uses_the_given_language_or_the_systems(
    arguments: list[str], environment: dict[str, str], words: str
) -> None:
    result = CliRunner(env=environment).invoke(main, arguments)
    assert result.exit_code == 0
    assert words in result.output
    assert language() == "en"


def test_two_threads_can_use_two_languages_at_once() -> None:
    both = threading.Barrier(2)
    heard: dict[str, set[str]] = {}

    def talk(code: str) -> None:
        speak(code)
        for _ in range(50):
            both.wait(10)
            heard.setdefault(code, set()).add(terms.industry("cotton"))

    threads = [threading.Thread(target=talk, args=(code,)) for code in OTHERS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert heard == {"de": {"Baumwollspinnerei"}, "fr": {"filature de coton"}}
    assert language() == "en"


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("code", LANGUAGES)
def test_everything_has_a_name(code: str) -> None:
    with speaking(code):
        for name in INDUSTRY:
            names = [terms.industry(name), terms.an_industry(name), terms.industries(name)]
            assert len(set(names)) == (2 if (name, code) == ("iron", "en") else 3)
        assert all(terms.source(name) for name in SOURCES)
        assert all(terms.tie_break(name) for name in TIE_BREAKS if name != "none")
        assert {money.name.lower().replace("_", " ") for money in Money} <= set(terms.PURPOSES)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_names_are_translated(kind: Edition, code: str) -> None:
    with speaking(code):
        for tile in kind.tiles:
            assert not ENGLISH.search(terms.tile(tile.name))
            assert not ENGLISH.search(terms.a_tile(tile.name))
        for card in kind.cards:
            assert not ENGLISH.search(without_places(kind, terms.card(kind.card_name(card))))


def test_money_is_formatted_as_in_the_language() -> None:
    amounts = []
    for code in LANGUAGES:
        with speaking(code):
            amounts.append(terms.pounds(-5))
    assert amounts == ["−£5", "−£5", "−5\N{NO-BREAK SPACE}£"]  # noqa: RUF001


# --- sentences -----------------------------------------------------------------------------------

# English names of things that are words in neither German nor French.
ENGLISH = re.compile(
    r"\b(cotton|coal|iron|works|manufacturer|pottery|brewery|shipyard|beer|market|wild|mill|mine of"
    r"|tile|card|canal era|rail|the|of|build|link|sell)\b"
)


def without_places(edition: Edition, words: str) -> str:
    for place in edition.places:
        words = words.replace(place.name, "")
    return words.replace(edition.title, "")


def played(kind: Edition, seed: int) -> Iterator[tuple[Game, list[Any]]]:
    """Yield a random game after every choice, with what happened."""
    game = Game(kind, seed=seed)
    chance = random.Random(seed)
    while not game.over:
        choices = game.legal_choices()
        # Prefer sales and builds now and then, or nothing unusual happens.
        liked = [choice for choice in choices if choice.kind in ("sell", "build", "sell_far")]
        yield game, game.play(chance.choice(liked or choices))


def check(edition: Edition, words: str, code: str) -> None:
    assert words.strip()
    assert "{" not in words
    assert UNSAID not in words
    if code != "en":
        assert not ENGLISH.search(without_places(edition, words)), words


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_whole_games_can_be_described_in_every_language(kind: Edition, code: str) -> None:
    with speaking(code):
        for number, (game, events) in enumerate(played(kind, 11)):
            for event in events:
                check(kind, event_words(event, game.seats), code)
                check(kind, event_words(event, game.seats, 2, of=getattr(event, "seat", -1)), code)
            if number % 40 == 0:
                for choice in range(CHOICES):
                    reason = game.engine.why(choice)
                    check(kind, refusal(game.engine, choice, reason).words, code)
        outcome = game.outcome()
        assert outcome is not None
        check(kind, str(outcome), code)


@pytest.mark.parametrize("kind", kinds.PLAIN, ids=repr)
def test_every_check_of_the_rules_has_its_names(kind: Edition) -> None:
    """Try every refusal the rules may give for a kind of choice, even if it cannot occur here."""
    for number, (game, _) in enumerate(played(kind, 12)):
        if number % 15:
            continue
        for choice in game.legal_choices():
            if choice.kind == "card" and game.state.doing != BUILDING:
                continue  # any card will do
            for reason in CHECKED[MEANING[choice.id][0]]:
                words = refusal(game.engine, choice.id, reason)
                absent = fields(words.sentence) & {"standing", "owner", "tile", "buyers"}
                if choice.kind == "build":  # the card itself is refused as a separate choice
                    absent |= fields(words.sentence) & {"card"}
                if not absent:  # the others need a tile on the space or on the mat
                    check(kind, words.words, "en")


@pytest.mark.parametrize("code", OTHERS)
def test_every_reason_question_and_part_exists_in_every_language(code: str) -> None:
    with speaking(code):
        for sentence in (*REASONS.values(), *SPECIAL.values(), *PARTS.values()):
            assert gettext(sentence) != sentence
        for question in (*QUESTIONS, *TO_CHOOSE):
            assert gettext(question) != question
    assert set(REASONS) == set(Reason)
    assert len(QUESTIONS) == len(TO_CHOOSE) == TURN_OVER


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_event_exists_in_every_language_and_starts_with_its_seat(code: str) -> None:
    variants = {"coal_bought", "iron_bought", "income_owed", "bonus_points", "bonus_money"}
    variants |= {"bonus_income", "bonus_develop", "delivered_resource"}
    assert set(EVENTS) == {kind.name.lower() for kind in EventKind} - {"bonus"} | variants
    with speaking(code):
        for sentence in EVENTS.values():
            for number in (1, 2):
                if isinstance(sentence, str):
                    words = gettext(sentence)
                else:
                    words = ngettext(sentence[0], sentence[1], number)
                assert code == "en" or words not in forms(sentence)
                assert bool(SEAT.match(words)) == ("{seat}" in words)


@pytest.mark.parametrize("code", LANGUAGES)
def test_the_log_repeats_a_seat_name_only_after_another_was_mentioned(code: str) -> None:
    events = [
        Event("discarded", seat=0, card="coal"),
        Event("discarded", seat=0, card="Leek"),
        Event("sold", seat=0, space="Leek 1", tile="cotton 1"),
        Event("flipped", owner=1, space="Derby 1", tile="brewery 1"),
        Event("income_moved", seat=1, before=10, after=14),
        Event("income_moved", seat=0, before=10, after=15),
    ]
    with speaking(code):
        [line] = log_lines(events, ["Ada", "Ben"])
        [cards, *_, others, own] = line.details.rsplit(", ", 3)
        assert line.seat == 0
        assert "Ada" not in line.text + cards
        assert terms.card("coal") in cards
        assert others.startswith("Ben")
        assert own.startswith("Ada")


# --- errors, editions and other words ------------------------------------------------------------


def test_an_unknown_name_is_refused_in_the_language_of_the_context() -> None:
    edition = Game("lancashire", seed=1).edition
    with speaking("de"):
        with pytest.raises(UnknownName, match="Ort „Manchestre“ gibt es nicht; meinst du Manch"):
            edition.find_place("Manchestre")
    with speaking("fr"), pytest.raises(BrassError, match=r"carte «\xa0Paris\xa0» n.existe pas"):
        edition.find_card("Paris")


def test_known_names_are_listed_as_they_can_be_typed() -> None:
    edition = Game("birmingham", seed=1).edition
    with speaking("de"):
        with pytest.raises(UnknownName, match="es gibt: Baumwolle, Kohle, Eisen, Manu") as error:
            edition.find_industry("Xyz")
        for word in str(error.value).rpartition(": ")[2].split(", "):
            edition.find_industry(word)
        with pytest.raises(UnknownName, match="meinst du Brauerei"):
            edition.find_industry("Bruaerei")
        with pytest.raises(UnknownName, match=r"Baumwolle/Manufaktur, .*Ortsjoker, Industriejoker"):
            edition.find_card("Xyz")
        with pytest.raises(UnknownName, match="Es gibt: Kohle 1, Kohle 2, Kohle 3, Kohle 4"):
            edition.find_tile("coal 9")
    assert error.value.known[:2] == ["cotton", "coal"]  # for programs


@pytest.mark.parametrize("text", ["loan; card", "loan; card ,", "build coal ;card"])
def test_an_empty_value_is_not_quoted(text: str) -> None:
    with pytest.raises(UnknownName, match=r"^the card is missing; choose one of: ") as error:
        Game("birmingham", seed=1).play(text)
    assert "''" not in str(error.value)


@pytest.mark.parametrize("code", OTHERS)
@pytest.mark.parametrize(
    "line",
    [
        "play --bogus",
        "verify",
        "nonsense",
        "play --players many",
        "play --lang xx",
        "replay nowhere.brass",
        "play --seed",
        "play --seed -1",
        "editions too many",
    ],
)
def test_a_command_is_refused_in_the_language_of_the_user(line: str, code: str) -> None:
    result = CliRunner().invoke(main, ["--lang", code, *line.split()])
    assert result.exit_code in (1, 2)
    english = r"\b(Error|Try|Missing|No such|Invalid|is not|Got|requires|a seed|does not)\b"
    assert not re.search(english, result.output), result.output


@pytest.mark.parametrize("code", OTHERS)
def test_editions_and_options_are_explained_in_every_language(code: str) -> None:
    with speaking(code):
        for box in EDITIONS.values():
            assert gettext(box.meaning) != box.meaning
            for option in box.options:
                assert gettext(option.meaning) != option.meaning


def test_a_bill_is_in_the_language_of_its_reader() -> None:
    bill = Game("birmingham", seed=7).bill("build coal Wolverhampton")
    with speaking("de"):
        assert "£5 für eine Zeche Level I" in str(bill)
    with speaking("fr"):
        assert "pour une mine de charbon de niveau I" in str(bill)


def test_one_word_can_have_two_meanings() -> None:
    with speaking("de"):
        assert pgettext("subject", "a port") == "ein Hafen"
        assert gettext("a port") == "einen Hafen"
