"""What the pipeline did, as numbers and log lines."""

import logging
from types import SimpleNamespace
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from detectors.events import Ack, Change, Command, Evidence
from detectors.outcome import Outcome
from streams.health import Health
from streams.metrics import Metrics
from streams.observer import WorkerObserver
from streams.record import TIMER
from streams.work import DeadLetter, Decided, Work


class World:
    def __init__(self) -> None:
        self.now = 100.0
        self.registry = CollectorRegistry()
        self.health = Health(lambda: self.now)
        metrics = Metrics(self.registry, version="1")
        self.observer = WorkerObserver(metrics, self.health, lambda: self.now)

    def value(self, name: str, **labels: str) -> float | None:
        return self.registry.get_sample_value(f"stallwatch_{name}", labels)


def command(action: Any = "halt", ident: str = "id-1") -> Command:
    return Command(command_id=ident, run_id="r", action=action, version=1, reason="no_news", rung=4)


def work(*decided: Decided, records: int = 2, upto: int = 2, index: int = 0, **more: Any) -> Work:
    batch: Any = SimpleNamespace(records=[None] * records)
    return Work(0, index, upto, batch, decided=list(decided), **more)


def test_a_batch_is_counted_as_a_whole() -> None:
    world = World()
    world.observer.judged(
        work(counts={"applied": 3, "late": 1}, gaps=2, oldest=99.0, records=4), seconds=0.002
    )  # type: ignore[arg-type]
    assert world.value("events_total", outcome="applied") == 3
    assert world.value("events_total", outcome="late") == 1
    assert world.value("sequence_gaps_total") == 2
    assert world.value("detect_duration_seconds_count") == 4
    assert world.value("detect_duration_seconds_sum") == pytest.approx(0.002)
    assert world.value("event_age_seconds_sum") == pytest.approx(4.0)


def test_a_halt_is_timed_from_its_events_arrival_to_the_brokers_acknowledgement_and_to_the_orchestrators() -> (
    None
):
    world = World()
    decided = work(Decided(Outcome(commands=[command()]), at=99.0))
    world.observer.judged(decided, 0.0)
    world.now = 100.5
    world.observer.settled(decided)
    assert world.value("halt_publish_duration_seconds_sum") == pytest.approx(1.5)
    world.now = 104.0
    ack = Ack(command_id="id-1", run_id="r", status="accepted")
    world.observer.judged(work(Decided(Outcome(), at=104.0, ack=ack)), 0.0)
    world.observer.judged(work(Decided(Outcome(), at=104.0, ack=ack)), 0.0)
    assert world.value("halt_ack_duration_seconds_count") == 1
    assert world.value("halt_ack_duration_seconds_sum") == pytest.approx(4.0)


def test_a_timers_halt_has_no_event_to_be_timed_from() -> None:
    world = World()
    world.observer.settled(Work(0, TIMER, 1, decided=[Decided(Outcome(commands=[command()]), at=99.0)]))
    assert world.value("halt_publish_duration_seconds_count") == 0


def test_a_withheld_halt_was_not_published() -> None:
    world = World()
    held = work(Decided(Outcome(commands=[command()]), at=99.0), withheld={"id-1"})
    world.observer.judged(held, 0.0)
    world.observer.settled(held)
    assert world.value("commands_withheld_total") == 1
    assert world.value("halt_publish_duration_seconds_count") == 0


def test_a_thousand_dead_letters_are_one_line_and_a_thousand_counts(caplog: pytest.LogCaptureFixture) -> None:
    world = World()
    record = SimpleNamespace(topic="steps", partition=1, offset=7)
    dead = [DeadLetter(record, "invalid_json", "not JSON at byte 0") for _ in range(1000)]
    with caplog.at_level(logging.WARNING):
        world.observer.judged(work(dead=dead), 0.0)
    assert world.value("dlq_total", reason="invalid_json") == 1000
    assert [r.message for r in caplog.records] == ["records dead-lettered"]
    assert caplog.records[0].fields["records"] == 1000  # type: ignore[attr-defined]


def test_a_change_of_rung_is_logged_with_its_run(caplog: pytest.LogCaptureFixture) -> None:
    world = World()
    change = Change(
        run_id="r", attempt=0, seq=9, step=10, rung=1, action="notice", reason="no_news", kind="unclear", text="t",
        evidence=Evidence(),
    )  # fmt: skip
    with caplog.at_level(logging.INFO):
        world.observer.judged(work(Decided(Outcome(changes=[change]), at=1.0)), 0.0)
    assert caplog.records[0].fields["run_id"] == "r"  # type: ignore[attr-defined]
    assert world.value("rung_changes_total", action="notice") == 1


def test_recovery_is_timed_and_told_to_the_probe() -> None:
    world = World()
    world.health.started = True
    world.observer.recovering()
    assert world.value("recovery_in_progress") == 1
    assert not world.health.ready().ok
    world.now += 3
    world.observer.ready(frozenset({0, 1}))
    assert world.value("recovery_in_progress") == 0
    assert world.value("recovery_duration_seconds_sum") == pytest.approx(3.0)
    assert world.value("rebalances_total") == 1
    assert world.health.ready().ok


def test_repeated_sends_of_commands_are_counted() -> None:
    world = World()
    world.observer.retry("effects", OSError("gone"))
    world.observer.retry("dlq", OSError("gone"))
    assert world.value("halt_publish_retries_total") == 1


def test_what_retention_took_is_counted() -> None:
    world = World()
    world.observer.retention_loss("steps", 0, 30)
    assert world.value("retention_lost_records_total") == 30
