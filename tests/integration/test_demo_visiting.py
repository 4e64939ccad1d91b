"""The demo in an installation that is there: under its prefix, and with plain words where nobody judges."""

import io
import subprocess
import time
from pathlib import Path

import msgspec
import pytest
from broker_records import Record, read, write
from demo_process import COMMAND, DemoProcess

from detectors.events import Ack, Command, Reached, Text, Verdict
from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.display import PlainLines
from stallwatch.demo.show import Options, Show
from streams.codec import decode_ack, decode_steps, encode
from streams.embedded import EmbeddedBroker, create_topics
from streams.settings import Settings

PREFIX, RUN, OTHER = "team.", "flip-flop", "dry-search"


@pytest.fixture
def visited(embedded: EmbeddedBroker, monkeypatch: pytest.MonkeyPatch) -> str:
    """Bootstrap address of a broker with an installation of another prefix, which the environment names."""
    create_topics(embedded, prefix=PREFIX)
    monkeypatch.setenv("STALLWATCH_TOPIC_PREFIX", PREFIX)
    return embedded.bootstrap_servers


@pytest.mark.timeout(120)
def test_it_works_under_the_prefix_and_heeds_what_is_judged_and_commanded_there(
    visited: str, tmp_path: Path
) -> None:
    with DemoProcess(tmp_path, "--bootstrap-servers", visited, "--seconds", "12") as demo:
        demo.line_with("step 6: milestone baseline_green")
        steps = [decode_steps(r.key, r.value) for r in until_some(visited, "steps", RUN)]
        told = Verdict(
            episode_id="e", run_id=OTHER, attempt=steps[0].attempt, event="opened", reason="no_news"
        )
        for event, rung in (("opened", 1), ("closed", 0)):
            verdict = msgspec.structs.replace(told, event=event, rung=rung)
            write(visited, f"{PREFIX}verdicts", [(OTHER.encode(), encode(verdict), [])])
        demo.line_with("clear again")
        halt = Command(
            command_id="c-1",
            run_id=RUN,
            attempt=steps[0].attempt,
            version=1,
            action="halt",
            rung=4,
            reason="write_churn",
            text=Text(people="it goes back and forth", model="stop"),
            milestones=[Reached(id="baseline_green", seq=3)],
        )
        write(visited, f"{PREFIX}control", [(RUN.encode(), encode(halt), [])])
        demo.line_with("halted at step")
        assert demo.end() == 1, demo.said()
        # Somebody judges here, if only one run: what is missing is said of each of the others.
        missing = {line.split()[3] for line in demo.lines if line.startswith("NOT AS EXPECTED")}
        assert {b.name for b in BEHAVIOURS.values() if not b.healthy} - missing == {RUN}, demo.said()
        assert "rules.toml" in demo.lines[4]
        assert demo.errors.read_text() == ""
    acks: list[Ack] = [decode_ack(r.key, r.value) for r in read(visited, f"{PREFIX}acks")]
    assert [(ack.run_id, ack.status) for ack in acks] == [(RUN, "accepted"), (RUN, "done")]


@pytest.mark.timeout(120)
def test_where_nobody_judges_it_says_so_once(visited: str, tmp_path: Path) -> None:
    with DemoProcess(tmp_path, "--bootstrap-servers", visited, "--seconds", "10") as demo:
        assert demo.end() == 1, demo.said()
        said = demo.said()
        assert said.count("NOT AS EXPECTED") == 1
        assert "no verdict and no command came" in said
        assert f"stallwatch worker --bootstrap-servers {visited} --rules " in said
        assert demo.errors.read_text() == ""
        demo.assert_nothing_is_left()
    assert until_some(visited, "steps", RUN)


@pytest.mark.timeout(120)
async def test_agents_that_nobody_judges_are_not_left_to_run_to_their_limit(visited: str) -> None:
    settings = Settings(bootstrap_servers=visited, topic_prefix=PREFIX)
    options = Options(seconds=600, settings=settings, unjudged_s=2, behaviours=[BEHAVIOURS[RUN]])
    result = await Show(options, PlainLines(io.StringIO()), lambda report: None).run()
    assert not result.judged
    assert [run.ending for run in result.runs] == ["stopped"]
    assert result.runs[0].steps < BEHAVIOURS[RUN].limit


def test_a_broker_that_does_not_answer_is_one_sentence_at_once(tmp_path: Path) -> None:
    done = visit("127.0.0.1:1")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("stallwatch: the demo cannot start: no answer from Kafka at 127.0.0.1:1;")
    assert done.stderr.count("\n") == 1


def test_an_installation_without_its_topics_is_one_sentence_too(embedded: EmbeddedBroker) -> None:
    done = visit(embedded.bootstrap_servers, "--topic-prefix", "nowhere.")
    assert done.returncode == 2
    assert done.stdout == ""
    assert "topic nowhere.steps does not exist" in done.stderr
    assert "topics create" in done.stderr
    assert "--topic-prefix nowhere." in done.stderr
    assert done.stderr.count("\n") == 1


def visit(bootstrap: str, *more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, "--bootstrap-servers", bootstrap, *more],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


def until_some(bootstrap: str, name: str, run_id: str, within_s: float = 20.0) -> list[Record]:
    """The run's records on a topic of the installation, once there are any."""
    deadline = time.monotonic() + within_s
    while True:
        found = [record for record in read(bootstrap, f"{PREFIX}{name}") if record.key == run_id.encode()]
        if found:
            return found
        assert time.monotonic() < deadline, f"nothing of {run_id} on {PREFIX}{name}"
