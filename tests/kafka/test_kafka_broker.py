"""The broker that this tier stands on: real, restartable on its data, and gone when its test is over."""

from collections.abc import Callable

import pytest
import topic_log
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer
from aiokafka.admin import AIOKafkaAdminClient, NewTopic

from deploy.kafka.cluster import Cluster

pytestmark = pytest.mark.kafka


async def test_topics_are_made_only_by_the_admin_and_carry_their_policy(kafka_broker: str) -> None:
    admin = AIOKafkaAdminClient(bootstrap_servers=kafka_broker)
    await admin.start()
    try:
        await admin.create_topics(
            [NewTopic("kb.control", 3, 1, topic_configs={"cleanup.policy": "compact"})],
        )
        described = await topic_log.until(
            lambda: admin.describe_topics(["kb.control", "kb.never-made"]),
            lambda found: any(
                t["partitions"] for t in found
            ),  # the controller answers before the broker has heard
        )
    finally:
        await admin.close()
    by_name = {topic["topic"]: topic for topic in described}
    assert len(by_name["kb.control"]["partitions"]) == 3
    assert by_name["kb.never-made"]["error_code"] == 3


async def test_records_survive_a_kill_of_the_broker(kafka_cluster: Callable[..., Cluster]) -> None:
    node = kafka_cluster()
    admin = AIOKafkaAdminClient(bootstrap_servers=node.bootstrap_servers)
    await admin.start()
    await admin.create_topics([NewTopic("kept", 1, 1)])
    await admin.close()
    producer = AIOKafkaProducer(bootstrap_servers=node.bootstrap_servers, acks="all", enable_idempotence=True)
    await producer.start()
    await producer.send_and_wait("kept", b"before")
    node.stop(hard=True)
    node.run(0)
    await producer.send_and_wait("kept", b"after")
    await producer.stop()
    consumer = AIOKafkaConsumer(
        "kept", bootstrap_servers=node.bootstrap_servers, auto_offset_reset="earliest"
    )
    await consumer.start()
    try:
        assert [(await consumer.getone()).value for _ in range(2)] == [b"before", b"after"]
    finally:
        await consumer.stop()
