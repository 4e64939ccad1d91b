"""Gauges say how things are: the age of commits above all."""

from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from streams import gauges as module
from streams.breaker import Breaker
from streams.census import Census
from streams.gauges import Gauges
from streams.health import Health
from streams.metrics import Metrics


class World:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 100.0
        monkeypatch.setattr(module.time, "monotonic", lambda: self.now)
        self.registry = CollectorRegistry()
        self.health = Health(lambda: self.now)
        self.lag = {("steps", 0): 0}
        self.offsets = {("steps", 0): 5}
        self.uncommitted = False
        self.pipeline: Any = SimpleNamespace(
            partitions={0: object()},
            topics={"steps": 0},
            in_flight=0,
            busy=0,
            lag=lambda: dict(self.lag),
        )
        app: Any = SimpleNamespace(
            highwater=None, committed=lambda: dict(self.offsets), uncommitted=lambda: self.uncommitted
        )
        self.gauges = Gauges(
            Metrics(self.registry, version="1"), self.health, self.pipeline, app, Census(), Breaker(1, 60, 9)
        )

    async def after(self, seconds: float) -> None:
        self.now += seconds
        await self.gauges.refresh()

    def value(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(f"stallwatch_{name}", labels)


async def test_an_idle_worker_has_nothing_to_commit(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(monkeypatch)
    await world.after(60)
    assert world.value("commit_age_seconds") == 0


async def test_under_steady_traffic_the_age_is_that_of_the_last_commit(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(monkeypatch)
    world.uncommitted = True
    for _ in range(30):
        world.offsets["steps", 0] += 7
        await world.after(1)
    assert world.value("commit_age_seconds") == 0
    await world.after(9)
    assert world.value("commit_age_seconds") == 9


async def test_where_judging_has_stopped_the_age_grows_although_nothing_is_marked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(monkeypatch)
    await world.after(1)
    world.lag["steps", 0] = 40
    await world.after(50)
    assert world.value("commit_age_seconds") == 50


async def test_lag_of_partitions_that_went_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(monkeypatch)
    world.lag["steps", 0] = 40
    await world.after(1)
    assert world.value("consumer_lag_records", topic="steps", partition="0") == 40
    world.lag.clear()
    world.pipeline.partitions.clear()
    await world.after(1)
    assert world.value("consumer_lag_records", topic="steps", partition="0") is None
    assert world.value("partitions_assigned") == 0
