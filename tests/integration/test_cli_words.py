"""`release`, `halt` and `answer` on a broker: the right key, partition and command, acknowledged."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from broker_records import read, write
from typer.testing import CliRunner, Result

import stallwatch
from detectors.events import Action, Answer, Command, HaltOrder, Release, Step
from stallwatch.cli import app
from streams.codec import decode_operator, encode, partition_for

PARTITIONS = 4


def say(broker: str, *words: str) -> Result:
    return CliRunner().invoke(app, [*words, "--bootstrap-servers", broker])


def commanded(broker: str, *commands: Command) -> None:
    write(broker, "stallwatch.control", [(c.run_id.encode(), encode(c), []) for c in commands])


def named(run_id: str, version: int) -> str:
    """A command id as the engine gives them: 32 hexadecimal digits."""
    return f"{run_id}-{version}".encode().hex().rjust(32, "0")


def command(version: int, action: Action, run_id: str = "r-1", root: str | None = "root-9") -> Command:
    return Command(
        command_id=named(run_id, version),
        run_id=run_id,
        root_run_id=root,
        version=version,
        action=action,
        reason="no_news",
    )


def test_a_word_goes_to_the_root_of_the_runs_latest_command(embedded_broker: str) -> None:
    commanded(
        embedded_broker, command(1, "notice", root="old"), command(2, "halt"), command(7, "ask", run_id="r-2")
    )
    result = say(embedded_broker, "release", "r-1", "--by", "ada", "--note", "the host is back")
    assert result.exit_code == 0, result.stderr
    (record,) = read(embedded_broker, "stallwatch.operator")
    assert record.key == b"root-9"
    assert record.partition == partition_for(b"root-9", PARTITIONS)
    word = decode_operator(record.key, record.value)
    assert isinstance(word, Release)
    assert (word.run_id, word.root_run_id, word.command_id) == ("r-1", "root-9", named("r-1", 2))
    assert (word.by, word.note, word.attempt) == ("ada", "the host is back", None)
    assert isinstance(word.at, float)
    assert result.stdout == (
        f"release of run r-1 (root root-9) is acknowledged on stallwatch.operator, partition {record.partition}, "
        "offset 0; the run's latest command was halt for no_news, version 2.\n"
    )


@pytest.mark.parametrize(("flag", "go"), [("--go", True), ("--stop", False)])
def test_an_answer_names_the_question_it_answers(embedded_broker: str, flag: str, go: bool) -> None:
    commanded(embedded_broker, command(3, "ask"))
    assert say(embedded_broker, "answer", "r-1", flag).exit_code == 0
    (record,) = read(embedded_broker, "stallwatch.operator")
    word = decode_operator(record.key, record.value)
    assert isinstance(word, Answer)
    assert (word.go, word.command_id, word.root_run_id) == (go, named("r-1", 3), "root-9")


def test_an_answer_to_no_question_names_no_command(embedded_broker: str) -> None:
    commanded(embedded_broker, command(3, "halt"))
    assert say(embedded_broker, "answer", "r-1", "--go").exit_code == 0
    (record,) = read(embedded_broker, "stallwatch.operator")
    assert "command_id" not in json.loads(record.value or b"")


def test_what_is_given_is_taken(embedded_broker: str) -> None:
    commanded(embedded_broker, command(3, "ask", root="mine"))
    result = say(
        embedded_broker, "release", "r-1", "--root", "mine", "--command-id", named("r-1", 9), "--attempt", "4"
    )
    assert result.exit_code == 0
    (record,) = read(embedded_broker, "stallwatch.operator")
    word = decode_operator(record.key, record.value)
    assert (record.key, word.root_run_id, word.attempt) == (b"mine", "mine", 4)
    assert word.command_id == named("r-1", 9)


def test_a_halt_says_how_and_may_name_a_command(embedded_broker: str) -> None:
    result = say(embedded_broker, "halt", "r-5", "--immediate", "--command-id", named("r-5", 7))
    assert result.exit_code == 0
    assert "no command of this run is known, so the run was taken as its own root" in result.stdout
    (record,) = read(embedded_broker, "stallwatch.operator")
    word = decode_operator(record.key, record.value)
    assert isinstance(word, HaltOrder)
    assert (record.key, word.mode, word.command_id) == (b"r-5", "immediate", named("r-5", 7))


def stepped(broker: str, run_id: str, root: str | None = None, *, others: int = 0) -> None:
    key = (root or run_id).encode()
    step = encode(Step(run_id=run_id, root_run_id=root, seq=0, tool="t"))
    partition = partition_for(key, PARTITIONS)
    write(broker, "stallwatch.steps", [(key, step, [])], partition=partition)
    write(broker, "stallwatch.steps", [(b"other", b"rubbish", [])] * others, partition=partition)


@pytest.mark.parametrize(
    ("latest", "words", "expected"),
    [
        (
            "release",
            ["release"],
            "Nothing to lift: a person let it go on already, and the word will be ignored.",
        ),
        ("halt", ["halt"], "The run is halted already: the word will be ignored."),
        ("halt", ["answer", "--stop"], "The run is halted already"),
        ("halt", ["answer", "--go"], "The run asks nothing, it is halted: the word acts as a release."),
        ("notice", ["answer", "--go"], "The run asks nothing: its counters start again if"),
        ("notice", ["answer", "--stop"], "The run asks nothing: the word acts as a halt."),
        ("halt", ["release", "--attempt", "3"], "Attempt 3 is not known, the latest command is of attempt 0"),
        (
            "halt",
            ["release", "--command-id", "f" * 32],
            f"No command {'f' * 32} of this run is on the control",
        ),
    ],
)
def test_a_word_that_changes_nothing_is_said_to(
    embedded_broker: str, latest: Action, words: list[str], expected: str
) -> None:
    commanded(embedded_broker, command(3, latest))
    result = say(embedded_broker, words[0], "r-1", *words[1:], "--root", "root-9")
    assert result.exit_code == 0, result.stderr
    told, outlook = result.stdout.splitlines()
    assert "is acknowledged" in told
    assert outlook.startswith(expected)
    assert result.stderr == ""
    assert len(read(embedded_broker, "stallwatch.operator")) == 1


@pytest.mark.parametrize(
    ("latest", "words"), [("halt", ["release"]), ("ask", ["answer", "--go"]), ("ask", ["halt"])]
)
def test_a_word_that_will_be_obeyed_needs_no_more_words(
    embedded_broker: str, latest: Action, words: list[str]
) -> None:
    commanded(embedded_broker, command(3, latest))
    result = say(embedded_broker, words[0], "r-1", *words[1:])
    assert (len(result.stdout.splitlines()), result.stderr) == (1, "")


@pytest.mark.parametrize("words", [["halt"], ["release"], ["answer", "--go"], ["answer", "--stop"]])
def test_another_root_than_the_runs_own_is_warned_of(embedded_broker: str, words: list[str]) -> None:
    commanded(embedded_broker, command(3, "ask"))
    result = say(embedded_broker, words[0], "r-1", *words[1:], "--root", "foo")
    assert result.exit_code == 0
    assert result.stderr.startswith(
        "stallwatch: the latest command of run r-1 says that its root is root-9, not foo"
    )
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "consequence"),
    [
        (["halt"], "the first later run of that name is: `stallwatch release typo` takes that back"),
        (["answer", "--stop"], "the first later run of that name is"),
        (["release"], "will find nothing to lift"),
        (["answer", "--go"], "which will not have asked"),
    ],
)
def test_a_name_that_nothing_is_known_of_is_warned_of(
    embedded_broker: str, words: list[str], consequence: str
) -> None:
    stepped(embedded_broker, "typo-not", "typo")
    result = say(embedded_broker, words[0], "typo", *words[1:])
    assert result.exit_code == 0
    assert result.stderr.startswith("stallwatch: no run named typo is known")
    assert consequence in result.stderr


@pytest.mark.parametrize("root", [None, "family"])
def test_a_run_that_was_heard_of_lately_is_known(embedded_broker: str, root: str | None) -> None:
    stepped(embedded_broker, "r-5", root, others=20)
    given = [] if root is None else ["--root", root]
    halted = say(embedded_broker, "halt", "r-5", *given)
    assert (halted.stderr, len(halted.stdout.splitlines())) == ("", 1)
    released = say(embedded_broker, "release", "r-5", *given)
    assert released.stderr == ""
    assert "No command of this run stands: there is nothing to lift" in released.stdout


def test_only_the_last_records_are_searched_for_a_name(
    embedded_broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("stallwatch.persons_word.LOOKED_BACK", 3)
    stepped(embedded_broker, "r-5", others=3)
    said = say(embedded_broker, "halt", "r-5").stderr
    assert "the last 3 records of its partition of stallwatch.steps are not its" in said


def test_a_tombstone_is_no_command(embedded_broker: str) -> None:
    commanded(embedded_broker, command(2, "halt"))
    write(embedded_broker, "stallwatch.control", [(b"r-1", None, [])])
    result = say(embedded_broker, "release", "r-1")
    assert result.exit_code == 0
    assert "no command of this run is known" in result.stdout


@pytest.mark.parametrize(
    "words",
    [["release", "r"], ["halt", "r", "--root", "x"], ["explain", "r"], ["dlq", "list"], ["dlq", "redrive"]],
)
def test_a_wrong_prefix_is_said_and_no_topic_comes_of_it(embedded_broker: str, words: list[str]) -> None:
    result = say(embedded_broker, *words, "--topic-prefix", "typo.")
    assert result.exit_code == 2
    assert result.stderr.startswith("stallwatch: topic typo.")
    assert "does not exist" in result.stderr
    assert "`stallwatch topics create --bootstrap-servers " in result.stderr
    assert " --topic-prefix typo.`" in result.stderr
    assert result.stderr.count("\n") == 1
    again = say(embedded_broker, *words, "--topic-prefix", "typo.")
    assert again.stderr == result.stderr


@pytest.mark.parametrize(
    "words", [["release", "r"], ["explain", "r"], ["dlq", "list"], ["topics", "verify"], ["topics", "create"]]
)
def test_a_broker_that_is_not_there_is_one_sentence(words: list[str]) -> None:
    result = say("127.0.0.1:1", *words)
    assert result.exit_code == 2
    assert "no answer from Kafka at 127.0.0.1:1" in result.stderr
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["halt", "r"], ["explain", "r"], ["dlq", "list"], ["dlq", "redrive"]])
def test_a_listener_that_never_answers_is_given_up(words: list[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        result = say(f"127.0.0.1:{listener.getsockname()[1]}", *words, "--timeout", "0.5")
    assert result.exit_code == 2
    assert "no answer from Kafka at 127.0.0.1:" in result.stderr
    assert result.stderr.count("\n") == 1


def test_an_interrupt_while_waiting_for_kafka_is_quiet() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(30)
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with subprocess.Popen(
            [sys.executable, "-c", "from stallwatch.cli import main; main()", "release", "r"],
            env={**os.environ, "STALLWATCH_BOOTSTRAP_SERVERS": address},
            cwd=Path(stallwatch.__file__).parents[1],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        ) as process:
            connection, _ = listener.accept()
            # What the client asks first shows that it is waiting for an answer now.
            assert connection.recv(1) != b""
            process.send_signal(signal.SIGINT)
            assert process.communicate(timeout=30) == (b"", b"")
            assert process.returncode == 130
            connection.close()
