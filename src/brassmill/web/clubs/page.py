"""A club as one of its members sees it, and the lists of clubs."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple

from django.db.models import Count
from django.utils import timezone

from brassmill.language import gettext as _
from brassmill.web.clubs import clubs
from brassmill.web.lobby.lobby import LobbyTable, offered
from brassmill.web.models import Account, Club, ClubMessage, Ladder, LadderRating, Member, Table
from brassmill.web.page.time_words import ago
from brassmill.web.ratings import boards
from brassmill.web.ratings.boards import Leaderboard
from brassmill.web.server import database

SHOWN = 100  # messages, the last ones
LISTED = 50  # clubs, and tables of a kind
RECENT = timedelta(days=30)  # since the last activity at a table


class ListedClub(NamedTuple):
    """A club in a list."""

    id: str
    name: str
    about: str
    joining: str
    members: int
    role: str  # the visitor's; empty: they are no member


class SeenMember(NamedTuple):
    """A member, and what the visitor may do about them."""

    number: int
    name: str
    role: str
    muted: bool
    is_you: bool
    is_program: bool
    acts: tuple[str, ...]


class SeenMessage(NamedTuple):
    """A message in the chat of a club."""

    number: int
    name: str
    text: str
    at: str
    ago: str
    is_yours: bool
    can_delete: bool


@dataclass(frozen=True)
class ClubPage:
    """A club; a visitor who is no member sees its name, its description and how many there are."""

    id: str
    name: str
    about: str
    joining: str
    count: int  # members
    role: str = ""
    muted: bool = False
    members: list[SeenMember] = field(default_factory=list)
    waiting: list[LobbyTable] = field(default_factory=list)
    running: list[LobbyTable] = field(default_factory=list)
    finished: list[LobbyTable] = field(default_factory=list)
    messages: list[SeenMessage] = field(default_factory=list)
    bans: list[tuple[int, str]] = field(default_factory=list)  # only for moderators

    @property
    def can_moderate(self) -> bool:
        return self.role in (Member.HOST, Member.MODERATOR)

    @property
    def is_host(self) -> bool:
        return self.role == Member.HOST

    def as_dict(self) -> dict[str, Any]:
        """Plain data for JSON."""
        data = asdict(self)
        for name in ("members", "messages"):
            data[name] = [row._asdict() for row in getattr(self, name)]
        for name in ("waiting", "running", "finished"):
            data[name] = [each.as_dict() for each in getattr(self, name)]
        return data


def own_clubs(account: Account | None) -> list[ListedClub]:
    """The clubs of an account."""
    if account is None:
        return []
    found = account.memberships.select_related("club").order_by("club__name", "pk")
    return [_listed(own.club, own.club.members.count(), own.role) for own in found]


def open_clubs(account: Account | None) -> list[ListedClub]:
    """The clubs that anyone may join, largest first."""
    found = Club.objects.filter(joining=Club.OPEN, closed=None)
    if account:
        found = found.exclude(members__account=account)
    found = found.annotate(count=Count("members")).order_by("-count", "name", "pk")
    return [_listed(club, club.count, "") for club in found[:LISTED]]


def _listed(club: Club, members: int, role: str) -> ListedClub:
    return ListedClub(club.pk, club.name, club.about, club.joining, members, role)


def club_page(club: Club, own: Member | None) -> ClubPage:
    """A club as a visitor sees it."""
    known = (club.pk, club.name, club.about, club.joining, club.members.count())
    if own is None:
        return ClubPage(*known)
    rows = list(club.members.select_related("account"))
    rows.sort(key=lambda each: (-clubs.RANKS[each.role], each.account.name.casefold()))
    members = [
        SeenMember(
            each.pk,
            each.account.name,
            each.role,
            each.muted,
            each.pk == own.pk,
            each.account.program,
            clubs.acts_on(own, each),
        )
        for each in rows
    ]
    key, now = own.account.key, database.now()
    tables = Table.objects.filter(club=club).order_by("-touched")
    tables = tables.prefetch_related("seats", "sequel__seats")
    finished = tables.filter(over=True)[:LISTED]
    going = tables.filter(over=False, touched__gt=now - RECENT)
    can_moderate = own.role != Member.MEMBER
    bans = club.bans.select_related("account").order_by("pk") if can_moderate else ()
    return ClubPage(
        *known,
        own.role,
        own.muted,
        members,
        offered(going.filter(gathering=True)[:LISTED], key, now),
        offered(going.filter(gathering=False)[:LISTED], key, now),
        offered(finished, key, now),
        messages_of(club, own),
        [(ban.pk, ban.account.name) for ban in bans],
    )


def chat_page(own: Member) -> ClubPage:
    """The chat of a club alone: open pages ask for it again and again."""
    club = own.club
    known = (club.pk, club.name, club.about, club.joining, 0, own.role, own.muted)
    return ClubPage(*known, messages=messages_of(club, own))


def messages_of(club: Club, own: Member) -> list[SeenMessage]:
    """The last messages of a club, as a member sees them."""
    newest = ClubMessage.objects.filter(club=club).select_related("account").order_by("-pk")[:SHOWN]
    now = timezone.now()
    return [
        SeenMessage(
            one.pk,
            one.account.name,
            one.text,
            one.at.isoformat(timespec="seconds"),
            ago(one.at, now),
            one.account_id == own.account_id,
            one.account_id == own.account_id or own.role != Member.MEMBER,
        )
        for one in reversed(newest)
    ]


# --- standings -----------------------------------------------------------------------------------


def ladders_of(club: Club) -> list[str]:
    """The ladders on which members have a rating, those with most of them first."""
    members = LadderRating.objects.filter(player__account__memberships__club=club)
    active = members.filter(last__gte=database.now() - boards.AWAY)
    rows = active.values("ladder").annotate(count=Count("pk")).order_by("-count", "ladder")
    return [row["ladder"] for row in rows]


def standings(club: Club, account: Account, wanted: str) -> tuple[list[str], Leaderboard | None]:
    """The ladders of a club, and the standings of its members on one of them."""
    known = ladders_of(club)
    if not known:
        return [], None
    ladder = Ladder.objects.get(pk=wanted if wanted in known else known[0])
    name = boards.LadderName(ladder.kind, ladder.edition, ladder.players)
    members = LadderRating.objects.filter(player__account__memberships__club=club)
    return known, boards.board_among(name, members, account.pk, database.now())


def ladder_title(ladder_id: str) -> str:
    """A ladder in words."""
    kind, edition, players = ladder_id.split("-")
    name = boards.LadderName(kind, edition, int(players))
    words = _("{title}, {players} players, {kind}")
    kind_words = boards.ladder_words(kind)
    return words.format(title=name.title, players=name.players, kind=kind_words)
