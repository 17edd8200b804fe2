"""A training from the first teacher game to the exported network, in a folder; it can be resumed.

| file | contents |
|---|---|
| `about.json` | the game and the settings |
| `teacher/` | recorded games |
| `checkpoint.pt` | the state of the imitation or the league |
| `curve.json`, `curve.svg` | the tests so far, as data and as a picture |
| `EDITION-PLAYERS.npz` | the network |
| `EDITION-PLAYERS-float.npz` | the same before it was rounded to int8 |
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import torch

from brassmill.arena.estimates import share_of
from brassmill.bots.network import Network, made_for
from brassmill.editions import Edition
from brassmill.errors import BrassError
from brassmill.learn.export import export
from brassmill.learn.imitation import Imitation, replay_all
from brassmill.learn.league import League
from brassmill.learn.model import Model, compare
from brassmill.learn.settings import TEST_DEALS, Settings
from brassmill.learn.teacher import teach_all
from brassmill.svg import chart

SAVED = 500  # updates of the imitation between two checkpoints

# Called with the step, what is done of it, all of it, and a line about it.
Report = Callable[[str, int, int, str], None]


class Test(NamedTuple):
    """How the network did against its imitation in all other seats, on deals of their own."""

    number: int  # rounds
    wins: float
    low: float
    high: float


class Training:
    """A training in a folder."""

    def __init__(
        self,
        folder: Path,
        edition: Edition,
        settings: Settings,
        device: str,
        start: Network | None = None,
        rival: Network | None = None,
    ) -> None:
        """Begin with the weights of a network, or from nothing; a rival plays in the league."""
        self.folder, self.edition, self.settings = folder, edition, settings
        self.device, self.start, self.rival = device, start, rival
        folder.mkdir(parents=True, exist_ok=True)
        self._same_as_before()
        self.tests = [Test(*row) for row in self._read("curve.json", [])]

    def _same_as_before(self) -> None:
        """Refuse a folder with the training of another game or with other settings."""
        about = {**made_for(self.edition), "options": dict(self.edition.options)}
        about["settings"] = self.settings.as_dict()
        for name, network in (("start", self.start), ("rival", self.rival)):
            about[name] = network and sha256(network.weights.tobytes()).hexdigest()
        if self._read("about.json", about) != about:
            raise BrassError(f"{self.folder} has a training of another game or with other settings")
        self._write("about.json", about)

    @property
    def network_file(self) -> Path:
        return self.folder / f"{self.edition.name}-{self.edition.players}.npz"

    def run(self, report: Report) -> None:
        """Do what is left to do."""
        saved = self._load()
        if "league" not in saved:
            start = self._imitate(saved.get("imitation"), report)
            league = self._league(start)
        else:
            league = self._league(self._model(None))
            league.restore(saved["league"])
        self._play_league(league, report)

    def _model(self, network: Network | None) -> Model:
        """A network that can learn: with the weights of another, or random ones."""
        model = Model(self.edition, self.settings.network)
        if network is not None:
            model.take(network)
        model.to(self.device)
        return model

    def _league(self, start: Model) -> League:
        rival = None if self.rival is None else self._model(self.rival)
        return League(self.edition, self.settings, start, self.device, rival)

    def _imitate(self, saved: dict[str, Any] | None, report: Report) -> Model:
        torch.manual_seed(self.settings.seed)
        model, games = self._model(self.start), self.settings.teacher.games
        if not games:
            return model
        for done in teach_all(self.edition, self.settings, self.folder / "teacher"):
            report("teacher", done, games, "")
        imitation = Imitation(self.settings, model)
        if saved is not None:
            imitation.restore(saved)
        updates = self.settings.imitation.updates
        positions = replay_all(self.edition, self.settings, self.folder / "teacher", self.device)

        def tell(done: int, hits: float) -> None:
            report("imitation", done, updates, f"{hits:.1%}")

        while imitation.done < updates:
            imitation.learn(positions, tell, SAVED)
            self._save("imitation", imitation.state())
        return model

    def _play_league(self, league: League, report: Report) -> None:
        settings = self.settings.league
        if league.number == 0:
            self._test(league)
        while league.number < settings.rounds:
            vp = league.round()
            if league.number % settings.test_every == 0 or league.number == settings.rounds:
                self._test(league)
                self._save("league", league.state())
            words = "" if vp is None else f"{vp:.1f} VP"
            test = self.tests[-1]
            words += f" {test.wins:.0%} ({test.low:.0%}-{test.high:.0%})"
            report("league", league.number, settings.rounds, words.strip())

    def _test(self, league: League) -> None:
        """Test the network on deals that nothing learned from, and export it."""
        seed = TEST_DEALS + (self.settings.seed << 32) + league.number * 2**20
        games = self.settings.league.test_games
        won = compare(self.edition, league.model, league.imitation, games, seed)
        found = share_of(won, range(games))
        self.tests.append(Test(league.number, found.share, *(found.interval or (0.0, 1.0))))
        self._write("curve.json", self.tests)
        (self.folder / "curve.svg").write_text(self.picture(), "utf-8")
        test = {"against": "its imitation", "games": games, "deals_from": seed}
        test |= self.tests[-1]._asdict()
        export(self.network_file, self.edition, self.settings, league.model.parts(), test)

    def picture(self) -> str:
        """The share of games won against the imitation, as an SVG."""
        lines = [
            chart.Series(name, [(test.number, getattr(test, name)) for test in self.tests])
            for name in ("wins", "low", "high")
        ]
        title = f"{self.edition.title}, {self.edition.players} players: wins against the imitation"
        x = chart.Axis("round", whole=True)
        y = chart.Axis("", chart.percent, chart.percent, reach=(0, 1))
        return chart.draw(chart.LineChart(title, lines, x, y), theme="light")

    # --- files -----------------------------------------------------------------------------------

    def _read(self, name: str, otherwise: Any) -> Any:
        path = self.folder / name
        return json.loads(path.read_text("utf-8")) if path.exists() else otherwise

    def _write(self, name: str, data: Any) -> None:
        with replacing(self.folder / name) as unfinished:
            unfinished.write_text(json.dumps(data), "utf-8")

    def _save(self, step: str, state: dict[str, Any]) -> None:
        with replacing(self.folder / "checkpoint.pt") as unfinished:
            torch.save({step: state}, unfinished)

    def _load(self) -> dict[str, Any]:
        """The last checkpoint; tests after it are made again."""
        path = self.folder / "checkpoint.pt"
        found: dict[str, Any] = {}
        if path.exists():
            found = torch.load(path, map_location=self.device, weights_only=True)
        tested = found["league"]["number"] if "league" in found else -1
        self.tests = [test for test in self.tests if test.number <= tested]
        return found


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A file to write, which then takes the place of another: whole or not at all."""
    unfinished = path.with_suffix(".unfinished")
    yield unfinished
    unfinished.replace(path)
