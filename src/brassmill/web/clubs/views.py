"""The pages of clubs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.language import gettext as _
from brassmill.web.chat.views import TOO_OFTEN
from brassmill.web.clubs import clubs
from brassmill.web.clubs import page as pages
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.auth import account_of
from brassmill.web.models import Account, Club, Member
from brassmill.web.page.game_list import EDITION_ORDER, title_of
from brassmill.web.server.errors import blocked, error, too_often
from brassmill.web.table.guards import is_part
from brassmill.web.table.views import numbers

Page = Callable[..., HttpResponse]
ForMember = Callable[..., HttpResponse]


def for_account(page: Page) -> Page:
    """Require a signed-in account that is not blocked, and limit what it does."""

    @wraps(page)
    def answer(request: HttpRequest, **options: Any) -> HttpResponse:
        account = account_of(request)
        if account is None:
            way = request.get_full_path() if request.method == "GET" else reverse("clubs")
            return redirect(f"{reverse('sign_in')}?{urlencode({'next': way})}")
        if request.method == "POST":
            if not rate_limit.is_allowed(request, rate_limit.MEMBERS):
                return too_often(request)
            if blocks.is_blocked(request):
                return blocked(request)
        return page(request, account, **options)

    return answer


def for_member(page: ForMember) -> Page:
    """Require membership; for anyone else the club does not exist."""

    @wraps(page)
    @for_account
    def answer(
        request: HttpRequest,
        account: Account,
        id: str,  # noqa: A002 (the address says so)
        **options: Any,
    ) -> HttpResponse:
        own = Member.objects.filter(club=id, account=account).select_related("club").first()
        if own is None:
            raise Http404
        own.account = account
        return page(request, own, **options)

    return answer


# --- lists and founding --------------------------------------------------------------------------


@require_safe
def clubs_view(request: HttpRequest, as_json: bool = False) -> HttpResponse:
    """Show one's own clubs and the open ones."""
    return _list(request, as_json=as_json)


@require_POST
@for_account
def found(request: HttpRequest, account: Account) -> HttpResponse:
    """Found a club."""
    sent = {name: request.POST.get(name, "") for name in ("name", "about", "joining")}
    if not rate_limit.is_allowed(request, rate_limit.CLUBS):
        return too_often(request)
    try:
        club = clubs.found(account, **sent)
    except BrassError as refused:
        return _list(request, sent, str(refused))
    return redirect("club", club.pk)


def _list(
    request: HttpRequest,
    typed: dict[str, str] | None = None,
    fault: str = "",
    as_json: bool = False,
) -> HttpResponse:
    account = account_of(request)
    own, others = pages.own_clubs(account), pages.open_clubs(account)
    if as_json:
        data = {"own": own, "open": others}
        return JsonResponse({kind: [row._asdict() for row in data[kind]] for kind in data})
    context = {
        "own": own,
        "others": others,
        "is_known": account is not None,
        "typed": typed or {"name": "", "about": "", "joining": Club.INVITED},
        "fault": fault,
    }
    return render(request, "clubs/clubs.html", context, status=422 if fault else 200)


# --- a club --------------------------------------------------------------------------------------


@require_safe
def club(
    request: HttpRequest,
    id: str,  # noqa: A002 (the address says so)
    as_json: bool = False,
) -> HttpResponse:
    """Show a club: to its members all of it, to others only that it is there, if it is open."""
    account = account_of(request)
    found = Club.objects.filter(pk=id, closed=None).first()
    own = clubs.membership(found, account) if found else None
    if found is None or (own is None and found.joining != Club.OPEN):
        raise Http404
    seen = pages.club_page(found, own)
    if as_json:
        return JsonResponse(seen.as_dict())
    if own is None:
        return render(request, "clubs/closed_door.html", {"club": seen, "invite": "", "fault": ""})
    return _shown(request, own, seen)


def _shown(
    request: HttpRequest, own: Member, seen: pages.ClubPage, fault: str = "", note: str = ""
) -> HttpResponse:
    ladders, board = pages.standings(own.club, own.account, request.GET.get("ladder", ""))
    invite = own.club.invite if clubs.invited_to(own.club.invite) else ""
    context = {
        "club": seen,
        "chat_note": note,
        "fault": fault,
        "invite": request.build_absolute_uri(reverse("club_invited", args=[invite]))
        if invite and seen.can_moderate
        else "",
        "until": own.club.invite_until,
        "days": clubs.INVITED_FOR,
        "ladders": [(ladder, pages.ladder_title(ladder)) for ladder in ladders],
        "board": board,
        "editions": [(edition, title_of(edition)) for edition in EDITION_ORDER],
        "act_words": act_words(),
        "role_words": role_words(),
    }
    return render(request, "clubs/club.html", context, status=422 if fault else 200)


def act_words() -> dict[str, str]:
    """What may be done about a member, in words."""
    return {
        clubs.MUTE: _("Mute in the chat"),
        clubs.UNMUTE: _("Let them write again"),
        clubs.REMOVE: _("Remove"),
        clubs.BAN: _("Remove and ban"),
        clubs.PROMOTE: _("Make a moderator"),
        clubs.DEMOTE: _("No longer a moderator"),
        clubs.HAND_OVER: _("Hand over the club"),
    }


