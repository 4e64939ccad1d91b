"""`stallwatch explain` from the topics tells the same story as from the recorded steps."""

import json
from pathlib import Path
from typing import Any

import pytest
from aiokafka.errors import TopicAuthorizationFailedError
from broker_records import write
from msgspec.structs import replace
from typer.testing import CliRunner, Result

from detectors.engine import Engine
from detectors.events import Command, Release, RunEnded, Step, Verdict
from detectors.rulefile import profile
from detectors.state import RootState
from stallwatch.cli import app
from stallwatch.topic_reader import TopicReader
from streams.codec import encode, partition_for

ROOT, RUN = "root-4", 'r-ü"7'


def steps() -> list[Step]:
    return [
        Step(
            run_id=RUN,
            root_run_id=ROOT,
            seq=seq,
            turn=seq,
            tool="bash",
            args={"command": "make"},
            result="failed",
            tokens=100,
            milestone="started" if seq == 2 else None,
        )
        for seq in range(50)
    ]


def explain(*words: str) -> Result:
    return CliRunner().invoke(app, ["explain", *words])


def judged() -> tuple[list[Verdict], list[Command]]:
    engine, root = Engine(profile("default"), assume_delivery=True), RootState(ROOT)
    outcomes = [engine.apply(root, step) for step in steps()]
    return [v for o in outcomes for v in o.verdicts], [c for o in outcomes for c in o.commands]


def published(broker: str) -> None:
    verdicts, commands = judged()
    others = [
        (b"other", encode(Verdict(episode_id="e", run_id="other", event="opened", reason="no_news")), [])
    ] * 20
    write(
        broker, "stallwatch.verdicts", [*others, (ROOT.encode(), b"rubbish", []), (ROOT.encode(), None, [])]
    )
    write(broker, "stallwatch.verdicts", [(ROOT.encode(), encode(v), []) for v in verdicts])
    # What a crash leaves behind: the same verdicts once more.
    write(broker, "stallwatch.verdicts", [(ROOT.encode(), encode(v), []) for v in verdicts[-1:]])
    write(broker, "stallwatch.control", [(RUN.encode(), encode(c), []) for c in commands])


def test_topics_and_recorded_steps_tell_the_same(embedded_broker: str, tmp_path: Path) -> None:
    published(embedded_broker)
    recorded = tmp_path / "steps.jsonl"
    recorded.write_bytes(b"\n".join(encode(step) for step in steps()))
    online = explain(RUN, "--json", "--bootstrap-servers", embedded_broker)
    offline = explain(RUN, "--json", "--from", str(recorded))
    assert online.exit_code == offline.exit_code == 0, online.stderr + offline.stderr
    told, replayed = json.loads(online.stdout), json.loads(offline.stdout)
    # The control topic holds what is true now; what was true before is compacted away.
    assert told.pop("commands") == replayed.pop("commands")[-1:]
    assert told == replayed
    assert told["state"] == "halt"
    assert told["root_run_id"] == ROOT
    assert [m["id"] for m in told["milestones"]] == ["started"]


def test_the_story_is_told_in_sentences(embedded_broker: str) -> None:
    published(embedded_broker)
    result = explain(RUN, "--bootstrap-servers", embedded_broker)
    assert result.exit_code == 0
    for part in (
        f"Run {RUN}, part of {ROOT}: 1 stall on record; it must not go on.",
        "Kept: started (seq 2).",
    ):
        assert part in result.stdout
    assert "The agent was told: " in result.stdout


def test_the_root_may_be_given(embedded_broker: str) -> None:
    published(embedded_broker)
    given = explain(RUN, "--root", ROOT, "--json", "--bootstrap-servers", embedded_broker)
    assert json.loads(given.stdout)["episodes"]
    assert given.stderr == ""


def test_a_wrong_root_is_said_and_the_known_one_is_read_too(embedded_broker: str) -> None:
    published(embedded_broker)
    wrong = explain(RUN, "--root", "elsewhere", "--json", "--bootstrap-servers", embedded_broker)
    assert json.loads(wrong.stdout)["episodes"]
    assert wrong.stderr == f"stallwatch: the root of run {RUN} is {ROOT}, not elsewhere\n"


