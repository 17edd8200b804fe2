"""Metrics for Prometheus.

Several processes share one address, so the one that is scraped must report for all of them: each
keeps its counts in a file in a shared folder (the client's multiprocess mode, enabled by
`run/supervisor.py`). A label per process would not do, as every scrape would meet another one.

No metric names a table, a seat or a visitor.
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

CALLS = ("choose", "end", "back")  # the routes of a player's moves
BOUNDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0)

requests = Counter("brassmill_requests", "Responses by route and status.", ["route", "status"])
choices = Histogram("brassmill_choice_seconds", "From a click to its response.", buckets=BOUNDS)
begun = Counter("brassmill_games_begun", "Games set up.")
finished = Counter("brassmill_games_finished", "Games finished.")
open_streams = Gauge("brassmill_open_streams", "Open event streams.", multiprocess_mode="livesum")
thinking = Histogram(
    "brassmill_bot_thinking_seconds", "A bot's thinking time.", buckets=(*BOUNDS, 10.0)
)
bot_turns = Counter("brassmill_bot_turns", "Turns played by bots.")
forfeits = Counter("brassmill_forfeits", "Moves forfeited by bots.")
deliveries = Counter(
    "brassmill_deliveries", "Attempts to send a push message or webhook, by outcome.", ["fate"]
)
mails = Counter("brassmill_mails", "Attempts to send an e-mail, by outcome.", ["fate"])


class RunningGames:
    """The number of running games, read from the database because it outlives the processes."""

    def collect(self) -> Iterator[Metric]:
        with suppress(*TROUBLE):  # report the rest without it
            running = Table.objects.filter(over=False).count()
            yield GaugeMetricFamily("brassmill_games_running", "Unfinished games.", value=running)


def exposed() -> bytes:
    """The metrics of all processes in Prometheus's text format."""
    registry = CollectorRegistry()
    registry.register(RunningGames())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest(registry) + generate_latest(REGISTRY)


def counted(get_response: View) -> View:
    """Middleware: count every response, and time those to players' moves."""

    def answer(request: HttpRequest) -> HttpResponseBase:
        began = perf_counter()
        response = get_response(request)
        route = request.resolver_match.url_name if request.resolver_match else None
        requests.labels(route or "none", response.status_code).inc()
        if route in CALLS:
            choices.observe(perf_counter() - began)
        return response

    return answer
