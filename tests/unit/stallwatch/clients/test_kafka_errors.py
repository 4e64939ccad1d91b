"""Whatever Kafka does, a person is told once, in one sentence, with the address."""

import logging

import pytest
from aiokafka.errors import (
    CorruptRecordException,
    KafkaConnectionError,
    MessageSizeTooLargeError,
    NodeNotReadyError,
    SaslAuthenticationFailed,
    TopicAuthorizationFailedError,
)

from stallwatch.clients.kafka_errors import kafka_errors
from stallwatch.mistakes import Mistake

OPTIONS = {"bootstrap_servers": "kafka:9092"}


@pytest.mark.parametrize(
    ("error", "part"),
    [
        (KafkaConnectionError("refused"), "no answer from Kafka at kafka:9092; check --bootstrap-servers"),
        (NodeNotReadyError("0"), "no answer from Kafka"),
        (TimeoutError(), "no answer from Kafka"),
        (SaslAuthenticationFailed("bad password"), "refused the login"),
        (TopicAuthorizationFailedError("steps"), "does not allow it"),
        (MessageSizeTooLargeError(), "larger than the topic's max.message.bytes"),
        (CorruptRecordException("crc"), "Kafka at kafka:9092 failed: "),
        (OSError("no route"), "no connection to Kafka at kafka:9092 (no route)"),
    ],
)
def test_a_failure_is_a_sentence_that_begins_with_what_did_not_happen(error: Exception, part: str) -> None:
    with pytest.raises(Mistake) as said, kafka_errors(OPTIONS, "nothing was sent"):
        raise error
    assert str(said.value).startswith("nothing was sent: ")
    assert part in str(said.value)
    assert "\n" not in str(said.value)


def test_a_defect_and_a_mistake_pass() -> None:
    with pytest.raises(ZeroDivisionError), kafka_errors(OPTIONS, "x"):
        raise ZeroDivisionError
    with pytest.raises(Mistake, match=r"^mine$"), kafka_errors(OPTIONS, "x"):
        raise Mistake("mine")


def test_the_clients_own_log_is_quiet_inside_only() -> None:
    logger = logging.getLogger("aiokafka")
    before = logger.level
    with kafka_errors(OPTIONS, "x"):
        assert not logging.getLogger("aiokafka.conn").isEnabledFor(logging.CRITICAL)
    assert logger.level == before
