"""Whether an action in progress is possible: its question, what is due, its tiles.

Where possible, the rules decide: the action is undone on a copy, where its first choice must be
legal.
"""

from __future__ import annotations

from collections.abc import Callable

from brassmill.core.choice import NUMBER
from brassmill.core.engine import Engine, plain
from brassmill.core.names import DOINGS, DUE, QUESTIONS
from brassmill.editions.edition import INDUSTRY
from brassmill.rules.action import clear_action
from brassmill.rules.choices import TWO_CARDS
from brassmill.rules.income import income_level
from brassmill.rules.layout import (
    ACTION,
    BEER_SOURCE,
    BONUS_DEVELOP,
    BORROWING,
    BUILDING,
    BUYER,
    CANAL,
    CARD,
    COAL_SOURCE,
    DEBT,
    DEVELOPING,
    FREE_DEVELOP,
    GAME_OVER,
    HAND,
    IRON_SOURCE,
    LINKING,
    MORE_DEVELOP,
    MORE_RAIL,
    MORE_SALES,
    NOBODY,
    NOWHERE,
    RAIL,
    RAIL_END,
    SCOUTING,
    SELLING,
    SHIPYARD,
    SYMBOLS,
    TURN_OVER,
)
from brassmill.rules.link import RAIL_COST, SECOND_RAIL_COST
from brassmill.rules.reasons import Reason
from brassmill.rules.resources import UNREACHABLE, coal_cost
from brassmill.rules.scout import SCOUT_CARDS
from brassmill.rules.sell import is_sold
from brassmill.words import refusal

Range = tuple[int, int]  # minimum and maximum

# The question after a link, sale or development.
NEXT = {LINKING: MORE_RAIL, SELLING: MORE_SALES, DEVELOPING: MORE_DEVELOP}


def problems_of_progress(engine: Engine) -> list[str]:
    """Everything impossible about the action in progress, a debt or the end of the game."""
    return _Progress(engine).problems()


