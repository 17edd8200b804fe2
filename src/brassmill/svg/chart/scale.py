"""Scales: map numbers to positions on the sheet, with ticks at round numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import ceil, floor, log10

from brassmill.language import gettext as _

Writer = Callable[[float], str]

ROUND = (1, 2, 5, 10)


@dataclass(frozen=True)
class Axis:
    """The labels of a scale: its name, how numbers are written, and what it must include."""

    label: str = ""
    write: Writer | None = None  # how to write values; None: as short as possible
    tick: Writer | None = None  # the same for the ticks
    reach: tuple[float, ...] = ()  # numbers to include whatever the data
    whole: bool = False  # only whole numbers

    def written(self, value: float) -> str:
        return (self.write or written)(value)

    def tick_written(self, value: float) -> str:
        return (self.tick or written)(value)


PLAIN = Axis()


@dataclass(frozen=True)
class Scale:
    """Where numbers are drawn."""

    low: float
    high: float
    start: float  # where `low` is drawn
    end: float
    ticks: tuple[float, ...]

    def __call__(self, value: float) -> float:
        return self.start + (value - self.low) / (self.high - self.low) * (self.end - self.start)


def fitted(
    axis: Axis, values: Iterable[float], start: float, end: float, *, apart: float, snug: bool
) -> Scale:
    """A scale for some values, with ticks at least `apart`.

    It ends at a tick, or if `snug`, at the last value.
    """
    reached = [*values, *axis.reach]
    low, high = min(reached, default=0.0), max(reached, default=1.0)
    if low == high:
        low, high = min(low, 0.0), max(high, low + 1.0)
    most = max(1, floor(abs(end - start) / apart))
    step = round_step((high - low) / most, 1.0 if axis.whole else 0.0)
    if not snug:
        while ceil(high / step) - floor(low / step) > most and most > 1:
            step = round_step(step * 1.01)
        low, high = floor(low / step) * step, ceil(high / step) * step
    first, last = ceil(round(low / step, 9)), floor(round(high / step, 9))
    ticks = tuple(round(n * step, 9) for n in range(first, last + 1))
    return Scale(low, high, start, end, ticks)


def round_step(least: float, smallest: float = 0.0) -> float:
    """The smallest of 1, 2, 5, 10, 20, ... (and 0.5, 0.2, ...) that is not smaller."""
    least = max(least, smallest, 1e-9)
    power = 10.0 ** floor(log10(least))
    return float(next(part * power for part in ROUND if part * power >= least * (1 - 1e-9)))


def written(value: float, digits: int | None = None) -> str:
    """A number in the current language, with `digits` decimals, or as few as it needs."""
    plain = f"{value:.6f}".rstrip("0").rstrip(".") if digits is None else f"{value:.{digits}f}"
    if not plain.strip("-0."):
        plain = plain.lstrip("-")  # no negative zero
    whole, point, fraction = plain.replace("-", "\N{MINUS SIGN}").partition(".")
    return _("{whole}.{fraction}").format(whole=whole, fraction=fraction) if point else whole


def fixed(digits: int) -> Writer:
    """A writer of numbers with this many decimals."""
    return lambda value: written(value, digits)


def percent(share: float) -> str:
    """A share as a percentage."""
    return _("{number}%").format(number=written(100 * share, 0))
