"""Views in the terminal. Owners differ by shape as well as colour."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from brassmill import terms
from brassmill.cli.layout import (
    MINUS,
    QUIET,
    Flow,
    counted,
    grid,
    level,
    short,
    signed,
    times,
)
from brassmill.cli.map import BONUSES as SHORT_BONUSES
from brassmill.cli.map import CODES, COLOURS, NARROWEST, SHAPES, WIDTH, draw_map
from brassmill.core.bill import Bill, discards_words
from brassmill.core.gain import Gain
from brassmill.core.names import SOURCES
from brassmill.core.outcome import Outcome, Points
from brassmill.core.view import DistantView, MarketView, MerchantView, SeatView, TileView, View
from brassmill.editions import edition
from brassmill.editions.edition import MARKET_PLACE, Edition, Market
from brassmill.language import N_, language, ngettext, pgettext
from brassmill.language import gettext as _
from brassmill.play.offers import Offer
from brassmill.vocabulary import say
from brassmill.words.log import LogLine

LONG = 13  # letters of a town's name
LEGEND = N_("□ empty   ▪ coal or iron on it   ✓ flipped")
MERCHANTS_LEGEND = N_(
    "□ empty   ▪ coal, iron or beer on it   ✓ flipped   ◇ merchant and its beer bonus"
)

BUYERS = {"blank": N_("nobody"), "all": N_("all goods")}
BONUSES = SHORT_BONUSES | {"develop": N_("free development")}  # there is room for longer words here


def screen_for(edition: Edition, bots: Mapping[int, str] | None = None) -> Screen:
    """The terminal at its width, up to a maximum; `bots` maps seats to the names of their bots."""
    room = shutil.get_terminal_size((WIDTH, 0)).columns
    return Screen(Console(width=min(WIDTH, room)), edition, bots)


def show_view(view: View) -> None:
    """Print a view."""
    screen_for(edition(view.edition, view.players, **view.options)).board(view)


class Screen:
    """Prints views."""

    def __init__(
        self, console: Console, edition: Edition, bots: Mapping[int, str] | None = None
    ) -> None:
        self.console = console
        self.edition = edition
        self.bots = bots or {}
        self.industries = [edition.industry_name(number) for number in edition.industries]
        self.rows = {(row.industry, row.level): row for row in edition.tiles}

    def print(self, *parts: RenderableType) -> None:
        for part in parts:
            self.console.print(part, highlight=False, markup=False)

    def say(self, words: str, style: str = "", wrap: bool = True) -> None:
        self.console.print(Text(words, style), soft_wrap=not wrap)

    def name(self, view: View, seat: int) -> Text:
        words = f" {SHAPES[seat]} {view.seats[seat].name} "
        return Text(words, f"reverse bold {COLOURS[seat]}")

    def fitted(self, table: Table) -> Table:
        """Narrow the gaps of a table that would be too wide."""
        if not self.fits(table):
            table.padding = (0, 1, 0, 0)
        return table

    def fits(self, table: Table) -> bool:
        """Does the table fit the width?"""
        room = self.console.options.update(max_width=2 * self.console.width)
        return self.console.measure(table, options=room).maximum <= self.console.width

    def clear(self) -> None:
        """Clear the screen and its scrollback: the next person to look must not see this."""
        if self.console.is_terminal:
            self.console.file.write("\x1b[H\x1b[2J\x1b[3J")
            self.console.file.flush()

    # --- the whole table -------------------------------------------------------------------------

    def table(self, view: View, news: Sequence[LogLine]) -> None:
        """Print everything, the most needed last, just above the prompt."""
        self.public(view)
        self.log(view, news)
        self.private(view)

    def board(self, view: View) -> None:
        """Print everything except the news."""
        self.public(view)
        self.private(view)

    def public(self, view: View) -> None:
        self.print("", self.title(view), *self.map(view), "", self.markets(view), "")

    def private(self, view: View) -> None:
        """The seats, between the viewer's mat and hand if the view has them."""
        seats = (self.seats(view), *self.wild_cards(view))
        if view.seat is None:
            self.print(*seats)
        else:
            self.print(self.mat(view), "", *seats, "", self.hand(view))

    def title(self, view: View) -> RenderableType:
        parts = (
            self.edition.title,
            terms.era(view.era),
            _("round {round} of {rounds}").format(round=view.round, rounds=view.rounds),
            ngettext("{number} card to draw", "{number} cards to draw", view.deck).format(
                number=view.deck
            ),
        )
        for between in ("  ·  ", " · "):
            words = Text(between.join(parts), "bold")
            if words.cell_len + 4 <= self.console.width:
                return Rule(words, style="dim")
        return words  # no room for a rule around it

    def log(self, view: View, lines: Sequence[LogLine]) -> None:
        """Print what has happened."""
        table = grid("", "")
        for line in lines:
            name = Text(" · ", "dim") if line.seat is None else self.name(view, line.seat)
            table.add_row(name, Text.assemble(line.text, (f"  {line.details}", "dim")))
        if lines:
            self.print(table, "")

    # --- the map ---------------------------------------------------------------------------------

    def map(self, view: View) -> Iterable[RenderableType]:
        """The map as a picture, or as a list if there is no room for it."""
        if self.console.width < NARROWEST:
            return self.towns(view), "", self.links(view)
        return draw_map(view, self.edition, self.console.width)

    def towns(self, view: View) -> RenderableType:
        """All places and their contents, in two columns."""
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

    def places(self, view: View) -> RenderableType:
        """All places one by one, with the lines between them."""
        lines = _("lines of the canal era") if view.era == "canal" else _("lines of the rail era")
        table = grid(_("town"), _("spaces"), lines)
        table.columns[1].ratio = table.columns[2].ratio = 1
        for place, row in enumerate(self.edition.places):
            table.add_row(row.name, self.contents(view, place), self.lines(view, place))
        legend = _(MERCHANTS_LEGEND) if self.edition.merchants else _(LEGEND)
        table.caption, table.caption_justify, table.caption_style = legend, "left", "dim"
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
            return Flow(self.space(space, tiles.get(space)) for space in spaces)
        merchants = [self.merchant(m) for m in view.merchants if m.place == row.name]
        if merchants:
            bonus = _(BONUSES[row.bonus]).format(amount=row.bonus_amount)
            return Flow([*merchants, Text(bonus, QUIET)])
        return Text(_("market") if row.kind == MARKET_PLACE else "", QUIET)

    def space(self, space: int, tile: TileView | None) -> Text:
        if tile is None:
            return Text(f"□{'/'.join(map(short, self.edition.spaces[space].symbols))}", "dim")
        words = f"{SHAPES[tile.owner]} {short(tile.industry)} {tile.level}"
        words += " ✓" if tile.flipped else f" {'▪' * tile.cubes}" if tile.cubes else ""
        return Text(words, f"{'reverse' if tile.flipped else 'bold'} {COLOURS[tile.owner]}")

    def merchant(self, merchant: MerchantView) -> Text:
        goods = merchant.goods
        buyer = _(BUYERS[goods]) if goods in BUYERS else short(goods)
        return Text(f"◇{buyer}{' ▪' if merchant.barrel else ''}", "" if merchant.barrel else "dim")

    def lines(self, view: View, place: int) -> RenderableType:
        """The neighbours of a place along this era's lines, and who owns the links."""
        owners = {link.line: link.owner for link in view.links}
        parts = []
        for number, ends in enumerate(self.edition.line_ends):
            line = self.edition.lines[number]
            if place in ends and (line.canal if view.era == "canal" else line.rail):
                words = "/".join(self.short_name(end) for end in ends if end != place)
                if number in owners:
                    words = f"{SHAPES[owners[number]]} {words}"
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
            none = Text(_("no links"), QUIET)
            table.add_row(self.name(view, seat), Flow(names or [none], ", "))
        return table

    def link_name(self, line: int) -> str:
        return "-".join(map(self.short_name, self.edition.line_ends[line][:2]))

    # --- markets ---------------------------------------------------------------------------------

    def markets(self, view: View) -> RenderableType:
        """Coal, iron, and the distant market of the Lancashire editions."""
        table = grid("", "", "")
        for name, market, prices in (
            (_("coal market"), view.coal_market, self.edition.coal_market),
            (_("iron market"), view.iron_market, self.edition.iron_market),
        ):
            price = Text(_("next £{pounds}").format(pounds=market.price), "bold")
            table.add_row(name, price, self.ladder(market, prices))
        if view.distant:
            sale = _("income +{number} per sale").format(number=view.distant.bonus)
            bonus = Text(_("closed") if view.distant.closed else sale, "bold")
            table.add_row(_("distant market"), bonus, self.track(view.distant))
        return table

    def ladder(self, market: MarketView, prices: Market) -> RenderableType:
        """The spaces of a market with their prices, cheapest first."""
        empty = len(prices.prices) - market.cubes
        steps = [
            Text.assemble(
                f"{terms.pounds(price)} ", *("▪" if n >= empty else "□" for n, _price in spaces)
            )
            for price, spaces in groupby(enumerate(prices.prices), lambda space: space[1])
        ]
        after = _("then £{pounds}").format(pounds=prices.empty_price)
        return Flow([*steps, Text(after, "dim")], "  ")

    def track(self, distant: DistantView) -> RenderableType:
        """The income per sale along the track, and the tiles revealed so far."""
        steps = [
            Text(signed(bonus) or "0", "reverse" if n == distant.marker else "dim")
            for n, bonus in enumerate(self.edition.distant_bonus)
        ]
        steps[-1].plain = "X"
        turned = counted(f"{MINUS}{steps}" if steps else "0" for steps in sorted(distant.revealed))
        words = [
            ngettext("{number} tile face down", "{number} tiles face down", distant.left).format(
                number=distant.left
            )
        ]
        if turned:
            words.append(_("revealed: {tiles}").format(tiles=turned))
        return Flow([*steps, Text(f"  {', '.join(words)}", QUIET)])

    # --- the seats -------------------------------------------------------------------------------

    def seats(self, view: View) -> RenderableType:
        """The seats in turn order: money, VP, and the next tile of each industry."""
        for bots, narrow in ((self.bots, False), ({}, False), (self.bots, True), ({}, True)):
            table = self.fitted(self.seats_table(view, bots, narrow))
            if self.fits(table):
                break
        return table

    def seats_table(self, view: View, bots: Mapping[int, str], narrow: bool) -> Table:
        """The table of seats; if narrow, industries are letters as on the map."""
        numbers = (
            *(pgettext("column", "money"), pgettext("column", "spent")),
            *(pgettext("column", "income"), pgettext("column", "VP")),
            *(pgettext("column", "cards"), pgettext("column", "links")),
        )
        if narrow:
            numbers = (
                *(pgettext("narrow", "money"), pgettext("narrow", "spent")),
                *(pgettext("narrow", "income"), pgettext("column", "VP")),
                *(pgettext("narrow", "cards"), pgettext("narrow", "links")),
            )
        table = grid(
            pgettext("column", "order"),
            *(f">{name}" for name in numbers),
            *(CODES[name] if narrow else short(name) for name in self.industries),
        )
        table.columns[0].no_wrap = True
        for turn, seat in enumerate(view.order, 1):
            row = view.seats[seat]
            own = seat == view.seat and not (narrow and len(row.name) > 1)
            note = _("you") if own else bots.get(seat, "")
            table.add_row(
                Text.assemble(f"{turn} ", self.name(view, seat), f" {note}".rstrip()),
                *(
                    terms.pounds(row.cash),
                    terms.pounds(row.spent),
                    f"{level(row.level)} ({row.income})",
                ),
                *map(str, (row.vp, row.cards, row.links_left)),
                *(self.next_tile(row, industry) for industry in self.industries),
            )
        return table

    def next_tile(self, seat: SeatView, industry: str) -> str:
        stack = seat.mat[industry]
        return counted(number for number in stack if number == stack[0]) if stack else "-"

    def wild_cards(self, view: View) -> Iterator[RenderableType]:
        """The other players' wild cards, which everyone saw them take."""
        held = [
            Text.assemble(self.name(view, seat), " ", ", ".join(map(terms.card, wild)))
            for seat in view.order
            if (wild := view.seats[seat].wild) and seat != view.seat
        ]
        if held:
            table = grid("", "")
            table.add_row(_("wild cards"), Flow(held, "  "))
            yield table

    def hand(self, view: View) -> RenderableType:
        cards = [
            Text(f" {times(terms.card(name), count)} ", "reverse")
            for name, count in (view.hand or {}).items()
        ]
        table = grid("", "")
        table.add_row(_("your hand"), Flow(cards or [Text(_("no cards"), QUIET)]))
        return table

    def mat(self, view: View) -> RenderableType:
        """The next tile of each industry on the viewer's mat, and how many are left."""
        assert view.seat is not None
        rail = view.era == "rail"
        numbers = (
            *(pgettext("column", "cost"), terms.resource("coal"), terms.resource("iron")),
            *(pgettext("column", "to sell"), pgettext("column", "holds")),
            *(pgettext("column", "VP"), pgettext("column", "income"), pgettext("column", "links")),
        )
        table = grid(
            pgettext("column", "your mat"),
            *(f">{name}" for name in numbers),
            pgettext("column", "left by level (not in this era)"),
        )
        for industry, stack in view.seats[view.seat].mat.items():
            if not stack:
                table.add_row(short(industry), *["-"] * 8, _("none"), style="dim")
                continue
            row = self.rows[industry, stack[0]]
            holds = row.contents[rail]
            beer = ngettext("{number} beer", "{number} beers", row.beer).format(number=row.beer)
            table.add_row(
                f"{short(industry)} {row.level}",
                *(
                    terms.pounds(row.cost),
                    str(row.coal or "-"),
                    str(row.iron or "-"),
                    beer if row.beer else "-",
                ),
                *(str(holds or "-"), str(row.vp), f"+{row.income}", str(row.icons)),
                " ".join(self.levels(industry, stack, rail)),
                style="" if row.buildable[rail] else "dim",
            )
        return self.fitted(table)

    def levels(self, industry: str, stack: Sequence[int], rail: bool) -> Iterator[str]:
        """The tiles of a stack by level; those that cannot be built in this era are in brackets."""
        for number, count in Counter(stack).items():
            words = times(number, count)
            yield words if self.rows[industry, number].buildable[rail] else f"({words})"

    def mats(self, view: View) -> RenderableType:
        """The tiles left on all mats, by level."""
        table = grid("", *map(short, self.industries))
        for seat, row in enumerate(view.seats):
            stacks = (counted(row.mat[industry]) or _("none") for industry in self.industries)
            table.add_row(self.name(view, seat), *stacks)
        return self.fitted(table)

    def purse(self, view: View) -> RenderableType:
        assert view.seat is not None
        seat = view.seats[view.seat]
        words = _(
            "you have   £{cash}, income {level} ({space}), {vp} VP, £{spent} spent this round"
        )
        return Text(
            words.format(
                cash=seat.cash,
                level=level(seat.level),
                space=seat.income,
                vp=seat.vp,
                spent=seat.spent,
            )
        )

    # --- choices ---------------------------------------------------------------------------------

    def summary(self, offers: Sequence[Offer]) -> None:
        """Print how many choices there are of each kind."""
        counts = Counter(offer.verb for offer in offers)
        parts = [f"{verb} ({n})" if n > 1 else verb for verb, n in counts.items()]
        words = _("you can    {what}    (list: all choices, ?: help)").format(what=", ".join(parts))
        self.say(words, "dim")

    def choices(self, offers: Sequence[Offer]) -> None:
        """Print numbered choices, grouped by verb."""
        table = grid("", "")
        for verb, group in groupby(offers, lambda offer: offer.verb):
            columns = Columns(map(self.offer, group), column_first=True, padding=(0, 2, 0, 0))
            table.add_row(Text(verb, QUIET), columns)
        self.print(table)

    def offer(self, offer: Offer) -> Text:
        words = offer.about or offer.verb
        if offer.verb == say("two cards", language()):
            words = _("any two cards, and both actions")
        price = f"  {terms.pounds(offer.price)}" if offer.price else ""
        cards = f"  {say('two cards', language())}" if offer.needs_two_cards else ""
        return Text.assemble((f"{offer.number:3}  ", "bold"), words, (price + cards, "dim"))

    def bill(self, bill: Bill, gain: Gain) -> RenderableType:
        """What an action costs and brings."""
        table = grid("", "", "")
        parts = ", ".join(
            f"{self.label(part.label)} {terms.pounds(part.pounds)}" for part in bill.parts
        )
        if not bill.only_earns:
            table.add_row(_("you pay"), Text(terms.pounds(bill.total), "bold"), parts)
        for card in bill.wild:
            table.add_row("", "", Text(discards_words(card), "bold"))
        for source in bill.sources:
            price = terms.pounds(source.pounds) if source.pounds else _("free")
            bought = source.names == ("market",)
            words = _("from the market") if bought else _("from {places}")
            resource = terms.resource(source.resource)
            table.add_row(resource, price, words.format(places=source.words))
        for label, receipts in groupby(bill.receipts, lambda receipt: receipt.label):
            amounts = [receipt.pounds for receipt in receipts]
            what = _("for {what}").format(what=times(self.label(label), len(amounts)))
            table.add_row(_("you get"), terms.pounds(sum(amounts)), what)
        for bonus in bill.bonuses_beside_money:
            table.add_row("", "", str(bonus))
        if gain.points:
            table.add_row(_("VP"), level(gain.points), _("if the era ended now"))
        if gain.income:
            words = _("on the income track ({levels} per round)")
            spaces = words.format(levels=level(gain.levels))
            table.add_row(_("income"), level(gain.income), spaces)
        if gain.at_most:
            table.add_row("", "", _("at most; a tile is revealed first"))
        place = _("{place} next round, as things stand").format(place=terms.ordinal(bill.place))
        left = _("you will have") if bill.only_earns else _("you have left")
        table.add_row(left, Text(terms.pounds(bill.cash_left), "bold"), place)
        return table

    def label(self, label: str) -> str:
        """What an amount in a bill is for: a tile, or something else with a name."""
        industry, _blank, number = label.rpartition(" ")
        if number.isdecimal():
            return f"{short(industry)} {number}"
        return terms.resource(label) if label in terms.RESOURCES else terms.purpose(label)

    def examples(self, lines: Sequence[str]) -> None:
        columns = [Text(f"  {line}") for line in lines]
        self.print(Columns(columns, column_first=True, padding=(0, 4, 0, 0)))

    def commands(self, rows: Iterable[tuple[str, str]]) -> None:
        """Print commands and their meanings."""
        table = grid("", "")
        for use, meaning in rows:
            table.add_row(f"  {use}", meaning)
        self.print(table)

    def say_narrow(self) -> None:
        """Warn if the window is too narrow."""
        if self.console.width < NARROWEST:
            words = _("Widen the window to at least {columns} columns to read this well.")
            self.say(words.format(columns=NARROWEST), "bold")

    # --- scores ----------------------------------------------------------------------------------

    def score(self, view: View, points: Sequence[Points]) -> RenderableType:
        """The VP of each player if the era ended now."""
        canal = view.era == "canal"
        title = _("if the canal era ended now") if canal else _("if the rail era ended now")
        table = self.points_table(view, title)
        self.add_points(table, points)
        totals = [sum(part.values()) for part in points]
        table.add_row(_("total"), *map(level, totals), style="bold")
        table.add_row(_("with VP so far"), *self.sums(view, totals), style="bold")
        return table

    def sums(self, view: View, more: Sequence[int]) -> Iterator[str]:
        return (str(seat.vp + points) for seat, points in zip(view.seats, more, strict=True))

    def outcome(self, view: View, outcome: Outcome) -> None:
        """Print the result by era and source, the ranks, and the tie-break."""
        table = self.points_table(view, "")
        for era in ("canal", "rail"):
            points = [result.points[era] for result in outcome.results]
            if any(points):
                totals = (str(sum(part.values())) for part in points)
                table.add_row(terms.era(era), *totals, style="bold italic")
                self.add_points(table, points)
        table.add_row(_("VP"), *(str(result.total) for result in outcome.results), style="bold")
        table.add_row(_("rank"), *(f"{result.rank}." for result in outcome.results), style="bold")
        self.print("", Rule(Text(_("The game is over"), "bold"), style="dim"), table, "")
        words = [self.winners(view, outcome), terms.tie_break(outcome.tie_break)]
        self.say(" ".join(filter(None, words)), "bold")

    def winners(self, view: View, outcome: Outcome) -> str:
        names = [
            _("you") if seat == view.seat else view.seats[seat].name for seat in outcome.winners
        ]
        if len(names) > 1:
            return _("The winners: {names}.").format(names=", ".join(names))
        if outcome.winners == (view.seat,):
            return _("You win.")
        return _("{name} wins.").format(name=names[0])

    def points_table(self, view: View, title: str) -> Table:
        table = grid(title, *[">"] * view.players)
        table.show_header = True
        for seat in range(view.players):
            words = f"{SHAPES[seat]} {view.seats[seat].name}"
            table.columns[1 + seat].header = Text(words, COLOURS[seat])
        return table

    def add_points(self, table: Table, points: Sequence[Points]) -> None:
        """Add a row for each source that gives anyone VP."""
        for source in SOURCES:
            if any(source in part for part in points):
                numbers = (str(part.get(source, "")) for part in points)
                words = (number.replace("-", MINUS) for number in numbers)
                table.add_row(terms.source(source), *words)
