"""What players do besides clicking: take back turns, agree to end, concede, and plan ahead.

A form whose answer was lost is sent again until it is answered: after that, the server cannot carry
it out any more. All of it is kept in the journals, as `entry_sent` shows the entries of a log.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from contextlib import suppress
from itertools import count
from random import Random
from time import monotonic
from typing import Any

from support.crowd import (
    ACKNOWLEDGED,
    LOST,
    PAUSE,
    REFUSED,
    UNSENT,
    Difference,
    Game,
    Player,
    Sent,
    Unreached,
    difference,
)

Body = dict[str, Any]

TAKING_BACK, ENDING, CONCEDING, PLANNING, PLAYING = 0.03, 0.002, 0.005, 0.04, 0.7  # how often
CLICKS = 12  # of a plan, at most
TAKEN_BACK, AGREED = {"taken back": True}, {"agreed": True}
CONCEDED, PLANNED = {"conceded": True}, {"planned": True}

_once = count(-1, -1)  # numbers of what is sent from no certain state of the table


def entry_sent(body: Body) -> Body:
    """An entry of the log, as the journal has it: players know neither its number nor its words."""
    match body:
        case {"rewind": _length, "by": seat}:
            return {**TAKEN_BACK, "seat": seat}
        case {"agree": _seats}:
            return AGREED
        case {"seat": seat, "why": "conceded"}:
            return {**CONCEDED, "seat": seat}
        case {"choose": [_first, _second, *_more]}:  # a whole action: players click one by one
            return PLANNED
    return body


async def act(game: Game, due: float, rng: Random) -> bool:
    """Do one of these things, or nothing."""
    mover = next((player for player in game.players if player.can_choose), None)
    plan = mover.view["plan"] if mover and mover.view else None
    if mover and plan and plan["can_play"] and not plan["problem"] and rng.random() < PLAYING:
        await play_plan(mover, plan, due)
        return True
    luck = rng.random()
    for chance, action in (
        (TAKING_BACK, take_back),
        (ENDING, end),
        (CONCEDING, concede),
        (PLANNING, plan_ahead),
    ):
        if luck < chance:
            return await action(game, due, rng)
        luck -= chance
    return False


# --- together ------------------------------------------------------------------------------------


async def take_back(game: Game, due: float, rng: Random) -> bool:
    """Let someone take back a turn; those who have acted since agree.

    Not the player to move: perhaps nobody has acted since, and asking alone would do it.
    """
    await fresh(game)
    able = [
        player
        for player in game.players
        if may(player, "can_take_back") and player.view and not player.view["your_turn"]
    ]
    if not able:
        return False
    asking = rng.choice(able)
    await agree_all(game, asking, "take back", {**TAKEN_BACK, "seat": asking.seat}, due)
    return True


async def end(game: Game, due: float, rng: Random) -> bool:
    """Let all agree to end the game."""
    able = [player for player in game.players if may(player, "can_end")]
    if not able:
        return False
    await agree_all(game, rng.choice(able), "end", AGREED, due)
    return True


async def concede(game: Game, due: float, rng: Random) -> bool:
    """Let someone give the game up: a bot plays on. Once in a game is enough."""
    if game.has_bot:
        return False
    player = rng.choice(game.players)
    game.has_bot, player.plan = True, None
    body = {**CONCEDED, "seat": player.seat}
    await post(player, "concede/", {"seat": player.seat}, [(next(_once), body)], due)
    await fresh(game)
    return True


def may(player: Player, what: str) -> bool:
    return bool(player.view and player.view["together"][what] is not None)


async def agree_all(game: Game, asking: Player, kind: str, body: Body, due: float) -> None:
    """Let a player ask, and all who are asked agree: the last of them makes it an entry."""
    form: dict[str, object] = {"kind": kind, "seat": asking.seat}
    await post(asking, "ask/", form, [], due)
    await fresh(game)
    asked = [player for player in game.players if is_asked(player, kind, asking.seat)]
    for player in asked:
        last = [(next(_once), body)] if player is asked[-1] else []
        if await post(player, "agree/", form, last, due) == REFUSED:
            await post(asking, "decline/", form, [], due)
            break
    await fresh(game)


def is_asked(player: Player, kind: str, seat: int) -> bool:
    assert player.view
    return any(
        request["can_agree"] and (request["kind"], request["seat"]) == (kind, seat)
        for request in player.view["together"]["requests"]
    )


async def fresh(game: Game) -> None:
    """Load the table for every player, however long that takes."""
    while True:
        with suppress(ConnectionError):
            await game.reload()
        if all(player.view for player in game.players):
            return
        await asyncio.sleep(PAUSE)


# --- plans ---------------------------------------------------------------------------------------


async def plan_ahead(game: Game, due: float, rng: Random) -> bool:
    """Let a player who waits plan an action, click by click."""
    able = [each for each in game.players if each.view and each.view["can_plan"]]
    if not able:
        return False
    player = rng.choice(able)
    number, _choices = await plan_page(player)
    player.plan = None
    if await post(player, "plan/back/", {"number": number, "all": 1}, [], due) != ACKNOWLEDGED:
        return True
    player.plan = []
    for _click in range(CLICKS):
        number, choices = await plan_page(player)
        if not choices:
            break
        choice = int(rng.choice(choices))
        form: dict[str, object] = {"number": number, "choice": choice}
        sent = [(number, {"plan": choice})]
        fate = await post(player, "plan/choose/", form, sent, due, player.plan)
        if fate != ACKNOWLEDGED or rng.random() < 0.1:
            break
    await fresh(game)
    return True


async def plan_page(player: Player) -> tuple[int, list[str]]:
    """The number of a plan, and the choices that continue it; none if nothing can be planned."""
    while True:
        try:
            crowd, table = player.game.crowd, player.game.table
            answer = await crowd.ask(f"GET /t/{table}/plan/", player.cookie)
        except ConnectionError:
            answer = None
        if answer and answer.status < 500:
            break
        await asyncio.sleep(PAUSE)
    page = answer.body.decode()
    number = re.search(r'name="number" value="(\d+)"', page)
    return int(number[1]) if number else 0, re.findall(r'data-choice="(\d+)"', page)


async def play_plan(player: Player, plan: dict[str, Any], due: float) -> None:
    """Play a plan: an entry for each action, and the end of the turn if nothing is left to do."""
    assert player.view
    bodies = [PLANNED] * len(plan["steps"]) + [{"end": True}] * plan["ends_turn"]
    numbers = [player.view["number"], *(next(_once) for _body in bodies[1:])]
    player.plan = None
    await post(player, "plan/play/", {}, list(zip(numbers, bodies, strict=True)), due)
    await fresh(player.game)


def wrong_plans(games: Sequence[Game]) -> list[str]:
    """Compare the clicks of all plans with what is stored of them."""
    from brassmill.editions import edition
    from brassmill.notation import stored
    from brassmill.web.models import Table
    from brassmill.web.table.planning import plan_of

    found = []
    for game in games:
        table = Table.objects.get(pk=game.table)
        kind = edition(table.edition, table.players, **table.options)
        for player in game.players:
            if player.plan is None:
                continue
            clicks = [
                click
                for each in plan_of(table, table.seats.get(number=player.seat))
                for click in each
            ]
            log = [{"plan": stored.read(kind, click)[0]} for click in clicks]
            if (different := difference(player.plan, log)) != Difference():
                found.append(f"{game.table}: the plan of seat {player.seat}: {different}")
    return found


# --- forms ---------------------------------------------------------------------------------------


async def post(
    player: Player,
    path: str,
    form: dict[str, object],
    entries: Sequence[tuple[int, Body]],
    due: float,
    journal: list[Sent] | None = None,
) -> str:
    """Post a form until it is answered, and note the entries that it makes; return its fate."""
    kept = player.game.journal if journal is None else journal
    while True:
        fate, status = await posted(player, path, form)
        kept += [Sent(number, body, fate, status, due, monotonic()) for number, body in entries]
        if fate not in (LOST, UNSENT):
            return fate
        await asyncio.sleep(PAUSE)


async def posted(player: Player, path: str, form: dict[str, object]) -> tuple[str, int]:
    """Post a form once; a redirect to where it came from says that it was carried out."""
    page = f"/t/{player.game.table}/"
    try:
        answer = await player.game.crowd.ask(f"POST {page}{path}", player.cookie, form)
    except Unreached:
        return UNSENT, 0
    except ConnectionError:
        return LOST, 0
    if answer.status >= 500:
        return LOST, answer.status
    home = page + "plan/" if path in ("plan/choose/", "plan/back/") else page
    is_done = answer.status == 302 and answer.location == home
    return (ACKNOWLEDGED if is_done else REFUSED), answer.status
