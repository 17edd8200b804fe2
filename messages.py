"""The message catalogues: run `make messages` after changing messages in the code or a `.po` file.

Collects the marked messages, updates every `locale/*/LC_MESSAGES/brassmill.po` and compiles it.
New messages have no translation yet, unused ones are dropped, and nothing is written that changes
by itself (dates, line numbers). See `docs/contribute/words.md`.
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

# The functions that mark messages, and which of their arguments are the message.
KEYWORDS = {
    "_": None,
    "N_": None,
    "NN_": (1, 2),
    "gettext": None,
    "ngettext": (1, 2),
    "pgettext": ((1, "c"), 2),
}
# Where to look: in the code and in the templates.
METHODS = [
    ("**.py", "python"),
    ("reports/*.html", "jinja2"),
    ("web/templates/**.html", "jinja2"),
]
# Headers that Babel writes which change by themselves or say nothing.
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
    """All messages marked in the code, in the order of the files."""
    catalogue = Catalog()
    found = extract_from_dir(source, METHODS, {}, KEYWORDS)
    for file, _line, message, _comments, context in sorted(found, key=lambda row: row[:2]):
        catalogue.add(message, locations=[(file, 0)], context=context)
    return catalogue


def read(path: Path) -> Catalog:
    """Read a catalogue."""
    with path.open("rb") as file:
        return read_po(file, locale=path.parts[-3])


def written(catalogue: Catalog) -> bytes:
    """A catalogue as the content of a `.po` file."""
    file = BytesIO()
    write_po(file, catalogue, width=100, include_lineno=False, ignore_obsolete=True)
    lines = file.getvalue().splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(UNSAID))


def update() -> None:
    """Update the catalogues from the code."""
    messages = marked()
    for path in catalogues():
        catalogue = read(path)
        catalogue.update(messages, no_fuzzy_matching=True, update_header_comment=False)
        path.write_bytes(written(catalogue))
        missing = [str(message.id) for message in catalogue if message.id and not _whole(message)]
        print(f"{path.relative_to(ROOT)}: {len(catalogue)} messages, {len(missing)} to translate")
        print("".join(f"  {message}\n" for message in missing), end="")


def _whole(message: Message) -> bool:
    """Is a message translated in all its forms, and not marked as fuzzy?"""
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
