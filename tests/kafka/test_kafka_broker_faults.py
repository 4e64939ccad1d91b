"""The broker goes away and comes back: the worker waits, and what it owes gets through once per id."""

from collections.abc import Awaitable, Callable

import pytest
import topic_log
from aiokafka import TopicPartition
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.records_to_delete import RecordsToDelete
from installation import Installation
from wire_steps import interleaved, stuck, working

from deploy.kafka.cluster import Cluster
from streams.codec import partition_for

pytestmark = [pytest.mark.kafka, pytest.mark.timeout(180)]
Install = Callable[..., Awaitable[Installation]]
MakeCluster = Callable[..., Cluster]


@pytest.mark.parametrize("hard", [False, True], ids=["stopped", "killed"])
async def test_a_broker_that_comes_back_gets_every_halt_once_per_id(
    install: Install, kafka_cluster: MakeCluster, hard: bool
) -> None:
    cluster = kafka_cluster()
    installation = await install(bootstrap=cluster.bootstrap_servers)
    worker = installation.worker().start().ready()
    runs = [working(f"w{i}", 300) for i in range(40)] + [
        working(f"s{i}", 200) + stuck(f"s{i}", 100, start=200) for i in range(10)
    ]
    await installation.write("steps", interleaved(runs, seed=5))
    await installation.until(
        lambda: topic_log.end_offsets(installation.bootstrap, installation.topic("changelog")),
        lambda ends: sum(ends.values()) > 20,
    )
    cluster.stop(0, hard=hard)
    assert worker.alive()
    cluster.run(0)
    await installation.write("steps", working("after", 20))
    await installation.caught_up(timeout_s=90)
    expected = await installation.assert_exact()
    assert len(expected.halts) == 10
    assert worker.alive()


async def test_a_worker_started_before_its_broker_waits_for_it(
    install: Install, kafka_cluster: MakeCluster
) -> None:
    cluster = kafka_cluster()
    installation = await install(bootstrap=cluster.bootstrap_servers)
    await installation.write("steps", working("w", 20) + stuck("s", 20))
    cluster.stop(0)
    worker = installation.worker().start()
    await installation.until(_answers(worker.live), bool)
    assert not worker._answers("/readyz")
    cluster.run(0)
    worker.ready()
    await installation.caught_up()
    assert len((await installation.assert_exact()).halts) == 1


async def test_one_broker_of_three_is_killed_and_the_halts_go_on(
    install: Install, kafka_cluster: MakeCluster
) -> None:
    cluster = kafka_cluster(nodes=3)
    installation = await install(bootstrap=cluster.bootstrap_servers, replication=3)
    worker = installation.worker().start().ready()
    runs = [working(f"w{i}", 200) + stuck(f"w{i}", 10, start=200) for i in range(20)]
    await installation.write("steps", interleaved(runs, seed=6))
    cluster.stop(1, hard=True)
    await installation.write("steps", working("meanwhile", 10) + stuck("meanwhile", 10, start=10))
    # A new leader may tell an old end of a topic for a moment, so being caught up is no sign here: the halts are.
    await installation.commands_when(lambda found: len(found) >= 21, timeout_s=90)
    await installation.caught_up()
    assert len((await installation.assert_exact()).halts) == 21
    assert worker.alive()


async def test_records_lost_to_retention_are_counted_and_the_worker_goes_on(install: Install) -> None:
    installation = await install()
    worker = installation.worker().start().ready()
    await installation.write("steps", working("r", 10))
    await installation.caught_up()
    worker.terminate()
    await installation.write("steps", working("r", 20, start=10))
    await delete_before(installation, partition_for(b"r", installation.partitions), 25)
    worker.start().ready()
    await installation.write("steps", working("r", 5, start=30))
    await installation.caught_up()
    assert worker.alive()
    assert worker.metric("stallwatch_retention_lost_records_total") == 15
    assert worker.metric("stallwatch_events_total", outcome="applied") == 10


async def delete_before(installation: Installation, partition: int, offset: int) -> None:
    """Retention has taken the records before the offset."""
    admin = AIOKafkaAdminClient(bootstrap_servers=installation.bootstrap)
    await admin.start()
    try:
        tp = TopicPartition(installation.topic("steps"), partition)
        await admin.delete_records({tp: RecordsToDelete(before_offset=offset)})
    finally:
        await admin.close()


def _answers(question: Callable[[], bool]) -> Callable[[], Awaitable[bool]]:
    async def ask() -> bool:
        return question()

    return ask
