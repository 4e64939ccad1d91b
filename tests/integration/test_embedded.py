"""The embedded broker is a Kafka broker that aiokafka and a second process can use."""

import asyncio
import subprocess
import sys

import pytest
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition
from aiokafka.client import AIOKafkaClient

from streams.embedded import PARTITIONS, EmbeddedBroker, EmbeddedBrokerError, create_topics, topics_of


async def test_every_topic_of_a_worker_is_there_with_four_partitions(embedded: EmbeddedBroker) -> None:
    create_topics(embedded, prefix="own.", group_id="g7")
    client = AIOKafkaClient(bootstrap_servers=embedded.bootstrap_servers)
    await client.bootstrap()
    try:
        metadata = await client.fetch_all_metadata()
    finally:
        await client.close()
    counts = {name: len(metadata.partitions_for_topic(name) or ()) for name in metadata.topics()}
    assert counts == dict.fromkeys(topics_of("own.", "g7"), PARTITIONS)
    assert {"own.steps", "own.control", "g7-runs-changelog"} <= set(counts)


async def test_an_idempotent_record_comes_back_byte_for_byte(embedded_broker: str) -> None:
    producer = AIOKafkaProducer(bootstrap_servers=embedded_broker, acks="all", enable_idempotence=True)
    await producer.start()
    try:
        sent = await producer.send_and_wait("stallwatch.steps", b"\x00v", key=b"r-1", headers=[("h", b"1")])
    finally:
        await producer.stop()
    consumer = AIOKafkaConsumer(bootstrap_servers=embedded_broker, auto_offset_reset="earliest")
    await consumer.start()
    try:
        consumer.assign([TopicPartition("stallwatch.steps", sent.partition)])
        got = await asyncio.wait_for(consumer.getone(), 20)
    finally:
        await consumer.stop()
    assert (got.key, got.value, list(got.headers)) == (b"r-1", b"\x00v", [("h", b"1")])


def test_another_process_reaches_it_and_loses_it_with_its_owner() -> None:
    probe = (
        "import socket, sys; host, port = sys.argv[1].split(':');"
        "socket.create_connection((host, int(port)), timeout=5).close()"
    )
    with EmbeddedBroker() as broker:
        address = broker.bootstrap_servers
        assert address.startswith("127.0.0.1:")
        assert subprocess.run([sys.executable, "-c", probe, address], check=False).returncode == 0
    after = subprocess.run([sys.executable, "-c", probe, address], check=False, capture_output=True)
    assert after.returncode == 1
    assert b"refused" in after.stderr


def test_a_machine_without_the_extra_gets_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "confluent_kafka", None)
    with pytest.raises(EmbeddedBrokerError, match=r"pip install 'stallwatch\[demo\]'"):
        EmbeddedBroker().__enter__()


def test_two_brokers_share_nothing() -> None:
    with EmbeddedBroker() as one, EmbeddedBroker() as two:
        create_topics(one)
        assert one.bootstrap_servers != two.bootstrap_servers
        two.create(["only.here"])
        assert two.topics() == ["only.here"]


def test_a_broker_that_is_over_says_so() -> None:
    with EmbeddedBroker() as broker:
        pass
    with pytest.raises(EmbeddedBrokerError, match="not running"):
        broker.create(["late"])
