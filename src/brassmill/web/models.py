"""What is kept: tables, who sits there, their logs, what is said and mailed, who has an account."""

from __future__ import annotations

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone

KEY = 32  # letters of a visitor's key


def token() -> str:
    """A name that nobody can guess."""
    return secrets.token_urlsafe(9)


def key() -> str:
    """A visitor's key: whoever has it holds what the visitor holds."""
    return secrets.token_urlsafe(KEY)[:KEY]


class Table(models.Model):
    """How a game began; its log says the rest."""

    COVERED, OPEN = "covered", "open"
    HANDS = ((COVERED, COVERED), (OPEN, OPEN))
    AT_ONCE, LATER, NEVER = "at once", "later", "never"
    NOTICES = ((AT_ONCE, AT_ONCE), (LATER, LATER), (NEVER, NEVER))

    id = models.CharField(primary_key=True, max_length=12, default=token)
    edition = models.CharField(max_length=20)
    players = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)  # those that are not the usual ones
    # A chosen seed: 64 bits in decimal, more than a database holds. Nothing: by chance.
    seed = models.CharField(max_length=20, blank=True, default="")
    secret = models.BooleanField(default=True)  # is the deal, until the game is over
    # The stamps of the rules (`core/stamp.py`) that its log was found to fit, and not to fit.
    rules = models.CharField(max_length=40, blank=True, default="")  # nothing: never compared
    misfit = models.CharField(max_length=40, blank=True, default="", db_index=True)
    hands = models.CharField(max_length=8, choices=HANDS, default=COVERED)
    pace = models.PositiveSmallIntegerField(default=1200)  # milliseconds for an action of a bot
    began = models.DateTimeField(default=timezone.now)
    touched = models.DateTimeField(default=timezone.now, db_index=True)
    host = models.CharField(max_length=KEY, db_index=True)  # the key of who set it up
    gathering = models.BooleanField(default=False)  # seats are open: nothing can be played yet
    listed = models.BooleanField(default=False)  # in the lobby; else only who has the address comes
    standby = models.CharField(max_length=200, default="apprentice")  # the bot for missing people
    overheard = models.BooleanField(default=True)  # who watches reads what is said
    muted = models.BooleanField(default=False)  # nobody says anything more
    over = models.BooleanField(default=False)
    # Where its players play again, when it is over (`rematch`).
    sequel = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")
    # How far it is, for lists (`TableSession.summary`); public.
    summary = models.JSONField(default=dict)
    revision = models.PositiveIntegerField(default=0)  # of its rows (`sessions.changed`)
    bot_to_move = models.BooleanField(default=False)
    leased_by = models.CharField(max_length=16, blank=True, default="")  # who plays its bots
    leased_until = models.DateTimeField(null=True)  # by the clock of the database
    site = models.CharField(max_length=200, blank=True, default="")  # its address, for mails
    clock = models.CharField(max_length=12, blank=True, default="")  # by name (`clock.CLOCKS`)
    notice = models.CharField(max_length=8, choices=NOTICES, default=LATER)  # of turns, by mail
    # The person who is waited for, and what is due if nothing happens; by the database's clock.
    awaited = models.PositiveSmallIntegerField(null=True)  # a seat; None: nobody, or a bot
    asked = models.DateTimeField(null=True)  # since when
    due = models.DateTimeField(null=True)  # when the time is over
    tell_at = models.DateTimeField(null=True)  # when to mail that it is the turn
    warn_at = models.DateTimeField(null=True)  # when to mail that the time runs out

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
    """What is kept of a game beside its log: how it was dealt, and the whole of it when it is over.

    Only the server reads it: lists and pages ask for a table without it.
    """

    table = models.OneToOneField(Table, models.CASCADE, primary_key=True, related_name="archive")
    deal = models.JSONField(null=True)  # by names (`Deal.to_dict`); None: not yet made from a seed
    first_check = models.CharField(max_length=16, blank=True, default="")  # of the first position
    bot_key = models.CharField(max_length=32, blank=True, default="")  # 128 bits for its bots
    # When it is over. Players are named by their seats (`table/archive.py`).
    record = models.TextField(blank=True, default="")
    outcome = models.JSONField(null=True)

    def __str__(self) -> str:
        return f"of {self.table_id}"


class Seat(models.Model):
    """Who sits where."""

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=12, blank=True)  # nothing: the seat is open
    bot = models.CharField(max_length=200, blank=True)  # its spec; nothing: a person
    first_bot = models.CharField(max_length=200, blank=True, default="")  # when the game began
    holder = models.CharField(max_length=KEY, blank=True, db_index=True)  # key of the person
    invite = models.CharField(max_length=12, blank=True, default="")  # in the link to it
    handover = models.CharField(max_length=12, blank=True, default="")  # in the link that moves it
    former = models.CharField(max_length=KEY, blank=True, default="")  # who held it before it moved
    offered = models.BooleanField(default=False)  # to somebody else, though the game has begun
    bank = models.DurationField(null=True)  # time that is left, where it is for the whole game
    seen = models.DateTimeField(null=True)  # when its person last had the page open, if it mattered

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
        """Is somebody still to come?"""
        return not self.name

    @property
    def is_for_guest(self) -> bool:
        """Was it offered to somebody with a screen of his own?"""
        return bool(self.invite)

    @property
    def is_stood_in(self) -> bool:
        """Does a bot play for a person, who may come back?"""
        return self.is_bot and bool(self.holder)

    @property
    def is_left(self) -> bool:
        """Has its person gone for good?"""
        return not (self.is_open or self.first_bot or self.holder or self.offered)


