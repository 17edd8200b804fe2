"""Write the generated tables into the pages: `make docs`.

The tables are committed, so that the pages can be read in the repository. A test fails if one is
stale.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any

from brassmill import vocabulary
from brassmill.coach.chances import stored_for
from brassmill.core import events
from brassmill.core.choice import choice_text
from brassmill.editions import EDITIONS, Edition, edition
from brassmill.editions.edition import INDUSTRY, goods_bits
from brassmill.observation import Layout
from brassmill.observation.index import Index
from brassmill.rulebook import Rule, chapters
from brassmill.rules import reasons
from brassmill.rules.choices import CHOICES, KINDS, Subject, kind_of
from brassmill.rules.layout import SYMBOLS

DOCS = Path(__file__).parent
TABLE = re.compile(r"(<!-- table: (\w+) -->\n).*?(<!-- end -->)", re.DOTALL)


# What the offset of a choice counts, where that is not its subject.
OFFSETS = {
    Subject.SITE: "space * 2 + symbol",
    Subject.MERCHANT: "merchant space",
    Subject.CARD: "kind of card",
    Subject.NOTHING: "-",
}


def choices_table() -> str:
    """The kinds of choice and their numbers."""
    rows = ["| numbers | kind | offset | meaning |", "|---|---|---|---|"]
    first = 0
    for kind in KINDS:
        last = first + kind.size - 1
        numbers = f"{first}" if kind.size == 1 else f"{first} to {last}"
        offset = OFFSETS.get(kind.subject, kind.subject)
        rows.append(f"| {numbers} | `{kind.name}` | {offset} | {kind.meaning} |")
        first = last + 1
    return "\n".join([*rows, "", f"{CHOICES} choices in all."])


def actions_table() -> str:
    """Every choice in the words of every map."""
    maps = {box.title: edition(name, 4) for name, box in EDITIONS.items()}
    maps["for two"] = edition("lancashire", community_2p=True)
    rows = [f"| number | {' | '.join(maps)} |", "|---|" + "---|" * len(maps)]
    for number in range(CHOICES):
        words = (choice_text(game, number) if has(game, number) else "" for game in maps.values())
        rows.append(f"| {number} | {' | '.join(words)} |")
    return "\n".join(rows)


def has(game: Edition, number: int) -> bool:
    """Is there such a space, line, card, loan, ... in an edition?"""
    kind, offset = kind_of(number)
    if kind.name in ONLY_THERE and not ONLY_THERE[kind.name](game):
        return False
    match kind.subject:
        case Subject.SPACE:
            return offset < len(game.spaces) and may_stand(game, offset, kind.name)
        case Subject.SITE:
            space, symbol = divmod(offset, SYMBOLS)
            return space < len(game.spaces) and symbol < len(game.spaces[space].symbols)
        case Subject.LINE:
            return offset < len(game.lines)
        case Subject.INDUSTRY:
            return offset in game.industries
        case Subject.CARD:
            return offset in game.cards
        case Subject.MERCHANT:
            return offset < len(game.merchants)
        case Subject.PLACE:
            return offset < len(game.places)
        case Subject.SIZE:
            return bool(game.board.loan_sizes[offset])
    return True


# Kinds of choice that not every edition has.
ONLY_THERE: dict[str, Callable[[Edition], bool]] = {
    "SCOUT": lambda game: bool(game.board.scouting),
    "TWO_CARDS": lambda game: bool(game.board.two_cards_build),
    "SELL_TO_PORT": lambda game: bool(game.distant),
    "SELL_FAR": lambda game: bool(game.distant),
    "COAL_AT": lambda game: "rail_coal" in game.options,
    "REMOVE": lambda game: bool(game.merchants),
}

# What must stand on the space of a choice.
STANDS = {"COAL_FROM": "coal", "IRON_FROM": "iron", "BEER_FROM": "brewery", "SELL_TO_PORT": "port"}


def may_stand(game: Edition, space: int, choice: str) -> bool:
    """May the tile that a choice is about be built there?"""
    return choice not in STANDS or STANDS[choice] in game.spaces[space].symbols


def reasons_table() -> str:
    """The reasons with their comments, under the comments that divide them."""
    chapter = re.compile(r"    # (?P<title>.+)\.$")
    member = re.compile(r"    (?P<name>[A-Z_]+) = (?P<number>\d+)(?:  # (?P<comment>.+))?$")
    lines = []
    # A long line has its number and comment on the next one, in parentheses.
    text = re.sub(r"= \(\n\s+(.+)\n\s+\)", r"= \1", Path(reasons.__file__).read_text())
    for line in text.splitlines():
        if found := chapter.match(line):
            lines += ["", f"## {found['title']}", "", "| number | name | note |", "|---|---|---|"]
        elif (found := member.match(line)) and found["name"] != "OK":
            lines.append(f"| {found['number']} | `{found['name']}` | {found['comment'] or ''} |")
    return "\n".join(lines).strip()


def events_table() -> str:
    """The kinds of event and the names of their values."""
    rows = ["| kind | values |", "|---|---|"]
    for kind, names in events.FIELDS.items():
        values = ", ".join(f"`{name}`" for name in names) or "none"
        rows.append(f"| `{kind.name.lower()}` | {values} |")
    return "\n".join(rows)


def vocabulary_table() -> str:
    """The words of the notation in three languages, place by place."""
    places = {
        "Actions": vocabulary.VERBS,
        "Parts": vocabulary.PARTS,
        "Buyers and the market": (*vocabulary.BUYERS, vocabulary.MARKET),
        "Industries and cards": (*vocabulary.INDUSTRIES, *vocabulary.WILD_CARDS),
        "Merchant tiles": vocabulary.GOODS,
    }
    lines = []
    for place, words in places.items():
        lines += ["", f"| {place} | German | French | also understood |", "|---|---|---|---|"]
        lines += [f"| `{word.en}` | `{word.de}` | `{word.fr}` | {word.also} |" for word in words]
    return "\n".join(lines).strip()


def names_table() -> str:
    """The names of every edition: places, spaces, lines, cards, tiles, in the order of numbers."""
    lines = []
    for name, box in EDITIONS.items():
        lines += names_of([edition(name, players) for players in sorted(box.players)])
    community = edition("lancashire", community_2p=True)
    return "\n".join([*lines, *names_of([community], " with `community_2p`")]).strip()


def names_of(games: Sequence[Edition], variant: str = "") -> list[str]:
    """The names of one map, and what every number of players has of them."""
    game = games[-1]
    lines = [
        "",
        f"## {game.title}{variant}",
        "",
        "| place | spaces | other names |",
        "|---|---|---|",
    ]
    for place in game.places:
        spaces = ", ".join("/".join(symbols) for symbols in place.spaces) or place.kind
        lines.append(f"| {place.name} | {spaces} | {', '.join(place.other_names)} |")
    lines += ["", "| line | eras |", "|---|---|"]
    for line in game.lines:
        eras = " and ".join(
            era for era, is_there in (("canal", line.canal), ("rail", line.rail)) if is_there
        )
        lines.append(f"| {'-'.join(line.ends)} | {eras} |")
    decks = " | ".join(f"deck of {game.players}" for game in games)
    lines += ["", f"| number | card | {decks} |", "|---|---|" + "---|" * len(games)]
    for card in game.cards:
        beside = all(card not in other.deck for other in games)
        counts = ("beside it" if beside else str(other.deck.get(card, 0)) for other in games)
        lines.append(f"| {card} | {game.card_name(card)} | {' | '.join(counts)} |")
    return lines + random_parts_of(games)


def random_parts_of(games: Sequence[Edition]) -> list[str]:
    """What else is random: cards set aside, distant tiles, merchants."""
    rows = {"players": [str(game.players) for game in games]}
    for era, name in enumerate(("canal", "rail")):
        aside = [game.set_aside[era] for game in games]
        rows[f"set aside, {name} era"] = [
            f"{a.count} ({a.when})" if a.count else "0" for a in aside
        ]
    if games[-1].distant:
        rows["distant tiles"] = [", ".join(map(str, game.distant)) for game in games]
    if games[-1].merchants:
        rows["merchant spaces"] = [", ".join(game.merchants) for game in games]
        rows["merchant tiles"] = [
            ", ".join(game.goods_name(goods_bits(tile)) for tile in game.merchant_tiles)
            for game in games
        ]
    lines = ["", f"| {' | '.join(rows)} |", "|" + "---|" * len(rows)]
    return [*lines, *(f"| {' | '.join(row)} |" for row in zip(*rows.values(), strict=True))]


def observations_table() -> str:
    """Every number of every layout of observations, part by part."""
    lines = []
    for name, box in EDITIONS.items():
        for players in sorted(box.players):
            lines += numbers_of(edition(name, players))
    community = edition("lancashire", community_2p=True)
    return "\n".join([*lines, *numbers_of(community, " with `community_2p`")]).strip()


def numbers_of(game: Edition, variant: str = "") -> list[str]:
    """The layout of one edition and number of players; numbers of one subject stand together."""
    layout = Layout.of(game)
    lines = ["", f"### {game.title}, {game.players} players{variant}", ""]
    lines += [f"{len(layout)} numbers.", ""]
    for part in layout.parts.values():
        if not part.indices:
            continue
        lines += [f"**`{part.name}`**, {stretch(part.start, len(part.indices))}: {part.meaning}."]
        lines += ["", "| numbers | of | each |", "|---|---|---|"]
        first = part.start
        for subject, indices in groupby(part.indices, key=attrgetter("subject")):
            each = [f"{index.detail} {bounds(index)}".strip() for index in indices]
            lines.append(f"| {stretch(first, len(each))} | {subject} | {'; '.join(each)} |")
            first += len(each)
        lines.append("")
    return lines


def stretch(first: int, count: int) -> str:
    return f"{first}" if count == 1 else f"{first} to {first + count - 1}"


def bounds(index: Index) -> str:
    """Between which bounds a number lies, where it is more than yes or no."""
    return "" if (index.low, index.high) == (0, 1) else f"({index.low} to {index.high})"


def ids_table() -> str:
    """All rules, chapter by chapter, as on the pages of the rules."""
    lines = []
    for chapter in chapters():
        lines += ["", f"## {chapter.title['en']} ({chapter.label})", ""]
        lines += [chapter.intro["en"], ""] if chapter.intro else []
        lines += ["| id | game | chapter | meaning |", "|---|---|---|---|"]
        for rule in chapter.rules:
            books = "; ".join(f"{year}: {name}" for year, name in rule.books.items())
            lines.append(f"| {rule.id} | {games_of(rule)} | {books} | {meaning_of(rule)} |")
    return "\n".join(lines).strip()


GAME_NAMES = {"classic": "classic", "lancashire": "Lancashire", "birmingham": "Birmingham"}
NOTE_NAMES = {**GAME_NAMES, "classic": "Classic", "cotton": "Classic and Lancashire"}


def games_of(rule: Rule) -> str:
    every = len(rule.games) == len(GAME_NAMES)
    return "all" if every else ", ".join(GAME_NAMES[game] for game in rule.games)


def meaning_of(rule: Rule) -> str:
    """What a rule says, with what only some games add."""
    notes = (f"{NOTE_NAMES[key]}: {text['en']}" for key, text in rule.notes.items())
    return " ".join([rule.text["en"], *notes])


def chances_table() -> str:
    """How often seats won to which the coach gave a chance, over all networks and eras."""
    rows = ["| chance | seats | mean chance | won |", "|---|---|---|---|"]
    checks = [check for _box, _era, check in calibration_checks()]
    tenths = zip(*(check["reliability"] for check in checks), strict=True)
    for tenth, parts in enumerate(tenths):
        count, expected, won = map(sum, zip(*parts, strict=True))
        chance = f"{10 * tenth} to {10 * tenth + 10}%"
        rows.append(f"| {chance} | {count} | {expected / count:.1%} | {won / count:.1%} |")
    return "\n".join(rows)


def forecasts_table() -> str:
    """How the forecasts of each network did, by era."""
    rows = ["| network | era | error of the margin, VP | its mean | Brier score | uncalibrated |"]
    rows.append("|---|---|---|---|---|---|")
    for box, era, check in calibration_checks():
        name, figures = f"{box.title}, {box.players} players", ("margin_error", "margin_bias")
        error, bias = (f"{check[figure]:.1f}" for figure in figures)
        scores = f"{check['score']:.3f} | {check['score_uncalibrated']:.3f}"
        rows.append(f"| {name} | {era} | {error} | {bias} | {scores} |")
    return "\n".join(rows)


def calibration_checks() -> Iterator[tuple[Edition, str, dict[str, Any]]]:
    """The checks of the chances, by network and era."""
    for name, box in EDITIONS.items():
        for players in sorted(box.players):
            game = edition(name, players)
            for era, check in stored_for(game)["check"].items():
                yield game, era, check


def results(name: str) -> list[dict[str, Any]]:
    """The figures that `measure.py` has written; none if it has not been run."""
    path = DOCS / "results" / f"{name}.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else []


def title_of(run: dict[str, Any]) -> str:
    return f"{EDITIONS[run['edition']].title}, {run['players']} players"


def ratings_table() -> str:
    """The ladders of the quick bots and of the slow ones, game by game."""
    lines = []
    for run in [*results("ratings"), *results("ratings-slow")]:
        lines += ["", f"**{title_of(run)}**: {run['games']} games on {run['deals']} deals", ""]
        lines += [
            "| bot | rating | games | won | VP | time per turn |",
            "|---|---|---|---|---|---|",
        ]
        for bot in run["bots"]:
            rating = with_interval(f"{bot['rating']:.1f}", bot["between"], "{:.1f}")
            won = with_interval(f"{bot['won']:.0%}", bot["won_between"], "{:.0%}")
            figures = f"{bot['played']} | {won} | {bot['vp']:.0f} | {bot['ms_per_turn']:.3g} ms"
            lines.append(f"| `{bot['bot']}` | {rating} | {figures} |")
    return "\n".join(lines).strip()


def ladder_table() -> str:
    """How many pairs are in the right order after how many games, and how wide the margin is."""
    lines = [
        "| game | games | right after 5 each | 10 | 20 | 40 | 80 | margin after 5 | 20 | 80 |",
        "|---|---|---|---|---|---|---|---|---|---|",
    ]
    for run in results("ladder"):
        after = {step: (right, margin) for step, right, margin in run["after"]}
        right = [f"{after[step][0]:.0%}" if step in after else "" for step in (5, 10, 20, 40, 80)]
        margins = [str(after[step][1]) if step in after else "" for step in (5, 20, 80)]
        cells = " | ".join([title_of(run), str(run["games"]), *right, *margins])
        lines.append(f"| {cells} |")
    return "\n".join(lines)


def with_interval(figure: str, between: list[float] | None, form: str) -> str:
    """`25.3 (24.1 to 26.5)`."""
    if between is None:
        return figure
    return f"{figure} ({' to '.join(form.format(end) for end in between)})"


def strategies_table() -> str:
    """What winners do more and less of than the others."""
    runs = results("strategies")
    lines = []
    for edition_name in dict.fromkeys(run["edition"] for run in runs):
        own = [run for run in runs if run["edition"] == edition_name]
        heads = [f"{run['players']} players, {run['games']} games" for run in own]
        lines += ["", f"**{EDITIONS[edition_name].title}**: winners (everyone else)", ""]
        lines += [f"| per game | {' | '.join(heads)} |", "|---|" + "---|" * len(own)]
        for name, *path in STRATEGY_ROWS:
            cells = [compared(run, path) for run in own]
            if any(cells):
                lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines).strip()


# What a row is called, and where its figure stands.
STRATEGY_ROWS = (
    ("VP", "vp"),
    ("VP of links", "points", "links"),
    *((f"{name} tiles", "built", name) for name in INDUSTRY),
    ("links built (actions)", "did", "link"),
    ("loans", "did", "loan"),
    ("develops", "did", "develop"),
    ("sales (actions)", "did", "sell"),
    ("scouts", "did", "scout"),
    ("passes", "did", "pass"),
    ("final income", "income"),
)


def compared(run: dict[str, Any], path: Sequence[str]) -> str:
    """A figure of the winners, and of the others."""
    numbers = []
    for side in ("winners", "others"):
        value: Any = run[side]
        for name in path:
            value = value.get(name, 0) if isinstance(value, dict) else 0
        numbers.append(float(value))
    return f"{numbers[0]:.1f} ({numbers[1]:.1f})" if any(numbers) else ""


def loans_table() -> str:
    """How often seats win that take this many loans, and whose best industry is this one."""
    lines = ["| game | loans: share of wins | industry with the most VP: share of wins |"]
    lines.append("|---|---|---|")
    for run in results("strategies"):
        loans = {
            f"{name} or more" if name == MOST_LOANS else name: row
            for name, row in run["by_loans"].items()
        }
        cells = [won_by_group(loans), won_by_group(run["by_industry"])]
        lines.append(f"| {title_of(run)} (fair: {1 / run['players']:.0%}) | {' | '.join(cells)} |")
    return "\n".join(lines)


MOST_LOANS = "5"
FEWEST_SEATS = 20  # fewer say nothing


def won_by_group(groups: dict[str, Any]) -> str:
    """`2: 31% of 405 (27 to 36)`, group by group."""
    return "<br>".join(
        f"{name}: {share:.0%} of {seats}"
        + (f" ({100 * between[0]:.0f} to {100 * between[1]:.0f})" if between else "")
        for name, (seats, share, between) in groups.items()
        if seats >= FEWEST_SEATS
    )


def load_runs() -> dict[str, Any]:
    """What `tests/load.py` has measured, by the kind of server."""
    runs: dict[str, Any] = json.loads((DOCS / "results/load.json").read_text("utf-8"))
    return runs


def carried(run: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps of a run that the server carried."""
    return [step for step in run["steps"] if step["carried"]]


