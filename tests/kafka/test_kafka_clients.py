"""Publishers and subscribers against a real broker: crashes, transactions, growth, limits."""

import asyncio
import queue
import threading
import uuid
from collections import defaultdict
from collections.abc import Callable

import pytest
import topic_log
from aiokafka import AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewPartitions, NewTopic

from deploy.kafka.cluster import Cluster
from detectors.events import Action, Command, Step
from stallwatch import ControlSubscriber, StepPublisher
from streams.codec import decode_ack, decode_steps, encode, partition_for

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]
MakeCluster = Callable[..., Cluster]


def command(action: Action, version: int, run_id: str) -> Command:
    return Command(
        command_id=f"{run_id}-{version}-{action}", run_id=run_id, action=action, version=version, attempt=0
    )


async def topics(bootstrap: str, **settings: str) -> str:
    """A prefix under which the topics of the clients are there, with 12 partitions."""
    prefix = f"t{uuid.uuid4().hex[:8]}."
    admin = AIOKafkaAdminClient(bootstrap_servers=bootstrap)
    await admin.start()
    try:
        await admin.create_topics(
            [
                NewTopic(prefix + "steps", 12, 1, topic_configs=settings),
                NewTopic(prefix + "control", 12, 1, topic_configs={"cleanup.policy": "compact"}),
                NewTopic(prefix + "acks", 12, 1),
            ]
        )
    finally:
        await admin.close()
    return prefix


async def tell(bootstrap: str, prefix: str, *commands: Command) -> None:
    await topic_log.write(
        bootstrap,
        prefix + "control",
        [topic_log.Outgoing(given.run_id.encode(), encode(given)) for given in commands],
    )


async def heard_by(heard: "queue.Queue[str]") -> str:
    return await asyncio.to_thread(heard.get, True, 60)


@pytest.mark.parametrize("hard", [False, True], ids=["stopped", "killed"])
async def test_no_step_is_lost_or_doubled_while_the_broker_goes_and_comes_back(
    kafka_cluster: MakeCluster, hard: bool
) -> None:
    cluster = kafka_cluster()
    bootstrap = cluster.bootstrap_servers
    prefix = await topics(bootstrap)
    runs, steps = [f"run-{n}" for n in range(20)], 400
    publisher = StepPublisher(bootstrap, topic_prefix=prefix)
    half = threading.Event()

    def agent() -> None:
        for number in range(steps):
            for run in runs:
                publisher.run(run, attempt=0).step(tool="bash", args={"n": number}, result="x" * 200)
            if number == steps // 4:
                half.set()
            threading.Event().wait(0.002)  # agents take their time; the broker goes away under way

    work = threading.Thread(target=agent)
    work.start()
    assert await asyncio.to_thread(half.wait, 60)
    await asyncio.to_thread(cluster.stop, 0, hard=hard)
    await asyncio.to_thread(work.join)
    assert publisher.waiting > 0  # the agents went on without the broker
    await asyncio.to_thread(cluster.run, 0)
    assert await asyncio.to_thread(publisher.flush, 90)
    assert sum(publisher.dropped.values()) == 0
    assert await asyncio.to_thread(publisher.close)

    found: defaultdict[str, list[int]] = defaultdict(list)
    for record in await topic_log.read(bootstrap, prefix + "steps"):
        step = decode_steps(record.key, record.value)
        assert isinstance(step, Step)
        assert record.partition == partition_for(step.run_id.encode(), 12)
        found[step.run_id].append(step.seq)
    assert dict(found) == {run: list(range(steps)) for run in runs}


async def test_a_subscriber_lives_through_a_restart_of_the_broker(kafka_cluster: MakeCluster) -> None:
    cluster = kafka_cluster()
    bootstrap = cluster.bootstrap_servers
    prefix = await topics(bootstrap)
    await tell(bootstrap, prefix, command("halt", 1, "before"))
    heard: queue.Queue[str] = queue.Queue()
    with ControlSubscriber(bootstrap, topic_prefix=prefix, refresh_s=0.5) as control:
        control.on_command(lambda given: heard.put(given.run_id))
        assert await heard_by(heard) == "before"
        await asyncio.to_thread(cluster.stop, 0, hard=True)
        known = control.command("before")
        assert known is not None
        assert control.is_halted("before", 0)
        assert control.acknowledge(known, "done")
        await asyncio.to_thread(cluster.run, 0)
        await tell(bootstrap, prefix, command("halt", 1, "after"))
        assert await heard_by(heard) == "after"
        assert await asyncio.to_thread(control.flush, 60)
        assert control.reads["malformed"] == 0
    (ack,) = await topic_log.read(bootstrap, prefix + "acks")
    assert decode_ack(ack.key, ack.value).command_id == "before-1-halt"


async def test_commands_of_a_transaction_that_was_aborted_are_never_heard(kafka_broker: str) -> None:
    prefix = await topics(kafka_broker)
    producer = AIOKafkaProducer(bootstrap_servers=kafka_broker, transactional_id=f"x-{prefix}")
    await producer.start()
    try:
        for outcome in (producer.commit_transaction, producer.abort_transaction):
            await producer.begin_transaction()
            for number in range(30):
                given = command("halt", 1, f"{outcome.__name__}-{number}")
                await producer.send_and_wait(prefix + "control", encode(given), key=given.run_id.encode())
            await outcome()
    finally:
        await producer.stop()
    with ControlSubscriber(kafka_broker, topic_prefix=prefix) as control:
        # Every partition may end in markers, which are offsets without a record.
        assert await asyncio.to_thread(control.wait_ready, 60)
        assert {given.run_id for given in control.commands()} == {
            f"commit_transaction-{n}" for n in range(30)
        }


async def test_partitions_that_are_added_are_read(kafka_broker: str) -> None:
    prefix = await topics(kafka_broker)
    heard: queue.Queue[str] = queue.Queue()
    with ControlSubscriber(kafka_broker, topic_prefix=prefix, refresh_s=0.3) as control:
        control.on_command(lambda given: heard.put(given.run_id))
        assert await asyncio.to_thread(control.wait_ready, 60)
        admin = AIOKafkaAdminClient(bootstrap_servers=kafka_broker)
        await admin.start()
        try:
            await admin.create_partitions({prefix + "control": NewPartitions(total_count=24)})
        finally:
            await admin.close()
        added = next(f"r-{n}" for n in range(1000) if partition_for(f"r-{n}".encode(), 24) >= 12)
        await topic_log.until(
            lambda: topic_log.end_offsets(kafka_broker, prefix + "control"), lambda ends: len(ends) == 24
        )
        await tell(kafka_broker, prefix, command("halt", 1, added))
        assert await heard_by(heard) == added


async def test_a_step_over_the_brokers_limit_is_counted_and_the_others_arrive(kafka_broker: str) -> None:
    prefix = await topics(kafka_broker, **{"max.message.bytes": "4000"})
    with StepPublisher(kafka_broker, topic_prefix=prefix, run_id="r", attempt=0) as publisher:
        for number in range(30):
            publisher.step(tool="bash", result="x" * (50_000 if number == 10 else 500))
        assert await asyncio.to_thread(publisher.flush, 60)
        assert publisher.dropped["rejected"] == 1
    seqs = [decode_steps(r.key, r.value).seq for r in await topic_log.read(kafka_broker, prefix + "steps")]  # type: ignore[union-attr]
    assert seqs == [number for number in range(30) if number != 10]
