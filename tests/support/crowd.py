"""Load test: many players at many tables of a real server, each with an event stream.

Players use the table's JSON, or its page as a browser does: compressed updates with the parts that
the browser lacks. A player reloads the table when the stream reports a change they have not seen;
their own moves are answered with the table. Moves are scheduled by the clock, whether or not the
last answer has come. A table is skipped while its player waits for an answer or a reload.
Everything sent is kept in a journal, with its outcome.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import random
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from heapq import heappop, heappush
from time import monotonic
from typing import Any, NamedTuple
from urllib.parse import urlencode
from zlib import crc32

PATIENCE = 30.0  # seconds to wait for an answer
PAUSE = 0.25  # seconds before a retry
SECRET = "s" * 32  # CSRF secret: the visitor's own, in their cookie and forms

# Outcomes of something sent.
ACKNOWLEDGED, REFUSED, LOST, UNSENT = "acknowledged", "refused", "lost", "unsent"


class Answer(NamedTuple):
    status: int
    body: bytes
    location: str = ""  # of a redirect


class Sent(NamedTuple):
    """A request that a player sent."""

    number: int  # of the table as the player saw it; negative: of anything else that happens once
    body: dict[str, Any]  # as in the log
    fate: str
    status: int  # 0 without an answer
    due: float  # when it was scheduled
    until: float  # when it was answered or abandoned


class Trouble(NamedTuple):
    """An error of the server, or of a player (status 0)."""

    asked: float  # time of the request
    answered: float
    status: int
    what: str


@dataclass
class Crowd:
    """All players and their tables."""

    host: str
    ports: tuple[int, ...]  # of all machines
    games: list[Game] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)  # of all answers
    troubles: list[Trouble] = field(default_factory=list)
    delays: list[tuple[float, float]] = field(default_factory=list)  # time and duration of moves
    skipped: int = 0  # moves for which no table was free
    are_browsers: bool = False  # do they use the page, or its JSON?
    undoing: float = 0.03  # how often a choice is undone
    retrying: float = 0.0  # how often a player sends a move again whose answer was lost
    # What players do instead of a move, with its due time; False if they do nothing else now.
    besides: Callable[[Game, float, random.Random], Awaitable[bool]] | None = None
    lines: set[asyncio.StreamWriter] = field(default_factory=set)  # connections in use
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    @property
    def players(self) -> list[Player]:
        return [player for game in self.games for player in game.players]

    def port_of(self, cookie: str) -> int:
        """The port of the machine that serves a player; the players of a table are on any."""
        return self.ports[crc32(cookie.encode()) % len(self.ports)]

    async def ask(
        self, head: str, cookie: str, form: dict[str, object] | None = None, more: str = ""
    ) -> Answer:
        """Send a request with `more` headers on its own connection.

        `ConnectionError` if the answer is incomplete.
        """
        asked = monotonic()
        try:
            reader, writer = await asyncio.open_connection(self.host, self.port_of(cookie))
        except OSError as error:
            raise Unreached from error
        self.lines.add(writer)
        try:
            body = b""
            if form is not None:
                body = urlencode({**form, "csrfmiddlewaretoken": SECRET}).encode()
                head += f" HTTP/1.1\r\nContent-Length: {len(body)}\r\n"
                head += "Content-Type: application/x-www-form-urlencoded"
            else:
                head += " HTTP/1.1"
            head += f"\r\nHost: {self.host}\r\nCookie: {cookie}\r\n{more}Connection: close\r\n\r\n"
            writer.write(head.encode() + body)
            async with asyncio.timeout(PATIENCE):
                answer = await read_answer(reader)
        except (OSError, EOFError, ValueError) as error:
            raise ConnectionError(str(error)) from error
        finally:
            self.lines.discard(writer)
            writer.close()
        self.statuses[answer.status] += 1
        if answer.status >= 500:
            what = head.partition(" HTTP")[0]
            self.troubles.append(Trouble(asked, monotonic(), answer.status, what))
        return answer

    # --- running ---------------------------------------------------------------------------------

    def come(self) -> None:
        """Let every player open their table."""
        for player in self.players:
            self.start(player.watch())
            self.start(player.look())

    def start(self, work: Any) -> None:
        task = asyncio.create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self.tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self.troubles.append(Trouble(now := monotonic(), now, 0, repr(error)))

    def cut(self) -> None:
        """Cut every connection on which somebody waits for an answer."""
        for line in list(self.lines):
            line.transport.abort()

    async def leave(self) -> None:
        """Stop all players once everything sent is answered."""
        while any(game.is_busy for game in self.games):
            await asyncio.sleep(PAUSE)
        await asyncio.sleep(PAUSE)  # for the last events
        for task in list(self.tasks):
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    @property
    def is_settled(self) -> bool:
        """Does every player have a stream, and have they loaded their table since?"""
        return all(player.is_connected and not player.is_failing for player in self.players)

    async def settle(self) -> None:
        while not self.is_settled:
            await asyncio.sleep(PAUSE)

    async def play(self, rate: float, seconds: float, rng: random.Random) -> None:
        """Schedule moves by the clock."""
        began = monotonic()
        for number in range(round(rate * seconds)):
            due = began + number / rate
            await asyncio.sleep(max(0.0, due - monotonic()))
            free = [game for game in self.games if game.mover]
            if free:
                game = rng.choice(free)
                game.is_busy = True
                self.start(game.go_on(due, rng))
            else:
                self.skipped += 1

    async def still_play(self) -> list[str]:
        """Make one more choice at every unfinished table; return where that fails."""
        rng, faults = random.Random(3), []
        self.besides = None
        for game in self.games:
            await game.reload()
            while game.has_bot and not game.mover and not game.is_over:
                await asyncio.sleep(PAUSE)  # its bot is to move
                await game.reload()
            if not all(player.view for player in game.players):
                faults.append(f"{game.table} cannot be opened")
            elif game.mover:
                await game.go_on(monotonic(), rng)
                if game.journal[-1].fate != ACKNOWLEDGED:
                    faults.append(f"{game.table} does not continue: {game.journal[-1]}")
            elif not game.is_over:
                faults.append(f"{game.table} is not over, and nobody can choose")
        return faults

    def wrong_answers(self) -> list[str]:
        """Answers that nobody should get; a server that is too busy may say so (503)."""
        faults = [f"{each.status} for {each.what}" for each in self.troubles if each.status != 503]
        stale = 409  # the player was not notified yet
        wrong = {
            status: number
            for status, number in self.statuses.items()
            if 400 <= status < 500 and status != stale
        }
        return faults + [f"{number} answers with {status}" for status, number in wrong.items()]


class Unreached(ConnectionError):  # noqa: N818 (the name says what happened)
    """The connection failed: nothing was sent."""


@dataclass
class Game:
    """A table, and what its players have sent."""

    crowd: Crowd
    table: str
    edition: str
    players: list[Player] = field(default_factory=list)
    journal: list[Sent] = field(default_factory=list)
    is_busy: bool = False
    has_bot: bool = False  # a player has conceded

    async def reload(self) -> None:
        """Let every player load the table; one who cannot has no view."""
        for player in self.players:
            player.view = player.used = None
            answer = await self.crowd.ask(player.loading, player.cookie, more=player.headers)
            if answer.status == 200:
                player.view = player.read(answer)

    @property
    def mover(self) -> Player | None:
        """Return the player who can move now, as far as they know."""
        return None if self.is_busy else next((p for p in self.players if p.can_choose), None)

    @property
    def is_over(self) -> bool:
        """Is it over, as far as a player knows?"""
        return any(player.view and player.view["over"] for player in self.players)

    async def go_on(self, due: float, rng: random.Random) -> None:
        """Make one choice or end the turn; sometimes undo, or do something else."""
        if self.crowd.besides and await self.crowd.besides(self, due, rng):
            self.is_busy = False
            return
        player = next((player for player in self.players if player.can_choose), None)
        if player is None or player.view is None:  # they have seen meanwhile whose turn it is
            self.is_busy = False
            return
        number, offers = player.view["number"], player.view["offers"]
        player.used = number
        if not offers:
            player.plan = None  # it ends with the turn
        fields: dict[str, object] = {"number": number}
        body: dict[str, Any]
        if player.view["can_undo"] and rng.random() < self.crowd.undoing:
            action, body = "back", {"back": 1}
        elif offers:
            choice = rng.choice(offers)["id"]
            fields["choice"] = choice
            action, body = "choose", {"choose": [choice]}
        else:
            action, body = "end", {"end": True}
        while True:
            sent = monotonic()
            fate, status = await player.do(action, fields)
            now = monotonic()
            self.journal.append(Sent(number, body, fate, status, due, now))
            if fate != LOST or rng.random() >= self.crowd.retrying:
                break
            await asyncio.sleep(PAUSE)
            due = monotonic()
        if fate != ACKNOWLEDGED:
            player.used = None  # they reload the table and continue from there
            player.view = None
            player.moved.set()
        elif action == "end":
            for other in self.players:
                if other is not player:
                    self.crowd.start(other.time(sent, now))
        self.is_busy = False


@dataclass
class Player:
    """A player with a browser at a table."""

    game: Game
    seat: int
    cookie: str
    view: dict[str, Any] | None = None
    used: int | None = None  # the table number of their last move
    stamp: str = ""  # of the last event
    is_connected: bool = False
    is_failing: bool = True  # not loaded since the stream was opened?
    moved: asyncio.Event = field(default_factory=asyncio.Event)
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)  # one request at a time
    told: list[float] = field(default_factory=list)  # times of moves
    page: Page = field(default_factory=lambda: Page())
    breaks: int = 0  # how often the stream broke
    plan: list[Sent] | None = None  # clicks of a turn planned ahead, if it is certainly still there

    @property
    def can_choose(self) -> bool:
        view = self.view
        return bool(view and view["your_turn"] and not view["over"] and view["number"] != self.used)

    async def do(self, action: str, fields: dict[str, object]) -> tuple[str, int]:
        """Post a form of the table; return the outcome."""
        is_browser = self.game.crowd.are_browsers
        head = f"POST /t/{self.game.table}/{action}{'/' if is_browser else '.json'}"
        try:
            async with self.asking:
                answer = await self.game.crowd.ask(head, self.cookie, fields, self.headers)
        except Unreached:
            return UNSENT, 0
        except ConnectionError:
            return LOST, 0
        if answer.status >= 500:
            return LOST, answer.status  # it may have been played
        if answer.status != 200:
            return REFUSED, answer.status
        before, self.view = self.view, self.read(answer)
        if is_browser and before and before["number"] == self.view["number"]:
            return REFUSED, 200  # the page says why
        return ACKNOWLEDGED, 200

    @property
    def loading(self) -> str:
        """The request that loads the table."""
        address = "/part/" if self.game.crowd.are_browsers else ".json"
        return f"GET /t/{self.game.table}{address}"

    @property
    def headers(self) -> str:
        return self.page.headers if self.game.crowd.are_browsers else ""

    def read(self, answer: Answer) -> dict[str, Any]:
        """What the player sees of the table."""
        if self.game.crowd.are_browsers:
            return self.page.read(answer.body)
        view: dict[str, Any] = json.loads(answer.body)
        return view

    async def time(self, sent: float, acknowledged: float) -> None:
        """Return how long after a move's answer this player gets the event; zero at best."""
        breaks = self.breaks
        while not (heard := next((at for at in reversed(self.told) if at >= sent), None)):
            await asyncio.sleep(0.02)
            if self.breaks != breaks:
                return
        self.game.crowd.delays.append((acknowledged, max(0.0, heard - acknowledged)))

    async def look(self) -> None:
        """Load the table after every change."""
        while True:
            await self.moved.wait()
            self.moved.clear()
            async with self.asking:
                if self.view and self.view["stamp"] == self.stamp:
                    self.is_failing = False
                    continue  # it came with the answer to their own move
                try:
                    answer = await self.game.crowd.ask(self.loading, self.cookie, more=self.headers)
                except ConnectionError:
                    answer = Answer(0, b"")
            if answer.status == 200:
                self.view = self.read(answer)
                self.is_failing = False
            else:
                self.is_failing = True
                self.moved.set()
                await asyncio.sleep(PAUSE)

    async def watch(self) -> None:
        """Hold a stream open, reconnecting when it breaks."""
        while True:
            with suppress(OSError, EOFError):
                await self._listen()
            self.breaks += self.is_connected
            self.is_connected = False
            await asyncio.sleep(PAUSE)

    async def _listen(self) -> None:
        crowd = self.game.crowd
        reader, writer = await asyncio.open_connection(crowd.host, crowd.port_of(self.cookie))
        try:
            head = f"GET /t/{self.game.table}/events/ HTTP/1.1\r\nHost: {crowd.host}\r\n"
            writer.write(f"{head}Cookie: {self.cookie}\r\n\r\n".encode())
            is_first = True
            while line := await reader.readline():
                if line.startswith(b"data: ") and not line.startswith(b"data: something"):
                    if is_first:
                        self.is_connected, self.is_failing, is_first = True, True, False
                    self.told.append(monotonic())
                    self.stamp = line.removeprefix(b"data: ").decode().strip()
                    self.moved.set()
                elif line.startswith(b"data:") and is_first:  # the table is not in memory yet
                    self.is_connected, self.is_failing, is_first = True, True, False
                    self.moved.set()
        finally:
            writer.close()


