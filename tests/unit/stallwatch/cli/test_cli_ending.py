"""Every command ends with its exit code and at most one plain sentence."""

import io
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

import stallwatch
from stallwatch.cli import app
from stallwatch.cli.commands import command, group
from stallwatch.cli.ending import exit_code
from stallwatch.mistakes import AnswerIsNoError, Mistake

STUCK = b"".join(b'{"run_id":"%%s","seq":%d,"tool":"t","result":"same"}\n' % seq for seq in range(40))
"""Enough of one run for findings, little enough to fit into a pipe."""


ROOT = Path(stallwatch.__file__).parents[1]


def raising(error: BaseException) -> Callable[[], Any]:
    def run() -> None:
        raise error

    return run


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (Mistake("a.jsonl:3: seq: is missing"), 2, "stallwatch: a.jsonl:3: seq: is missing\n"),
        (Mistake("one\ntwo"), 2, "stallwatch: one\n  two\n"),
        (Mistake("bad\x1b[2Jname"), 2, "stallwatch: bad\\x1b[2Jname\n"),
        (AnswerIsNoError("nothing is known"), 1, "stallwatch: nothing is known\n"),
        (KeyboardInterrupt(), 130, ""),
        (typer.Abort(), 130, ""),
        (BrokenPipeError(), 141, ""),
    ],
)
def test_what_a_person_can_put_right_is_one_sentence(
    error: BaseException,
    code: int,
    said: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    # A closed pipe is replaced by the null device, which would take the test's own output with it.
    monkeypatch.setattr("sys.stdout", io.StringIO())
    assert exit_code(raising(error)) == code
    assert capsys.readouterr().err == said


def test_a_defect_of_ours_keeps_its_traceback() -> None:
    with pytest.raises(ZeroDivisionError):
        exit_code(lambda: 1 // 0)


def test_a_commands_number_is_its_exit_code() -> None:
    assert exit_code(lambda: 70) == 70
    assert exit_code(lambda: None) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["reply"], "stallwatch: No such command 'reply'. Did you mean 'replay'?; see stallwatch --help\n"),
        (["replay"], "stallwatch: Missing argument 'FILE'; see stallwatch replay --help\n"),
        (["replay", "--sumary", "x"], "stallwatch: No such option: --sumary (Possible options: --summary"),
        (["dlq", "list", "--partition", "x"], "stallwatch: Invalid value for '--partition': "),
        (["release", "r", "--attempt", "-1"], "stallwatch: Invalid value for '--attempt': "),
        (["answer", "r"], "stallwatch: answer: say --go to let the run go on, or --stop to halt it\n"),
        (["answer", "r", "--stop", "--go"], "stallwatch: --go and --stop contradict each other; give one"),
        (["answer", "r", "--go", "--root", "x", "--stop"], "stallwatch: --go and --stop contradict"),
        (["halt", "r", "--root", "a", "--root=b"], "stallwatch: --root is given more than once, with diff"),
        (
            ["release", "r", "--sasl-password", "s3cret", "--sasl-password", "other"],
            "stallwatch: --sasl-password is given more than once, with different values; give it once; see",
        ),
        (["dlq", "list", "--offset", "3"], "stallwatch: --offset: offsets count within a partition"),
        (["dlq", "redrive", "--reason", "x"], "stallwatch: --reason: x is none of empty, "),
        (["release", "", "--root", "r"], "stallwatch: Invalid value for 'RUN': a run's id has 1 to 512 char"),
        (["explain", ""], "stallwatch: Invalid value for 'RUN': a run's id has 1 to 512 characters"),
        (["explain", "", "--from", "x"], "stallwatch: Invalid value for 'RUN': a run's id has 1 to 512"),
        (["explain", "r", "--root", ""], "stallwatch: Invalid value for '--root': a run's id has 1 to 512"),
        (["halt", "r" * 513], "stallwatch: Invalid value for 'RUN': a run's id has 1 to 512 characters"),
        (["halt", "r\udcff"], "stallwatch: Invalid value for 'RUN': it is not UTF-8, and so no run's id"),
        (
            ["release", "r", "--command-id", "x"],
            "stallwatch: Invalid value for '--command-id': a command's id",
        ),
    ],
)
def test_bad_usage_is_one_sentence_and_2(words: list[str], said: str) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert result.stderr.startswith(said)
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""
    assert "s3cret" not in result.stderr


def test_what_is_said_twice_the_same_way_is_no_contradiction(tmp_path: Path) -> None:
    (tmp_path / "steps.jsonl").write_bytes(STUCK % ((b"a",) * 40))
    given = str(tmp_path / "steps.jsonl")
    words = ["replay", given, "--json", "--json", "--rules", "default", "--rules=default"]
    assert CliRunner().invoke(app, words).exit_code == 0
    assert CliRunner().invoke(app, ["explain", "a", "--from", given, "--from", given]).exit_code == 0


@pytest.mark.parametrize("words", [[], ["dlq"], ["topics"], ["rules"]])
def test_without_a_command_there_is_help_and_2(words: list[str]) -> None:
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 2
    assert "Usage: " in result.stdout
    assert result.stderr == ""


def test_a_group_hands_on_the_exit_code_of_its_commands() -> None:
    outer, inner = group("outer"), group("inner")

    @command(inner)
    def fails() -> int:
        return 70

    @command(inner)
    def works() -> int:
        return 0

    outer.add_typer(inner, name="inner")
    assert CliRunner().invoke(outer, ["inner", "fails"]).exit_code == 70
    assert CliRunner().invoke(outer, ["inner", "works"]).exit_code == 0


def started(*words: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [sys.executable, "-c", "from stallwatch.cli import main; main()", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=ROOT,
    )


def test_a_table_that_nobody_reads_ends_quietly_too() -> None:
    with started("replay", "--summary", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(STUCK % ((b"a",) * 40))
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


def test_a_reader_that_had_enough_ends_the_command_quietly() -> None:
    with started("replay", "--json", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(STUCK % ((b"a",) * 40))
        process.stdin.flush()
        assert process.stdout.readline().startswith(b"{")
        process.stdout.close()
        process.stdin.write(STUCK % ((b"b",) * 40))
        process.stdin.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 141


def test_an_interrupt_is_quiet_and_130() -> None:
    with started("replay", "--json", "-") as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write(STUCK % ((b"a",) * 40))
        process.stdin.flush()
        # A first finding means that the replay is under way, waiting for more input.
        assert process.stdout.readline().startswith(b"{")
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read() == b""
