"""The coach: suggestions for a position with reasons, and the analysis of a whole game.

It sees only what the seat sees.
"""

from brassmill.coach.advice import Advice, advise
from brassmill.coach.played import reasons_for_played
from brassmill.coach.reasons import AdviceReason
from brassmill.rules.warmup import NETWORKS, THINKING

__all__ = ["COMPILED", "Advice", "AdviceReason", "advise", "reasons_for_played"]

COMPILED = (*THINKING, *NETWORKS)  # the modules to compile before the coach thinks
