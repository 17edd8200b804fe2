"""A record as plain data, for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from brassmill.core.view import UNKNOWN
from brassmill.record import replay
from brassmill.record.seat import filled
from brassmill.record.tree import Node
from brassmill.words import event_words

if TYPE_CHECKING:
    from brassmill.core.events import Event
    from brassmill.game import Game
    from brassmill.record.record import Record


def as_dict(record: Record) -> dict[str, Any]:
    """The headers, the start of the game, every action with its events, and the result."""
    game = replay.start(record)
    texts = {
        node: board.actions[-1].text
        for node, board, error in replay.variations(record)
        if error is None
    }
    actions = []
    for node in record.root.main_line():
        era, number = game.era, game.round
        events = replay.play(record, game, node)
        texts[node] = game.actions[-1].text
        actions.append(_action(game, node, texts, events) | {"era": era, "round": number})
    line = record.main_line()
    replay.check_end(record, game, line[-1] if line else record.root)
    return {
        "headers": dict(record.headers),
        "edition": record.edition.name,
        "players": record.edition.players,
        "options": dict(record.edition.options),
        "seats": list(record.seats),
        "view": record.viewer,
        "deal": _deal(record),
        "position": record.position,
        "comment": record.root.comment,
        "actions": actions,
        "finished": record.is_complete,
        "result": asdict(outcome) if (outcome := record.outcome_of(game)) else None,
    }


def _action(
    game: Game, node: Node, texts: Mapping[Node, str], events: list[Event]
) -> dict[str, Any]:
    """The last action played."""
    return {
        **_node(node, texts),
        "choices": list(game.actions[-1].ids),
        "events": [event.as_dict() | {"words": event_words(event, game.seats)} for event in events],
        "variations": _alternatives(node, texts),
    }


def _node(node: Node, texts: Mapping[Node, str]) -> dict[str, Any]:
    """An action with its canonical text; if it cannot be played, with its text as read."""
    return {
        "number": node.number,
        "seat": node.seat,
        "text": texts.get(node, node.text),
        "comment": node.comment,
    }


def _alternatives(node: Node, texts: Mapping[Node, str]) -> list[list[dict[str, Any]]]:
    """The alternatives to an action, each a list of actions."""
    assert node.parent is not None
    if node is not node.parent.children[0]:
        return []
    return [
        [
            _node(action, texts) | {"variations": _alternatives(action, texts)}
            for action in (other, *other.main_line())
        ]
        for other in node.parent.children[1:]
    ]


def _deal(record: Record) -> dict[str, Any] | None:
    """The deal by names; None for what the seat does not know."""
    deal = record.deal or record.known
    if deal is None:
        return None
    data = filled(record.edition, deal).to_dict(record.edition)
    names = ("deck", "rail deck", "distant", "rail distant")
    for name, row in zip(names, (*deal.decks, *deal.distant), strict=True):
        if name in data:
            data[name] = [
                None if item == UNKNOWN else known
                for item, known in zip(row, data[name], strict=True)
            ]
    return data
