"""Tournaments and leagues: who takes part, the rounds, their tables and the results."""

from __future__ import annotations

from datetime import timedelta

from django.db import models
from django.utils import timezone

from brassmill.web.models.accounts import Account
from brassmill.web.models.base import KEY, key, token
from brassmill.web.models.tables import Table


class Tournament(models.Model):
    """A tournament, a league or an arena."""

    OPEN, RUNNING, PAUSED, OVER, CANCELLED = "open", "running", "paused", "over", "cancelled"

    id = models.CharField(primary_key=True, max_length=12, default=token)
    name = models.CharField(max_length=60)
    about = models.CharField(max_length=500, blank=True, default="")
    # None: their account was deleted. The rounds go on by themselves.
    organiser = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="organised")
    key = models.CharField(max_length=KEY, default=key)  # decides whatever looks random
    style = models.CharField(max_length=12)  # one of `tournaments/formats.py`
    edition = models.CharField(max_length=20)
    options = models.JSONField(default=dict)  # only those that are not the default
    size = models.PositiveSmallIntegerField()  # players at a table, if the numbers fit
    clock = models.CharField(max_length=12)  # a name in `CLOCKS`
    rated = models.BooleanField(default=False)
    duplicate = models.BooleanField(default=False)  # all tables of a round play the same deal
    late = models.BooleanField(default=True)  # one may join after the first round
    most = models.PositiveSmallIntegerField()  # players; whoever joins later is a substitute
    rounds = models.PositiveSmallIntegerField(default=0)  # of a Swiss; a league: seasons
    season = models.PositiveSmallIntegerField(default=0)  # rounds of a season, once it has begun
    division = models.PositiveSmallIntegerField(default=0)  # players of a league's division
    movers = models.PositiveSmallIntegerField(default=0)  # of a division who rise and who fall
    interval = models.DurationField(default=timedelta)  # between the beginnings of two rounds
    lasting = models.DurationField(null=True)  # an arena
    starts = models.DateTimeField()
    made = models.DateTimeField(default=timezone.now)
    ended = models.DateTimeField(null=True)
    state = models.CharField(max_length=10, default=OPEN, db_index=True)
    site = models.CharField(max_length=200, blank=True, default="")  # origin of links in e-mails

    def __str__(self) -> str:
        return f"{self.name}, {self.id}"


class TournamentPlayer(models.Model):
    """A player of a tournament; without an account once it was deleted."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entrants")
    account = models.ForeignKey(Account, models.SET_NULL, null=True, related_name="entered")
    number = models.PositiveSmallIntegerField()  # from 1, in the order of sign-up
    is_reserve = models.BooleanField(default=False)  # a substitute who waits for a place
    is_out = models.BooleanField(default=False)  # has left, was removed or did not come
    division = models.PositiveSmallIntegerField(default=0)  # of a league, from 0
    rank = models.PositiveSmallIntegerField(default=0)  # the order within all divisions
    # Whose place a substitute has taken.
    stands_for = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")
    waits_since = models.DateTimeField(null=True)  # for a table of an arena

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entrant"),
            models.UniqueConstraint(fields=["tournament", "account"], name="one_entry_each"),
        )

    def __str__(self) -> str:
        return f"{self.number} of {self.tournament_id}"


class TournamentRound(models.Model):
    """A round; in an arena, tables that were seated together."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="rounds_played")
    number = models.PositiveSmallIntegerField()  # from 1
    began = models.DateTimeField()
    ended = models.DateTimeField(null=True)
    deals = models.JSONField(default=dict)  # the shared deals by number of players; secret

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["tournament", "number"], name="one_round"),)

    def __str__(self) -> str:
        return f"{self.number} of {self.tournament_id}"  # not the deals


class TournamentTable(models.Model):
    """A table of a round, or a bye."""

    round = models.ForeignKey(TournamentRound, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()  # from 1
    division = models.PositiveSmallIntegerField(default=0)
    table = models.OneToOneField(Table, models.SET_NULL, null=True, related_name="in_tournament")
    is_decided = models.BooleanField(default=False)

    class Meta:
        ordering = ("round", "number")

    def __str__(self) -> str:
        return f"{self.number} of {self.round_id}"


class TournamentSeat(models.Model):
    """A player's seat at a table of a round, and how they did."""

    # Why a result is not simply that of the game: a bot played at the end, the player never
    # appeared, the organiser has decided, or the game has no result.
    AWAY, NO_SHOW, DECLARED, VOID = "away", "no show", "declared", "void"

    at = models.ForeignKey(TournamentTable, models.CASCADE, related_name="seats")
    entrant = models.ForeignKey(TournamentPlayer, models.CASCADE, related_name="seats")
    seat = models.PositiveSmallIntegerField()
    rank = models.PositiveSmallIntegerField(default=0)  # 0: not decided yet
    vp = models.SmallIntegerField(default=0)
    why = models.CharField(max_length=10, blank=True, default="")

    class Meta:
        ordering = ("seat",)
        constraints = (models.UniqueConstraint(fields=["at", "seat"], name="one_place"),)

    def __str__(self) -> str:
        return f"{self.seat} of {self.at_id}"

    @property
    def is_away(self) -> bool:
        return self.why in (self.AWAY, self.NO_SHOW)
