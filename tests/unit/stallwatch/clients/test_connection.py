"""Where the clients connect: arguments, settings, environment."""

import pytest

from stallwatch.clients.connection import KafkaTransport, connection
from stallwatch.testing import FakeBroker
from streams.settings import Settings


def options(transport: object) -> dict[str, object]:
    assert isinstance(transport, KafkaTransport)
    return transport._options


def test_an_address_alone_is_plain() -> None:
    found = connection(["a:1", "b:2"])
    assert options(found.transport) == {"bootstrap_servers": ["a:1", "b:2"]}
    assert found.topic_prefix == "stallwatch."


def test_the_environment_is_read_where_nothing_else_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STALLWATCH_BOOTSTRAP_SERVERS", "broker:9094")
    monkeypatch.setenv("STALLWATCH_TOPIC_PREFIX", "team.")
    monkeypatch.setenv("STALLWATCH_SECURITY_PROTOCOL", "SASL_PLAINTEXT")
    monkeypatch.setenv("STALLWATCH_SASL_MECHANISM", "SCRAM-SHA-512")
    monkeypatch.setenv("STALLWATCH_SASL_USERNAME", "fleet")
    monkeypatch.setenv("STALLWATCH_SASL_PASSWORD", "secret")
    found = connection(None)
    used = options(found.transport)
    assert found.topic_prefix == "team."
    assert used["bootstrap_servers"] in ("broker:9094", ["broker:9094"])
    assert (used["security_protocol"], used["sasl_mechanism"]) == ("SASL_PLAINTEXT", "SCRAM-SHA-512")
    assert (used["sasl_plain_username"], used["sasl_plain_password"]) == ("fleet", "secret")
    assert options(connection("other:1").transport) == {"bootstrap_servers": "other:1"}


def test_arguments_win_over_settings_and_the_clients_own_over_both() -> None:
    settings = Settings.load({}, {"bootstrap_servers": "broker:9094", "topic_prefix": "team."})
    found = connection(None, settings=settings, topic_prefix="mine.", kafka={"client_id": "me"})
    assert found.topic_prefix == "mine."
    assert options(found.transport)["client_id"] == "me"
    found = connection("other:1", settings=settings, kafka={"bootstrap_servers": "third:1"})
    assert found.topic_prefix == "team."
    assert options(found.transport)["bootstrap_servers"] == "third:1"


def test_a_transport_needs_no_address() -> None:
    broker = FakeBroker()
    assert connection(None, transport=broker).transport is broker
