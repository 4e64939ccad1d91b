"""Kafka's failures as one sentence for a person."""

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from aiokafka.errors import (
    AuthenticationFailedError,
    AuthenticationMethodNotSupported,
    ClusterAuthorizationFailedError,
    KafkaConnectionError,
    KafkaError,
    KafkaTimeoutError,
    MessageSizeTooLargeError,
    NoBrokersAvailable,
    NodeNotReadyError,
    SaslAuthenticationFailed,
    TopicAuthorizationFailedError,
    UnsupportedSaslMechanismError,
)

from stallwatch.mistakes import Mistake

ClientOptions = Mapping[str, Any]
"""Keyword arguments of aiokafka's clients, as `Settings.client_options()` gives them."""
_LOGIN = (
    AuthenticationFailedError,
    AuthenticationMethodNotSupported,
    SaslAuthenticationFailed,
    UnsupportedSaslMechanismError,
)
_FORBIDDEN = (ClusterAuthorizationFailedError, TopicAuthorizationFailedError)
_UNREACHABLE = (KafkaConnectionError, NoBrokersAvailable, NodeNotReadyError, KafkaTimeoutError, TimeoutError)


@contextmanager
def kafka_errors(options: ClientOptions, doing: str) -> Iterator[None]:
    """Failures of Kafka inside the block leave it as `Mistake`; the client's own log lines are kept quiet."""
    where = options.get("bootstrap_servers", "?")
    address = where if isinstance(where, str) else ",".join(where)
    with _quiet():
        try:
            yield
        except _LOGIN as error:
            raise Mistake(
                f"{doing}: Kafka at {address} refused the login ({error}); check the SASL settings"
            ) from None
        except _FORBIDDEN as error:
            raise Mistake(
                f"{doing}: Kafka at {address} does not allow it ({error}); ask for the right"
            ) from None
        except MessageSizeTooLargeError:
            raise Mistake(
                f"{doing}: the record is larger than the topic's max.message.bytes allows"
            ) from None
        except _UNREACHABLE:
            raise Mistake(
                f"{doing}: no answer from Kafka at {address}; check --bootstrap-servers, the security settings, "
                "and whether the broker runs"
            ) from None
        except KafkaError as error:
            raise Mistake(f"{doing}: Kafka at {address} failed: {error!r}") from None
        except OSError as error:
            raise Mistake(f"{doing}: no connection to Kafka at {address} ({error})") from None


@contextmanager
def _quiet() -> Iterator[None]:
    """The client logs what it also raises, with tracebacks; a person is told once."""
    logger = logging.getLogger("aiokafka")
    before = logger.level
    logger.setLevel(logging.CRITICAL + 1)
    try:
        yield
    finally:
        logger.setLevel(before)
