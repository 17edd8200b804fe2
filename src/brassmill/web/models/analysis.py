"""Uploaded records, and analyses of finished games."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.base import KEY, token
from brassmill.web.models.tables import Table


class Upload(models.Model):
    """An uploaded record."""

    id = models.CharField(primary_key=True, max_length=12, default=token)
    visitor = models.CharField(max_length=KEY, db_index=True)  # the uploader's key
    name = models.CharField(max_length=100)
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now, db_index=True)
    size = models.PositiveIntegerField(default=0)  # bytes
    network = models.CharField(max_length=64, blank=True, default="")  # its hash

    class Meta:
        indexes = (models.Index(fields=["network", "size"], name="upload_room"),)

    def __str__(self) -> str:
        return self.name


class GameAnalysis(models.Model):
    """The analysis of a finished game: of a table, or of a game in an uploaded record.

    Until it is done it is a job in a queue, the oldest first. A visitor has one there at a time.
    """

    id = models.CharField(primary_key=True, max_length=12, default=token)
    table = models.OneToOneField(Table, models.CASCADE, null=True, related_name="analysis")
    upload = models.ForeignKey(Upload, models.CASCADE, null=True, related_name="analyses")
    game = models.PositiveSmallIntegerField(default=1)  # in the upload, from 1
    digest = models.CharField(max_length=64)  # of the record, whose game is not played on
    visitor = models.CharField(max_length=KEY, blank=True, db_index=True)  # who asked: their key
    at = models.DateTimeField(default=timezone.now)
    actions = models.PositiveSmallIntegerField()  # to analyse
    done = models.PositiveSmallIntegerField(default=0)  # of them: as many as it has judgements
    waits = models.BooleanField(default=True)  # in the queue: neither finished nor failed
    leased_by = models.CharField(max_length=16, blank=True, default="")  # process working on it
    leased_until = models.DateTimeField(null=True)  # by the database clock

    class Meta:
        verbose_name_plural = "analyses"
        indexes = (
            models.Index(fields=["at"], condition=models.Q(waits=True), name="analyses_to_do"),
        )
        constraints = (
            models.UniqueConstraint(fields=["upload", "game"], name="one_analysis"),
            models.UniqueConstraint(
                fields=["visitor"], condition=models.Q(waits=True), name="one_waiting_analysis"
            ),
        )

    def __str__(self) -> str:
        return f"of {self.table_id or self.upload_id}"

    @property
    def is_done(self) -> bool:
        return self.done == self.actions

    @property
    def has_failed(self) -> bool:
        return not (self.waits or self.is_done)


class Judgement(models.Model):
    """The analysis of one action: what was played, and what would have been better.

    The body is described in `analysis/stored.py`.
    """

    analysis = models.ForeignKey(GameAnalysis, models.CASCADE, related_name="judgements")
    number = models.PositiveSmallIntegerField()  # of the action in the record, from 1
    body = models.JSONField()

    class Meta:
        ordering = ("number",)
        constraints = (
            models.UniqueConstraint(fields=["analysis", "number"], name="one_judgement"),
        )

    def __str__(self) -> str:
        return f"{self.number} of {self.analysis_id}"


class AnalysisBoard(models.Model):
    """A visitor's analysis board: other moves from a moment of an analysed game, or of a record."""

    analysis = models.ForeignKey(GameAnalysis, models.CASCADE, null=True, related_name="boards")
    upload = models.ForeignKey(Upload, models.CASCADE, null=True, related_name="boards")
    game = models.PositiveSmallIntegerField(default=1)  # in the upload, from 1
    visitor = models.CharField(max_length=KEY, db_index=True)  # their key
    start = models.PositiveSmallIntegerField()  # the action after which it begins
    clicks = models.JSONField(default=list)  # since then, as in a log
    # What was tried: the action it begins after, and the actions as in a record.
    variations = models.JSONField(default=list)
    # What was said: the action and the variation it is said after, and the text.
    comments = models.JSONField(default=list)
    touched = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["analysis", "visitor"], name="one_board"),
            models.UniqueConstraint(fields=["upload", "game", "visitor"], name="one_record_board"),
        )

    def __str__(self) -> str:
        return f"of {self.analysis_id or self.upload_id}"
