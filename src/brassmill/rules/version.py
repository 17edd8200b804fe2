"""The version of the rules, stored in records and games.

It grows when a game that could be played before is now refused, or ends differently.
1: the first version.
"""

RULES_VERSION = 1
