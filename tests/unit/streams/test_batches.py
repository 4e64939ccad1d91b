"""The watermark: only what is durable, in one unbroken chain, is ever committed."""

import asyncio
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest
from faust.transport.drivers.aiokafka import Consumer
from faust.types import TP

from streams.batches import Batch, BatchConsumer, Hooks, OutOfOrderError

TP0 = TP("steps", 0)
OTHER = TP("else", 0)


def consumer(**state: Any) -> BatchConsumer:
    async def nothing(*_: Any) -> None:
        return None

    made = object.__new__(BatchConsumer)
    state = {
        "_hooks": Hooks(frozenset({"steps"}), nothing, lambda: None, nothing),
        "_epoch": 1,
        "_mark_from": 0,
        "_delivered": {},
        "_marked": {},
        "_acked": defaultdict(list),
        "_acked_index": defaultdict(set),
        "_read_offset": defaultdict(lambda: None),
        "_committed_offset": defaultdict(lambda: None),
        "_buffered_partitions": set(),
        **state,
    }
    for name, value in state.items():
        object.__setattr__(made, name, value)
    return made


def batch(first: int, following: int, epoch: int = 1) -> Batch:
    return Batch(TP0, first, following, epoch, [])


def test_nothing_is_committed_before_a_mark() -> None:
    assert consumer()._new_offset(TP0) is None


def test_a_mark_moves_the_watermark_and_faust_acks_do_not() -> None:
    made = consumer()
    made._acked[TP0] += [100, 101]
    assert made.mark(batch(5, 9))
    assert made.mark(batch(9, 12))
    assert made._new_offset(TP0) == 12
    assert made._acked[TP0] == []
    assert TP0 in made._acked, "the commit loop looks at partitions with acks only"


def test_a_lost_batch_is_noticed_before_anything_is_committed_over_it() -> None:
    made = consumer()
    made.mark(batch(0, 4))
    with pytest.raises(OutOfOrderError, match=r"steps\[0\]: durable up to 4, batch starts at 8"):
        made.mark(batch(8, 9))
    assert made._new_offset(TP0) == 4


def test_batches_of_before_a_seek_neither_count_nor_move_the_watermark() -> None:
    made = consumer()
    old = batch(0, 4)
    made._begin_epoch()
    assert not made.is_current(old)
    assert made.mark(old), (
        "what was judged before a revocation may still be committed while partitions are ours"
    )
    made._forget_marks()
    assert not made.mark(old)
    assert made._new_offset(TP0) is None


def test_uncommitted_says_what_a_commit_would_move() -> None:
    made = consumer()
    made.mark(batch(0, 4))
    assert made.uncommitted()
    made._committed_offset[TP0] = 4
    assert not made.uncommitted()


def fetched(
    made: BatchConsumer, records: dict[TP, list[Any]], *, overtaken: bool = False, stopped: bool = False
) -> list[tuple[TP, Any]]:
    async def wait(timeout: float) -> tuple[dict[TP, list[Any]], set[TP]]:
        if overtaken:
            made._begin_epoch()
        object.__setattr__(made, "flow_active", not stopped)
        return records, set(records)

    sought: list[bool] = []

    async def seek() -> None:
        sought.append(True)

    for name, value in {
        "_wait_next_records": wait,
        "perform_seek": seek,
        "_to_message": lambda tp, record: SimpleNamespace(
            key=record.key, value=record.value, offset=record.offset
        ),
        "highwater": lambda tp: 99,
        "flow_active": True,
        "app": SimpleNamespace(
            consumer_generation_id=1, monitor=SimpleNamespace(track_tp_end_offset=lambda tp, offset: None)
        ),
        "_stopped": SimpleNamespace(is_set=lambda: False),
        "_crashed": SimpleNamespace(is_set=lambda: False),
    }.items():
        object.__setattr__(made, name, value)

    async def collect() -> list[tuple[TP, Any]]:
        return [item async for item in made.getmany(1.0)]

    items = asyncio.run(collect())
    assert sought == ([True] if overtaken and not stopped else [])
    return items


def records(*offsets: int) -> list[Any]:
    return [SimpleNamespace(offset=offset, key=b"k", value=b"v") for offset in offsets]


def test_a_chunk_is_one_event_and_begins_where_the_fetch_began() -> None:
    made = consumer(_delivered={TP0: 5})
    items = fetched(made, {TP0: records(7, 8)})  # 5 and 6 are transaction markers, or compacted away
    assert len(items) == 1
    found = items[0][1].value
    assert (found.first, found.next, [r.offset for r in found.records]) == (5, 9, [7, 8])
    assert made._delivered[TP0] == 9


def test_other_topics_come_record_by_record() -> None:
    items = fetched(consumer(), {OTHER: records(1, 2)})
    assert [message.offset for _, message in items] == [1, 2]


def test_a_fetch_that_a_seek_overtook_is_dropped_and_read_again() -> None:
    assert fetched(consumer(), {TP0: records(0, 1)}, overtaken=True) == []


def test_a_fetch_that_a_stop_overtook_leaves_the_marks_for_the_last_commit() -> None:
    """A seek here would forget them, and a clean restart would read everything since the last timer again."""
    made = consumer()
    made.mark(batch(0, 4))
    assert fetched(made, {TP0: records(4, 5)}, overtaken=True, stopped=True) == []
    assert made.uncommitted()
    assert made._new_offset(TP0) == 4


def test_a_changelog_fetch_that_a_revocation_overtook_is_delivered() -> None:
    """Nobody would read it again, and the recovery would wait for it for ever."""
    items = fetched(consumer(), {OTHER: records(1, 2), TP0: records(0, 1)}, overtaken=True)
    assert [(tp, message.offset) for tp, message in items] == [(OTHER, 1), (OTHER, 2)]


async def test_partitions_without_a_commit_are_read_from_the_beginning_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """aiokafka leaves them behind what was fetched and dropped before the seek."""
    new, committed, changelog = TP("steps", 1), TP0, OTHER
    offsets = {committed: 7, new: None, TP("steps", 2): 0, changelog: None}
    begun: list[TP] = []

    async def seek_to_committed(_: Any) -> dict[TP, int | None]:
        return offsets

    async def seek_to_beginning(*partitions: TP) -> None:
        begun.extend(partitions)

    monkeypatch.setattr(Consumer, "seek_to_committed", seek_to_committed)
    made = consumer(_thread=SimpleNamespace(seek_to_beginning=seek_to_beginning))
    assert await made.seek_to_committed() == offsets
    assert begun == [new, TP("steps", 2)]


async def test_before_partitions_go_nothing_more_is_judged_and_what_was_is_committed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    done: list[str] = []
    judged, at_hand = batch(0, 4), batch(4, 9)

    async def drain() -> None:
        assert not made.is_current(at_hand)
        made.mark(judged)
        done.append("drained")

    async def wait_empty(_: Any) -> None:
        done.append("a commit by the timer was under way, with what was marked before")

    async def commit() -> bool:
        done.append(f"committed {made._new_offset(TP0)}")
        return True

    monkeypatch.setattr(Consumer, "wait_empty", wait_empty)
    made = consumer(_hooks=Hooks(frozenset({"steps"}), drain, lambda: None, None), commit=commit)
    await made.wait_empty()
    assert (done[0], done[-1]) == ("drained", "committed 4")
