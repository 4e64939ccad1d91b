"""Every example of the clients' quick start runs as it is printed, and does what the page says."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from confluent_kafka import Consumer, Producer, TopicPartition

from detectors.events import Command, Milestone, RunEnded, Step
from streams.codec import decode_ack, decode_steps, encode
from streams.embedded import PARTITIONS

PAGE = Path(__file__).parents[2] / "docs" / "quickstart-clients.md"
ADDRESS = "localhost:9092"
EXAMPLES: dict[str, str] = dict(
    re.findall(r"```python\n# (\S+)\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
)


def run(name: str, bootstrap: str, folder: Path) -> str:
    """What the example prints; it ended well and complained of nothing."""
    code = EXAMPLES[name].replace(ADDRESS, bootstrap)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def values(bootstrap: str, topic: str) -> list[tuple[bytes, bytes]]:
    """Everything on the topic as (key, value), in order within a partition."""
    consumer = Consumer({"bootstrap.servers": bootstrap, "group.id": "t", "enable.partition.eof": True})
    consumer.assign([TopicPartition(topic, number, 0) for number in range(PARTITIONS)])
    found, ended = [], 0
    while ended < PARTITIONS:
        message = consumer.poll(10)
        assert message is not None
        if message.error():
            ended += 1
        else:
            found.append((message.key(), message.value()))
    consumer.close()
    return found


def halt(bootstrap: str, run_id: str) -> Command:
    """A halt of the run stands on the control topic."""
    command = Command(
        command_id=f"halt-of-{run_id}", run_id=run_id, action="halt", version=4, reason="no_news", rung=4
    )
    producer = Producer({"bootstrap.servers": bootstrap, "partitioner": "murmur2_random"})
    producer.produce("stallwatch.control", encode(command), run_id.encode())
    assert producer.flush(10) == 0
    return command


def publishes(bootstrap: str, folder: Path) -> None:
    run("publish", bootstrap, folder)
    events = [decode_steps(key, value) for key, value in values(bootstrap, "stallwatch.steps")]
    assert [type(event).__name__ for event in events] == ["RunStarted", "Step", "Step", "RunEnded"]
    wrote, read = (event for event in events if isinstance(event, Step))
    assert (wrote.exit_code, wrote.turn, wrote.task) == (0, 0, "fix-login")
    assert (read.result, read.turn) == ("def login(): pass\n", 1)
    assert isinstance(events[3], RunEnded)
    assert events[3].outcome == "completed"


def publishes_async(bootstrap: str, folder: Path) -> None:
    run("publish-async", bootstrap, folder)
    events = [decode_steps(key, value) for key, value in values(bootstrap, "stallwatch.steps")]
    kinds = [type(event).__name__ for event in events]
    assert kinds == ["RunStarted", "Step", "Milestone", "Compaction", "Step", "RunEnded"]
    assert [event.seq for event in events if not isinstance(event, Milestone)] == [0, 1, 2, 3, 4]  # type: ignore[union-attr]


def withholds_content(bootstrap: str, folder: Path) -> None:
    run("publish-without-content", bootstrap, folder)
    ((key, value),) = values(bootstrap, "stallwatch.steps")
    assert b"hunter2" not in value
    assert b"secrets" not in value
    step = decode_steps(key, value)
    assert isinstance(step, Step)
    assert step.features is not None
    assert step.features.call


def obeys(name: str, statuses: list[str]) -> Callable[[str, Path], None]:
    def check(bootstrap: str, folder: Path) -> None:
        halt(bootstrap, "r-81")
        run(name, bootstrap, folder)
        acks = [decode_ack(key, value) for key, value in values(bootstrap, "stallwatch.acks")]
        assert [ack.status for ack in acks] == statuses
        assert {ack.command_id for ack in acks} == {"halt-of-r-81"}

    return check


def asks(bootstrap: str, folder: Path) -> None:
    halt(bootstrap, "r-84")
    assert run("ask", bootstrap, folder) == "halted before turn 0 because of no_news\n"


def fakes(bootstrap: str, folder: Path) -> None:
    run("fake", bootstrap, folder)


CHECKS: dict[str, Callable[[str, Path], None]] = {
    "publish": publishes,
    "publish-async": publishes_async,
    "publish-without-content": withholds_content,
    "obey": obeys("obey", ["accepted", "done"]),
    "ask": asks,
    "obey-async": obeys("obey-async", ["done"]),
    "fake": fakes,
}


def test_every_example_has_a_check() -> None:
    assert PAGE.read_text("utf-8").count("```python") == len(EXAMPLES)
    assert EXAMPLES.keys() == CHECKS.keys()


@pytest.mark.parametrize("name", CHECKS)
def test_the_example_does_what_the_page_says(name: str, embedded_broker: str, tmp_path: Path) -> None:
    CHECKS[name](embedded_broker, tmp_path)
