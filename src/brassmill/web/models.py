"""The database: tables with their seats, logs and chat; e-mails; accounts."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone

KEY = 32  # characters of a visitor's key


def token() -> str:
    """An unguessable identifier."""
    return secrets.token_urlsafe(9)


def key() -> str:
    """A visitor's key: it grants everything the visitor has."""
    return secrets.token_urlsafe(KEY)[:KEY]


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
    overheard = models.BooleanField(default=True)  # spectators can read the chat
    muted = models.BooleanField(default=False)  # the chat is closed
    hints = models.BooleanField(default=False)  # allowed between people (`setup/fair_play.py`)
    over = models.BooleanField(default=False)
    # Actions taken over from another game: such a game counts in no statistics.
    begun_at = models.PositiveSmallIntegerField(default=0)
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
    first_check = models.CharField(max_length=16, blank=True, default="")  # of the first position
    bot_key = models.CharField(max_length=32, blank=True, default="")  # 128 bits for its bots
    # Once the game is over. Players are named by seat (`table/archive.py`).
    record = models.TextField(blank=True, default="")
    outcome = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"of {self.table_id}"


class DailyDeal(models.Model):
    """The deal of a day: the same cards and the same bots for everyone on this server."""

    day = models.DateField(primary_key=True)  # UTC
    edition = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField()
    deal = models.JSONField()  # by names (`Deal.to_dict`); secret until the day is over
    bot = models.CharField(max_length=200)  # the spec of all bots
    bot_key = models.CharField(max_length=32)  # 128 bits for them, as in an `Archive`
    bot_names = models.JSONField()  # as many as players, in case one is the person's own name

    def __str__(self) -> str:
        return f"{self.day}"  # not the deal


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
    bank = models.DurationField(null=True)  # time left, with a clock for the whole game
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


class Message(models.Model):
    """A chat message."""

    LONGEST = 500  # characters

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    seat = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=20)  # the author's, at that time
    text = models.CharField(max_length=LONGEST)
    author = models.CharField(max_length=KEY, blank=True, default="", db_index=True)  # their key
    at = models.DateTimeField(default=timezone.now)
    hidden = models.BooleanField(default=False)  # from everyone, by the operator

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class Report(models.Model):
    """A visitor's complaint about a message, for the operator."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="reports")
    visitor = models.CharField(max_length=KEY)  # key of the reporting visitor
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["message", "visitor"], name="one_report"),)

    def __str__(self) -> str:
        return f"about {self.message}"


class Block(models.Model):
    """A visitor or network address barred from starting or joining games and from the chat."""

    visitor = models.CharField(max_length=KEY, blank=True, db_index=True)
    address = models.CharField(max_length=64, blank=True, db_index=True)  # its hash
    name = models.CharField(max_length=60)  # for the operator
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at",)

    def __str__(self) -> str:
        return self.name


class Attempt(models.Model):
    """A player's only attempt at the deal of a day; it stays when its table is deleted."""

    day = models.DateField()
    visitor = models.CharField(max_length=KEY, db_index=True)  # the player's key
    table = models.OneToOneField(Table, models.SET_NULL, null=True, related_name="attempt")
    began = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["day", "visitor"], name="one_attempt"),)

    def __str__(self) -> str:
        return f"at {self.day}, {self.table_id}"


class PendingNotification(models.Model):
    """A notification for the server from another process that changed its SQLite file."""

    word = models.CharField(max_length=8)
    table_id = models.CharField(max_length=12)

    def __str__(self) -> str:
        return f"{self.word} {self.table_id}"


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


# --- puzzles -------------------------------------------------------------------------------------


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


# --- analyses ------------------------------------------------------------------------------------


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
    """A visitor's analysis board: other moves from a moment of an analysed game."""

    analysis = models.ForeignKey(GameAnalysis, models.CASCADE, related_name="boards")
    visitor = models.CharField(max_length=KEY, db_index=True)  # their key
    start = models.PositiveSmallIntegerField()  # the action after which it begins
    clicks = models.JSONField(default=list)  # since then, as in a log
    # What was tried: the action it begins after, and the actions as in a record.
    variations = models.JSONField(default=list)
    touched = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["analysis", "visitor"], name="one_board"),)

    def __str__(self) -> str:
        return f"of {self.analysis_id}"


# --- accounts ------------------------------------------------------------------------------------


class Account(models.Model):
    """What an account has besides Django's user, which has the password.

    The key is read from here, never from a cookie, so it works only while signed in.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE)
    name = models.CharField(max_length=150)  # as typed; Django's user has it in lower case
    key = models.CharField(max_length=KEY, unique=True, default=key)  # the visitor's

    def __str__(self) -> str:
        return self.name


class SignIn(models.Model):
    """A signed-in browser; its cookie is valid while this row exists."""

    id = models.CharField(primary_key=True, max_length=43, default=secrets.token_urlsafe)
    account = models.ForeignKey(Account, models.CASCADE, related_name="sign_ins")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.account}, {self.at}"


class KnownNetwork(models.Model):
    """A network from which an account has signed in."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="networks")
    network = models.CharField(max_length=64)  # its hash
    at = models.DateTimeField(default=timezone.now)  # the last time

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=["account", "network"], name="one_known_network"),
        )

    def __str__(self) -> str:
        return f"{self.account}, {self.at}"


# --- e-mails -------------------------------------------------------------------------------------


class Contact(models.Model):
    """A visitor's e-mail address and vacation.

    If the address may reset the password of an account, Django's user has it, too.
    """

    visitor = models.CharField(max_length=KEY, unique=True)  # their key
    address = models.EmailField(blank=True, default="")
    confirmed = models.BooleanField(default=False)  # by a link mailed to it
    wants_mail = models.BooleanField(default=True)  # about their games
    language = models.CharField(max_length=2, default="en")
    away_until = models.DateTimeField(null=True)  # on vacation
    away_year = models.PositiveSmallIntegerField(default=0)  # in which days were last taken
    away_days = models.PositiveSmallIntegerField(default=0)  # taken in that year

    def __str__(self) -> str:
        return self.address


class Refusal(models.Model):
    """An address that has opted out of all e-mails."""

    address = models.EmailField(unique=True)

    def __str__(self) -> str:
        return self.address


class Mail(models.Model):
    """An e-mail to send, or recently sent."""

    address = models.EmailField(db_index=True)
    kind = models.CharField(max_length=12)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    language = models.CharField(max_length=2)
    stop = models.TextField(blank=True, default="")  # the unsubscribe link
    # The seat it invites to, while the link is valid.
    seat = models.ForeignKey(Seat, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    next_at = models.DateTimeField(null=True, default=timezone.now)  # None: sent or abandoned
    attempts = models.PositiveSmallIntegerField(default=0)
    sent = models.DateTimeField(null=True)

    class Meta:
        indexes = (
            models.Index(
                fields=["next_at"], condition=models.Q(next_at__isnull=False), name="mails_to_send"
            ),
        )

    def __str__(self) -> str:
        return self.subject


class Pulse(models.Model):
    """The last heartbeat of any process."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.at.isoformat()
