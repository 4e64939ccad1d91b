"""The README's examples run as they are printed, and its commands exist."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from confluent_kafka import Producer

from detectors.events import Command
from streams.codec import encode

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
COMMANDS = sorted(
    {line.split("#")[0].strip() for line in re.findall(r"^    (stallwatch .*)$", README, re.MULTILINE)}
)


def run(code: str, bootstrap: str, folder: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code.replace("localhost:9092", bootstrap)],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_the_readme_has_an_example_for_each_side() -> None:
    assert ["StepPublisher" in code for code in EXAMPLES] == [True, False]
    assert ["ControlSubscriber" in code for code in EXAMPLES] == [False, True]


def test_what_the_fleet_owner_types_publishes(embedded_broker: str, tmp_path: Path) -> None:
    assert run(EXAMPLES[0], embedded_broker, tmp_path) == ""


def test_what_the_orchestrator_types_hears_a_halt(embedded_broker: str, tmp_path: Path) -> None:
    halt = Command(command_id="c-1", run_id="r-81", action="halt", version=4, reason="no_news", rung=4)
    producer = Producer({"bootstrap.servers": embedded_broker, "partitioner": "murmur2_random"})
    producer.produce("stallwatch.control", encode(halt), b"r-81")
    assert producer.flush(10) == 0
    said = run(
        EXAMPLES[1], embedded_broker, tmp_path
    )  # two threads print, in any order, each a text in one piece
    assert "r-81 halt" in said
    assert "True" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_readme_has_these_words_and_flags(command: str) -> None:
    """The flags are known to the command: `--help` after them is reached."""
    words = [
        word for word in shlex.split(re.split(r"[<|>]", command)[0]) if not word.endswith((".gz", ".toml"))
    ]
    done = subprocess.run(
        [sys.executable, "-m", *words, "--help"], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#]+)\)", README))))
def test_every_link_of_the_readme_leads_somewhere(link: str) -> None:
    assert (ROOT / link).exists()


def test_every_make_target_of_the_readme_exists() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    named = {
        word
        for line in re.findall(r"^    make ([a-z -]+?)(?: +#.*)?$", README, re.MULTILINE)
        for word in line.split()
    }
    assert named >= {"demo", "test", "test-kafka", "lint", "types", "bench"}
    for target in named:
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target
