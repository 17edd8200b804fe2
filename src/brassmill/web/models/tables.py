"""Tables: the setup of a game, its seats and its log."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from brassmill.web.models.base import KEY, token
from brassmill.web.models.clubs import Club


class Table(models.Model):
    """The setup of a game, and its current state for queries; the moves are in its log."""

    COVERED, OPEN = "covered", "open"
    HANDS = ((COVERED, COVERED), (OPEN, OPEN))
    AT_ONCE, LATER, NEVER = "at once", "later", "never"
    NOTICES = ((AT_ONCE, AT_ONCE), (LATER, LATER), (NEVER, NEVER))

    id = models.CharField(primary_key=True, max_length=12, default=token)
    edition = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)  # only those that are not the default
    # A chosen seed: 64 bits in decimal, too big for an integer column. Empty: random.
    seed = models.CharField(max_length=20, blank=True, default="")
    secret = models.BooleanField(default=True)  # the deal stays hidden until the game is over
    day = models.DateField(null=True)  # whose deal it has (`setup/deal_of_the_day.py`)
    # The stamps of the rules (`core/stamp.py`) that its log fits (`rules`) and does not (`misfit`).
    rules = models.CharField(max_length=40, blank=True, default="")  # empty: never checked
    misfit = models.CharField(max_length=40, blank=True, default="", db_index=True)
    hands = models.CharField(max_length=8, choices=HANDS, default=COVERED)
    pace = models.PositiveSmallIntegerField(default=1200)  # milliseconds per action of a bot
    began = models.DateTimeField(default=timezone.now)
    touched = models.DateTimeField(default=timezone.now, db_index=True)
    host = models.CharField(max_length=KEY, db_index=True)  # the host's key
    gathering = models.BooleanField(default=False)  # in the waiting room: seats are open
    listed = models.BooleanField(default=False)  # in the lobby; otherwise by link only
    standby = models.CharField(max_length=200, default="apprentice")  # bot for absent players
    tournament = models.CharField(max_length=12, blank=True, default="")  # its id
    # Tables of a tournament play the same deal, and the last of them is not over: its players alone
    # see the game, and once it is over nobody does (`setup/secrecy.py`).
    held = models.BooleanField(default=False)
    overheard = models.BooleanField(default=True)  # spectators can read the chat
    muted = models.BooleanField(default=False)  # the chat is closed
    hints = models.BooleanField(default=False)  # allowed between people (`setup/fair_play.py`)
    rated = models.BooleanField(default=False)  # moves ratings; otherwise casual
    programs = models.BooleanField(default=False)  # may take its open seats
    over = models.BooleanField(default=False)
    archived = models.BooleanField(default=False)  # the archive has looked at how it ended
    # Actions taken over from another game, or 1 for a position: it counts in no statistics.
    begun_at = models.PositiveSmallIntegerField(default=0)
    club = models.ForeignKey(Club, models.PROTECT, null=True, related_name="tables")  # its members'
    # The table of its rematch, once it is over (`setup/rematch.py`).
    sequel = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")
    # Public progress for lists (`TableSession.summary`). A finished game has the `result`:
    # seat, rank and VP of each player, best first; `agreed` if the players ended it early.
    # `conceded` has the seats whose players have conceded.
    summary = models.JSONField(default=dict)
    # What players ask each other (`table/agreements.py`): what, who asks, and who has agreed.
    requests = models.JSONField(default=list)
    # Turns planned ahead (`table/planning.py`), by seat: private to the player who planned them.
    plans = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=0)  # of its rows (`sessions.changed`)
    bot_to_move = models.BooleanField(default=False)
    leased_by = models.CharField(max_length=16, blank=True, default="")  # process playing its bots
    leased_until = models.DateTimeField(null=True)  # by the database clock
    site = models.CharField(max_length=200, blank=True, default="")  # origin of links in e-mails
    clock = models.CharField(max_length=12, blank=True, default="")  # a name in `CLOCKS`
    notice = models.CharField(max_length=8, choices=NOTICES, default=LATER)  # of turn e-mails
    # The player the table is waiting for, and their deadlines, by the database clock.
    awaited = models.PositiveSmallIntegerField(null=True)  # a seat; None: nobody, or a bot
    asked = models.DateTimeField(null=True)  # since when
    due = models.DateTimeField(null=True)  # when their time is up
    tell_at = models.DateTimeField(null=True)  # when to e-mail them that it is their turn
    warn_at = models.DateTimeField(null=True)  # when to e-mail them that time is running out

    class Meta:
        indexes = (
            models.Index(
                fields=["touched"], condition=models.Q(bot_to_move=True), name="bots_to_move"
            ),
            models.Index(
                fields=["touched"],
                condition=models.Q(over=True, listed=True, archived=False),
                name="games_to_archive",
            ),
            models.Index(fields=["due"], condition=models.Q(due__isnull=False), name="times_due"),
            models.Index(
                fields=["tell_at"], condition=models.Q(tell_at__isnull=False), name="turns_to_tell"
            ),
            models.Index(
                fields=["warn_at"], condition=models.Q(warn_at__isnull=False), name="times_to_warn"
            ),
        )

    def __str__(self) -> str:
        return f"{self.edition}, {self.players} players, {self.id}"


class Archive(models.Model):
    """What is stored of a game besides its log: the deal, and the record once it is over.

    It is a table of its own so that lists and pages do not load it.
    """

    table = models.OneToOneField(Table, models.CASCADE, primary_key=True, related_name="archive")
    deal = models.JSONField(null=True)  # by names (`Deal.to_dict`); None: still only a seed
    position = models.TextField(blank=True, default="")  # where it begins, if not with its deal
    first_check = models.CharField(max_length=16, blank=True, default="")  # of the first position
    bot_key = models.CharField(max_length=32, blank=True, default="")  # 128 bits for its bots
    # Once the game is over. Players are named by seat (`table/archive.py`).
    record = models.TextField(blank=True, default="")
    outcome = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"of {self.table_id}"


class Seat(models.Model):
    """A seat at a table, and its player."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=20, blank=True)  # empty: the seat is open
    bot = models.CharField(max_length=200, blank=True)  # its spec; empty: a person
    first_bot = models.CharField(max_length=200, blank=True, default="")  # at the start of the game
    holder = models.CharField(max_length=KEY, blank=True, db_index=True)  # the player's key
    invite = models.CharField(max_length=12, blank=True, default="")  # in its invitation link
    handover = models.CharField(max_length=12, blank=True, default="")  # in the link that moves it
    former = models.CharField(max_length=KEY, blank=True, default="")  # its key before it moved
    offered = models.BooleanField(default=False)  # to another player, during the game
    program = models.BooleanField(default=False)  # it is, or was, played by a program's account
    bank = models.DurationField(null=True)  # time left, with a clock for the whole game
    # Who is rated for it, if their account was deleted during a rated game.
    rated_as = models.ForeignKey("RatedPlayer", models.SET_NULL, null=True, related_name="+")
    seen = models.DateTimeField(null=True)  # when the player was last noted to have the page open

    class Meta:
        ordering = ("number",)
        constraints = (models.UniqueConstraint(fields=["table", "number"], name="one_seat"),)

    def __str__(self) -> str:
        return self.name

    @property
    def is_bot(self) -> bool:
        return bool(self.bot)

    @property
    def is_open(self) -> bool:
        """Is it waiting for a player?"""
        return not self.name

    @property
    def is_for_guest(self) -> bool:
        """Is it for a player with a screen of their own?"""
        return bool(self.invite)

    @property
    def is_stood_in(self) -> bool:
        """Is a bot playing for someone who may come back?"""
        return self.is_bot and bool(self.holder)

    @property
    def is_left(self) -> bool:
        """Has its player left for good?"""
        return not (self.is_open or self.first_bot or self.holder or self.offered)


