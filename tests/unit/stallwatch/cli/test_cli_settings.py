"""Flags are the words of the settings' table, and everything wrong with them is said at once."""

import pytest
from typer.testing import CliRunner

import streams.worker
from stallwatch.cli import app
from stallwatch.cli.commands import command, group
from stallwatch.cli.setting_options import CONNECTION, with_settings
from streams.settings import Settings
from streams.settings_table import SETTINGS

SEEN: list[Settings] = []
probe = group("probe")


@command(probe)
@with_settings((setting.name for setting in SETTINGS), panel=None)
def every(settings: Settings) -> int:
    """Take every setting."""
    SEEN.append(settings)
    return 0


@command(probe)
@with_settings(CONNECTION)
def some(settings: Settings, rules: str = "mine") -> int:
    """Take some settings and a parameter whose word is a setting's too."""
    SEEN.append(settings)
    assert rules == "mine"
    return 0


def seen(*words: str, **env: str) -> Settings:
    SEEN.clear()
    result = CliRunner().invoke(probe, words, env=env)
    assert result.exit_code == 0, result.stderr
    return SEEN.pop()


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
        monkeypatch.delenv(setting.file_variable, raising=False)


def test_without_flags_and_variables_there_are_the_defaults() -> None:
    assert seen("every") == Settings()
    assert seen("some") == Settings()


def test_a_flag_goes_before_a_variable_and_that_before_the_default() -> None:
    assert seen("every", STALLWATCH_TOPIC_PREFIX="a.").topic_prefix == "a."
    assert seen("every", "--topic-prefix", "b.", STALLWATCH_TOPIC_PREFIX="a.").topic_prefix == "b."


def test_values_have_their_types() -> None:
    settings = seen(
        "every", "--metrics-port", "0", "--embedded", "true", "--breaker-share", "0.5", "--mode", "advise"
    )
    assert (settings.metrics_port, settings.embedded, settings.breaker_share, settings.mode) == (
        0,
        True,
        0.5,
        "advise",
    )


def test_a_command_takes_only_the_flags_that_it_needs() -> None:
    result = CliRunner().invoke(probe, ["some", "--metrics-port", "0"])
    assert result.exit_code == 2
    assert "No such option: --metrics-port" in result.stderr


def test_bad_settings_of_a_worker_are_refused_all_at_once() -> None:
    result = CliRunner().invoke(
        app,
        ["worker", "--topic-prefix", "a b", "--metrics-port", "99999", "--bootstrap-servers", "kafka://x"],
        env={"STALLWATCH_MODE": "sometimes", "STALLWATCH_SASL_PASSWORD": "hunter2"},
    )
    assert result.exit_code == 2
    for place in (
        "--topic-prefix",
        "--metrics-port",
        "--bootstrap-servers",
        "STALLWATCH_MODE",
        "STALLWATCH_SASL_PASSWORD",
    ):
        assert place in result.stderr
    assert "hunter2" not in result.stderr
    assert result.stdout == ""


def test_a_worker_runs_with_its_settings_and_ends_with_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(settings: Settings) -> int:
        SEEN.append(settings)
        return 70

    SEEN.clear()
    monkeypatch.setattr(streams.worker, "run", run)
    result = CliRunner().invoke(app, ["worker", "--group-id", "night"])
    assert result.exit_code == 70
    assert SEEN.pop().group_id == "night"
