"""The analysis of an action as stored, and read again.

What is stored depends neither on choice numbers nor on a language: choices are in the words of
stored games, and reasons have their English sentence, which is translated when it is shown.

`action` has all choices of the action played. `played` is the advice on it, as far as it could be
decided at that moment, and `other` that on the best other action, if any other was possible.
"""

from __future__ import annotations

from dataclasses import astuple
from typing import Any

from brassmill.coach import Advice, AdviceReason
from brassmill.coach.analysis import Verdict
from brassmill.core.action import Action
from brassmill.editions.edition import Edition
from brassmill.notation import stored
from brassmill.web.replay.timeline import Timeline

Body = dict[str, Any]


def body_of(edition: Edition, verdict: Verdict) -> Body:
    """A verdict as stored."""
    return {
        "action": stored.write(edition, verdict.action.ids),
        "played": _advice_body(edition, verdict.played),
        "other": verdict.other and _advice_body(edition, verdict.other),
    }


def verdict_of(timeline: Timeline, number: int, body: Body) -> Verdict:
    """A stored verdict on an action of a game."""
    edition, seats = timeline.edition, timeline.seats
    before, frame = timeline.frames[number - 1].state, timeline.frames[number]
    action = Action(edition, seats, before, stored.read(edition, body["action"]), number)
    played = _advice_of(action, body["played"])
    other = body["other"] and _advice_of(action, body["other"])
    return Verdict(
        number=number,
        seat=action.seat,
        era=frame.era,
        round=frame.round,
        action=action,
        played=played,
        best=other if other and other.margin > played.margin else played,
        other=other,
    )


def _advice_body(edition: Edition, advice: Advice) -> Body:
    return {
        "choices": stored.write(edition, advice.action.ids),
        "margin": round(advice.margin, 3),
        "error": None if advice.error is None else round(advice.error, 3),
        "loss": round(advice.loss, 3),
        "wins": [round(share, 4) for share in advice.wins],
        "points": [round(points, 2) for points in advice.points],
        "reasons": [
            [reason.name, round(reason.points, 3), *astuple(reason)[2:]]
            for reason in advice.reasons
        ],
        "turns_tile": advice.turns_tile,
        "worlds": advice.worlds,
        "by_network": advice.by_network,
        "likeliest": advice.is_likeliest,
    }


def _advice_of(played: Action, body: Body) -> Advice:
    edition = played.edition
    choices = stored.read(edition, body["choices"])
    return Advice(
        action=Action(edition, played.seats, played.before, choices),
        margin=body["margin"],
        error=body["error"],
        loss=body["loss"],
        wins=tuple(body["wins"]),
        points=tuple(body["points"]),
        reasons=tuple(AdviceReason(*reason) for reason in body["reasons"]),
        turns_tile=body["turns_tile"],
        worlds=body["worlds"],
        by_network=body["by_network"],
        is_likeliest=body["likeliest"],
    )
