"""Help is whole sentences on any terminal, and starting it loads nothing heavy."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main
from typer.testing import CliRunner

import stallwatch
from stallwatch.cli import app
from streams.settings_table import SETTINGS

HEAVY = ("faust", "aiokafka", "mode", "aiohttp", "confluent_kafka", "prometheus_client", "yaml")


def paths(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield words
    for name, sub in getattr(command, "commands", {}).items():
        yield from paths(sub, (*words, name))


PATHS = list(paths(typer.main.get_command(app)))


def test_every_promised_command_is_there() -> None:
    assert set(PATHS) == {
        (),
        ("demo",),
        ("worker",),
        ("replay",),
        ("explain",),
        ("release",),
        ("halt",),
        ("answer",),
        ("topics",),
        ("topics", "create"),
        ("topics", "verify"),
        ("topics", "diff"),
        ("dlq",),
        ("dlq", "list"),
        ("dlq", "redrive"),
        ("rules",),
        ("rules", "check"),
        ("rules", "show"),
    }


@pytest.mark.parametrize("words", PATHS, ids=" ".join)
def test_help_shows_every_option_in_full_on_80_columns(words: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*words, "--help"], env={"COLUMNS": "80", "TERMINAL_WIDTH": "80"})
    assert result.exit_code == 0, result.stderr
    assert "…" not in result.stdout
    assert result.stdout == CliRunner().invoke(app, [*words, "-h"], env={"COLUMNS": "80"}).stdout


@pytest.mark.parametrize("words", PATHS, ids=" ".join)
def test_every_command_and_option_says_what_it_does(words: tuple[str, ...]) -> None:
    command: Any = typer.main.get_command(app)
    for word in words:
        command = command.commands[word]
    first = command.help.split("\n")[0]
    assert first[0].isupper()
    assert first.endswith(".")
    for parameter in command.params:
        text = getattr(parameter, "help", None)
        assert text, f"{words} {parameter.name}"
        assert text[0].isupper() or text[0] in "-<"


def test_the_worker_has_a_flag_for_every_setting() -> None:
    worker: Any = typer.main.get_command(app).commands["worker"]  # type: ignore[attr-defined]
    flags = {word for parameter in worker.params for word in parameter.opts}
    assert {setting.flag for setting in SETTINGS} <= flags


@pytest.mark.parametrize(
    "words", [["--help"], ["worker", "--help"], ["replay", "-"], ["rules", "show"], ["--version"]]
)
def test_a_start_loads_nothing_heavy(words: list[str]) -> None:
    code = (
        "import sys; from stallwatch.cli import main\n"
        "try: main()\n"
        "except SystemExit as end: assert end.code == 0, end.code\n"
        f"print([name for name in {HEAVY!r} if name in sys.modules], file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *words],
        input=b'{"run_id":"r","seq":0,"tool":"t"}\n',
        capture_output=True,
        check=True,
        cwd=Path(stallwatch.__file__).parents[1],
        timeout=60,
    )
    assert done.stderr == b"[]\n"


def test_the_version_is_printed() -> None:
    result = CliRunner().invoke(app, ["--version"])
    assert result.exit_code == 0
    assert result.stdout.startswith("stallwatch ")


def test_completion_is_offered() -> None:
    result = CliRunner().invoke(app, ["--show-completion", "bash"], prog_name="stallwatch")
    assert result.exit_code == 0
    assert "_STALLWATCH_COMPLETE" in result.stdout or "stallwatch" in result.stdout
