"""Reasons and events in words, in the language of the context."""

from brassmill.words.choices import CHOICES, choice_words
from brassmill.words.events import EVENTS, event_words
from brassmill.words.reasons import PARTS, REASONS, RULES, SPECIAL
from brassmill.words.refusals import (
    Refusal,
    lowest_tile,
    refusal,
    refusal_of_nothing,
    refusal_of_rest,
)
from brassmill.words.sentences import QUESTIONS, hand_words, question_words, say

__all__ = [
    "CHOICES",
    "EVENTS",
    "PARTS",
    "QUESTIONS",
    "REASONS",
    "RULES",
    "SPECIAL",
    "Refusal",
    "choice_words",
    "event_words",
    "hand_words",
    "lowest_tile",
    "question_words",
    "refusal",
    "refusal_of_nothing",
    "refusal_of_rest",
    "say",
]
