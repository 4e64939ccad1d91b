"""The table's storage: by partition, by what was applied, purged when partitions go, and never raising."""

import asyncio
from types import SimpleNamespace
from typing import Any

from faust.types import TP

from streams.partition import Partition
from streams.record import PROGRESS_KEY, Progress, encode_progress, encode_state
from streams.store import StateStore

CHANGELOG = "g-runs-changelog"


def store() -> StateStore:
    made = object.__new__(StateStore)
    made.__post_init__()
    made.table = SimpleNamespace(changelog_topic_name=CHANGELOG)
    return made


def value(applied: int, root: bytes = b"") -> bytes:
    return encode_state([applied, -1, -1], [], root)


def test_the_same_key_in_two_partitions_is_two_roots() -> None:
    made = store()
    made.apply(0, b"run", value(3))
    made.apply(1, b"run", value(9))
    assert made.partition(0)[b"run"] == value(3)
    assert made.partition(1)[b"run"] == value(9)


def test_a_late_write_of_an_earlier_owner_loses() -> None:
    made = store()
    made.apply(0, b"run", value(9, b"new"))
    made.apply(0, b"run", value(3, b"old"))
    assert made.partition(0)[b"run"] == value(9, b"new")
    assert made.superseded == 1


def test_a_tombstone_removes() -> None:
    made = store()
    made.apply(0, b"run", value(3))
    made.apply(0, b"run", None)
    assert made.partition(0) == {}


def test_what_cannot_be_read_is_counted_and_kept_for_the_opening() -> None:
    made = store()
    made.apply(0, b"run", value(3))
    made.apply(0, b"run", b"??")
    made.apply(0, None, b"x")
    assert made.unreadable == 2
    assert made.partition(0)[b"run"] == b"??"


def test_faust_hands_over_its_events() -> None:
    made = store()
    event = SimpleNamespace(message=SimpleNamespace(partition=2, key=b"run", value=value(1)))
    made.apply_changelog_batch([event], lambda key: key, lambda value: value)
    assert made.partition(2) == {b"run": value(1)}


def test_partitions_that_come_or_go_start_empty() -> None:
    made = store()
    for number in (0, 1, 2):
        made.apply(number, b"run", value(1))
    come, go = {TP(CHANGELOG, 1)}, {TP(CHANGELOG, 2), TP("steps", 0)}
    asyncio.run(made.on_rebalance(set(), go, come))
    assert sorted(made.data) == [0]


def test_recovery_keeps_what_is_active_and_tells() -> None:
    made = store()
    told: list[Any] = []
    made.on_recovered = told.append
    for number in (0, 1):
        made.apply(number, b"run", value(1))
    made.apply(1, PROGRESS_KEY, encode_progress(Progress([1, 0, 0], [1, 0, 0, 0])))
    asyncio.run(made.on_recovery_completed({TP(CHANGELOG, 1)}, set()))
    assert sorted(made.data) == [1]
    assert told == [{1}]
    assert Partition(1, made.partition(1)).root_keys() == [b"run"]
