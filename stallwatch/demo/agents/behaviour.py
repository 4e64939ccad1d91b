"""What a scripted agent is: its script, what its host verifies, and how far it would go."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from stallwatch.demo.calls import Answer, Call, Script
from stallwatch.demo.workbench import ran_tests

Reached = Callable[[Path, Call, Answer], bool]
"""Whether a milestone is reached, seen by the host: the project's folder, the call just made, its answer."""


@dataclass(frozen=True, slots=True)
class Milestone:
    """Something the host verifies by itself; the agent's word plays no part."""

    id: str
    reached: Reached


@dataclass(frozen=True, slots=True)
class Behaviour:
    """One kind of agent."""

    name: str
    task: str
    """The scenario, as rules and models know it."""
    about: str
    """What it does, for the table and the summary."""
    healthy: bool
    """What the demo expects: a healthy agent finishes, a stuck one is halted."""
    script: Callable[[], Script]
    milestones: tuple[Milestone, ...] = ()
    """In order: only the next one can be reached."""
    limit: int = 100
    """Steps after which its host would end it, were nobody watching."""
    pace_s: float = 0.3
    """Thinking time before each turn."""


def green(_root: Path, call: Call, answer: Answer) -> bool:
    """The project's tests ran and all passed."""
    return ran_tests(call, answer, green=True)


def red(_root: Path, call: Call, answer: Answer) -> bool:
    """The project's tests ran and some failed."""
    return ran_tests(call, answer, green=False)