class Entry(models.Model):
    """A log entry: `{"choose": words}`, `{"end": true}` or `{"back": moves}`.

    Choices are stored in the words of `notation/stored.py`. The end of a turn has a `"check"`, the
    digest of the position after it, which never leaves the server, and the actions `"done"` since
    the last one: seats and actions, as in a record.

    Other entries change who plays a seat (`{"seat": number, "bot": spec}`, with an optional
    `"why"`), end the game by agreement (`{"agree": seats}`), take back the turn of a player
    (`{"rewind": entries, "by": seat}`) or repair it: `{"rewind": entries}`, `{"void": true}`.
    With a clock for the whole game, `"banks"` holds each seat's remaining seconds after the entry.
    With a clock for each turn, the end of a turn has the seconds `"left"` of its time.

    The unique number is the lock: of two moves from the same state, only one succeeds.
    """

    # Why a seat changes hands: its player ran out of time, left, was replaced by the others after
    # a long absence, conceded, or was replaced by the operator, who offers the seat to another.
    TIME, LEFT, ASKED, OFFERED = "time", "left", "asked", "offered"
    CONCEDED = "conceded"

    table = models.ForeignKey(Table, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()  # from 1
    body = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        verbose_name_plural = "entries"
        constraints = (models.UniqueConstraint(fields=["table", "number"], name="one_entry"),)

    def __str__(self) -> str:
        return f"{self.number} of {self.table_id}"  # not the body, which may be secret