class _Progress:
    """A position that is not simply at the start of an action."""

    def __init__(self, engine: Engine) -> None:
        self.engine, self.edition, self.board = engine, engine.edition, engine.edition.board
        self.state = engine.state
        self.phase, self.doing = int(self.state.phase), int(self.state.doing)
        self.space, self.line = int(self.state.space), int(self.state.line)
        self.seat = int(self.state.seat)
        self.found: list[str] = []

    def problems(self) -> list[str]:
        if self.phase == DEBT:
            self.check_debt()
        elif self.phase == GAME_OVER:
            self.check_end()
        elif self.phase == TURN_OVER:
            self.check_hand(1 if self.state.hand_size[self.seat] else 0)
        elif self.phase != ACTION:
            for check in (self.check_question, self.check_owner, self.check_numbers):
                if not self.found:
                    check()
            if not self.found:
                self.check_subject()
        return self.found

    def problem(self, word: str, value: object, words: str) -> None:
        self.found.append(f"action.{word} is {value}: {words}")

    # --- the question and its numbers --------------------------------------------------------

    def check_question(self) -> None:
        """Check that the question exists in this edition and era."""
        board = self.board
        never = {
            RAIL_END: not board.coal_at_chosen_end,
            BUYER: board.beer_to_sell,
            FREE_DEVELOP: not board.beer_to_sell,
            BEER_SOURCE: not (
                board.beer_for_second_rail if self.doing == LINKING else board.beer_to_sell
            ),
        }
        question = QUESTIONS[self.phase]
        if never.get(self.phase):
            self.problem("question", question, f"{self.edition.name} never asks it here")
        elif self.doing == LINKING and self.phase != CARD and self.state.era != RAIL:
            self.problem("question", question, "a canal asks only for its card")

    def check_owner(self) -> None:
        """Check that the seat owns the tile or link that was placed or is being sold."""
        state, board, space, line = self.state, self.board, self.space, self.line
        if self.phase == CARD:
            return
        tile = int(state.tile[space])
        mine = state.owner[space] == self.seat
        if self.doing == BUILDING and not (mine and board.industry_of[tile] == state.industry):
            words = "the tile being built does not lie there"
            self.problem("space", self.edition.space_name(space), words)
        if self.doing == SELLING and not (mine and self.sells(space)):
            words = "there is no tile of the seat to sell"
            self.problem("space", self.edition.space_name(space), words)
        if self.doing == LINKING and not self.unpaid and state.link_owner[line] != self.seat:
            words = "the link being placed does not lie there"
            self.problem("line", self.edition.line_name(line), words)

    @property
    def unpaid(self) -> bool:
        """A-COAL: is the coal still due? With a chosen end, it comes before the link."""
        return bool(self.board.coal_at_chosen_end) and self.phase in (RAIL_END, COAL_SOURCE)

    def check_numbers(self) -> None:
        """Check how much is due, and how much has been done."""
        possible = self.numbers()
        for word, field, _ in DUE:
            low, high = possible.get(word, (0, 0))
            if not low <= self.state[field] <= high:
                bounds = str(low) if low == high else f"from {low} to {high}"
                value = int(self.state[field])
                words = f"it must be {bounds} here" if low <= high else "it is not possible here"
                self.problem(word, value, words)

    def numbers(self) -> dict[str, Range]:
        """The possible numbers, by word; all others must be zero."""
        state, board, phase = self.state, self.board, self.phase
        tile = int(state.tile[self.space]) if self.space != NOWHERE else 0
        beer, sold = int(board.beer_need[tile]), self.sold()
        chosen_end = bool(board.coal_at_chosen_end)
        used = int(state.barrel_used)
        two_cards = bool(board.two_cards_build) and state.actions_left == 2
        built: dict[str, Range] = {"combined": (0, int(two_cards))}
        coal, iron = int(board.coal_need[tile]), int(board.iron_need[tile])
        table: dict[tuple[int, int], dict[str, Range]] = {
            (COAL_SOURCE, BUILDING): {**built, "coal due": (1, coal), "iron due": (iron, iron)},
            (IRON_SOURCE, BUILDING): {**built, "iron due": (1, iron)},
            (COAL_SOURCE, LINKING): {
                "coal due": (1, 1),
                "count": (0, 1) if chosen_end else (1, 2),
            },
            (RAIL_END, LINKING): {"coal due": (1, 1), "count": (0, 1)},
            (MORE_RAIL, LINKING): {"count": (1, 1)},
            (BEER_SOURCE, LINKING): {"beer due": (1, 1), "count": (2, 2)},
            (IRON_SOURCE, DEVELOPING): {"iron due": (1, 1), "count": (0, 1)},
            (MORE_DEVELOP, DEVELOPING): {"count": (1, 1)},
            (BEER_SOURCE, SELLING): {
                "beer due": (1, beer),
                "count": (0, sold),
                "barrel used": (0, min(1, beer - int(state.beer_due))),
                "develop due": (0, used),
            },
            (FREE_DEVELOP, SELLING): {
                "develop due": (1, 1),
                "barrel used": (1, min(1, beer)),
                "count": (0, sold),
            },
            (MORE_SALES, SELLING): {"count": (1, sold), "barrel used": (0, min(1, beer))},
            (BUYER, SELLING): {"count": (0, sold)},
        }
        if phase == CARD:
            cards = {BUILDING: 1 + int(state.combined), SCOUTING: SCOUT_CARDS}.get(self.doing, 1)
            own = {BUILDING: built, BORROWING: {"loan": (1, len(board.loan_sizes))}}
            return {"cards due": (1, cards), **own.get(self.doing, {})}
        return table[phase, self.doing]

    def sold(self) -> int:
        """The number of own tiles that have been sold."""
        state = self.state
        return sum(
            int(state.owner[space]) == self.seat and bool(state.flipped[space])
            for space in range(len(self.edition.spaces))
            if self.sells(space)
        )

    def sells(self, space: int) -> bool:
        return bool(plain(is_sold)(int(self.board.industry_of[int(self.state.tile[space])])))

    # --- what the action is about ------------------------------------------------------------

    def check_subject(self) -> None:
        """Check that the tile or link is there, and that the action could begin."""
        checks: dict[int, Callable[[], None]] = {
            BUILDING: self.check_build,
            LINKING: self.check_link,
            DEVELOPING: self.check_develop,
            SELLING: self.check_sale,
        }
        if self.phase == CARD:
            self.check_first()
            return
        self.check_hand(1 + int(self.state.combined))
        checks[self.doing]()

    def check_hand(self, given: int) -> None:
        """Check that the cards discarded so far have left the hand."""
        cards = int(self.state.hand_size[self.seat])
        if cards + given > HAND:
            self.found.append(
                f"{self.engine.seats[self.seat]}.hand has {cards} cards:"
                f" {given} of {HAND} must have been discarded"
            )

    def check_first(self) -> None:
        """At the choice of a card: check that the action could begin."""
        state, doing = self.state, self.doing
        choices = {
            LINKING: ("LINK", self.line),
            DEVELOPING: ("DEVELOP", int(state.industry)),
            SELLING: ("SELL", self.space),
        }
        plan = self.taken_back(0)
        cards = 1
        if doing == BUILDING:
            symbol = self.board.symbol[self.space].tolist().index(int(state.industry))
            choice = NUMBER["BUILD", self.space * SYMBOLS + symbol]
            cards += int(state.combined)
        elif doing in choices:
            choice = NUMBER[choices[doing]]
        elif doing == BORROWING:
            choice = NUMBER["LOAN", int(state.loan) - 1]
        else:
            choice = NUMBER[DOINGS[doing].upper(), 0]
            cards = SCOUT_CARDS if doing == SCOUTING else 1
        given = cards - int(state.cards_due)
        self.check_hand(given)
        plan.state.hand_size[self.seat] += given
        self.ask(plan, choice)
        if state.combined and not self.found:
            plan.step(choice)
            self.ask(plan, TWO_CARDS)

    def taken_back(self, count: int) -> Engine:
        """A copy that asks for the next link, sale or development after this many."""
        plan = self.engine.copy()
        plain(clear_action)(plan.state)
        plan.state.phase = ACTION
        if count:
            plan.state.phase = NEXT[self.doing]
            plan.state.doing, plan.state.count = self.doing, count
        return plan

    def ask(self, plan: Engine, choice: int, *allowed: Reason) -> None:
        """Check that the rules allow the choice there."""
        reason = plan.why(choice)
        if reason not in (Reason.OK, *allowed):
            self.found.append(f"the action cannot be begun: {refusal(plan, choice, reason)}")

    def check_build(self) -> None:
        """Check that the tile is there and new, and that what is still due is available."""
        state, board, space = self.state, self.board, self.space
        industry, tile = int(state.industry), int(state.tile[space])
        name = self.edition.space_name(space)
        last = int(board.stack[industry, int(state.gone[self.seat, industry]) - 1])
        if last != tile:
            self.problem("space", name, f"{self.edition.tile_name(last)} was the last to be taken")
        if state.cubes[space] or bool(state.flipped[space]) != (industry == SHIPYARD):
            self.problem("space", name, "the tile being built is not supplied yet")
        plan = self.taken_back(0)
        plan.legal()  # surveys the map
        work, coal_due, iron_due = plan.work, int(state.coal_due), int(state.iron_due)
        coal = plain(coal_cost)(work, int(board.space_bit[space]), coal_due)
        if coal == UNREACHABLE:
            self.problem("coal due", coal_due, "not that much is available")
        elif coal + int(work.iron_cost[iron_due]) > state.cash[self.seat]:
            self.found.append(
                f"{self.engine.seats[self.seat]}.cash is {int(state.cash[self.seat])}:"
                f" the coal and iron due cost {coal + int(work.iron_cost[iron_due])}"
            )

    def check_link(self) -> None:
        """Check that the rail is there, or, with A-COAL, that the next one is not paid for yet."""
        state, board, line = self.state, self.board, self.line
        name, end, count = self.edition.line_name(line), int(state.end), int(state.count)
        if end != NOWHERE:
            place = self.edition.place_name(end)
            if not board.coal_at_chosen_end or self.phase in (RAIL_END, BEER_SOURCE):
                self.problem("end", place, "it is not asked for, or not yet")
            elif not int(board.line_ends[line]) >> end & 1:
                self.problem("end", place, f"it is not an end of {name}")
        elif board.coal_at_chosen_end and self.phase == COAL_SOURCE:
            self.found.append("action.end is missing")
        if self.found:
            return
        if self.unpaid:
            plan = self.taken_back(count)
            self.ask(plan, NUMBER["LINK", line])
            if self.phase == COAL_SOURCE:
                plan.state.phase, plan.state.doing, plan.state.line = RAIL_END, LINKING, line
                self.ask(plan, NUMBER["COAL_AT", end])
        elif (state.link_owner == self.seat).sum() < count:
            self.problem("count", count, "the seat does not have that many links")
        elif self.phase == COAL_SOURCE:
            plan = self.taken_back(count - 1)
            plan.state.link_owner[line] = NOBODY
            plan.state.cash[self.seat] += RAIL_COST if count == 1 else SECOND_RAIL_COST
            self.ask(plan, NUMBER["LINK", line])

    def check_develop(self) -> None:
        """Check that the tile can leave the mat, or has left it."""
        state, board, industry = self.state, self.board, int(self.state.industry)
        if self.phase == IRON_SOURCE:
            plan = self.taken_back(int(state.count))
            self.ask(plan, NUMBER["DEVELOP", industry])
            return
        gone = int(state.gone[self.seat, industry])
        if not gone or not board.developable[int(board.stack[industry, gone - 1])]:
            self.problem("industry", INDUSTRY[industry], "no tile of it has been developed")

    def check_sale(self) -> None:
        """Check that the tile is being sold, or has been sold."""
        state, space = self.state, self.space
        if self.phase == MORE_SALES:
            if not state.flipped[space]:
                name = self.edition.space_name(space)
                self.problem("space", name, "the tile that was sold is not flipped")
            return
        # Only the rule that counts barrels notices those already taken.
        begun = state.beer_due < self.board.beer_need[int(state.tile[space])]
        plan = self.taken_back(int(state.count))
        self.ask(plan, NUMBER["SELL", space], *((Reason.NO_BEER_IN_REACH,) if begun else ()))
        if state.develop_due and not self.bonus_taken():
            self.problem("develop due", 1, "every merchant with that bonus has its barrel")

    def bonus_taken(self) -> bool:
        """6.2: whether a barrel is gone where the bonus removes a tile."""
        state, board = self.state, self.board
        return any(
            board.bonus[int(board.merchant_place[merchant])] == BONUS_DEVELOP
            and state.merchant[merchant]
            and not state.barrel[merchant]
            for merchant in range(int(board.merchants))
        )

    # --- debt, and the end -------------------------------------------------------------------

    def check_debt(self) -> None:
        """DEBT-2: check that no money is left, and that the debt fits the income level."""
        state, board, seat = self.state, self.board, self.seat
        name = self.engine.seats[seat]
        level = int(income_level(int(state.income[seat])))
        if state.cash[seat]:
            self.found.append(f"{name}.cash is {int(state.cash[seat])}: a debtor has none left")
        if state.owed > -level:
            self.problem("owed", int(state.owed), f"{name}'s income level is {level}")
        if state.order[int(state.income_turn) - 1] != seat:
            paid = int(state.income_turn)
            self.problem("incomes paid", paid, f"{name} is not the last of them in the order")
        self.check_nothing_spent()
        first_round = state.era == CANAL and state.round_number == 1
        if board.income_first and first_round:
            self.problem("question", QUESTIONS[DEBT], "no income is paid before the first round")
        if not state.hand_size.any() and (board.income_first or state.era == RAIL):
            self.problem("question", QUESTIONS[DEBT], "no income is paid after the last round")

    def check_end(self) -> None:
        """END-1: check that all cards are played and the last era is over."""
        state = self.state
        question = QUESTIONS[GAME_OVER]
        if state.era != RAIL and not self.board.canal_era_only:
            self.problem("question", question, "the rail era is still to come")
        if state.hand_size.any() or state.deck_next < state.deck_end:
            self.problem("question", question, "there are cards left to play")
        self.check_nothing_spent()

    def check_nothing_spent(self) -> None:
        """TURN-3: check that no money counts as spent after the end of the round."""
        for seat, name in enumerate(self.engine.seats):
            if self.state.spent[seat]:
                spent = int(self.state.spent[seat])
                self.found.append(f"{name}.spent is {spent}: the round is over")
