"""Which elements of a picture stand for legal choices, and how a page turns them into controls."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import NamedTuple

from brassmill.core.choice import ABOUT, whole
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.rules.choices import CHOICES, SELL_FAR, TWO_CARDS, Subject
from brassmill.rules.layout import SYMBOLS
from brassmill.svg.draw import Value, group, title

Labels = Mapping[int, str]  # choices in words

# Choices without a subject, and the element of a picture that stands for them.
ALONE = {TWO_CARDS: "two cards", SELL_FAR: "distant market"}


def industry_built(edition: Edition, choice: int) -> int:
    """The industry that a build choice builds."""
    return int(edition.board.symbol[divmod(ABOUT[choice][1], SYMBOLS)])


class Lit(NamedTuple):
    """The legal choices that a drawing shows, in words if it is part of a page."""

    choices: tuple[int, ...] = ()
    labels: tuple[str, ...] | None = None

    @property
    def lights(self) -> Lights:
        labels = None if self.labels is None else dict(zip(self.choices, self.labels, strict=True))
        return Lights(self.choices, labels)


class Lights:
    """The legal choices by subject: spaces, lines, merchants, places, cards, ..."""

    def __init__(self, lit: Collection[int] = (), labels: Labels | None = None) -> None:
        """The legal choices, with labels if the picture is part of a page.

        Then what is lit is a button with that label, and what is dark explains why it is not.
        """
        self._labels = labels
        self._choices: dict[tuple[str, int], list[int]] = defaultdict(list)
        self._builds: list[int] = []
        for choice in sorted({whole("a choice", choice) for choice in lit}):
            if not 0 <= choice < CHOICES:
                raise BrassError(f"unknown choice {choice}; choices are 0 to {CHOICES - 1}")
            subject, offset = ABOUT[choice]
            if subject == Subject.SITE:
                self._choices["space", offset // SYMBOLS].append(choice)
                self._builds.append(choice)
            else:
                self._choices[ALONE.get(choice, subject), offset].append(choice)

    def of(self, what: str, *numbers: int) -> str | None:
        """The `data-choice` of a space, line, card, ...: numbers, or None if it is dark.

        If several things (`numbers`) are one choice, each has the choices of all.
        """
        choices = [choice for number in numbers for choice in self._choices.get((what, number), ())]
        return " ".join(map(str, choices)) or None

    def of_industry(self, edition: Edition, industry: int) -> str | None:
        """The `data-choice` of a stack of tiles: choices that build, then those that remove."""
        return " ".join(map(str, self._of_industry(edition, industry))) or None

    def _of_industry(self, edition: Edition, industry: int) -> list[int]:
        built = [choice for choice in self._builds if industry_built(edition, choice) == industry]
        return built + self._choices.get(("industry", industry), [])

    def about(self, *subjects: tuple[str, int]) -> Lit:
        """What a drawing of these subjects depends on."""
        return self._lit([each for subject in subjects for each in self._choices.get(subject, ())])

    def about_industry(self, edition: Edition, industry: int) -> Lit:
        """The same for a stack of tiles."""
        return self._lit(self._of_industry(edition, industry))

    def _lit(self, choices: list[int]) -> Lit:
        labels = self._labels
        return Lit(tuple(choices), None if labels is None else tuple([labels[n] for n in choices]))

    def thing(
        self, words: str, *parts: str, choices: str | None = None, **attributes: Value
    ) -> str:
        """Something that can be chosen if it has `choices`; `words` describe it."""
        if self._labels is None:
            return group(title(words), *parts, **attributes, data_choice=choices)
        if choices is None:
            return group(
                *parts, **attributes, role="img", aria_label=words, tabindex=-1, data_why=""
            )
        meant = [self._labels[int(choice)] for choice in choices.split()]
        return group(
            *parts,
            **attributes,
            role="button",
            tabindex=0,
            aria_label=meant[0] if len(meant) == 1 else f"{words}: {' / '.join(meant)}",
            aria_haspopup="menu" if len(meant) > 1 else None,
            data_about=words,
            data_choice=choices,
        )

    def held(self, words: str, *parts: str, uses: Collection[int], **attributes: Value) -> str:
        """A card that can be chosen before an action, with the choices that can use it."""
        return group(
            *parts,
            **attributes,
            role="button",
            tabindex=0,
            aria_label=words,
            aria_pressed="false",
            data_uses=" ".join(map(str, uses)),
            data_why="",
        )

    def frame(
        self, words: str, *parts: str, choices: str | None = None, **attributes: Value
    ) -> str:
        """A container of such things, which may be a choice itself."""
        if self._labels is None or choices:
            return self.thing(words, *parts, choices=choices, **attributes)
        return group(*parts, **attributes, role="group", aria_label=words)

    def note(self, words: str, *parts: str, **attributes: Value) -> str:
        """Something that is never a choice, with a tooltip."""
        if self._labels is None:
            return group(title(words), *parts, **attributes)
        return group(*parts, **attributes, role="img", aria_label=words, tabindex=-1, data_tip="")
