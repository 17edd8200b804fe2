"""A network, compiled: what it scores and forecasts for many positions at once, on one core.

Every number is the result of additions, multiplications, divisions and square roots in a fixed
order and in single precision. So it is the same on every machine, and the same whether a position
is judged alone or among others. Zeros are skipped: they are most of the input and half of what a
block passes on.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from brassmill.rules.choices import CHOICES
from brassmill.rules.jit import is_plain, rule

FORECASTS = 3  # own VP, the best rival's VP, the share of first place
OUTPUTS = CHOICES + FORECASTS
LANES = 16  # sums that are made side by side; a network's width is a multiple
STRIP = 32  # rows of a matrix that are used for all positions before the next ones
TINY = np.float32(1e-5)  # keeps a norm from dividing by zero
NONE = np.float32(0)


@rule
def infer(
    rows: Any, count: int, weights: Any, inputs: int, width: int, blocks: int, out: Any
) -> None:
    """Judge `count` rows of inputs; `weights` are laid out as `Network` packs them."""
    stream = np.empty((count, width), np.float32)
    level = np.empty((count, width), np.float32)
    inner = np.empty((count, width), np.float32)
    at = dense(rows, count, weights, inputs, inputs + CHOICES, width, stream)
    rectify(stream, count, width)
    for _ in range(blocks):
        normalise(stream, count, width, level)
        at = dense(level, count, weights, at, width, width, inner)
        rectify(inner, count, width)
        at = dense(inner, count, weights, at, width, width, level)
        for row in range(count):
            for column in range(width):
                stream[row, column] += level[row, column]
    normalise(stream, count, width, level)
    dense(level, count, weights, at, width, OUTPUTS, out)


@rule
def dense(rows: Any, count: int, weights: Any, at: int, height: int, width: int, out: Any) -> int:
    """Multiply rows with the matrix at a place, add its bias; return the place after both."""
    end = at + height * width
    matrix = weights[at:end].reshape((height, width))
    for row in range(count):
        for column in range(width):
            out[row, column] = weights[end + column]
    some = np.empty(STRIP, np.int64)
    for first in range(0, height, STRIP):
        for row in range(count):
            found = 0
            for place in range(first, min(height, first + STRIP)):
                some[found] = place
                if rows[row, place] != NONE:
                    found += 1
            add_rows(rows[row], matrix, some, found, out[row], width)
    return end + width


@rule
def add_rows(factors: Any, matrix: Any, some: Any, found: int, sums: Any, width: int) -> None:
    """Add rows of a matrix, each times its factor; four at a time saves reading the sums."""
    done = 0
    while done + 4 <= found:
        a, b, c, d = some[done], some[done + 1], some[done + 2], some[done + 3]
        by_a, by_b, by_c, by_d = factors[a], factors[b], factors[c], factors[d]
        row_a, row_b, row_c, row_d = matrix[a], matrix[b], matrix[c], matrix[d]
        for column in range(width):
            total = sums[column] + by_a * row_a[column]
            total = total + by_b * row_b[column]
            total = total + by_c * row_c[column]
            sums[column] = total + by_d * row_d[column]
        done += 4
    while done < found:
        factor, row = factors[some[done]], matrix[some[done]]
        for column in range(width):
            sums[column] += factor * row[column]
        done += 1


@rule
def rectify(rows: Any, count: int, width: int) -> None:
    """Replace negative numbers by zero."""
    for row in range(count):
        for column in range(width):
            rows[row, column] = max(rows[row, column], NONE)


@rule
def normalise(rows: Any, count: int, width: int, out: Any) -> None:
    """Give every row the mean 0 and the variance 1."""
    lanes = np.empty(LANES, np.float32)
    size = np.float32(width)
    for row in range(count):
        mean = sum_of(rows[row], width, lanes) / size
        for column in range(width):
            out[row, column] = rows[row, column] - mean
        deviation = np.sqrt(sum_of_squares(out[row], width, lanes) / size + TINY)
        for column in range(width):
            out[row, column] /= deviation


@rule
def sum_of(values: Any, width: int, lanes: Any) -> Any:
    """The sum of a row, made in lanes."""
    for lane in range(LANES):
        lanes[lane] = NONE
    for start in range(0, width, LANES):
        for lane in range(LANES):
            lanes[lane] += values[start + lane]
    return sum_of_lanes(lanes)


@rule
def sum_of_squares(values: Any, width: int, lanes: Any) -> Any:
    """The sum of the squares of a row, made in lanes."""
    for lane in range(LANES):
        lanes[lane] = NONE
    for start in range(0, width, LANES):
        for lane in range(LANES):
            lanes[lane] += values[start + lane] * values[start + lane]
    return sum_of_lanes(lanes)


@rule
def sum_of_lanes(lanes: Any) -> Any:
    total = NONE
    for lane in range(LANES):
        total += lanes[lane]
    return total


# --- without compiled code -----------------------------------------------------------------------


def infer_plain(
    rows: Any, count: int, weights: Any, inputs: int, width: int, blocks: int, out: Any
) -> None:
    """The same as `infer`, a row of a matrix at a time: each sum is made in the same order."""
    at = inputs

    def dense_plain(factors: Any, width: int) -> Any:
        nonlocal at
        end = at + len(factors) * width
        matrix, sums = weights[at:end].reshape((-1, width)), weights[end : end + width].copy()
        for place in np.flatnonzero(factors):
            sums += factors[place] * matrix[place]
        at = end + width
        return sums

    def normalise_plain(values: Any) -> Any:
        level = values - sum_plain(values) / np.float32(width)
        deviation = np.sqrt(sum_plain(level * level) / np.float32(width) + TINY)
        return level / deviation

    def sum_plain(values: Any) -> Any:
        total = NONE
        for lane in values.reshape((-1, LANES)).sum(axis=0):  # lane by lane, in order
            total = total + lane
        return total

    for row in range(count):
        at = inputs
        stream = np.maximum(dense_plain(rows[row], width), NONE)
        for _ in range(blocks):
            inner = np.maximum(dense_plain(normalise_plain(stream), width), NONE)
            stream = stream + dense_plain(inner, width)
        out[row] = dense_plain(normalise_plain(stream), OUTPUTS)


if is_plain():
    infer = infer_plain
