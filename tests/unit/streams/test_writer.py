"""Everything handed to the writer reaches the broker, in order, whatever fails on the way."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from aiokafka.errors import KafkaTimeoutError, NotLeaderForPartitionError

from streams import writer as writing
from streams.record import Entry
from streams.work import DeadLetter
from streams.writer import KafkaWriter

TOPICS = {"control": "sw.control", "verdicts": "sw.verdicts", "audit": "sw.audit", "dlq": "sw.dlq"}


class Builder:
    """A batch of at most two records."""

    def __init__(self) -> None:
        self.records: list[tuple[bytes, bytes | None]] = []

    def append(self, *, key: bytes, value: bytes | None, timestamp: None, headers: Any = ()) -> object | None:
        if len(self.records) == 2:
            return None
        self.headers = headers
        self.records.append((key, value))
        return object()

    def close(self) -> None:
        pass


class Producer:
    """Fails as often as it was told to, then takes everything."""

    def __init__(self, **options: Any) -> None:
        self.options = options
        self.taken: list[Any] = []
        self.failures: list[BaseException] = []
        self.refusals: list[BaseException] = []

    async def start(self) -> None:
        pass

    async def stop(self) -> None:
        pass

    def create_batch(self) -> Builder:
        return Builder()

    async def send_batch(self, builder: Builder, topic: str, *, partition: int) -> "asyncio.Future[None]":
        if self.refusals:
            raise self.refusals.pop()
        self.taken.append((topic, partition, builder.records))
        return self._future()

    async def partitions_for(self, topic: str) -> set[int]:
        return {0, 1}

    async def send(self, topic: str, *, value: Any, key: Any, headers: Any) -> "asyncio.Future[None]":
        assert not (key is None and value is None), "as aiokafka has it"
        if self.refusals:
            raise self.refusals.pop()
        self.taken.append((topic, key, value, headers))
        return self._future()

    def _future(self) -> "asyncio.Future[None]":
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if self.failures:
            future.set_exception(self.failures.pop())
        else:
            future.set_result(None)
        return future


@pytest.fixture
async def made(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(writing, "AIOKafkaProducer", Producer)
    monkeypatch.setattr(writing, "_RETRY_FIRST_S", 0.0)
    retries: list[str] = []
    sent: list[int] = []

    def told(entries: Sequence[Entry], seconds: float) -> None:
        sent.append(len(entries))

    writer = KafkaWriter(
        {"bootstrap_servers": "b"},
        "changelog",
        TOPICS,
        version="9",
        on_retry=lambda what, error: retries.append(what),
        on_sent=told,
    )
    await writer.start()
    return SimpleNamespace(writer=writer, retries=retries, sent=sent)


async def test_states_go_to_their_partition_in_as_few_batches_as_fit(made: Any) -> None:
    states = [(b"a", b"1"), (b"b", None), (b"c", b"3")]
    await (await made.writer.write_states(5, states))
    assert made.writer._states.taken == [("changelog", 5, states[:2]), ("changelog", 5, states[2:])]
    assert made.writer._states.options["enable_idempotence"] is True


async def test_a_full_buffer_is_waited_for(made: Any) -> None:
    made.writer._states.refusals = [KafkaTimeoutError(), KafkaTimeoutError()]
    await (await made.writer.write_states(0, [(b"a", b"1")]))
    assert made.retries == ["changelog", "changelog"]
    assert len(made.writer._states.taken) == 1


async def test_a_rejected_state_is_an_error_and_not_a_log_line(made: Any) -> None:
    made.writer._states.failures = [NotLeaderForPartitionError()]
    with pytest.raises(NotLeaderForPartitionError):
        await (await made.writer.write_states(0, [(b"a", b"1")]))


ENTRIES = [
    Entry("control", b"r", b"v1", 0, 1),
    Entry("control", b"r", b"v2", 0, 2),
    Entry("verdicts", b"r", b"e", 0, 2),
]


async def test_effects_go_to_their_topics_in_order(made: Any) -> None:
    await made.writer.send_effects(ENTRIES)
    assert [(topic, value) for topic, _, value, _ in made.writer._effects.taken] == [
        ("sw.control", b"v1"),
        ("sw.control", b"v2"),
        ("sw.verdicts", b"e"),
    ]
    assert made.sent == [3]


@pytest.mark.parametrize("failing", [1, 2, 3])
async def test_after_a_failure_the_latest_command_of_a_run_is_still_the_last(made: Any, failing: int) -> None:
    """Sending only what failed would leave an older command on top of a newer one."""
    made.writer._effects.failures = [NotLeaderForPartitionError() for _ in range(failing)]
    await made.writer.send_effects(ENTRIES)
    values = [value for _, _, value, _ in made.writer._effects.taken]
    assert values[-3:] == [b"v1", b"v2", b"e"]
    assert made.retries == ["effects"]


async def test_an_effect_that_cannot_even_be_handed_over_is_tried_again(made: Any) -> None:
    made.writer._effects.refusals = [KafkaTimeoutError()]
    await made.writer.send_effects(ENTRIES)
    assert [value for _, _, value, _ in made.writer._effects.taken] == [b"v1", b"v2", b"e"]


async def test_a_dead_letter_is_what_came_plus_where_and_why(made: Any) -> None:
    record = SimpleNamespace(
        topic="sw.steps",
        partition=2,
        offset=7,
        timestamp=1234,
        key=b"k",
        value=b"\xff\x00",
        headers=(("h", b"1"), ("h", b"2")),
    )
    await made.writer.send_dead([DeadLetter(record, "invalid_utf8", "not UTF-8 at byte 0")])
    topic, key, value, headers = made.writer._dead.taken[0]
    assert (topic, key, value) == ("sw.dlq", b"k", b"\xff\x00")
    assert headers[:2] == [("h", b"1"), ("h", b"2")]
    ours = dict(headers[2:])
    assert ours.pop("dlq.failed_at").isdigit()
    assert ours == {
        "dlq.reason": b"invalid_utf8",
        "dlq.detail": b"not UTF-8 at byte 0",
        "dlq.topic": b"sw.steps",
        "dlq.partition": b"2",
        "dlq.offset": b"7",
        "dlq.timestamp": b"1234",
        "dlq.app_version": b"9",
    }
    assert made.writer._dead.options["compression_type"] == "zstd"


async def test_a_dead_letter_without_key_and_value_is_one_too(made: Any) -> None:
    """aiokafka's `send` asserts on it, and an exception here would end every worker that meets the record."""
    record = SimpleNamespace(
        topic="sw.steps", partition=2, offset=7, timestamp=1234, key=None, value=None, headers=(("h", b"1"),)
    )
    await made.writer.send_dead([DeadLetter(record, "empty", "no value")])
    assert made.writer._dead.taken == [("sw.dlq", 0, [(None, None)])]
