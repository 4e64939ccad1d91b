"""The options of `stallwatch demo`: which installation it visits, and what is refused."""

from typing import Any

import pytest
from typer.testing import CliRunner, Result

import stallwatch.demo.command
from detectors.rulefile import parse
from stallwatch.cli import app
from streams.settings import Settings
from streams.settings_table import SETTINGS


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
        monkeypatch.delenv(setting.file_variable, raising=False)


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What the demo was asked to be, each time."""
    seen: list[dict[str, Any]] = []

    def run(**options: Any) -> int:
        seen.append(options)
        return 0

    monkeypatch.setattr(stallwatch.demo.command, "run", run)
    return seen


def demo(*words: str, **env: str) -> Result:
    return CliRunner().invoke(app, ["demo", *words], env=env)


def test_a_visit_takes_its_settings_from_flags_and_variables(runs: list[dict[str, Any]]) -> None:
    result = demo(
        *("--bootstrap-servers", "kafka:9092", "--group-id", "night"),
        STALLWATCH_TOPIC_PREFIX="team.",
        STALLWATCH_BOOTSTRAP_SERVERS="elsewhere:9092",
        STALLWATCH_SECURITY_PROTOCOL="SASL_PLAINTEXT",
        STALLWATCH_SASL_MECHANISM="PLAIN",
        STALLWATCH_SASL_USERNAME="fleet",
        STALLWATCH_SASL_PASSWORD="s3cret",
    )
    assert result.exit_code == 0, result.stderr
    assert runs[0]["settings"] == Settings(
        bootstrap_servers="kafka:9092",
        topic_prefix="team.",
        group_id="night",
        security_protocol="SASL_PLAINTEXT",
        sasl_mechanism="PLAIN",
        sasl_username="fleet",
        sasl_password="s3cret",
    )


def test_settings_of_a_visit_that_cannot_work_are_refused(runs: list[dict[str, Any]]) -> None:
    result = demo("--bootstrap-servers", "kafka://x", STALLWATCH_TOPIC_PREFIX="a b")
    assert result.exit_code == 2
    assert "--bootstrap-servers" in result.stderr
    assert "STALLWATCH_TOPIC_PREFIX" in result.stderr
    assert runs == []


def test_the_demo_of_its_own_heeds_no_variable_not_even_a_broken_one(runs: list[dict[str, Any]]) -> None:
    result = demo(STALLWATCH_BOOTSTRAP_SERVERS="kafka://x", STALLWATCH_TOPIC_PREFIX="a b")
    assert result.exit_code == 0, result.stderr
    assert runs[0]["settings"] is None


def test_flags_of_a_visit_without_a_place_to_go_are_refused(runs: list[dict[str, Any]]) -> None:
    result = demo("--topic-prefix", "team.", "--sasl-username", "me")
    assert result.exit_code == 2
    assert "--topic-prefix, --sasl-username: only with --bootstrap-servers" in result.stderr
    assert runs == []


def test_the_rules_are_printed_as_a_file_to_judge_by(runs: list[dict[str, Any]]) -> None:
    result = demo("--print-rules")
    assert result.exit_code == 0
    assert [rules.name for rules in parse(result.stdout, "demo").sets().values()] == ["demo"]
    assert runs == []
