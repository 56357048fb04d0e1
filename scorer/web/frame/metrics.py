"""Prometheus metrics, if configured; labels are routes, methods and statuses only.

Each worker counts in its own files (`PROMETHEUS_MULTIPROC_DIR`, set by
`scorer/gunicorn_server.py`); the worker that is scraped adds them up.
"""

from __future__ import annotations

import hmac
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from flask import Flask, Response, abort, request

from scorer.store import StoreError
from scorer.web.frame import request_timing

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

FOLDER_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
"""Environment variable of the workers' shared folder; read when the library is imported."""
DURATION_BUCKETS: Final = (0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5)


def init_app(app: Flask) -> None:
    token: str = app.config["METRICS_TOKEN"]
    # The library is only loaded if it is used.
    registry = _count_responses(app) if token else None

    @app.get("/metrics", endpoint="metrics")
    def metrics() -> Response:
        authorization = request.headers.get("Authorization", "")
        if registry is None or not hmac.compare_digest(
            authorization.encode(), f"Bearer {token}".encode()
        ):
            abort(404)
        from prometheus_client import CONTENT_TYPE_LATEST, generate_latest

        return Response(generate_latest(registry), content_type=CONTENT_TYPE_LATEST)


def _count_responses(app: Flask) -> CollectorRegistry:
    """Count every response; the returned registry adds up all workers."""
    from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
    from prometheus_client.multiprocess import MultiProcessCollector

    worker_registry = CollectorRegistry()
    responses = Counter(
        "bummerl_answers",
        "Answers by route and status.",
        ("route", "method", "status"),
        registry=worker_registry,
    )
    seconds = Histogram(
        "bummerl_answer_seconds",
        "Seconds until an answer began.",
        ("route",),
        buckets=DURATION_BUCKETS,
        registry=worker_registry,
    )
    live_pages = Gauge(
        "bummerl_live_pages",
        "Live pages that are open.",
        registry=worker_registry,
        multiprocess_mode="livesum",
    )

    request_timing.begin(app)

    @app.after_request
    def count(response: Response) -> Response:
        route, method, duration = request_timing.timing()
        responses.labels(route, method, response.status_code).inc()
        seconds.labels(route).observe(duration)
        if response.mimetype == "text/event-stream":
            live_pages.inc()
            response.call_on_close(live_pages.dec)
        return response

    all_workers = worker_registry
    if FOLDER_VARIABLE in os.environ:
        all_workers = CollectorRegistry()
        MultiProcessCollector(all_workers)  # type: ignore[no-untyped-call]
    all_workers.register(_EventCount(app))
    return all_workers


def forget_worker(worker: int) -> None:
    """Remove the gauges of a worker that has ended."""
    if FOLDER_VARIABLE in os.environ:
        from prometheus_client.multiprocess import mark_process_dead

        mark_process_dead(worker)  # type: ignore[no-untyped-call]


class _EventCount:
    """Number of events, read from the database at each scrape."""

    def __init__(self, app: Flask) -> None:
        self._app = app

    def collect(self) -> Iterator[Any]:
        from prometheus_client.core import GaugeMetricFamily

        try:
            events = self._app.extensions["tables"].store.count()
        except StoreError:
            return
        yield GaugeMetricFamily("bummerl_events", "Events in the score book.", value=events)
