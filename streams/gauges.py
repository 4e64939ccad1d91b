"""Gauges that say how things are now, refreshed by a timer rather than per event."""

import time

from streams.app import App
from streams.breaker import Breaker
from streams.census import Census
from streams.health import Health
from streams.metrics import Metrics
from streams.pipeline import Pipeline


class Gauges:
    """One call a second; O(partitions)."""

    def __init__(
        self, metrics: Metrics, health: Health, pipeline: Pipeline, app: App, census: Census, breaker: Breaker
    ) -> None:
        self._metrics, self._health = metrics, health
        self._pipeline, self._app = pipeline, app
        self._census, self._breaker = census, breaker
        self._nothing_to_commit = time.monotonic()

    async def refresh(self) -> None:
        """Every gauge and the health say how things are."""
        metrics, health, pipeline = self._metrics, self._health, self._pipeline
        metrics.set_runs(self._census.by_rung)
        metrics.breaker_open.set(self._breaker.open(time.time(), self._census.runs))
        metrics.partitions_assigned.set(len(pipeline.partitions))
        metrics.producer_buffer_records.set(pipeline.in_flight)
        health.pending = pipeline.busy
        health.waiting_for_broker = pipeline.in_flight > 0
        if not pipeline.partitions:
            return
        lags: dict[str, dict[int, int]] = {}
        for (topic, partition), lag in pipeline.lag(self._app.highwater).items():
            lags.setdefault(topic, {})[partition] = lag
        for topic, by_partition in lags.items():
            metrics.set_lag(topic, by_partition)
        now = time.monotonic()
        if not self._app.uncommitted():
            self._nothing_to_commit = now
        metrics.commit_age_seconds.set(now - self._nothing_to_commit)
