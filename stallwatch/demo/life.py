"""One agent's life: its script's turns, made real on the workbench, told to stallwatch step by step."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, Protocol, Unpack

import msgspec

from stallwatch.clients.run_handle import RunOutcome
from stallwatch.clients.step_fields import StepFields
from stallwatch.demo.agents.behaviour import Behaviour
from stallwatch.demo.calls import Answer, Call, Script
from stallwatch.demo.workbench import EFFECTS, Workbench

Ending = Literal["completed", "halted", "limit"]
"""The script was through, the host was told to stop it, or its host's own step limit was reached."""


class Journal(Protocol):
    """Where the events of one run go, numbered: a `StepPublisher`, or whatever keeps them."""

    def run_started(self) -> int:
        """The run began; the event's seq."""

    def step(self, *, tool: str, **fields: Unpack[StepFields]) -> int:
        """A finished call; the event's seq."""

    def compaction(self) -> int:
        """The context was compacted; the event's seq."""

    def run_ended(self, outcome: RunOutcome) -> int:
        """The run is over; the event's seq."""


class Clock(Protocol):
    """Time as the agent has it: seconds since the epoch, and waits that a halt cuts short."""

    def now(self) -> float:
        """Seconds since the epoch."""

    def wait(self, stop: threading.Event, seconds: float) -> None:
        """`seconds` have passed, or `stop` is set."""


@dataclass(frozen=True, slots=True)
class StepSeen:
    """What whoever watches the agent is told after each step."""

    step: int
    """Counts from 1."""
    call: str
    tokens: int
    milestone: str | None


def estimate_tokens(call: Call, answer: Answer) -> int:
    """Four characters a token, of what the model wrote and what it read."""
    written = len(msgspec.json.encode(call.args)) + len(call.tool)
    return (written + len(answer.text) + len(answer.error or "")) // 4 + 1


class Life:
    """Runs a behaviour to its end. `stop` may be set from any thread; it is obeyed before the next call."""

    def __init__(
        self,
        behaviour: Behaviour,
        bench: Workbench,
        journal: Journal,
        clock: Clock,
        *,
        stop: threading.Event,
        on_step: Callable[[StepSeen], None] = lambda seen: None,
        before_turn: Callable[[], None] = lambda: None,
    ) -> None:
        self._behaviour = behaviour
        self._bench = bench
        self._journal = journal
        self._clock = clock
        self._stop = stop
        self._on_step = on_step
        self._before_turn = before_turn
        self._pending = list(behaviour.milestones)
        self._steps = 0
        self._turn = 0

    def live(self) -> Ending:
        """The run is over and its end is in the journal; says how it ended."""
        self._journal.run_started()
        script = self._behaviour.script()
        ending = self._turns(script)
        script.close()
        self._journal.run_ended("completed" if ending == "completed" else "cancelled")
        return ending

    def _turns(self, script: Script) -> Ending:
        answers: list[Answer] | None = None
        while True:
            try:
                turn = script.send(answers) if answers is not None else next(script)
            except StopIteration:
                return "completed"
            if turn.compacted:
                self._journal.compaction()
            self._turn += 1
            self._clock.wait(self._stop, self._behaviour.pace_s)
            self._before_turn()
            answers = []
            for call in turn.calls:
                if self._stop.is_set():
                    return "halted"
                if self._steps >= self._behaviour.limit:
                    return "limit"
                answers.append(self._make(call))

    def _make(self, call: Call) -> Answer:
        issued = self._clock.now()
        answer = self._bench.do(call)
        ended = self._clock.now()
        milestone = self._verified(call, answer)
        tokens = estimate_tokens(call, answer)
        self._journal.step(
            tool=call.tool,
            args=call.args,
            result=answer.text,
            turn=self._turn,
            ts=issued,
            duration_s=max(0.0, ended - issued),
            exit_code=answer.exit_code,
            error=answer.error,
            effect=EFFECTS.get(call.tool),
            before_hash=answer.before_hash,
            after_hash=answer.after_hash,
            milestone=milestone,
            tokens=tokens,
        )
        self._steps += 1
        self._on_step(StepSeen(self._steps, str(call), tokens, milestone))
        return answer

    def _verified(self, call: Call, answer: Answer) -> str | None:
        """The id of the milestone that this call reached, whatever the agent thinks of it."""
        if self._pending and self._pending[0].reached(self._bench.root, call, answer):
            return self._pending.pop(0).id
        return None
