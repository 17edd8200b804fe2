"""The people of a game: how many there are, and whether they share a screen."""

from __future__ import annotations

from collections.abc import Collection

from brassmill.web.models import Seat


def has_several_people(seats: Collection[Seat]) -> bool:
    """Did several people begin this game, on one screen or on several?"""
    return sum(not seat.first_bot for seat in seats) > 1


def has_guests(seats: Collection[Seat]) -> bool:
    """Is a seat for another person with a screen of their own?

    A seat that its player moves to another device is not: it may still be the same person.
    """
    return any(seat.is_for_guest for seat in seats)


def is_on_several_screens(seats: Collection[Seat]) -> bool:
    """Are there players on several screens, or invited to join from their own?"""
    return len({seat.holder for seat in seats if seat.holder}) > 1 or has_guests(seats)