def test_a_wrong_root_of_a_run_without_a_command_is_named(embedded_broker: str) -> None:
    verdicts, _ = judged()
    write(
        embedded_broker,
        "stallwatch.verdicts",
        [(ROOT.encode(), encode(v), []) for v in verdicts],
        partition=0,
    )
    elsewhere = next(f"e{n}" for n in range(99) if partition_for(f"e{n}".encode(), 4) != 0)
    result = explain(RUN, "--root", elsewhere, "--bootstrap-servers", embedded_broker)
    assert result.exit_code == 1
    assert f"nothing is known of run {RUN} under root {elsewhere}" in result.stderr
    assert "leave out --root" in result.stderr


def test_what_people_said_is_read_from_the_operator_topic(embedded_broker: str, tmp_path: Path) -> None:
    engine, root = Engine(profile("default"), assume_delivery=True), RootState(ROOT)
    word = Release(run_id=RUN, root_run_id=ROOT, by="ada", at=1764521043.5, note="the host is back")
    outcomes = [engine.apply(root, event) for event in [*steps(), word]]
    verdicts = [v for o in outcomes for v in o.verdicts]
    commands = [c for o in outcomes for c in o.commands]
    write(embedded_broker, "stallwatch.verdicts", [(ROOT.encode(), encode(v), []) for v in verdicts])
    write(embedded_broker, "stallwatch.control", [(RUN.encode(), encode(c), []) for c in commands])
    others = [(ROOT.encode(), encode(replace(word, run_id="other")), []), (ROOT.encode(), b"rubbish", [])]
    write(embedded_broker, "stallwatch.operator", [*others, (ROOT.encode(), encode(word), [])] * 2)
    recorded = tmp_path / "steps.jsonl"
    recorded.write_bytes(b"\n".join(encode(event) for event in [*steps(), word]))
    for result in (
        explain(RUN, "--bootstrap-servers", embedded_broker),
        explain(RUN, "--from", str(recorded)),
    ):
        assert result.exit_code == 0, result.stderr
        assert "the stall was over: released by ada. The note: the host is back\n" in result.stdout
        assert "Said:" not in result.stdout


def test_the_story_is_told_without_notes_that_may_not_be_read(
    embedded_broker: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    published(embedded_broker)
    real = TopicReader.read

    def read(self: TopicReader, topic: str, *given: Any, **named: Any) -> Any:
        if topic == "stallwatch.operator":
            raise TopicAuthorizationFailedError(topic)
        return real(self, topic, *given, **named)

    monkeypatch.setattr(TopicReader, "read", read)
    result = explain(RUN, "--bootstrap-servers", embedded_broker)
    assert result.exit_code == 0
    assert "What people noted may not be read here" in result.stdout


def test_a_recorded_end_is_told_without_a_stall_that_it_closed(tmp_path: Path) -> None:
    recorded = tmp_path / "steps.jsonl"
    events = [*steps()[:3], RunEnded(run_id=RUN, root_run_id=ROOT, seq=3, outcome="completed")]
    recorded.write_bytes(b"\n".join(encode(event) for event in events))
    result = explain(RUN, "--from", str(recorded))
    assert "no stall on record; it has ended (completed)." in result.stdout


def test_a_run_without_a_command_is_found_in_any_partition(embedded_broker: str) -> None:
    verdicts, _ = judged()
    write(embedded_broker, "stallwatch.verdicts", [(ROOT.encode(), encode(v), []) for v in verdicts])
    result = explain(RUN, "--json", "--bootstrap-servers", embedded_broker)
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["episodes"][0]["verdicts"]) == len(verdicts)


def test_a_run_that_nothing_is_known_of_is_no(embedded_broker: str) -> None:
    published(embedded_broker)
    result = explain("nobody", "--bootstrap-servers", embedded_broker)
    assert result.exit_code == 1
    assert result.stderr.startswith("stallwatch: nothing is known of run nobody on stallwatch.verdicts")
    assert result.stdout == ""
