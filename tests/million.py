"""How fast the archive is with a million games: generated rows, made of real games.

    python tests/million.py --database sqlite --records GAMES
    python tests/million.py --database postgresql --records GAMES

The folder has records of real games, each in a file of its own, as `brass arena --records` writes
them; what the archive knows of them is found once and kept beside them. Their texts are stored, and
their rows are copied until there are enough: tables, seats, and the index. Players and days are
generated. Then the usual searches are timed as a page makes them, on one connection.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import asdict
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

from support.homes import make_home
from support.postgres import Cluster

START = datetime(2020, 1, 1, tzinfo=UTC)
EVERY = 300  # seconds from game to game
PLAYERS = 20_000
REGULAR = "ada"  # plays every 50th game
REPEATS = 20  # of each search, with other values
KNOWN = "facts.json"  # in the folder of the records


# --- real games ----------------------------------------------------------------------------------


def facts_in(folder: Path, real: int) -> dict[str, dict[str, Any]]:
    """What the archive knows of the real games, by file."""
    from brassmill import record as records
    from brassmill.web.archive.events import facts_of

    kept = folder / KNOWN
    known = json.loads(kept.read_text()) if kept.exists() else {}
    files = sorted(folder.rglob("*.brass"))
    random.Random(1).shuffle(files)
    for number, file in enumerate(files[:real]):
        name = str(file.relative_to(folder))
        if name in known:
            continue
        record = records.load(file)
        places = [each.rpartition(" ") for each in record.headers["Result"].split(", ")]
        facts = asdict(facts_of(record))
        known[name] = {
            **facts,
            "events": sorted(facts["events"]),
            "edition": record.edition.name,
            "seats": record.seats,
            "result": [
                [record.seats.index(name), rank, int(points)]
                for rank, (name, _space, points) in enumerate(places, 1)
            ],
        }
        if number % 200 == 0:
            kept.write_text(json.dumps(known))
    kept.write_text(json.dumps(known))
    return {name: known[name] for name in sorted(known)[:real]}


def store_real(folder: Path, facts: dict[str, dict[str, Any]]) -> None:
    """Store the real games as the site does, with the texts of their records."""
    from django.db import transaction

    from brassmill.web.archive import filling
    from brassmill.web.archive.events import GameFacts
    from brassmill.web.models import Archive, ArchivedGame, ArchivedSeat, Seat, Table
    from brassmill.web.table.archived import seat_rows

    rng = random.Random(2)
    with transaction.atomic():
        for number, (name, known) in enumerate(facts.items(), 1):
            text = (folder / name).read_text()
            for seat, player in enumerate(known["seats"]):
                text = text.replace(player, f"§{seat + 1}")
            at = START + timedelta(seconds=EVERY * number)
            table = Table.objects.create(
                id=f"game{number:08}",
                edition=known["edition"],
                players=len(known["seats"]),
                host="",
                over=True,
                listed=True,
                archived=True,
                rules="known",
                summary={"result": known["result"]},
                began=at,
                touched=at,
            )
            Archive.objects.create(table=table, record=text, outcome={})
            seats = [
                Seat(table=table, number=seat, name=player_of(rng, number, seat))
                for seat in range(table.players)
            ]
            Seat.objects.bulk_create(seats)
            found = GameFacts(
                known["actions"], known["rounds"], known["opening"], set(known["events"])
            )
            game: ArchivedGame = filling.row_of(table, found)
            game.pk = number
            game.save(force_insert=True)
            ArchivedSeat.objects.bulk_create(seat_rows(game, seats))


def player_of(rng: random.Random, game: int, seat: int) -> str:
    if seat == 0 and game % 50 == 0:
        return REGULAR
    return f"player {int(PLAYERS * rng.random() ** 3)}"


# --- copies --------------------------------------------------------------------------------------


def multiply(real: int, games: int) -> None:
    """Copy the rows of the real games, with other players and days."""
    from django.db import connection, transaction

    from brassmill.web.models import ArchivedGame, ArchivedSeat, Seat, Table

    is_shared = connection.vendor == "postgresql"
    for copy in range(1, games // real):
        plus = copy * real
        later = f"interval '{plus * EVERY} seconds'" if is_shared else f"'+{plus * EVERY} seconds'"

        def moved(column: str, later: str = later) -> str:
            if is_shared:
                return f"{column} + {later}"
            return f"strftime('%Y-%m-%d %H:%M:%f', {column}, {later})"

        other = f"'player ' || ({copy} * 7919 + %s) %% {PLAYERS}"
        table = f"'game' || substr('0000000' || (substr(%s, 5) + {plus}), -8)"
        if is_shared:
            table = f"'game' || lpad((substr(%s, 5)::int + {plus})::text, 8, '0')"
        name = "CASE WHEN {0} = 'ada' THEN 'ada' ELSE " + other.replace("%s", "{1}") + " END"
        tables: list[tuple[Any, dict[str, str]]] = [
            (
                Table,
                {
                    "id": table % "id",
                    "began": moved("began"),
                    "touched": moved("touched"),
                },
            ),
            (
                Seat,
                {
                    "id": "",
                    "table_id": table % "table_id",
                    "name": name.format("name", "id"),
                },
            ),
            (
                ArchivedGame,
                {
                    "id": f"id + {plus}",
                    "table_id": table % "table_id",
                    "finished": moved("finished"),
                },
            ),
            (
                ArchivedSeat,
                {
                    "id": "",
                    "game_id": f"game_id + {plus}",
                    "finished": moved("finished"),
                    "player": name.format("player", "id"),
                },
            ),
        ]
        with transaction.atomic(), connection.cursor() as cursor:
            for model, changed in tables:
                own = model._meta.db_table
                columns = [field.column for field in model._meta.concrete_fields]
                columns = [column for column in columns if changed.get(column) != ""]
                values = [changed.get(column, column).replace("%%", "%") for column in columns]
                key = "table_id" if model is Seat else "id"
                first = {
                    Table: f"id <= 'game{real:08}'",
                    Seat: f"table_id <= 'game{real:08}'",
                    ArchivedGame: f"id <= {real}",
                    ArchivedSeat: f"game_id <= {real}",
                }[model]
                cursor.execute(
                    f"INSERT INTO {own} ({', '.join(columns)})"
                    f" SELECT {', '.join(values)} FROM {own} WHERE {first} ORDER BY {key}"
                )
        if copy % 20 == 0:
            print(f"{plus + real} games", file=sys.stderr, flush=True)


# --- the usual searches --------------------------------------------------------------------------


def searches(
    games: int, facts: dict[str, dict[str, Any]]
) -> dict[str, Callable[[random.Random], dict[str, str]]]:
    """Ten usual searches, and two of the worst."""
    kinds = [("birmingham", 4), ("birmingham", 2), ("lancashire", 3), ("classic", 4)]
    openings = [known["opening"] for known in facts.values() if known["edition"] != "birmingham"]
    last = START + timedelta(seconds=EVERY * games)

    def kind(rng: random.Random) -> dict[str, str]:
        edition, players = rng.choice(kinds)
        return {"edition": edition, "players": str(players)}

    def year(rng: random.Random) -> dict[str, str]:
        begin = rng.choice(range(START.year, last.year))
        return {"since": f"{date(begin, 1, 1)}", "until": f"{date(begin, 12, 31)}"}

    def some(rng: random.Random) -> dict[str, str]:
        return {"player": f"player {rng.randrange(PLAYERS)}"}

    def edition(rng: random.Random) -> dict[str, str]:
        return {"edition": kind(rng)["edition"]}

    return {
        "newest": lambda rng: {},
        "edition and players": kind,
        "a player": some,
        "a regular, one edition": lambda rng: {"player": REGULAR, **edition(rng)},
        "an edition, highest VP": lambda rng: {**edition(rng), "sort": "highest"},
        "3 players, closest": lambda rng: {"players": "3", "sort": "closest"},
        "virtual link used": lambda rng: {"event": "virtual_link"},
        "an opening": lambda rng: {"opening": "; ".join(rng.choice(openings))},
        "a year, winner's VP": lambda rng: {**year(rng), "least_vp": "130"},
        "edition, players, lead, length": lambda rng: (
            {**kind(rng), "most_margin": "3", "least_actions": "60", "option": "none"}
        ),
        "from the middle on": lambda rng: {"after": f"{middle(games)}.{games // 2}"},
        "nothing to find": lambda rng: {"least_vp": "999"},
        "a regular, highest VP": lambda rng: {"player": REGULAR, "sort": "highest"},
    }


def middle(games: int) -> int:
    at = START + timedelta(seconds=EVERY * games // 2)
    return int(at.timestamp()) * 1_000_000


def timed(games: int, facts: dict[str, dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The times of each search: the whole one, its page of games included, and every query."""
    from django.db import connection

    from brassmill.web.archive.page import rows_of
    from brassmill.web.archive.search import GameSearch, find

    for name, asked_by in searches(games, facts).items():
        rng = random.Random(3)
        took: list[float] = []
        queries: list[float] = []
        shown: list[int] = []

        def measured(
            execute: Any, sql: Any, params: Any, many: Any, context: Any, queries: Any = queries
        ) -> Any:
            began = perf_counter()
            try:
                return execute(sql, params, many, context)
            finally:
                queries.append(1000 * (perf_counter() - began))

        for _time in range(REPEATS):
            asked = asked_by(rng)
            began = perf_counter()
            with connection.execute_wrapper(measured):
                found = find(GameSearch.of(asked), asked.get("after", ""))
                rows = rows_of(found.games)
            took.append(1000 * (perf_counter() - began))
            shown.append(len(rows))
        yield {
            "search": name,
            "first": took[0],
            "median": median(took),
            "worst": max(took),
            "query": max(queries),
            "games": median(shown),
        }


