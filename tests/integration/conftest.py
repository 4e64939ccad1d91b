"""Fixtures of the embedded tier: a broker per test, in the test's own process."""

from collections.abc import Iterator

import pytest

from streams.embedded import EmbeddedBroker, create_topics


@pytest.fixture
def embedded() -> Iterator[EmbeddedBroker]:
    """An empty embedded broker; `create_topics(embedded, prefix=…, group_id=…)` adds a set of topics."""
    with EmbeddedBroker() as broker:
        yield broker


@pytest.fixture
def embedded_broker(embedded: EmbeddedBroker) -> str:
    """Bootstrap address of a fresh embedded broker that has all topics of the default prefix and group."""
    create_topics(embedded)
    return embedded.bootstrap_servers
