"""The tree of a record: actions, alternatives and comments."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from brassmill.errors import BrassError
from brassmill.language import gettext as _

if TYPE_CHECKING:
    from brassmill.record.record import Record

BLANKS = " \t"
# Not allowed in a record: control characters and lone surrogates.
NOT_TEXT = re.compile("[\x00-\x08\x0a-\x1f\x7f-\x9f\ud800-\udfff]")


class Heading(NamedTuple):
    """The line above the first action of a round."""

    era: str
    round: int
    order: tuple[str, ...] = ()  # the names of the seats; may be left out

    def __str__(self) -> str:
        order = f": {', '.join(self.order)}" if self.order else ""
        return f"{self.era} {self.round}{order}"


class Node:
    """An action of a record, with its children; the root comes before the first action.

    The first child is what was played, or the main line of a variation; the others are
    alternatives to it.
    """

    def __init__(
        self, parent: Node | None, seat: str, text: str, heading: Heading | None = None
    ) -> None:
        self.parent = parent
        self.seat = seat  # its name
        self.text = text
        self.heading = heading
        self.children: list[Node] = []
        self.number: int = 0 if parent is None else parent.number + 1
        self._comment = ""

    def __repr__(self) -> str:
        return f"<{self.number} {self.seat}: {self.text}>" if self.parent else "<root>"

    @property
    def comment(self) -> str:
        """The comment after the action; lines are stripped."""
        return self._comment

    @comment.setter
    def comment(self, text: str) -> None:
        lines = [line.strip(BLANKS) for line in text.replace("\r\n", "\n").split("\n")]
        if any(NOT_TEXT.search(line) for line in lines):
            raise BrassError(_("a comment contains something that is not text"))
        self._comment = "\n".join(lines).strip("\n")

    @property
    def root(self) -> Node:
        """The node before the first action."""
        node = self
        while node.parent is not None:
            node = node.parent
        return node

    @property
    def line(self) -> list[Node]:
        """The actions from the first one to this one."""
        nodes = []
        node = self
        while node.parent is not None:
            nodes.append(node)
            node = node.parent
        return nodes[::-1]

    @property
    def path(self) -> tuple[int, ...]:
        """The number of the child at each step to this node: all 0 on the main line."""
        return tuple(
            next(n for n, child in enumerate(node.parent.children) if child is node)
            for node in self.line
            if node.parent is not None
        )

    @property
    def is_main(self) -> bool:
        """Whether it is on the main line."""
        return not any(self.path)

    def main_line(self) -> Iterator[Node]:
        """The actions that follow along the first children."""
        node = self
        while node.children:
            node = node.children[0]
            yield node

    # --- editing ---------------------------------------------------------------------------------

    @property
    def _record(self) -> Record:
        root = self.root
        if not isinstance(root, Root):
            raise BrassError(_("this action no longer belongs to a record"))
        return root.record

    def add_variation(self, text: str) -> Node:
        """Add an action after this one; return the existing node if there is one."""
        return self.add_line([text])

    def add_line(self, texts: Sequence[str]) -> Node:
        """Add several actions; return the last. If one is illegal, none is added."""
        return self._record.add_line(self, texts)

    def promote(self) -> None:
        """Move it one place forward among its alternatives."""
        self._record.promote(self)

    def remove(self) -> None:
        """Remove it and everything after it from the record."""
        self._record.remove(self)


class Root(Node):
    """The node before the first action; it knows its record."""

    def __init__(self, record: Record) -> None:
        super().__init__(None, "", "")
        self.record = record
