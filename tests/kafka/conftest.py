"""Fixtures of the tier on real Apache Kafka: one broker for the session, and brokers that a test may break.

`STALLWATCH_TEST_BOOTSTRAP=host:port` takes a given broker for the session's.
"""

import os
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # what these tests share lies beside them

from installation import STEPS_ALONE, Installation

from deploy.kafka.cluster import Cluster
from deploy.kafka.jars import KafkaUnavailableError, jars


@pytest.fixture(scope="session")
def kafka_jars() -> Path:
    """Folder of Kafka's jars; skips where they cannot be had, except in CI, where that is a failure."""
    try:
        return jars()
    except KafkaUnavailableError as error:
        if os.environ.get("CI") == "true":
            pytest.fail(str(error))
        pytest.skip(str(error))


@pytest.fixture(scope="session")
def kafka_broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Bootstrap address of the session's broker. No topics: each test makes its own, under its own prefix."""
    given = os.environ.get("STALLWATCH_TEST_BOOTSTRAP")
    if given:
        yield given
        return
    request.getfixturevalue("kafka_jars")
    cluster = Cluster(tmp_path_factory.mktemp("kafka"), nodes=1)
    try:
        cluster.start()
        yield cluster.bootstrap_servers
    finally:
        cluster.stop()


@pytest.fixture
def kafka_cluster(kafka_jars: Path, tmp_path: Path) -> Iterator[Callable[..., Cluster]]:
    """Makes running clusters of the test's own (`nodes=1` or 3), free to be broken; gone afterwards."""
    clusters: list[Cluster] = []

    def make(nodes: int = 1) -> Cluster:
        cluster = Cluster(tmp_path / f"kafka-{len(clusters)}", nodes=nodes)
        clusters.append(cluster)
        cluster.start()
        return cluster

    yield make
    for cluster in clusters:
        cluster.stop(hard=True)


@pytest.fixture
async def install(kafka_broker: str, tmp_path: Path) -> AsyncIterator[Callable[..., Awaitable[Installation]]]:
    """Makes installations with their topics; at the end no worker of theirs runs and their topics are gone.

    `rules`: those of the file halt from the steps alone, so all they lead to can be computed from the steps
    topic; the profile `default` halts only after feedback that an orchestrator acknowledged.
    """
    made: list[Installation] = []

    async def make(
        *,
        rules: str = STEPS_ALONE,
        bootstrap: str = kafka_broker,
        partitions: int = 4,
        replication: int = 1,
        topics: bool = True,
    ) -> Installation:
        installation = Installation(
            bootstrap, tmp_path, rules=rules, partitions=partitions, replication=replication
        )
        made.append(installation)
        if topics:
            await installation.create_topics()
        return installation

    yield make
    for installation in made:
        installation.end()
    for installation in made:
        if installation.bootstrap == kafka_broker:
            await installation.delete()
