"""Publishers and subscribers on a broker: what is on the topics is what was said, byte for byte and in its place."""

import asyncio
import queue
import subprocess
import sys
from collections import defaultdict
from typing import Any

import msgspec
import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from detectors.events import Action, Command, Step
from stallwatch import (
    AsyncControlSubscriber,
    AsyncStepPublisher,
    ControlSubscriber,
    StepPublisher,
)
from stallwatch.clients.loop_thread import LoopThread
from streams.codec import decode_ack, decode_steps, encode, partition_for
from streams.embedded import PARTITIONS, EmbeddedBroker, create_topics


def command(action: Action, version: int, run_id: str = "r-81", attempt: int = 0) -> Command:
    return Command(
        command_id=f"{run_id}-{attempt}-{version}-{action}",
        run_id=run_id,
        action=action,
        version=version,
        attempt=attempt,
    )


def in_a_loop(work: Any) -> Any:
    """What the coroutine gives, from a loop in another thread: callable from any test."""
    thread = LoopThread("test")
    try:
        return thread.submit(work).result(60)
    finally:
        thread.stop(10)


async def _read(bootstrap: str, topic: str, count: int) -> list[Any]:
    consumer = AIOKafkaConsumer(
        bootstrap_servers=bootstrap,
        auto_offset_reset="earliest",
        enable_auto_commit=False,
        fetch_max_wait_ms=50,
    )
    await consumer.start()
    try:
        consumer.assign([TopicPartition(topic, number) for number in range(PARTITIONS)])
        found: list[Any] = []
        while len(found) < count:
            for records in (await consumer.getmany(timeout_ms=200)).values():
                found += records
        return found
    finally:
        await consumer.stop()


def read(bootstrap: str, topic: str, count: int) -> list[Any]:
    """At least `count` records of a topic, in order within a partition."""
    return in_a_loop(_read(bootstrap, topic, count))


async def _write(bootstrap: str, topic: str, records: list[tuple[bytes, bytes | None]]) -> None:
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap)
    await producer.start()
    try:
        for key, value in records:
            await producer.send_and_wait(topic, value, key=key)
    finally:
        await producer.stop()


def tell(bootstrap: str, *commands: Command) -> None:
    """The commands stand on the control topic."""
    in_a_loop(_write(bootstrap, "stallwatch.control", [(c.run_id.encode(), encode(c)) for c in commands]))


def test_steps_arrive_once_in_order_under_their_key(embedded_broker: str) -> None:
    with StepPublisher(embedded_broker) as publisher:
        for _ in range(100):
            for run in range(10):
                publisher.run(f"run-{run}", task="t").step(tool="bash", args={"n": run}, result="x" * 300)
        assert publisher.flush(60)
        assert publisher.delivered == 1000
    seqs: defaultdict[str, list[int]] = defaultdict(list)
    for record in read(embedded_broker, "stallwatch.steps", 1000):
        event = decode_steps(record.key, record.value)
        assert isinstance(event, Step)
        assert record.key == event.run_id.encode()
        assert record.partition == partition_for(record.key, PARTITIONS)
        seqs[event.run_id].append(event.seq)
    assert dict(seqs) == {f"run-{run}": list(range(100)) for run in range(10)}


async def test_the_async_publisher_delivers_too(embedded_broker: str) -> None:
    async with AsyncStepPublisher(embedded_broker, run_id="r", task="t") as publisher:
        publisher.run_started()
        for _ in range(50):
            publisher.step(tool="bash")
        publisher.run_ended("completed")
        assert await publisher.flush(60)
    records = await _read(embedded_broker, "stallwatch.steps", 52)
    assert [msgspec.json.decode(record.value)["seq"] for record in records] == list(range(52))


def test_an_address_where_nobody_listens_blocks_and_breaks_nothing() -> None:
    publisher = StepPublisher("127.0.0.1:1", run_id="r", buffer_records=1000, buffer_bytes=1_000_000)
    for n in range(10_000):
        assert publisher.step(tool="bash", args={"command": "ls"}, result="x" * 100) == n
    assert publisher.waiting <= 1000
    assert publisher.waiting_bytes <= 1_000_000
    assert publisher.dropped["buffer_full"] == 10_000 - publisher.waiting
    assert publisher.close(0) is False
    assert sum(publisher.dropped.values()) == 10_000


def test_a_late_subscriber_sees_what_stands_and_then_what_comes(embedded_broker: str) -> None:
    tell(embedded_broker, command("halt", 3), command("halt", 1, "r-82"), command("release", 2, "r-82"))
    heard: queue.Queue[str] = queue.Queue()
    with ControlSubscriber(embedded_broker, by="orchestrator") as control:
        control.on_command(lambda c: heard.put(c.command_id))
        assert control.wait_ready(60)
        assert control.is_halted("r-81", 0)
        assert not control.is_halted("r-81", 1)
        assert not control.is_halted("r-82", 0)
        assert {heard.get(timeout=60), heard.get(timeout=60)} == {"r-81-0-3-halt", "r-82-0-2-release"}
        tell(embedded_broker, command("halt", 3), command("halt", 3, "r-83"))
        assert heard.get(timeout=60) == "r-83-0-3-halt"
        latest = control.command("r-81")
        assert latest == command("halt", 3)
        assert control.acknowledge(latest, "done", "stopped")
        assert control.flush(60)
    (record,) = read(embedded_broker, "stallwatch.acks", 1)
    assert record.partition == partition_for(b"r-81", PARTITIONS)
    ack = decode_ack(record.key, record.value)
    assert (ack.command_id, ack.status, ack.by, ack.detail) == (
        "r-81-0-3-halt",
        "done",
        "orchestrator",
        "stopped",
    )


