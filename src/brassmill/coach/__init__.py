"""The coach: suggestions for a position with reasons, and the analysis of a whole game.

It sees only what the seat sees.
"""

from brassmill.coach.advice import Advice, advise
from brassmill.coach.played import reasons_for_played
from brassmill.coach.reasons import AdviceReason

__all__ = ["Advice", "AdviceReason", "advise", "reasons_for_played"]
