"""The version of the rules, which records and stored games carry.

The number grows when a game that could be played before is refused now, or comes out otherwise.
1: the first.
"""

RULES_VERSION = 1