def role_words() -> dict[str, str]:
    """The roles in a club, in words."""
    return {
        Member.HOST: _("host"),
        Member.MODERATOR: _("moderator"),
        Member.MEMBER: _("member"),
    }


@require_POST
@for_account
def join(
    request: HttpRequest,
    account: Account,
    id: str,  # noqa: A002 (the address says so)
) -> HttpResponse:
    """Join an open club."""
    wanted = Club.objects.filter(pk=id, joining=Club.OPEN, closed=None).first()
    if wanted is None:
        raise Http404
    return _join(request, wanted, account)


@require_http_methods(["GET", "HEAD", "POST"])
@for_account
def invited(request: HttpRequest, account: Account, token: str) -> HttpResponse:
    """Show an invitation; a POST joins the club."""
    wanted = clubs.invited_to(token)
    if wanted is None:
        words = _("It may have expired. Ask for a new one.")
        return error(request, 404, _("This link does not lead to a club"), words)
    if request.method == "POST":
        return _join(request, wanted, account)
    if clubs.membership(wanted, account):
        return redirect("club", wanted.pk)
    context = {"club": pages.club_page(wanted, None), "invite": token, "fault": ""}
    return render(request, "clubs/closed_door.html", context)


def _join(request: HttpRequest, wanted: Club, account: Account) -> HttpResponse:
    try:
        clubs.join(wanted, account)
    except BrassError as refused:
        return error(request, 409, _("You have not joined"), str(refused))
    return redirect("club", wanted.pk)


@require_POST
@for_member
def leave(request: HttpRequest, own: Member) -> HttpResponse:
    """Leave the club."""
    with suppress(BrassError):  # it has been closed meanwhile
        clubs.leave(own.club, own.account)
    return redirect("clubs")


# --- chat ----------------------------------------------------------------------------------------


@require_http_methods(["GET", "HEAD", "POST"])
@for_member
def chat(request: HttpRequest, own: Member) -> HttpResponse:
    """Show the chat; a POST adds a message."""
    note, status = "", 200
    if request.method == "POST":
        if not rate_limit.is_allowed(request, rate_limit.WORDS):
            note, status = _(TOO_OFTEN), 429
        else:
            try:
                clubs.say(own, request.POST.get("text", ""))
            except BrassError as refused:
                note, status = str(refused), 422
    return _said(request, own, note, status)


@require_POST
@for_member
def delete_message(request: HttpRequest, own: Member) -> HttpResponse:
    """Delete a message."""
    for number in numbers(request.POST.get("message", ""))[:1]:
        clubs.delete_message(own, number)
    return _said(request, own)


def _said(request: HttpRequest, own: Member, note: str = "", status: int = 200) -> HttpResponse:
    if is_part(request):
        context = {"club": pages.chat_page(own), "chat_note": note}
        return render(request, "clubs/chat.html", context, status=status)
    if note:
        return error(request, status, _("Message not sent"), note)
    return redirect("club", own.club_id)


# --- moderation ----------------------------------------------------------------------------------


@require_POST
@for_member
def member(request: HttpRequest, own: Member) -> HttpResponse:
    """Do something about a member, or lift a ban."""
    try:
        for number in numbers(request.POST.get("unban", ""))[:1]:
            clubs.lift_ban(own, number)
        for number in numbers(request.POST.get("number", ""))[:1]:
            clubs.act(own, number, request.POST.get("act", ""))
    except BrassError as refused:
        return error(request, 403, _("Nothing was changed"), str(refused))
    return redirect("club", own.club_id)


@require_POST
@for_member
def settings(request: HttpRequest, own: Member) -> HttpResponse:
    """Change the club, or its invitation link."""
    sent = request.POST
    if "days" in sent or "revoke" in sent:
        if not clubs.RANKS[own.role]:
            return error(request, 403, _("Nothing was changed"), _("Only moderators can do that."))
        if "revoke" in sent:
            clubs.revoke_invitation(own.club)
        elif (days := sent["days"]) in map(str, clubs.INVITED_FOR):
            clubs.renew_invitation(own.club, int(days))
        return redirect("club", own.club_id)
    if own.role != Member.HOST:
        return error(request, 403, _("Nothing was changed"), _("Only the host can do that."))
    typed = (sent.get(name, "") for name in ("name", "about", "joining"))
    try:
        clubs.change(own.club, *typed)
    except BrassError as refused:
        own.club.refresh_from_db()
        return _shown(request, own, pages.club_page(own.club, own), str(refused))
    return redirect("club", own.club_id)


@require_POST
@for_member
def close(request: HttpRequest, own: Member) -> HttpResponse:
    """Close the club for good, once confirmed."""
    if own.role != Member.HOST:
        return error(request, 403, _("Nothing was changed"), _("Only the host can do that."))
    if request.POST.get("confirm") != "yes":
        return redirect("club", own.club_id)
    with suppress(BrassError):  # it has been closed meanwhile
        clubs.close(own.club)
    return redirect("clubs")
