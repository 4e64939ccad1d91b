"""Topics as the table has them, and a worker that will not start on others."""

from collections.abc import Awaitable, Callable

import pytest
from aiokafka.admin import AIOKafkaAdminClient, NewTopic
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from installation import Installation

from streams import admin, topics
from streams.settings import Settings

pytestmark = pytest.mark.kafka
Install = Callable[..., Awaitable[Installation]]


async def test_created_topics_are_verified_without_a_word(install: Install) -> None:
    installation = await install(topics=False)
    settings = Settings.load(installation.env)
    created = await admin.create(settings)
    assert len(created.created) == len(topics.NAMES) + 1
    verified = await admin.verify(settings)
    assert verified.mismatches == []
    assert verified.partitions == installation.partitions
    again = await admin.create(settings)
    assert (again.created, len(again.existing)) == ([], len(topics.NAMES) + 1)


async def test_a_worker_without_its_topics_says_which_and_how_to_make_them(install: Install) -> None:
    installation = await install(topics=False)
    worker = installation.worker().start()
    assert worker.wait() == 2
    for role in topics.INPUTS:
        assert installation.topic(role) in worker.tail()
    assert "stallwatch topics create" in worker.tail()
    assert "Traceback" not in worker.tail()


@pytest.mark.parametrize("role", ["operator", "changelog"])
async def test_a_worker_refuses_unequal_partition_counts_and_says_which(install: Install, role: str) -> None:
    installation = await install(topics=False)
    policy = "compact" if role == "changelog" else "delete"
    await make(installation, role, partitions=3, policy=policy)
    await admin.create(Settings.load(installation.env))  # the others
    assert_refused(installation, installation.topic(role), "3")


@pytest.mark.parametrize(
    ("role", "policy"), [("control", "delete"), ("changelog", "delete"), ("steps", "compact")]
)
async def test_a_worker_refuses_a_wrong_cleanup_policy_and_says_which(
    install: Install, role: str, policy: str
) -> None:
    installation = await install(topics=False)
    await make(installation, role, partitions=installation.partitions, policy=policy)
    await admin.create(Settings.load(installation.env))
    assert_refused(installation, installation.topic(role), f"cleanup.policy={policy}")


async def test_a_worker_refuses_a_dead_letter_topic_that_could_not_take_what_the_inputs_can(
    install: Install,
) -> None:
    installation = await install()
    client = AIOKafkaAdminClient(bootstrap_servers=installation.bootstrap)
    await client.start()
    try:
        await client.alter_configs(
            [
                ConfigResource(
                    ConfigResourceType.TOPIC,
                    installation.topic("steps"),
                    configs={"max.message.bytes": "4000000", "cleanup.policy": "delete"},
                )
            ]
        )
    finally:
        await client.close()
    assert_refused(installation, installation.topic("dlq"), "max.message.bytes")


def assert_refused(installation: Installation, *words: str) -> None:
    """The worker ends with 2, and one line of what it says has all these words."""
    worker = installation.worker().start()
    assert worker.wait() == 2
    assert any(all(word in line for word in words) for line in worker.tail().splitlines()), worker.tail()
    assert "Traceback" not in worker.tail()


async def make(installation: Installation, role: str, *, partitions: int, policy: str) -> None:
    """One topic, made by hand."""
    client = AIOKafkaAdminClient(bootstrap_servers=installation.bootstrap)
    await client.start()
    try:
        configs = {"cleanup.policy": policy}
        await client.create_topics([NewTopic(installation.topic(role), partitions, 1, topic_configs=configs)])
    finally:
        await client.close()