def size_of(path: Path) -> dict[str, int]:
    """Megabytes of the database: all of it, and the index of the archive."""
    from django.db import connection

    from brassmill.web.models import ArchivedGame, ArchivedSeat

    own = [model._meta.db_table for model in (ArchivedGame, ArchivedSeat)]
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_database_size(current_database())")
            whole = cursor.fetchone()[0]
            cursor.execute(
                "SELECT " + " + ".join(f"pg_total_relation_size('{table}')" for table in own)
            )
            archive = cursor.fetchone()[0]
        else:
            whole = path.stat().st_size
            names = ", ".join(f"'{table}'" for table in own)
            cursor.execute(
                "SELECT sum(pgsize) FROM dbstat WHERE name IN (SELECT name FROM sqlite_master"
                f" WHERE tbl_name IN ({names}))"
            )
            archive = cursor.fetchone()[0]
    return {"whole": whole // 1_000_000, "archive": archive // 1_000_000}


# --- the run -------------------------------------------------------------------------------------


def run(database: str, folder: Path, real: int, games: int, where: Path | None) -> dict[str, Any]:
    with ExitStack() as stack:
        place = Path(stack.enter_context(tempfile.TemporaryDirectory(dir=where)))
        os.environ["BRASSMILL_HOME"] = str(make_home(place / "home"))
        os.environ["DATABASE_URL"] = ""
        if database == "postgresql":
            cluster = Cluster(where)
            stack.callback(cluster.remove)
            os.environ["DATABASE_URL"] = cluster.database()
        from brassmill.web.server import home

        home.prepare()
        from django.db import connection

        began = perf_counter()
        facts = facts_in(folder, real)
        print(f"{len(facts)} real games after {perf_counter() - began:.0f} s", file=sys.stderr)
        store_real(folder, facts)
        multiply(len(facts), games)
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
        print(f"filled after {perf_counter() - began:.0f} s", file=sys.stderr, flush=True)
        found: dict[str, Any] = {"database": database, "games": games, "real": len(facts)}
        found["searches"] = list(timed(games, facts))
        found["megabytes"] = size_of(Path(connection.settings_dict["NAME"]))
        connection.close()
        return found


def print_table(found: dict[str, Any]) -> None:
    print("| search | games shown | first | median | worst | slowest query |")
    print("|---|---|---|---|---|---|")
    for row in found["searches"]:
        times = " | ".join(f"{row[name]:.1f} ms" for name in ("first", "median", "worst", "query"))
        print(f"| {row['search']} | {row['games']:.0f} | {times} |")
    size = found["megabytes"]
    print(f"\n{size['whole']} MB, of these {size['archive']} MB for the index of the archive")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--database", choices=["sqlite", "postgresql"], default="sqlite")
    parser.add_argument("--records", type=Path, required=True, help="folder of recorded games")
    parser.add_argument("--real", type=int, default=5000, help="games of that folder to use")
    parser.add_argument("--games", type=int, default=1_000_000)
    parser.add_argument("--folder", type=Path, help="where to keep the database meanwhile")
    parser.add_argument("file", type=Path, nargs="?", help="where to keep the figures (JSON)")
    asked = parser.parse_args()
    found = run(asked.database, asked.records, asked.real, asked.games, asked.folder)
    print_table(found)
    if asked.file:
        asked.file.write_text(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    main()
