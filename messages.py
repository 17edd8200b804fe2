"""The message catalogues: `make messages` after words in the code or in a `.po` have changed.

Collects what is marked in the code, brings every `locale/*/LC_MESSAGES/brassmill.po` up to date
and compiles it. New messages come without a translation, those that are gone are dropped, and
nothing is written that changes by itself (dates, line numbers). See `docs/contribute/words.md`.
"""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parent
SOURCE = ROOT / "src" / "brassmill"

# How messages are marked, and which arguments are the message.
KEYWORDS = {
    "_": None,
    "N_": None,
    "NN_": (1, 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
# Where they are: in the code, and in the pages.
METHODS = [("**.py", "python"), ("web/templates/**.html", "jinja2")]
# What Babel writes at the top of a catalogue that changes by itself or says nothing.
UNSAID = tuple(
    b'"' + name
    for name in (
        *(b"Project-Id-Version", b"Report-Msgid-Bugs-To", b"POT-Creation-Date"),
        *(b"PO-Revision-Date", b"Last-Translator", b"Language-Team", b"Generated-By"),
    )
)


def catalogues(source: Path = SOURCE) -> list[Path]:
    """The `.po` files."""
    return sorted(source.glob("locale/*/LC_MESSAGES/*.po"))


def marked(source: Path = SOURCE) -> Catalog:
    """All messages that are marked in the code, in the order of the files."""
    catalogue = Catalog()
    found = extract_from_dir(source, METHODS, {}, KEYWORDS)
    for file, _line, message, _comments, context in sorted(found, key=lambda row: row[:2]):
        catalogue.add(message, locations=[(file, 0)], context=context)
    return catalogue


def read(path: Path) -> Catalog:
    """A catalogue."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def written(catalogue: Catalog) -> bytes:
    """A catalogue as the text of a `.po` file."""
    file = BytesIO()
    write_po(file, catalogue, width=100, include_lineno=False, ignore_obsolete=True)
    lines = file.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(UNSAID))


def update() -> None:
    """Bring the catalogues up to date with the code."""
    messages = marked()
    for path in catalogues():
        catalogue = read(path)
        catalogue.update(messages, no_fuzzy_matching=True, update_header_comment=False)
        path.write_bytes(written(catalogue))
        missing = [str(message.id) for message in catalogue if message.id and not _whole(message)]
        print(f"{path.relative_to(ROOT)}: {len(catalogue)} messages, {len(missing)} to translate")
        print("".join(f"  {message}\n" for message in missing), end="")


def _whole(message: Message) -> bool:
    """Does a message have a translation in all its forms that nobody doubts (fuzzy)?"""
    forms = message.string or ""
    return bool(forms) and (isinstance(forms, str) or all(forms)) and not message.fuzzy


def compile_all(source: Path = SOURCE) -> None:
    """Write a `.mo` beside every `.po`."""
    for path in catalogues(source):
        with path.with_suffix(".mo").open("wb") as file:
            write_mo(file, read(path))


if __name__ == "__main__":
    update()
    compile_all()
