"""Settings of notifications: what, when and by which way; and the calendar."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST, require_safe

from brassmill.errors import BrassError
from brassmill.language import speaking
from brassmill.web.accounts import notifications
from brassmill.web.accounts.mail_views import known, shown
from brassmill.web.delivery import choices, hooks, push
from brassmill.web.delivery.calendar import feed
from brassmill.web.identity import blocks, rate_limit
from brassmill.web.identity.visitor import visitor
from brassmill.web.server import database, site_url
from brassmill.web.server.errors import blocked, too_often
from brassmill.web.table.views import numbers

CALENDAR = "text/calendar; charset=utf-8"


@require_safe
def notifications_json(request: HttpRequest) -> JsonResponse:
    """Return the visitor's own settings as data."""
    return JsonResponse(notifications.as_data(request, visitor(request)))


@require_POST
def choose(request: HttpRequest) -> HttpResponse:
    """Store which events are notified by which way, and when."""
    if not rate_limit.is_allowed(request, rate_limit.SETTINGS):
        return too_often(request)
    key = visitor(request)
    return _done(request, key, "choices", lambda: notifications.choose(key, request.POST))


@require_POST
def browser(request: HttpRequest) -> HttpResponse:
    """Let a browser get push messages, or stop them."""
    key = visitor(request)
    if "remove" in request.POST:
        for number in numbers(request.POST["remove"])[:1]:
            push.unsubscribe(key, number)
        return redirect("notifications")
    if refused := _refused(request):
        return refused
    sent = request.POST
    address, own, secret = (sent.get(name, "") for name in ("address", "key", "secret"))
    return _done(request, key, "push", lambda: push.subscribe(key, address, own, secret, request))


@require_POST
def webhook(request: HttpRequest) -> HttpResponse:
    """Add a webhook, try it, switch it on again or remove it."""
    key = visitor(request)
    for number in numbers(request.POST.get("remove", ""))[:1]:
        hooks.remove(key, number)
        return redirect("notifications")
    if refused := _refused(request):
        return refused
    for number in numbers(request.POST.get("on", ""))[:1]:
        hooks.switch_on(key, number)
        return redirect("notifications")
    for number in numbers(request.POST.get("try", ""))[:1]:
        notifications.try_webhook(request, key, number)
        return redirect("notifications")
    return _done(request, key, "webhook", lambda: notifications.add_webhook(key, request.POST))


@require_POST
def calendar_renew(request: HttpRequest) -> HttpResponse:
    """Make the address of the calendar, or a new one."""
    if not rate_limit.is_allowed(request, rate_limit.SETTINGS):
        return too_often(request)
    choices.renew_calendar(visitor(request))
    return redirect("notifications")


@require_safe
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """The turns of whoever made this address, as a calendar."""
    if not rate_limit.is_allowed(request, rate_limit.CALENDARS, token):
        return too_often(request)
    owner = choices.owner_of(token)
    if owner is None:
        raise Http404
    site = site_url.of_request(request)
    with speaking(owner.language):
        found = notifications.deadlines(owner.visitor, site)
        text = feed(found, database.now(), request.get_host().partition(":")[0])
    return HttpResponse(text, content_type=CALENDAR)


def _refused(request: HttpRequest) -> HttpResponse | None:
    """The answer to someone who may not make the server connect to others."""
    if not rate_limit.is_allowed(request, rate_limit.WEBHOOKS):
        return too_often(request)
    return blocked(request) if blocks.is_blocked(request) else None


def _done(request: HttpRequest, key: str, panel: str, change: Callable[[], object]) -> HttpResponse:
    """Make a change; show the page again if it is refused."""
    try:
        change()
    except BrassError as fault:
        context = {**known(key), "typed": "", "fault": "", "away_fault": ""}
        return shown(request, context, {panel: str(fault)})
    return redirect("notifications")
