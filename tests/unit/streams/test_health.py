"""Alive and ready: what a worker answers, whatever Kafka does."""

import pytest

from streams.health import Health


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def health(clock: Clock) -> Health:
    return Health(clock, max_loop_lag_s=10, max_idle_s=60)


def test_ready_once_partitions_are_there_and_state_is_back(health: Health) -> None:
    assert health.ready().reasons == ["not started yet"]
    health.started = True
    assert health.ready().reasons == ["no partitions assigned yet"]
    health.assigned, health.recovering = frozenset({1}), True
    assert health.ready().reasons == ["reading state back"]
    health.recovering = False
    assert health.ready().ok
    health.stopping = True
    assert health.ready().reasons == ["stopping"]


def test_a_spare_worker_without_partitions_is_ready(health: Health) -> None:
    health.started, health.assigned = True, frozenset()
    assert health.ready().ok


def test_alive_from_the_start_and_while_idle(health: Health, clock: Clock) -> None:
    assert health.live().ok
    clock.now += 1e6
    assert health.live().ok  # nothing to do is no fault


def test_batches_that_do_not_end_are_a_fault(health: Health, clock: Clock) -> None:
    health.pending = 3
    clock.now += 60
    assert health.live().ok
    clock.now += 1
    assert health.live().reasons == ["no batch was finished for 61 s, with 3 in hand"]
    health.progressed()
    assert health.live().ok


def test_a_broker_that_is_away_is_not_the_workers_fault(health: Health, clock: Clock) -> None:
    health.pending, health.waiting_for_broker = 3, True
    clock.now += 3600
    assert health.live().ok


def test_recovery_is_judged_by_its_own_alert(health: Health, clock: Clock) -> None:
    health.pending, health.recovering = 1, True
    clock.now += 3600
    assert health.live().ok


def test_a_stuck_event_loop_is_a_fault(health: Health) -> None:
    health.loop_lag_s = 10.5
    assert health.live().reasons == ["the event loop is 10.5 s late"]
