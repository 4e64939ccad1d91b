"""Gauges that say how things are now, refreshed by a timer rather than per event."""

import time

from streams.app import App
from streams.breaker import Breaker
from streams.census import UNHEARD, Census
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
        self._committed: dict[tuple[str, int], int] = {}
        self._commit_moved = time.monotonic()

    async def refresh(self) -> None:
        """Every gauge and the health say how things are."""
        metrics, health, pipeline = self._metrics, self._health, self._pipeline
        metrics.set_runs({rung: self._census.by_rung[rung] for rung in range(UNHEARD)})
        metrics.halts_unacknowledged.set(self._census.unheard)
        metrics.breaker_open.set(self._breaker.open(time.time(), self._census.runs))
        metrics.partitions_assigned.set(len(pipeline.partitions))
        metrics.producer_buffer_records.set(pipeline.in_flight)
        health.pending = pipeline.busy
        health.waiting_for_broker = pipeline.in_flight > 0
        lags: dict[str, dict[int, int]] = {topic: {} for topic in pipeline.topics}
        for (topic, partition), lag in pipeline.lag().items():
            lags[topic][partition] = lag
        for topic, by_partition in lags.items():
            metrics.set_lag(topic, by_partition)
        metrics.commit_age_seconds.set(self._commit_age(any(n for by in lags.values() for n in by.values())))

    def _commit_age(self, behind: bool) -> float:
        """Seconds since a commit moved something, or there was nothing to move.

        Under steady traffic something is always uncommitted, and where judging has stopped nothing is: neither says
        how old the last commit is.
        """
        now = time.monotonic()
        committed = self._app.committed() if self._pipeline.partitions else {}
        if committed != self._committed or not (behind or self._app.uncommitted()):
            self._committed, self._commit_moved = committed, now
        return now - self._commit_moved
