"""Recorded events through the same engine as the worker's, without a broker and without a clock."""

from collections.abc import Callable, Iterator

import msgspec

from detectors.engine import Engine
from detectors.events import Ack, Change, Event, Milestone, OperatorEvent, RunEnded, Step
from detectors.outcome import Outcome
from detectors.rules import RuleBook
from detectors.state import RootState
from stallwatch.recordings.live_runs import Kept, LiveRuns, Tracked
from stallwatch.recordings.tally import Tally

LATE = ("late", "closed")
"""Outcomes of events that came too late to be judged."""


class Totals(msgspec.Struct, kw_only=True):
    """What the whole input came to."""

    steps: int = 0
    runs: int = 0
    """Runs, every attempt counted."""
    by_rung: list[int] = msgspec.field(default_factory=lambda: [0] * 5)
    """Runs by the highest rung they reached."""
    duplicates: int = 0
    late: int = 0
    missing: int = 0

    def add(self, other: "Totals") -> None:
        """Both together: what several processes counted of one input."""
        self.steps += other.steps
        self.runs += other.runs
        self.by_rung = [mine + theirs for mine, theirs in zip(self.by_rung, other.by_rung, strict=True)]
        self.duplicates += other.duplicates
        self.late += other.late
        self.missing += other.missing


class Replay:
    """Feeds events to the engine in the order they come. Feedback counts as delivered at the next round.

    Deadlines that need a clock (silence, an unanswered ask) are left out. O(1) per event; memory: see
    `LiveRuns`.
    """

    def __init__(
        self,
        book: RuleBook,
        *,
        on_change: Callable[[Change], object],
        on_close: Callable[[Tally], object] | None = None,
        live: LiveRuns | None = None,
    ) -> None:
        self._engine = Engine(book, assume_delivery=True)
        self._on_change = on_change
        self._on_close = on_close
        self._live = LiveRuns() if live is None else live
        self._root_id: str | None = None
        self._tracked = Tracked(RootState(""), {})
        self.totals = Totals()
        self.place = 0
        """Of the event that is being fed."""

    def feed(self, event: Event, place: int = 0) -> Outcome:
        """The event is applied; changes of rung and runs that closed were handed out in order.

        `place`: of the event in the whole input, rising; runs that do not end are closed in the order of the
        latest places of their roots.
        """
        self.place = place
        run_id = event.run_id
        root_id = event.root_run_id or run_id
        if root_id == self._root_id:
            tracked = self._tracked
        else:
            tracked = self._tracked = self._live.get(root_id)
            self._root_id = root_id
        tracked.used = place
        outcome = self._engine.apply(tracked.state, event)
        tally = tracked.tallies.get(run_id)
        if tally is None or (event.attempt is not None and event.attempt > tally.attempt):
            tally = self._begin(tracked, event, outcome, tally)
        if tally is not None:
            self._count(tally, event, outcome)
        elif outcome.status == "duplicate":
            self.totals.duplicates += 1
        elif outcome.status in LATE:
            self.totals.late += 1
            self._let_go(root_id, tracked)
        for change in outcome.changes:
            self._on_change(change)
        if type(event) is RunEnded and outcome.status == "applied":
            self._end(root_id, tracked, event)
        return outcome

    def finish(self) -> Totals:
        """Every run that has not ended is closed as well; the totals are final."""
        for _ in self.close_rest():
            pass
        return self.totals

    def close_rest(self) -> Iterator[int]:
        """Every run that has not ended is closed, root by root; yields the place of each root's latest event."""
        for found in self._live.rest():
            for tally in found.tallies.values():
                self._close(tally)
            found.tallies.clear()
            yield found.used

    def hand_over(self) -> Iterator[Kept]:
        """Every root leaves, to go on in another replay; the totals stay."""
        self._root_id = None
        return self._live.hand_over()

    def take_over(self, kept: Kept) -> None:
        """The root goes on here."""
        self._live.take_over(kept)

    def _begin(self, tracked: Tracked, event: Event, outcome: Outcome, current: Tally | None) -> Tally | None:
        """The tally that the event belongs to: a new one only for an event that began an attempt."""
        if outcome.status != "applied" or isinstance(event, OperatorEvent | Ack):
            return current
        if current is not None:
            self._close(current)
        tally = tracked.tallies[event.run_id] = Tally(run_id=event.run_id, attempt=event.attempt)
        return tally

    def _count(self, tally: Tally, event: Event, outcome: Outcome) -> None:
        status = outcome.status
        if status == "applied":
            if type(event) is Step:
                tally.steps += 1
                tally.last_seq = event.seq
                if event.tokens:
                    tally.tokens += event.tokens
                    tally.tokens_since_milestone += event.tokens
                if event.cost_usd:
                    tally.cost_usd += event.cost_usd
                if event.milestone is not None:
                    tally.note_milestone(event.milestone, event.seq)
            elif isinstance(event, Milestone):
                tally.note_milestone(event.id, tally.last_seq if event.at_seq is None else event.at_seq)
            if tally.task is None:
                tally.task = getattr(event, "task", None)
        elif status == "duplicate":
            tally.duplicates += 1
        elif status in LATE:
            tally.late += 1
            tally.missing -= status == "late" and tally.missing > 0
        tally.missing += outcome.gap
        for change in outcome.changes:
            tally.note_change(change)

    def _end(self, root_id: str, tracked: Tracked, event: RunEnded) -> None:
        tally = tracked.tallies.pop(event.run_id, None)
        if tally is not None:
            tally.outcome = event.outcome
            self._close(tally)
        self._let_go(root_id, tracked)

    def _let_go(self, root_id: str, tracked: Tracked) -> None:
        """Of a root whose runs are all closed a marker is enough."""
        if all(run.closed for run in tracked.state.runs.values()):
            self._live.end(root_id)
            self._root_id = None

    def _close(self, tally: Tally) -> None:
        totals = self.totals
        totals.runs += 1
        totals.steps += tally.steps
        totals.by_rung[tally.highest_rung] += 1
        totals.duplicates += tally.duplicates
        totals.late += tally.late
        totals.missing += tally.missing
        if self._on_close is not None:
            self._on_close(tally)
