"""Metrics: what the server counts, for Prometheus.

Several processes answer at one address, and whoever is asked must tell for all of them: so each
keeps its counts in a file of a folder that they share (the multiprocess mode of the client, chosen
by `crew`). A label with the process would not do, as every scrape would meet another one.

Nothing here names a table, a seat or a visitor.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from time import perf_counter

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from prometheus_client import (
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.metrics_core import GaugeMetricFamily, Metric
from prometheus_client.multiprocess import MultiProcessCollector

from brassmill.web.models import Table
from brassmill.web.server.database import TROUBLE
from brassmill.web.server.middleware import View

CALLS = ("choose", "end", "back")  # routes of what a player does at a table
BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

requests = Counter("brassmill_requests", "Answers by route and status.", ["route", "status"])
choices = Histogram("brassmill_choice_seconds", "From a click to its answer.", buckets=BOUNDS)
begun = Counter("brassmill_games_begun", "Games that were set up.")
finished = Counter("brassmill_games_finished", "Games that came to their end.")
open_streams = Gauge(
    "brassmill_open_streams", "Browsers that wait for events.", multiprocess_mode="livesum"
)
thinking = Histogram("brassmill_bot_thinking_seconds", "A bot's answer.", buckets=(*BOUNDS, 10.0))
bot_turns = Counter("brassmill_bot_turns", "Turns that bots have played.")
forfeits = Counter("brassmill_forfeits", "Answers of bots that could not be played.")
mails = Counter("brassmill_mails", "Attempts to send a mail, by how they ended.", ["fate"])


class RunningGames:
    """How many games run: that is asked of the database, and outlives every process."""

    def collect(self) -> Iterator[Metric]:
        with suppress(*TROUBLE):  # all else is told without it
            running = Table.objects.filter(over=False).count()
            yield GaugeMetricFamily("brassmill_games_running", "Unfinished games.", value=running)


def told() -> bytes:
    """All counts of all processes, as Prometheus reads them."""
    registry = CollectorRegistry()
    registry.register(RunningGames())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(REGISTRY)


def counted(get_response: View) -> View:
    """Count every answer, and time those to players."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        began = perf_counter()
        response = get_response(request)
        route = request.resolver_match.url_name if request.resolver_match else None
        requests.labels(route or "none", response.status_code).inc()
        if route in CALLS:
            choices.observe(perf_counter() - began)
        return response

    return answer
