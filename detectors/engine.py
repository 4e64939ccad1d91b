"""The only entry: one event in, everything that follows from it out. Pure: same input, same bytes."""

import msgspec
import xxhash

from detectors.events import Change, Command, Event, Evidence, RunEnded, Source, Step, Text
from detectors.outcome import Outcome
from detectors.rules import RuleBook
from detectors.state import RootState, RunState

RUNGS = ("clear", "notice", "replan", "ask", "halt")
_LEVELS = {3: 1, 5: 2, 7: 3, 9: 4}


class Engine:
    """Applies events to states. Holds rules only; every call is O(1) in the length of the run."""

    def __init__(self, book: RuleBook, *, assume_delivery: bool = False) -> None:
        self.book = book
        self.assume_delivery = assume_delivery

    def apply(self, root: RootState, event: Event, *, at: float | None = None, source: Source | None = None) -> Outcome:
        """The root's state includes the event afterwards; returns what it led to.

        `at`: arrival time in seconds (the record's timestamp), for deadlines only; None in-process without a clock.
        """
        run = root.runs.get(event.run_id)
        if run is None:
            run = root.runs[event.run_id] = RunState(event.run_id, rules=self.book.for_new_run(None)[0])
        run.last_at = at
        if isinstance(event, RunEnded):
            run.closed = True
            return Outcome()
        if not isinstance(event, Step):
            return Outcome()
        if event.seq < run.next_seq:
            return Outcome(status="duplicate")
        gap = event.seq - run.next_seq
        run.next_seq = event.seq + 1
        run.steps += 1
        call = xxhash.xxh3_64_hexdigest(msgspec.json.encode([event.tool, event.args, event.result], order="sorted"))
        run.repeats = run.repeats + 1 if call == run.last_call else 1
        run.last_call = call
        rung = _LEVELS.get(run.repeats)
        out = Outcome(gap=gap, since_news=run.repeats - 1, since_milestone=run.steps)
        if rung is None or rung <= run.rung:
            return out
        run.rung = rung
        run.version += 1
        action = RUNGS[rung]
        evidence = Evidence(rules="default@1", seq_to=event.seq, steps=run.steps, repeats=run.repeats, tools=[event.tool])
        text = f"the same call gave the same answer {run.repeats} times in a row"
        out.signals.append("exact_repeat")
        out.changes.append(Change(run_id=run.run_id, attempt=run.attempt, seq=event.seq, step=run.steps, rung=rung,
                                  action=action, reason="exact_repeat", kind="unclear", text=text, evidence=evidence))
        key = f"{run.run_id}\x00{run.attempt}\x00{run.version}\x00{action}"
        out.commands.append(Command(command_id=xxhash.xxh3_128_hexdigest(key), run_id=run.run_id, root_run_id=root.root_id,
                                    attempt=run.attempt, version=run.version, action=action, reason="exact_repeat", rung=rung,
                                    text=Text(people=text, model=text), evidence=evidence, source=source, rules="default@1"))
        return out

    def tick(self, root: RootState, *, now: float) -> Outcome:
        """Silence, unanswered questions and expiry as of `now` (seconds since the epoch) are in the state afterwards."""
        return Outcome()

    def due(self, root: RootState) -> float | None:
        """The earliest time at which `tick` may have something to do; None if never."""
        return None
