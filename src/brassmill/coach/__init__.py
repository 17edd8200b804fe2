"""The coach: what it would do in a position and why, and what a whole game could have been.

It sees what the seat sees, and nothing else.
"""

from brassmill.coach.advice import Advice, advise
from brassmill.coach.reasons import Reason

__all__ = ["Advice", "Reason", "advise"]
