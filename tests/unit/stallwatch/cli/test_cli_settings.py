"""Flags are the words of the settings' table, and everything wrong with them is said at once."""

import os
import subprocess
import sys
from pathlib import Path

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


def test_bad_rules_are_named_with_bad_settings(tmp_path: Path) -> None:
    bad = tmp_path / "night.toml"
    bad.write_text('mode = "maybe"\n[dryness]\nrat = 1\n')
    words = ["worker", "--metrics-port", "99999", "--rules", str(bad)]
    result = CliRunner().invoke(app, words, env={"STALLWATCH_SASL_USERNAM": "me"})
    assert result.exit_code == 2
    for sentence in (
        "--metrics-port=",
        f"{bad}: mode: ",
        f"{bad}: dryness.rat: is no field; did you mean rate?",
        "STALLWATCH_SASL_USERNAM is no setting; did you mean STALLWATCH_SASL_USERNAME?",
    ):
        assert result.stderr.count(sentence) == 1, result.stderr


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'mode = "maybe"\nask_timeout_s = 0\n', ("mode: ", "ask_timeout_s: ")),
        (b"\xff", ("not UTF-8 at byte 0",)),
        (None, ("No such file or directory",)),
    ],
)
def test_every_problem_of_a_workers_rules_carries_the_files_name(
    content: bytes | None,
    said: tuple[str, ...],
    tmp_path: Path,
    capfd: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Logging is the process's: other tests look at it too.
    monkeypatch.setattr(streams.worker.logs, "configure", lambda *given: None)
    rules = tmp_path / "night.toml"
    if content is not None:
        rules.write_bytes(content)
    assert streams.worker.run(Settings(rules=str(rules), log_level="ERROR")) == 2
    lines = capfd.readouterr().err.splitlines()
    assert len(lines) == len(said)
    for line, sentence in zip(lines, said, strict=True):
        assert line.startswith(f"stallwatch worker: {rules}: {sentence}")


def test_a_misspelt_variable_is_said_once_by_a_command_that_takes_settings() -> None:
    result = CliRunner().invoke(probe, ["some"], env={"STALLWATCH_BOOTSTRAP_SERVER": "x:1"})
    assert result.exit_code == 0
    assert result.stderr == (
        "stallwatch: STALLWATCH_BOOTSTRAP_SERVER is no setting; did you mean STALLWATCH_BOOTSTRAP_SERVERS?\n"
    )


def test_a_worker_says_a_misspelt_variable_once_at_its_start(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "stallwatch", "worker", "--rules", str(tmp_path / "none.toml")],
        env={**os.environ, "STALLWATCH_BOOTSTRAP_SERVER": "x:1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr.count("STALLWATCH_BOOTSTRAP_SERVER is no setting") == 1


def test_a_worker_runs_with_its_settings_and_ends_with_its_code(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(settings: Settings) -> int:
        SEEN.append(settings)
        return 70

    SEEN.clear()
    monkeypatch.setattr(streams.worker, "run", run)
    result = CliRunner().invoke(app, ["worker", "--group-id", "night"])
    assert result.exit_code == 70
    assert SEEN.pop().group_id == "night"
