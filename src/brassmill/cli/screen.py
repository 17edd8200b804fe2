"""What the terminal shows of a view. Owners are told by their letter and by their colour."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from rich.columns import Columns
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.measure import Measurement
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from brassmill.bill import Bill
from brassmill.cli.log import TIMES, Line
from brassmill.editions.edition import MARKET_PLACE, Edition, Market
from brassmill.game import Move
from brassmill.outcome import Outcome, Points
from brassmill.position.words import SOURCES
from brassmill.view import DistantView, MarketView, MerchantView, SeatView, TileView, View

WIDTH = 100
LONG = 13  # letters of a town's name
COLOURS = ("color(136)", "color(167)", "color(71)", "color(134)")  # by seat
QUIET = "dim italic"
LEGEND = "□ empty   ▪ coal, iron or beer on it   ✓ flipped   ◇ merchant and what his beer brings"

# Industries where there is no room for their names; these can be typed too.
SHORT = {"manufacturer": "goods", "pottery": "pots", "brewery": "beer", "shipyard": "ship"}
MEANINGS = {"two cards": "any two cards, and both actions"}
BUYERS = {"blank": "nobody", "all": "all goods"}
BONUSES = {
    "points": "+{} VP",
    "develop": "free development",
    "income": "+{} income",
    "money": "+£{}",
}
TIE_BREAKS = {
    "none": "",
    "income": "Equal points: the higher income decides.",
    "cash": "Equal points and income: the money decides.",
    "order": "Equal in everything: the order of play decides.",
    "shared": "Equal in everything: the win is shared.",
}


def grid(*columns: str) -> Table:
    """A table without a frame; a column that begins with `>` is set to the right."""
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style=QUIET)
    table.show_header = any(columns)
    for column in columns:
        table.add_column(
            column.removeprefix(">"), justify="right" if column.startswith(">") else "left"
        )
    return table


class Flow:
    """Texts in a row, which is broken only between them."""

    def __init__(self, parts: Iterable[Text], by: str = " ") -> None:
        self.parts = list(parts)
        self.by = by

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        line = Text(no_wrap=True)
        for number, part in enumerate(self.parts):
            by = self.by if number < len(self.parts) - 1 else ""
            if line and line.cell_len + part.cell_len + len(by.rstrip()) > options.max_width:
                line.rstrip()
                yield line
                line = Text(no_wrap=True)
            line.append_text(part).append(by)
        yield line

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        widths = [part.cell_len + len(self.by) for part in self.parts]
        return Measurement(max(widths, default=0), sum(widths)).with_maximum(options.max_width)


def short(industry: str) -> str:
    return SHORT.get(industry, industry)


def counted(names: Iterable[object], by: str = " ") -> str:
    """Each name, and how many there are of it if they are several."""
    return by.join(times(name, count) for name, count in Counter(names).items())


def times(name: object, count: int) -> str:
    return f"{name}{TIMES}{count}" if count > 1 else str(name)


class Offer(NamedTuple):
    """Something that can be played by its number."""

    number: int
    move: Move
    words: str
    price: int = 0
    needs_two_cards: bool = False

    @property
    def verb(self) -> str:
        for verb in ("give up", "two cards"):
            if self.words.startswith(verb):
                return verb
        return self.words.split()[0]


class Screen:
    """Prints views."""

    def __init__(self, console: Console, edition: Edition) -> None:
        self.console = console
        self.edition = edition
        self.industries = [edition.industry_name(number) for number in edition.industries]
        self.rows = {(row.industry, row.level): row for row in edition.tiles}

    def print(self, *parts: RenderableType) -> None:
        for part in parts:
            self.console.print(part, highlight=False, markup=False)

    def say(self, words: str, style: str = "", wrap: bool = True) -> None:
        self.console.print(Text(words, style), soft_wrap=not wrap)

    def name(self, view: View, seat: int) -> Text:
        return Text(f" {view.seats[seat].name} ", f"reverse bold {COLOURS[seat]}")

    # --- the whole table -------------------------------------------------------------------------

    def table(self, view: View, news: Sequence[Line]) -> None:
        """Everything; what is needed most comes last, above the prompt."""
        self.print("", self.title(view), self.towns(view), "", self.links(view))
        self.print("", self.markets(view), "")
        self.log(view, news)
        self.print(self.mat(view), "", self.seats(view), "", self.hand(view))

    def title(self, view: View) -> RenderableType:
        parts = (
            self.edition.title,
            f"{view.era} era",
            f"round {view.round} of {view.rounds}",
            f"{view.deck} cards to draw",
        )
        return Rule(Text("  ·  ".join(parts), "bold"), style="dim")

    def log(self, view: View, lines: Sequence[Line]) -> None:
        """What has happened."""
        table = grid("", "")
        for line in lines:
            who = Text(" · ", "dim") if line.seat is None else self.name(view, line.seat)
            table.add_row(who, Text.assemble(line.deed, (f"  {line.details}", "dim")))
        if lines:
            self.print(table, "")

    # --- the map ---------------------------------------------------------------------------------

    def towns(self, view: View) -> RenderableType:
        """All places and what stands there, in two columns."""
        places = range(len(self.edition.places))
        half = (len(places) + 1) // 2
        columns = []
        for part in (places[:half], places[half:]):
            table = grid("", "")
            table.width = self.console.width // 2 - 1
            table.columns[0].no_wrap = True
            table.columns[1].ratio = 1
            for place in part:
                table.add_row(self.short_name(place), self.contents(view, place))
            columns.append(table)
        return Columns(columns, padding=(0, 2, 0, 0))

    def map(self, view: View) -> RenderableType:
        """The same one by one, with the lines that lead from place to place."""
        table = grid("town", "spaces", f"lines of the {view.era} era")
        table.columns[1].ratio = table.columns[2].ratio = 1
        for place, row in enumerate(self.edition.places):
            table.add_row(row.name, self.contents(view, place), self.lines(view, place))
        table.caption, table.caption_justify, table.caption_style = LEGEND, "left", "dim"
        return table

    def short_name(self, place: int) -> str:
        row = self.edition.places[place]
        return row.other_names[0] if len(row.name) > LONG and row.other_names else row.name

    def contents(self, view: View, place: int) -> RenderableType:
        """The spaces of a place, or its merchants."""
        row = self.edition.places[place]
        if row.spaces:
            tiles = {tile.space: tile for tile in view.tiles}
            spaces = self.edition.place_spaces[place]
            return Flow(self.space(view, space, tiles.get(space)) for space in spaces)
        merchants = [self.merchant(m) for m in view.merchants if m.place == row.name]
        if merchants:
            bonus = Text(BONUSES[row.bonus].format(row.bonus_amount), QUIET)
            return Flow([*merchants, bonus])
        return Text("market" if row.kind == MARKET_PLACE else "", QUIET)

    def space(self, view: View, space: int, tile: TileView | None) -> Text:
        if tile is None:
            return Text(f"□{'/'.join(map(short, self.edition.spaces[space].symbols))}", "dim")
        words = f"{view.seats[tile.owner].name} {short(tile.industry)} {tile.level}"
        words += " ✓" if tile.flipped else f" {'▪' * tile.cubes}" if tile.cubes else ""
        return Text(words, f"{'reverse' if tile.flipped else 'bold'} {COLOURS[tile.owner]}")

    def merchant(self, merchant: MerchantView) -> Text:
        buyer = BUYERS.get(merchant.goods, short(merchant.goods))
        return Text(f"◇{buyer}{' ▪' if merchant.barrel else ''}", "" if merchant.barrel else "dim")

    def lines(self, view: View, place: int) -> RenderableType:
        """The neighbours of a place by the lines of the era, and whose links lead there."""
        owners = {link.line: link.owner for link in view.links}
        parts = []
        for number, ends in enumerate(self.edition.line_ends):
            line = self.edition.lines[number]
            if place in ends and (line.canal if view.era == "canal" else line.rail):
                words = "/".join(self.short_name(end) for end in ends if end != place)
                if number in owners:
                    words = f"{view.seats[owners[number]].name} {words}"
                style = f"bold {COLOURS[owners[number]]}" if number in owners else "dim"
                parts.append(Text(words, style))
        return Flow(parts, ", ")

    def links(self, view: View) -> RenderableType:
        """The links of each owner."""
        table = grid("", "")
        for seat in range(view.players):
            names = [
                Text(self.link_name(link.line), COLOURS[seat])
                for link in view.links
                if link.owner == seat
            ]
            table.add_row(self.name(view, seat), Flow(names or [Text("no links", QUIET)], ", "))
        return table

    def link_name(self, line: int) -> str:
        return "-".join(map(self.short_name, self.edition.line_ends[line][:2]))

    # --- markets ---------------------------------------------------------------------------------

    def markets(self, view: View) -> RenderableType:
        """Coal, iron, and the distant market of the Lancashire games."""
        table = grid("", "", "")
        for name, market, prices in (
            ("coal market", view.coal_market, self.edition.coal_market),
            ("iron market", view.iron_market, self.edition.iron_market),
        ):
            table.add_row(name, Text(f"next £{market.price}", "bold"), self.ladder(market, prices))
        if view.distant:
            bonus = "closed" if view.distant.closed else f"a sale +{view.distant.bonus}"
            table.add_row("distant market", Text(bonus, "bold"), self.track(view.distant))
        return table

    def ladder(self, market: MarketView, prices: Market) -> RenderableType:
        """The spaces of a market with their prices, the cheapest first."""
        empty = len(prices.prices) - market.cubes
        steps = [
            Text(f"£{price} {''.join('▪' if n >= empty else '□' for n, _ in spaces)}")
            for price, spaces in groupby(enumerate(prices.prices), lambda space: space[1])
        ]
        return Flow([*steps, Text(f"then £{prices.empty_price}", "dim")], "  ")

    def track(self, distant: DistantView) -> RenderableType:
        """The income that sales bring by space of the track, and the tiles turned so far."""
        steps = [
            Text(f"{bonus:+d}" if bonus else "0", "reverse" if n == distant.marker else "dim")
            for n, bonus in enumerate(self.edition.distant_bonus)
        ]
        steps[-1].plain = "X"
        turned = counted(f"-{steps}" if steps else "0" for steps in sorted(distant.revealed))
        words = f"{distant.left} tiles face down" + (f", turned: {turned}" if turned else "")
        return Flow([*steps, Text(f"  {words}", QUIET)])

    # --- the seats -------------------------------------------------------------------------------

    def seats(self, view: View) -> RenderableType:
        """In the order of play: money, points, and the next tile of each industry."""
        table = grid(
            *("order", ">money", ">spent", ">income", ">VP", ">cards", ">links"),
            *map(short, self.industries),
        )
        for turn, seat in enumerate(view.order, 1):
            row = view.seats[seat]
            table.add_row(
                Text.assemble(f"{turn} ", self.name(view, seat), " you" * (seat == view.seat)),
                *(f"£{row.cash}", f"£{row.spent}", f"{row.level:+d} ({row.income})"),
                *map(str, (row.vp, row.cards, row.links_left)),
                *(self.next_tile(row, industry) for industry in self.industries),
            )
        return table

    def next_tile(self, seat: SeatView, industry: str) -> str:
        stack = seat.mat[industry]
        return counted(level for level in stack if level == stack[0]) if stack else "-"

    def hand(self, view: View) -> RenderableType:
        cards = [
            Text(f" {times(name, count)} ", "reverse") for name, count in (view.hand or {}).items()
        ]
        table = grid("", "")
        table.add_row("your hand", Flow(cards or [Text("no cards", QUIET)]))
        return table

    def mat(self, view: View) -> RenderableType:
        """The next tile of each industry on the own mat, and how many are left."""
        assert view.seat is not None
        rail = view.era == "rail"
        table = grid(
            *("your mat", ">cost", ">coal", ">iron", ">to sell", ">holds"),
            *(">VP", ">income", ">links", "left by level (not in this era)"),
        )
        for industry, stack in view.seats[view.seat].mat.items():
            if not stack:
                table.add_row(industry, *["-"] * 8, "none", style="dim")
                continue
            row = self.rows[industry, stack[0]]
            holds = row.contents[rail]
            table.add_row(
                *(row.name, f"£{row.cost}", str(row.coal or "-"), str(row.iron or "-")),
                *(f"{row.beer} beer" if row.beer else "-", str(holds or "-")),
                *(str(row.vp), f"+{row.income}", str(row.icons)),
                " ".join(self.levels(industry, stack, rail)),
                style="" if row.buildable[rail] else "dim",
            )
        return table

    def levels(self, industry: str, stack: Sequence[int], rail: bool) -> Iterator[str]:
        """The tiles of a stack by level, in brackets what is not built in this era."""
        for level, count in Counter(stack).items():
            words = times(level, count)
            yield words if self.rows[industry, level].buildable[rail] else f"({words})"

    def mats(self, view: View) -> RenderableType:
        """The tiles left on all mats, by level."""
        table = grid("", *self.industries)
        for seat, row in enumerate(view.seats):
            stacks = (counted(row.mat[industry]) or "none" for industry in self.industries)
            table.add_row(self.name(view, seat), *stacks)
        return table

    def purse(self, view: View) -> RenderableType:
        assert view.seat is not None
        seat = view.seats[view.seat]
        return Text(
            f"you have   £{seat.cash}, income {seat.level:+d} ({seat.income}), {seat.vp} VP,"
            f" £{seat.spent} spent this round"
        )

    # --- choices ---------------------------------------------------------------------------------

    def summary(self, offers: Sequence[Offer]) -> None:
        """How many choices there are of each kind."""
        counts = Counter(offer.verb for offer in offers)
        parts = [f"{verb} ({n})" if n > 1 else verb for verb, n in counts.items()]
        self.say(f"you can    {', '.join(parts)}    (list shows them, ? helps)", "dim")

    def choices(self, offers: Sequence[Offer]) -> None:
        """Numbered choices, by their verbs."""
        table = grid("", "")
        for verb, group in groupby(offers, lambda offer: offer.verb):
            columns = Columns(map(self.offer, group), column_first=True, padding=(0, 2, 0, 0))
            table.add_row(Text(verb, QUIET), columns)
        self.print(table)

    def offer(self, offer: Offer) -> Text:
        words = offer.words.removeprefix(offer.verb).strip() or offer.words
        words = MEANINGS.get(words, words)
        price = f"  £{offer.price}" if offer.price else ""
        cards = "  two cards" if offer.needs_two_cards else ""
        return Text.assemble((f"{offer.number:3}  ", "bold"), words, (price + cards, "dim"))

    def bill(self, bill: Bill) -> RenderableType:
        """What an action costs."""
        table = grid("", "", "")
        parts = ", ".join(f"{part.label} £{part.pounds}" for part in bill.parts)
        table.add_row("you pay", Text(f"£{bill.total}", "bold"), parts)
        for source in bill.sources:
            price = f"£{source.pounds}" if source.pounds else "free"
            table.add_row(source.resource, price, f"from {' or '.join(source.names)}")
        for receipt in bill.receipts:
            table.add_row("you get", f"£{receipt.pounds}", f"for {receipt.label}")
        place = f"and place {bill.place} in the next order, as things stand"
        table.add_row("you keep", Text(f"£{bill.cash_left}", "bold"), place)
        return table

    def commands(self, rows: Iterable[tuple[str, str]]) -> None:
        table = grid("", "")
        for use, meaning in rows:
            table.add_row(f"  {use}", meaning)
        self.print(table)

    # --- points ----------------------------------------------------------------------------------

    def score(self, view: View, points: Sequence[Points]) -> RenderableType:
        """What the end of the era would bring now."""
        table = self.points_table(view, f"if the {view.era} era ended now")
        self.add_points(table, points)
        totals = [sum(part.values()) for part in points]
        table.add_row("together", *(f"{total:+d}" for total in totals), style="bold")
        table.add_row("with the points so far", *self.sums(view, totals), style="bold")
        return table

    def sums(self, view: View, more: Sequence[int]) -> Iterator[str]:
        return (str(seat.vp + points) for seat, points in zip(view.seats, more, strict=True))

    def outcome(self, view: View, outcome: Outcome) -> None:
        """The result by era and source, the ranks, and what decided."""
        table = self.points_table(view, "")
        for era in ("canal", "rail"):
            points = [result.points[era] for result in outcome.results]
            if any(points):
                totals = (str(sum(part.values())) for part in points)
                table.add_row(f"{era} era", *totals, style="bold italic")
                self.add_points(table, points)
        table.add_row("points", *(str(result.total) for result in outcome.results), style="bold")
        table.add_row("rank", *(f"{result.rank}." for result in outcome.results), style="bold")
        self.print("", Rule(Text("The game is over", "bold"), style="dim"), table, "")
        others = [view.seats[seat].name for seat in outcome.winners if seat != view.seat]
        winners = ["You"] * (view.seat in outcome.winners) + others
        verb = "wins" if winners == others[:1] else "win"
        self.say(f"{' and '.join(winners)} {verb}. {TIE_BREAKS[outcome.tie_break]}".strip(), "bold")

    def points_table(self, view: View, title: str) -> Table:
        table = grid(title, *[">"] * view.players)
        table.show_header = True
        for seat in range(view.players):
            table.columns[1 + seat].header = Text(view.seats[seat].name, COLOURS[seat])
        return table

    def add_points(self, table: Table, points: Sequence[Points]) -> None:
        """A row for each source that brings somebody something."""
        for source in SOURCES:
            if any(source in part for part in points):
                table.add_row(source, *(str(part.get(source, "")) for part in points))
