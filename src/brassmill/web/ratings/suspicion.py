"""What an operator should look at: the same few players again and again, or from one network.

It changes no rating. Friends who play every week are flagged too, and so is a family.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from brassmill.web.models import KnownNetwork, Ladder, RatedGame, RatedPlayer, RatedSeat

SAME_PLAYERS, SAME_NETWORK = "same players", "same network"
LATEST = 20  # games of a player between people
MANY = 10  # of these, with exactly the same players


def flags_of(players: Sequence[RatedPlayer]) -> list[str]:
    """What is remarkable about a game of these players that ends now."""
    found = []
    if any(_repeats(player, {other.pk for other in players}) for player in players):
        found.append(SAME_PLAYERS)
    if _share_a_network(players):
        found.append(SAME_NETWORK)
    return found


def _repeats(player: RatedPlayer, company: set[int]) -> bool:
    latest = RatedGame.objects.filter(seats__player=player).exclude(ladder__kind=Ladder.LEVELS)
    games = list(latest.order_by("-finished", "-pk").values_list("pk", flat=True)[: LATEST - 1])
    together: dict[int, set[int | None]] = defaultdict(set)
    seats = RatedSeat.objects.filter(game__in=games)
    for game, other in seats.values_list("game", "player"):
        together[game].add(other)
    return sum(others == company for others in together.values()) + 1 >= MANY


def _share_a_network(players: Sequence[RatedPlayer]) -> bool:
    accounts = [player.account_id for player in players if player.account_id]
    known = KnownNetwork.objects.filter(account__in=accounts)
    networks = list(known.values_list("network", flat=True))
    return len(networks) > len(set(networks))  # an account has each once
