"""Lives one scripted agent out in this process, in a fraction of the time, and keeps its events."""

import threading
import time
from pathlib import Path
from typing import Any, NamedTuple, Unpack

from detectors.events import AgentEvent, Compaction, RunEnded, RunStarted, Step
from stallwatch.clients.run_handle import RunOutcome
from stallwatch.clients.step_fields import StepFields
from stallwatch.demo.agents.behaviour import Behaviour
from stallwatch.demo.life import Ending, Life
from stallwatch.demo.scratch import copy_project
from stallwatch.demo.workbench import Workbench

SPEED = 20.0
"""How much faster than in the demo: waits, thinking times and the background job shrink alike."""


class FastClock:
    """Shows the time that would have passed at the demo's speed."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def now(self) -> float:
        return 1_700_000_000.0 + (time.monotonic() - self._start) * SPEED

    def wait(self, stop: threading.Event, seconds: float) -> None:
        stop.wait(seconds / SPEED)


class Kept:
    """A journal that keeps the events."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.events: list[AgentEvent] = []
        self._head: dict[str, Any] = {
            "run_id": behaviour.name,
            "task": behaviour.task,
            "agent": behaviour.name,
        }

    @property
    def steps(self) -> list[Step]:
        return [event for event in self.events if isinstance(event, Step)]

    def run_started(self) -> int:
        return self._add(RunStarted)

    def step(self, *, tool: str, **fields: Unpack[StepFields]) -> int:
        return self._add(Step, tool=tool, **fields)

    def compaction(self) -> int:
        return self._add(Compaction)

    def run_ended(self, outcome: RunOutcome) -> int:
        return self._add(RunEnded, outcome=outcome)

    def _add(self, kind: type[AgentEvent], **fields: Any) -> int:
        self.events.append(kind(seq=len(self.events), **self._head, **fields))
        return len(self.events) - 1


class Lived(NamedTuple):
    """A life that is over: how it ended, what it told, and where its work is."""

    ending: Ending
    kept: Kept
    folder: Path


def live(behaviour: Behaviour, folder: Path) -> Lived:
    """The agent has lived in `folder`, which must not exist yet."""
    copy_project(folder)
    kept = Kept(behaviour)
    with Workbench(
        folder,
        sleep=lambda seconds: time.sleep(seconds / SPEED),
        settings={"REINDEX_PAUSE_S": str(1.1 / SPEED)},
    ) as bench:
        ending = Life(behaviour, bench, kept, FastClock(), stop=threading.Event()).live()
    return Lived(ending, kept, folder)
