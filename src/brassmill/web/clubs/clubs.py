"""Clubs: found them, join and leave them, and look after them.

A host does everything, a moderator what concerns members and messages. Only those below may be
moderated: nobody touches the host.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from django.db import transaction

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.chat.chat import without_controls, words_in
from brassmill.web.models import Account, Club, ClubBan, ClubMessage, Member, token
from brassmill.web.server import database
from brassmill.web.setup.visible import has_letter

MOST_FOUNDED = 5  # clubs that an account hosts
MOST_JOINED = 20  # clubs of an account
MOST_MEMBERS = 500
INVITED_FOR = (1, 7, 30)  # days for which an invitation may be valid
RANKS = {Member.MEMBER: 0, Member.MODERATOR: 1, Member.HOST: 2}
MUTE, UNMUTE, REMOVE, BAN = "mute", "unmute", "remove", "ban"
PROMOTE, DEMOTE, HAND_OVER = "promote", "demote", "hand over"
BY_MODERATORS = (MUTE, UNMUTE, REMOVE, BAN)
BY_HOST = (PROMOTE, DEMOTE, HAND_OVER)


def membership(club: Club, account: Account | None) -> Member | None:
    """An account's membership of a club."""
    return club.members.filter(account=account).first() if account else None


# --- founding, settings, closing -----------------------------------------------------------------


def found(account: Account, name: str, about: str, joining: str) -> Club:
    """Found a club; an error says why not."""
    club = Club()
    _describe(club, name, about, joining)
    with transaction.atomic():
        Account.objects.select_for_update().get(pk=account.pk)
        if account.memberships.filter(role=Member.HOST).count() >= MOST_FOUNDED:
            raise BrassError(_("You host {most} clubs already.").format(most=MOST_FOUNDED))
        _check_room(account)
        club.save(force_insert=True)
        Member.objects.create(club=club, account=account, role=Member.HOST)
    return club


def change(club: Club, name: str, about: str, joining: str) -> None:
    """Change the name of a club, its description, and who may join."""
    _describe(club, name, about, joining)
    club.save(update_fields=["name", "about", "joining"])


def _describe(club: Club, name: str, about: str, joining: str) -> None:
    name, about = without_controls(name), without_controls(about)
    if not has_letter(name) or len(name) > Club.LONGEST_NAME:
        words = _("Enter a name of at most {most} characters.")
        raise BrassError(words.format(most=Club.LONGEST_NAME))
    if len(about) > Club.LONGEST_ABOUT:
        raise BrassError(_("At most {most} characters.").format(most=Club.LONGEST_ABOUT))
    if joining not in dict(Club.JOINING):
        raise BrassError(_("Choose who may join."))
    club.name, club.about, club.joining = name, about, joining


def close(club: Club) -> None:
    """Close a club for good: running games go on for those who play them."""
    with _locked(club):
        _close(club)


def _close(club: Club) -> None:
    club.closed, club.invite, club.invite_until = database.now(), "", None
    club.save(update_fields=["closed", "invite", "invite_until"])
    club.members.all().delete()
    club.messages.all().delete()
    club.bans.all().delete()


# --- joining and leaving -------------------------------------------------------------------------


def renew_invitation(club: Club, days: int) -> None:
    """Make a new link; the old one stops working."""
    club.invite, club.invite_until = token(), database.now() + timedelta(days=days)
    club.save(update_fields=["invite", "invite_until"])


def revoke_invitation(club: Club) -> None:
    """Let the link stop working."""
    club.invite, club.invite_until = "", None
    club.save(update_fields=["invite", "invite_until"])


def invited_to(invite: str) -> Club | None:
    """The club that a link leads to, while it is valid."""
    if not (invite and invite.isprintable()):
        return None
    return Club.objects.filter(invite=invite, invite_until__gt=database.now(), closed=None).first()


def join(club: Club, account: Account) -> None:
    """Join a club; an error says why not. Whoever calls this knows that they are invited."""
    with _locked(club):
        if membership(club, account):
            return
        if club.bans.filter(account=account).exists():
            raise BrassError(_("You cannot join this club."))
        if club.members.count() >= MOST_MEMBERS:
            raise BrassError(_("This club is full."))
        _check_room(account)
        Member.objects.create(club=club, account=account)