def load_table() -> str:
    """How each server answered under growing load."""
    head = "| server | choices a second | acknowledged | median | 95% | processors | a choice |"
    rows = [head, "|---|---|---|---|---|---|---|"]
    for name, run in load_runs().items():
        for step in run["steps"]:
            choice = step["choice"]
            times = f"{choice['median']:.0f} ms | {choice['95%']:.0f} ms"
            share = f"{step['acknowledged'] / step['offered']:.0%}"
            spent = f"{step['processors']:.2f} | {step['each']:.1f} ms"
            rows.append(f"| `{name}` | {step['rate']} | {share} | {times} | {spent} |")
    return "\n".join(rows)


TABLES = {
    "load": load_table,
    "ids": ids_table,
    "ratings": ratings_table,
    "ladder": ladder_table,
    "strategies": strategies_table,
    "loans": loans_table,
    "chances": chances_table,
    "forecasts": forecasts_table,
    "observations": observations_table,
    "names": names_table,
    "choices": choices_table,
    "actions": actions_table,
    "reasons": reasons_table,
    "events": events_table,
    "vocabulary": vocabulary_table,
}


def with_tables(page: str) -> str:
    """The text of a page with its tables as they are in the code."""
    return TABLE.sub(lambda found: f"{found[1]}\n{TABLES[found[2]]()}\n\n{found[3]}", page)


def main() -> None:
    for path in sorted(DOCS.glob("**/*.md")):
        path.write_text(with_tables(path.read_text()))


if __name__ == "__main__":
    main()
