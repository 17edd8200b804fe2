"""A record as text, in the format of `docs/formats/notation.md`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Union

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.record.rows import FORMAT, WIDTH, deal_rows, header_line, row
from brassmill.record.tree import BLANKS, Node

if TYPE_CHECKING:
    from brassmill.record.record import Record

INDENT = "  "
Branch = Iterator[Union[str, "Branch"]]


def text_of(record: Record) -> str:
    """The whole record, ending with a newline."""
    lines = [
        header_line("Brass", FORMAT),
        *(header_line(name, value) for name, value in record.headers.items()),
        "",
        *start_rows(record),
    ]
    if record.checks:
        lines += row("checks", " ".join(f"{check:04x}" for check in record.checks))
    if record.root.comment:
        lines += ["", *comment_lines(record.root, "")]
    lines += [*tree_lines(record.root), "", record.closing]
    return "".join(f"{line}\n" for line in lines)


def start_rows(record: Record) -> Iterator[str]:
    """How the game began."""
    if record.position is not None:
        yield from row("position", record.position)
        return
    deal = record.deal or record.known
    if deal is None:
        raise BrassError(_("a record begins with a deal or a position, and this one has none"))
    yield from deal_rows(record.edition, record.seats, deal)


def tree_lines(root: Node) -> Iterator[str]:
    """The actions, each followed by its alternatives in brackets, which may be nested."""
    open_branches: list[Branch] = [branch(root, "")]
    while open_branches:
        item = next(open_branches[-1], None)
        if item is None:
            open_branches.pop()
        elif isinstance(item, str):
            yield item
        else:
            open_branches.append(item)


def branch(node: Node, indent: str) -> Branch:
    """What follows a node: lines and further branches."""
    while node.children:
        main, *others = node.children
        yield from action_lines(main, indent)
        for other in others:
            yield f"{indent}("
            yield from action_lines(other, indent + INDENT)
            yield branch(other, indent + INDENT)
            yield f"{indent})"
        node = main


def action_lines(node: Node, indent: str) -> Iterator[str]:
    """An action with the heading of its round above and its comment below."""
    if node.heading:
        if not indent:
            yield ""
        yield f"{indent}{node.heading}"
    line = f"{indent}{node.number} {escaped(f'{node.seat}: {node.text}', '{')}"
    comment = comment_lines(node, indent)
    if len(comment) == 1 and len(line) + len(comment[0]) < WIDTH:
        yield f"{line}  {comment[0].lstrip(BLANKS)}"
    else:
        yield line
        yield from comment


def comment_lines(node: Node, indent: str) -> list[str]:
    """A comment in braces. It keeps its lines; those after the first begin with a space."""
    if not node.comment:
        return []
    first, *others = escaped(node.comment, "}").split("\n")
    lines = [f"{indent}{{{first}", *(f"{indent} {line}" if line else "" for line in others)]
    return [*lines[:-1], lines[-1] + "}"]


def escaped(text: str, brace: str) -> str:
    """The text with a backslash before every such brace and every backslash."""
    return text.replace("\\", "\\\\").replace(brace, f"\\{brace}")