async def test_an_async_subscriber_obeys(embedded_broker: str) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()
    async with AsyncControlSubscriber(embedded_broker) as control:

        async def obey(given: Command) -> None:
            control.acknowledge(given, "done")
            await heard.put(given.command_id)

        control.on_command(obey)
        assert await control.wait_ready(60)
        await _write(embedded_broker, "stallwatch.control", [(b"r-81", encode(command("halt", 1)))])
        assert await heard.get() == "r-81-0-1-halt"
        assert await control.flush(60)
    assert len(await _read(embedded_broker, "stallwatch.acks", 1)) == 1


def test_a_tombstone_forgets_the_run(embedded_broker: str) -> None:
    tell(embedded_broker, command("halt", 1))
    heard: queue.Queue[str] = queue.Queue()
    with ControlSubscriber(embedded_broker) as control:
        control.on_command(lambda c: heard.put(c.command_id))
        assert heard.get(timeout=60) == "r-81-0-1-halt"
        same_partition = next(
            f"r-{n}" for n in range(100)
            if partition_for(f"r-{n}".encode(), PARTITIONS) == partition_for(b"r-81", PARTITIONS)
        )  # fmt: skip
        last = encode(command("notice", 1, same_partition))
        in_a_loop(
            _write(embedded_broker, "stallwatch.control", [(b"r-81", None), (same_partition.encode(), last)])
        )
        assert heard.get(timeout=60).startswith(same_partition)
        assert not control.is_halted("r-81", 0)
        assert control.reads["tombstone"] == 1


def test_without_topics_a_subscriber_waits_for_them(embedded: EmbeddedBroker) -> None:
    with ControlSubscriber(embedded.bootstrap_servers, when_not_ready="closed") as control:
        assert control.is_halted("anybody", 0)
        assert not control.wait_ready(0.5)
        # This broker makes a topic of every name that it is asked for: nobody asked.
        assert "stallwatch.control" not in embedded.topics()
        create_topics(embedded)
        assert control.wait_ready(60)
        assert not control.is_halted("anybody", 0)


EXITS = """
import sys
from stallwatch import StepPublisher
publisher = StepPublisher(sys.argv[1], run_id="short", attempt=0)
publisher.step(tool="bash")
"""


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_a_script_that_ends_without_closing_delivers_its_last_steps(embedded_broker: str, host: str) -> None:
    address = embedded_broker.replace("127.0.0.1", host)
    done = subprocess.run([sys.executable, "-c", EXITS, address], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    (record,) = read(embedded_broker, "stallwatch.steps", 1)
    assert record.key == b"short"


ACKS_AND_EXITS = """
import sys
from stallwatch import Command, ControlSubscriber
control = ControlSubscriber(sys.argv[1])
control.acknowledge(Command(command_id="c", run_id="r", action="halt", version=1), "done")
"""


def test_a_script_that_ends_without_closing_delivers_its_last_acknowledgements(embedded_broker: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", ACKS_AND_EXITS, embedded_broker], capture_output=True, text=True, check=True
    )
    assert done.stderr == ""
    assert len(read(embedded_broker, "stallwatch.acks", 1)) == 1


FORKS = """
import os, sys
from stallwatch import ControlSubscriber, NotReadyError, StepPublisher
publisher = StepPublisher(sys.argv[1], run_id="parent", attempt=0)
control = ControlSubscriber(sys.argv[1])
assert control.wait_ready(60)
publisher.step(tool="bash")
child = os.fork()
if child == 0:
    publisher.run("child", attempt=0).step(tool="bash")
    assert publisher.flush(60) and publisher.delivered == 1
    try:
        control.is_halted("child", 0)
    except NotReadyError as error:
        assert "fork" in str(error)
    else:
        sys.exit("a forked subscriber answers")
    sys.exit(0 if publisher.close(60) else "not delivered")
_, status = os.waitpid(child, 0)
publisher.step(tool="bash")
assert publisher.close(60)
assert control.ready
sys.exit(os.waitstatus_to_exitcode(status))
"""


def test_a_forked_child_has_its_own_connection_and_no_old_answers(embedded_broker: str) -> None:
    done = subprocess.run(
        [sys.executable, "-W", "always", "-c", FORKS, embedded_broker],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    keys = sorted(record.key for record in read(embedded_broker, "stallwatch.steps", 3))
    assert keys == [b"child", b"parent", b"parent"]
