"""Stuck: one missing secret stands behind every failure, and it answers each with another set of flags."""

from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

from stallwatch.demo.agents.behaviour import Behaviour, Milestone, green
from stallwatch.demo.calls import Answer, Call, Script, read, shell
from stallwatch.demo.workbench import test_command

FLAGS = (
    "--force",
    "--verbose",
    "--skip-checks",
    "--full",
    "--no-cache",
    "--wait",
    "--compress",
    "--retries 3",
)
TARGETS = ("web", "mirror", "staging")


def script() -> Script:
    """Issue 31 of the scratch project; the token that it needs is nowhere on this machine."""
    yield from read("docs/issues/31-publish.md")
    yield from read("jobs/publish.py")
    yield from shell(test_command())
    for flags in attempts():
        answer = yield from shell(" ".join(["python jobs/publish.py", *flags]))
        if answer.ok:
            return


def attempts() -> Iterator[tuple[str, ...]]:
    """Command lines that differ, 111 of them."""
    for count in range(3):
        for flags in combinations(FLAGS, count):
            for target in TARGETS:
                yield (*flags, f"--target {target}")


def published(_root: Path, call: Call, answer: Answer) -> bool:
    """The job itself said so, by its exit code."""
    return "publish.py" in str(call) and answer.exit_code == 0


BEHAVIOUR = Behaviour(
    name="retry-one-cause",
    task="publish",
    about="retries one failing cause with new flags",
    healthy=False,
    script=script,
    milestones=(Milestone("baseline_green", green), Milestone("published", published)),
)
