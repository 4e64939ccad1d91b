"""`stallwatch explain` from the topics tells the same story as from the recorded steps."""

import json
from pathlib import Path

from broker_records import write
from typer.testing import CliRunner, Result

from detectors.engine import Engine
from detectors.events import Command, Step, Verdict
from detectors.rulefile import profile
from detectors.state import RootState
from stallwatch.cli import app
from streams.codec import encode

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
    assert "What would count as progress: " in result.stdout


def test_the_root_may_be_given(embedded_broker: str) -> None:
    published(embedded_broker)
    given = explain(RUN, "--root", ROOT, "--json", "--bootstrap-servers", embedded_broker)
    assert json.loads(given.stdout)["episodes"]
    wrong = explain(RUN, "--root", "elsewhere", "--json", "--bootstrap-servers", embedded_broker)
    assert json.loads(wrong.stdout)["commands"]


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