class Page:
    """A loaded page: it keeps its parts (`static/web/parts.js`), and shows what can be done."""

    def __init__(self) -> None:
        self.parts: dict[str, str] = {}  # by digest

    @property
    def headers(self) -> str:
        """What a browser sends with every request for an update."""
        return (
            f"HX-Request: true\r\nAccept-Encoding: gzip\r\nBrass-Parts: {' '.join(self.parts)}\r\n"
        )

    def read(self, body: bytes) -> dict[str, Any]:
        """Put an update together; return what the JSON would say of the same table."""
        text = gzip.decompress(body).decode()
        _before, *parts = re.split("<!--part (.+?)-->", text)
        sent = dict(zip(parts[::2], parts[1::2], strict=True))
        self.parts = {digest: part or self.parts[digest] for digest, part in sent.items()}
        whole = "".join(self.parts.values())
        number, stamp = (
            re.search(rf'name="{name}" value="(\w+)"', whole) for name in ("number", "stamp")
        )
        assert number and stamp, whole[:500]
        return {
            "number": int(number[1]),
            "stamp": stamp[1],
            "your_turn": number[1] != "0",
            "offers": [
                {"id": int(n)} for n in sorted(set(re.findall(r'data-choice="(\d+)"', whole)))
            ],
            "can_undo": re.search(r'id="undo" class="[^"]*"  ?title', whole) is not None,
            "over": "/result/" in whole,
        }