def leave(club: Club, account: Account) -> None:
    """Leave a club. If the host leaves, another member becomes host; the last one closes it."""
    with _locked(club):
        own = membership(club, account)
        if own is None:
            return
        own.delete()
        if own.role != Member.HOST:
            return
        heirs = sorted(club.members.all(), key=lambda each: (-RANKS[each.role], each.pk))
        if heirs:
            Member.objects.filter(pk=heirs[0].pk).update(role=Member.HOST, muted=False)
        else:
            _close(club)


def _check_room(account: Account) -> None:
    if account.memberships.count() >= MOST_JOINED:
        raise BrassError(_("You are in {most} clubs already.").format(most=MOST_JOINED))


@contextmanager
def _locked(club: Club) -> Iterator[None]:
    """Change the members of a club, one after the other; a closed club changes no more."""
    with transaction.atomic():
        if Club.objects.select_for_update().get(pk=club.pk).closed:
            raise BrassError(_("This club is closed."))
        yield


# --- members -------------------------------------------------------------------------------------


def acts_on(own: Member, other: Member) -> tuple[str, ...]:
    """What a member may do about another one."""
    if own.role == Member.HOST and other.pk != own.pk:
        rank = DEMOTE if other.role == Member.MODERATOR else PROMOTE
        return (UNMUTE if other.muted else MUTE, REMOVE, BAN, rank, HAND_OVER)
    if RANKS[own.role] > RANKS[other.role]:
        return (UNMUTE if other.muted else MUTE, REMOVE, BAN)
    return ()


def act(own: Member, number: int, what: str) -> None:
    """Do something about another member; an error says why not."""
    club = own.club
    with _locked(club):
        now = club.members.filter(pk=own.pk).first()  # the role may have changed meanwhile
        other = club.members.filter(pk=number).first()
        if now is None or other is None or what not in acts_on(now, other):
            raise BrassError(_("You cannot do that."))
        if what in (MUTE, UNMUTE):
            other.muted = what == MUTE
            other.save(update_fields=["muted"])
        elif what in (PROMOTE, DEMOTE):
            other.role = Member.MODERATOR if what == PROMOTE else Member.MEMBER
            other.save(update_fields=["role"])
        elif what == HAND_OVER:
            Member.objects.filter(pk=own.pk).update(role=Member.MODERATOR)
            Member.objects.filter(pk=other.pk).update(role=Member.HOST, muted=False)
        else:
            if what == BAN:
                ClubBan.objects.create(club=club, account=other.account)
            other.delete()


def lift_ban(own: Member, number: int) -> None:
    """Let somebody join again who was banned."""
    if RANKS[own.role]:
        own.club.bans.filter(pk=number).delete()


# --- chat ----------------------------------------------------------------------------------------


def say(own: Member, text: str) -> None:
    """Write in the chat; an error says why not."""
    if own.muted:
        raise BrassError(_("A moderator has muted you in this club."))
    ClubMessage.objects.create(club=own.club, account=own.account, text=words_in(text))


def delete_message(own: Member, number: int) -> None:
    """Delete a message: one's own, or as a moderator anybody's."""
    messages = own.club.messages.filter(pk=number)
    if not RANKS[own.role]:
        messages = messages.filter(account=own.account)
    messages.delete()


# --- accounts ------------------------------------------------------------------------------------


def leave_all(account: Account) -> None:
    """Leave all clubs, before the account is deleted; its messages are deleted with it."""
    for own in account.memberships.select_related("club"):
        with suppress(BrassError):  # it has been closed meanwhile
            leave(own.club, account)


def export(account: Account) -> dict[str, Any]:
    """An account's clubs and messages there, as plain data."""
    return {
        "member": [
            {"name": own.club.name, "role": own.role}
            | {"since": own.since.isoformat(timespec="seconds")}
            for own in account.memberships.select_related("club")
        ],
        "messages": [
            {"club": one.club.name, "text": one.text, "at": one.at.isoformat(timespec="seconds")}
            for one in account.club_messages.select_related("club")
        ],
    }
