"""What the batch transport relies on in Faust, and the defects it goes round: a change of either is noticed."""

import inspect
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import faust
import pytest
from aiokafka import AIOKafkaConsumer
from faust.app.base import App
from faust.assignor.partition_assignor import PartitionAssignor
from faust.tables import recovery
from faust.tables.base import Collection
from faust.transport.consumer import Consumer as BaseConsumer
from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread, Consumer, Transport
from faust.types import TP

TP0 = TP("steps", 0)


def bare(**state: Any) -> Any:
    """A consumer with nothing but the state that one private method reads."""
    consumer = object.__new__(Consumer)
    for name, value in state.items():
        object.__setattr__(consumer, name, value)
    return consumer


def offsets(committed: int | None, acked: list[int]) -> int | None:
    consumer = bare(
        _acked=defaultdict(list, {TP0: list(acked)}),
        _acked_index=defaultdict(set, {TP0: set(acked)}),
        _gap=defaultdict(lambda: None),
        _committed_offset=defaultdict(lambda: None, {TP0: committed}),
    )
    return BaseConsumer._new_offset(consumer, TP0)


def test_version() -> None:
    assert faust.__version__ == "0.15.3", (
        "read the changes, run tests/kafka, then pin the new one here and in pyproject"
    )


@pytest.mark.parametrize(
    ("committed", "acked", "commits"),
    [
        (2, [3, 4, 5, 6], 7),  # offset 2 is still in flight, and the commit passes it
        (None, [1, 2], 3),  # so does the first commit, over offset 0
        (2, [2, 3, 4], 5),
    ],
)
def test_stock_commits_pass_an_unfinished_record(
    committed: int | None, acked: list[int], commits: int
) -> None:
    """Why the watermark is our own: if these fail, the defect is mended upstream."""
    assert offsets(committed, acked) == commits


def test_an_exception_in_an_agent_acks_its_event() -> None:
    """Why the agent's body is total: the ack stands in a `finally` around the yield."""
    source = inspect.getsource(faust.Stream._py_aiter)
    assert "finally:" in source[source.index("yield value") :]


def test_recovery_swallows_what_a_store_raises() -> None:
    """Why nothing in `StateStore` raises."""
    assert "except Exception as ex:" in inspect.getsource(recovery.Recovery._slurp_changelogs.fun)


def test_streams_are_resumed_before_the_seek() -> None:
    """Why batches of an older epoch are dropped: records fetched in between would be taken for a gap."""
    source = inspect.getsource(recovery.Recovery.on_recovery_completed)
    assert source.index("resume_partitions") < source.index("perform_seek")


def test_fetches_wait_a_second_and_a_half_unless_told_otherwise() -> None:
    """Why `ShortFetches` sets what aiokafka's consumer keeps until it starts."""
    assert "fetch_max_wait_ms=1500" in inspect.getsource(AIOKafkaConsumerThread._create_worker_consumer)
    assert "fetch_max_wait_ms=self._fetch_max_wait_ms" in inspect.getsource(AIOKafkaConsumer.start)


@pytest.mark.parametrize(
    ("owner", "name", "parameters"),
    [
        (Consumer, "getmany", ["self", "timeout"]),
        (Consumer, "perform_seek", ["self"]),
        (Consumer, "wait_empty", ["self"]),
        (Consumer, "on_partitions_revoked", ["self", "revoked"]),
        (Consumer, "_new_offset", ["self", "tp"]),
        (Consumer, "_wait_next_records", ["self", "timeout"]),
        (Consumer, "_to_message", ["self", "tp", "record"]),
        (Consumer, "earliest_offsets", ["self", "partitions"]),
        (Collection, "_new_store", ["self"]),
    ],
)
def test_private_methods_are_as_the_transport_overrides_them(
    owner: type, name: str, parameters: list[str]
) -> None:
    assert list(inspect.signature(getattr(owner, name)).parameters) == parameters


def test_private_state_is_as_the_transport_uses_it() -> None:
    source = inspect.getsource(BaseConsumer.__init__)
    for name in ("_acked", "_acked_index", "_read_offset", "_committed_offset", "_buffered_partitions"):
        assert f"self.{name} = " in source, name
    assert Transport.Consumer is Consumer


def test_the_drain_loop_drops_what_is_below_the_read_offset() -> None:
    """Why `getmany` clears it for batch topics."""
    source = inspect.getsource(BaseConsumer._drain_messages)
    assert "if r_offset is None or offset >= r_offset" in source


def test_a_revocation_waits_for_the_streams_and_then_tells() -> None:
    """Why `drain` stands in `wait_empty`: what was judged is durable and committed before the partitions go."""
    source = inspect.getsource(App._on_partitions_revoked)
    assert (
        source.index("stop_flow")
        < source.index("_consumer_wait_empty")
        < source.index("on_partitions_revoked.send")
    )
    assert "consumer.wait_empty()" in inspect.getsource(App._consumer_wait_empty)
    assert "wait_empty" in inspect.getsource(BaseConsumer.on_stop)


def test_topics_with_equal_counts_are_assigned_together() -> None:
    """Why one worker owns the same partition number of all inputs and of the changelog."""
    cluster = SimpleNamespace(partitions_for_topic=lambda topic: {0, 1, 2, 3})
    topics = {"a.steps", "a.operator", "a.acks", "a-runs-changelog"}
    groups = PartitionAssignor._get_copartitioned_groups(
        topics, cluster, {"one": sorted(topics), "two": sorted(topics)}
    )
    assert [sorted(group) for group in groups[4]] == [sorted(topics)]


def test_a_seek_to_the_committed_offsets_moves_no_partition_without_one() -> None:
    """Why the batch consumer sends those to their beginning itself."""
    assert "if offset and offset > 0:" in inspect.getsource(AIOKafkaConsumer.seek_to_committed)


def test_an_empty_instance_id_is_an_instance_id() -> None:
    """Why an unset one must reach Faust as None: workers that shared the empty name would push each other out."""
    assert faust.App("pins", consumer_group_instance_id=None).conf.consumer_group_instance_id is None
    assert faust.App("pins", consumer_group_instance_id="").conf.consumer_group_instance_id == ""
