"""Bots: players that see a `View`, from random to learned.

Naming a bot loads nothing heavy; `make` loads only the bot that is named.
"""

from brassmill.bots.bot import Answer, AnswerError, Bot, BotError, Clock
from brassmill.bots.registry import make, names, parse
from brassmill.bots.spec import Parameter, Seconds, Spec, divide

__all__ = [
    "Answer",
    "AnswerError",
    "Bot",
    "BotError",
    "Clock",
    "Parameter",
    "Seconds",
    "Spec",
    "divide",
    "make",
    "names",
    "parse",
]
