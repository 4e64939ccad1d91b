"""The front door: every public name is there, and walking in takes no Kafka client along."""

import subprocess
import sys

import pytest

import stallwatch

HEAVY = (
    "faust",
    "mode",
    "aiokafka",
    "confluent_kafka",
    "aiohttp",
    "typer",
    "rich",
    "networkx",
    "prometheus_client",
)


@pytest.mark.parametrize("name", stallwatch.__all__)
def test_every_public_name_is_there(name: str) -> None:
    assert getattr(stallwatch, name) is not None
    assert name in dir(stallwatch)


def test_every_name_that_is_loaded_late_is_public() -> None:
    assert {*stallwatch._HOME, "__version__"} == set(stallwatch.__all__)


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="'Publisher'"):
        stallwatch.Publisher  # type: ignore[attr-defined]  # noqa: B018


def loaded_after(code: str) -> set[str]:
    report = f"{code}\nimport sys\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", report], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_stallwatch_loads_nothing_but_itself() -> None:
    loaded = loaded_after("import stallwatch")
    assert not loaded.intersection({*HEAVY, "asyncio", "msgspec", "streams", "detectors"})


@pytest.mark.parametrize(
    "names",
    [
        "Step, Command, Ack, Features",
        "StepPublisher, AsyncStepPublisher",
        "ControlSubscriber, AsyncControlSubscriber, NotReadyError",
        "EdgeLimits",
        "Settings, SettingsError",
    ],
)
def test_the_clients_are_there_without_a_kafka_client(names: str) -> None:
    assert not loaded_after(f"from stallwatch import {names}").intersection(HEAVY)


def test_recording_a_step_needs_no_kafka_client() -> None:
    loaded = loaded_after(
        "from stallwatch import StepPublisher\n"
        "from stallwatch.testing import FakeBroker\n"
        "with StepPublisher(transport=FakeBroker(), run_id='r', content=False) as publisher:\n"
        "    publisher.step(tool='bash', args={'command': 'ls'}, result='setup.py')"
    )
    assert not loaded.intersection(set(HEAVY) - {"aiokafka"})


@pytest.mark.parametrize("name", ["StepPublisher", "ControlSubscriber"])
def test_bad_settings_are_said_when_the_client_is_made(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("STALLWATCH_SECURITY_PROTOCOL", "SASL_SSL")
    monkeypatch.setenv("STALLWATCH_SASL_MECHANISM", "PLAINE")
    with pytest.raises(stallwatch.SettingsError) as found:
        getattr(stallwatch, name)()
    assert "STALLWATCH_SASL_MECHANISM" in str(found.value)
