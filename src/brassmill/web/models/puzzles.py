"""Puzzles: who has tried which, and ratings."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.base import KEY


class PuzzleSolver(models.Model):
    """How well a visitor solves puzzles; only first attempts count (`puzzles/ratings.py`)."""

    visitor = models.CharField(max_length=KEY, unique=True)  # their key
    mu = models.FloatField()
    sigma = models.FloatField()
    tried = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)
    streak = models.PositiveIntegerField(default=0)  # solved in a row, up to now
    longest = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.solved} of {self.tried}"


class PuzzleRating(models.Model):
    """How hard a puzzle is for the visitors of this site."""

    puzzle = models.CharField(primary_key=True, max_length=12)  # its id
    mu = models.FloatField()
    sigma = models.FloatField()
    tried = models.PositiveIntegerField(default=0)
    solved = models.PositiveIntegerField(default=0)

    def __str__(self) -> str:
        return self.puzzle


class PuzzleAttempt(models.Model):
    """A visitor's first attempt at a puzzle."""

    visitor = models.CharField(max_length=KEY)  # their key
    puzzle = models.CharField(max_length=12)  # its id
    solved = models.BooleanField()
    gained = models.FloatField(default=0)  # of the solver's mu
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["visitor", "puzzle"], name="one_first_attempt"),
        )

    def __str__(self) -> str:
        return self.puzzle
