"""The only entry: one event in, everything that follows from it out. Pure: same input, same bytes."""

import xxhash

from detectors.events import Change, Command, Event, RunEnded, Source, Step, Text
from detectors.features import features
from detectors.judge import judge_step
from detectors.ladder import RUNGS, climb
from detectors.outcome import Outcome
from detectors.rules import RuleBook
from detectors.state import RootState, RunState


class Engine:
    """Applies events to states. Holds rules only; every call is O(1) in the length of the run."""

    def __init__(self, book: RuleBook, *, assume_delivery: bool = False) -> None:
        self.book = book
        self.assume_delivery = assume_delivery

    def apply(
        self, root: RootState, event: Event, *, at: float | None = None, source: Source | None = None
    ) -> Outcome:
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
        rules = self.book.get(run.rules)
        before = run.ladder.rung
        seen = judge_step(run.memory, event, features(event, rules), rules, gap=gap)
        rung = climb(run.ladder, seen, rules)
        out = Outcome(gap=gap, since_news=seen.since_news, since_milestone=seen.since_milestone)
        out.signals = [finding.reason for finding in seen.findings]
        if rung == before:
            return out
        action = RUNGS[rung]
        out.changes.append(
            Change(
                run_id=run.run_id,
                attempt=run.attempt,
                seq=event.seq,
                step=run.memory.steps,
                rung=rung,
                action=action,
                reason=seen.reason,
                kind=seen.remedy,
                text=seen.people,
                evidence=seen.evidence,
            )
        )
        if rung > before:
            run.version += 1
            key = f"{run.run_id}\x00{run.attempt}\x00{run.version}\x00{action}".encode(
                "utf-8", "surrogatepass"
            )
            out.commands.append(
                Command(
                    command_id=xxhash.xxh3_128_hexdigest(key),
                    run_id=run.run_id,
                    root_run_id=root.root_id,
                    attempt=run.attempt,
                    version=run.version,
                    action=action,
                    reason=seen.reason,
                    rung=rung,
                    text=Text(people=seen.people, model=seen.model),
                    evidence=seen.evidence,
                    source=source,
                    rules=rules.label,
                )
            )
        return out

    def tick(self, root: RootState, *, now: float) -> Outcome:
        """Silence, unanswered questions and expiry as of `now` (seconds since the epoch) are in the state afterwards."""
        return Outcome()

    def due(self, root: RootState) -> float | None:
        """The earliest time at which `tick` may have something to do; None if never."""
        return None