class Entry(models.Model):
    """A line of a log: `{"choose": words}`, `{"end": true}` or `{"back": calls}`.

    Choices are stored in the words of `notation/stored.py`. The end of a turn has a `"check"`, the
    digest of the position after it, which never leaves the server, and says what was `"done"` since
    the last one: seats and actions, as in a record.

    Or who plays from now on (`{"seat": number, "bot": spec}`, perhaps with a `"why"`), or a repair:
    `{"rewind": entries}`, `{"void": true}`. Where everybody has so much time for the whole game,
    `"banks"` says what each seat has left after it, in seconds.

    That a number is there only once is the lock: of two who want to go on from the same point, one
    does.
    """

    # Why another plays a seat: its person has no time left, wanted it, is missed by the others who
    # have asked for it, or is to be followed by somebody else.
    TIME, LEFT, ASKED, OFFERED = "time", "left", "asked", "offered"

    table = models.ForeignKey(Table, models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField()  # from 1
    body = models.JSONField()
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("number",)
        verbose_name_plural = "entries"
        constraints = (models.UniqueConstraint(fields=["table", "number"], name="one_entry"),)

    def __str__(self) -> str:
        return f"{self.number} of {self.table_id}"  # what it says may be hidden yet


class Message(models.Model):
    """Something that was said at a table."""

    LONGEST = 500  # letters

    table = models.ForeignKey(Table, models.CASCADE, related_name="messages")
    seat = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=12)  # of who sat there then
    text = models.CharField(max_length=LONGEST)
    author = models.CharField(max_length=KEY, blank=True, default="", db_index=True)  # his key
    at = models.DateTimeField(default=timezone.now)
    hidden = models.BooleanField(default=False)  # from everybody, by who runs the server

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.text}"


class Report(models.Model):
    """Somebody thinks that a message should not be there; it is kept for who runs the server."""

    message = models.ForeignKey(Message, models.CASCADE, related_name="reports")
    visitor = models.CharField(max_length=KEY)  # the key of who said so
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["message", "visitor"], name="one_report"),)

    def __str__(self) -> str:
        return f"about {self.message}"


class Block(models.Model):
    """Somebody who may not begin or join games, nor say anything: a visitor, or an address."""

    visitor = models.CharField(max_length=KEY, blank=True, db_index=True)
    address = models.CharField(max_length=64, blank=True, db_index=True)  # its hash
    name = models.CharField(max_length=60)  # by which who runs the server knows them
    reason = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-at",)

    def __str__(self) -> str:
        return self.name


class PendingNotification(models.Model):
    """A word for the server, where the database is a file and another process changes it."""

    word = models.CharField(max_length=8)
    table_id = models.CharField(max_length=12)

    def __str__(self) -> str:
        return f"{self.word} {self.table_id}"


class Upload(models.Model):
    """A record that somebody wants to look at."""

    id = models.CharField(primary_key=True, max_length=12, default=token)
    visitor = models.CharField(max_length=KEY, db_index=True)  # the key of who brought it
    name = models.CharField(max_length=100)
    text = models.TextField()
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.name


# --- accounts ------------------------------------------------------------------------------------


class Account(models.Model):
    """What a person with an account has beside Django's user, who has the password.

    The key is read from here and never from a cookie: it is good only for who is signed in.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE)
    name = models.CharField(max_length=150)  # as it was typed; the user's is without capitals
    key = models.CharField(max_length=KEY, unique=True, default=key)  # of the visitor

    def __str__(self) -> str:
        return self.name


class SignIn(models.Model):
    """A browser in which somebody is signed in; its cookie is good for as long as this is here."""

    id = models.CharField(primary_key=True, max_length=43, default=secrets.token_urlsafe)
    account = models.ForeignKey(Account, models.CASCADE, related_name="sign_ins")
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.account}, {self.at}"


# --- mails ---------------------------------------------------------------------------------------


class Contact(models.Model):
    """How somebody is told what happens while he is not here, and when he is away."""

    visitor = models.CharField(max_length=KEY, unique=True)  # the key of who it is
    address = models.EmailField(blank=True, default="")
    confirmed = models.BooleanField(default=False)  # by who reads that address
    language = models.CharField(max_length=2, default="en")
    away_until = models.DateTimeField(null=True)  # on vacation
    away_year = models.PositiveSmallIntegerField(default=0)  # in which days were taken last
    away_days = models.PositiveSmallIntegerField(default=0)  # how many in that year

    def __str__(self) -> str:
        return self.address


class Refusal(models.Model):
    """An address that wants no mails from here."""

    address = models.EmailField(unique=True)

    def __str__(self) -> str:
        return self.address


class Mail(models.Model):
    """A mail that is to be sent, or was sent of late."""

    address = models.EmailField(db_index=True)
    kind = models.CharField(max_length=12)
    subject = models.CharField(max_length=200)
    text = models.TextField()
    language = models.CharField(max_length=2)
    stop = models.TextField(blank=True, default="")  # the link to get no more
    # The seat that it invites to, for as long as its link is good.
    seat = models.ForeignKey(Seat, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now)
    next_at = models.DateTimeField(null=True, default=timezone.now)  # None: sent, or given up
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
    """When any process was last alive."""

    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.at.isoformat()