async def read_answer(reader: asyncio.StreamReader) -> Answer:
    """Read a complete answer; raise `ValueError` if it is invalid."""
    head = await reader.readuntil(b"\r\n\r\n")
    status = int(head.split(b" ", 2)[1])
    lines = [line.partition(b":") for line in head.split(b"\r\n")]
    headers = {name.lower(): value.strip().decode() for name, _colon, value in lines}
    if b"content-length" not in headers:
        raise ValueError("an answer without a length")
    body = await reader.readexactly(int(headers[b"content-length"]))
    return Answer(status, body, headers.get(b"location", ""))


# --- what was sent, and what is in the log -------------------------------------------------------


class Difference(NamedTuple):
    """How a log differs from what was sent. A changed move is both missing and surplus."""

    missing: int = 0  # acknowledged moves that are not there
    surplus: int = 0  # entries that nobody sent, were refused, or are there twice


def difference(journal: Sequence[Sent], log: Sequence[dict[str, Any]]) -> Difference:
    """Compare a log with a journal; return the smallest difference that explains it.

    Of the moves that were sent from one state of the table, at most one is in the log. If one was
    acknowledged, it is that one. If all answers were lost, it may be any of them or none. States
    follow each other in the order of the journal.
    """
    states: dict[int, list[Sent]] = {}
    for sent in journal:
        if sent.fate in (ACKNOWLEDGED, LOST):
            states.setdefault(sent.number, []).append(sent)
    groups = list(states.values())
    # The cheapest way through both: the number of differences, and how far it has come.
    ways = [(0, 0, 0, Difference())]
    seen = set()
    while True:
        cost, place, end, found = heappop(ways)
        if (place, end) in seen:
            continue
        seen.add((place, end))
        place, end = -place, -end
        if place == len(groups) and end == len(log):
            return found
        if end < len(log):
            more = found._replace(surplus=found.surplus + 1)
            heappush(ways, (cost + 1, -place, -end - 1, more))
        if place < len(groups):
            acknowledged = [sent.body for sent in groups[place] if sent.fate == ACKNOWLEDGED]
            possible = acknowledged or [sent.body for sent in groups[place]]
            less = found._replace(missing=found.missing + len(acknowledged))
            heappush(ways, (cost + len(acknowledged), -place - 1, -end, less))
            if end < len(log) and log[end] in possible:
                twice = max(0, len(acknowledged) - 1)
                less = found._replace(missing=found.missing + twice)
                heappush(ways, (cost + twice, -place - 1, -end - 1, less))
