"""The only entry: one event in, everything that follows from it out. Pure: same input, same bytes.

The way of an event: `lifecycle` finds the life it belongs to, `sequence` says whether it is new, `judge`
what it means, `rungs` what follows; `words`, `acks` and `deadlines` are the other things that can happen to
a run.
"""

from detectors import classic_turns, deadlines, family, judge, lifecycle, milestones, rungs, words
from detectors.acks import acknowledge
from detectors.episodes import RUN_ENDED
from detectors.events import (
    Ack,
    Compaction,
    Event,
    HostEvent,
    Milestone,
    PersonsWord,
    RunEnded,
    RunEvent,
    RunStarted,
    Score,
    Source,
    Step,
    UserInput,
)
from detectors.features import features
from detectors.occasion import Occasion, finite, rules_of
from detectors.outcome import Outcome, Status
from detectors.rules import RuleBook
from detectors.runs import MAX_RUNS, RootState, Spent
from detectors.sequence import Place
from detectors.shedding import keep_within_bound

OwnEvent = Step | RunStarted | RunEnded | Compaction | UserInput
NO_ROOM = f"the root has {MAX_RUNS} live runs already: end some, or give sub-agents roots of their own"


class Engine:
    """Applies events to states. Holds rules only; every call is O(1) in the length of the run."""

    def __init__(self, book: RuleBook, *, assume_delivery: bool = False) -> None:
        """`assume_delivery`: every notice and replan is taken as delivered when the next round begins."""
        self.book = book
        self.assume_delivery = assume_delivery

    def apply(
        self, root: RootState, event: Event, *, at: float | None = None, source: Source | None = None
    ) -> Outcome:
        """The root's state includes the event afterwards; returns what it led to.

        `at`: arrival time in seconds (the record's timestamp), for deadlines only; None in-process without
        a clock. Raises `UnknownRulesError` if the run is pinned to rules that the book does not have;
        nothing else.
        """
        out = Outcome()
        out.status = self._apply(root, event, finite(at), source, out)
        run = root.runs.get(event.run_id)
        if run is not None:
            keep_within_bound(root, run, out)
        return out

    def tick(self, root: RootState, *, now: float) -> Outcome:
        """Silence, unanswered questions and expiry as of `now` are in the state afterwards.

        `now`: seconds since the epoch. O(runs). Without `runs` the root has nothing left to remember.
        """
        out = Outcome()
        heard = family.last_signs(root)
        for run in list(root.runs.values()):
            occasion = Occasion(root, run, self.book, rules_of(run, self.book), out, now, now, None)
            deadlines.pass_time(occasion, heard.get(run.run_id))
            _hear_what_waited(occasion)
            root.sizes.pop(run.run_id, None)
        return out

    def due(self, root: RootState) -> float | None:
        """The earliest time at which `tick` may have something to do; None if never. O(runs)."""
        heard = family.last_signs(root)
        return min(
            (
                due
                for run in root.runs.values()
                for due in deadlines.deadlines(run, rules_of(run, self.book), heard.get(run.run_id))
            ),
            default=None,
        )

    def _apply(
        self, root: RootState, event: Event, at: float | None, source: Source | None, out: Outcome
    ) -> Status:
        if isinstance(event, Ack):
            known = root.runs.get(event.run_id)
            return acknowledge(known, event) if known is not None else "ignored"
        when = finite(
            event.at if not isinstance(event, Step) and isinstance(event, PersonsWord) else event.ts
        )
        when = at if when is None else when
        at = when if at is None else at
        run = lifecycle.entry(root, event.run_id, at, out)
        if run is None:
            return self._no_room(root, out)
        occasion = Occasion(root, run, self.book, rules_of(run, self.book), out, at, when, source)
        if not isinstance(event, Step) and isinstance(event, PersonsWord):
            status = words.hear(occasion, event)
        else:
            status = self._happen(occasion, event)
        if run.attempt < 0 and not run.words:
            del root.runs[run.run_id]
        elif run.words:
            _hear_what_waited(occasion)
        return status

    def _happen(self, occasion: Occasion, event: RunEvent) -> Status:
        admission = lifecycle.admit(occasion, event.attempt)
        if admission == "refused":
            return self._no_room(occasion.root, occasion.out)
        if admission == "closed":
            return "closed"
        if admission == "begun":
            # It starts with the rules of today, not with those of the attempt before.
            occasion = occasion.of(occasion.run)
        if not isinstance(event, Step) and isinstance(event, HostEvent):
            return self._from_host(occasion, event)
        return self._from_agent(occasion, event)

    def _no_room(self, root: RootState, out: Outcome) -> Status:
        root.refused = min(root.refused + 1, 2**53)
        out.problem = NO_ROOM
        return "refused"

    def _from_host(self, occasion: Occasion, event: Milestone | Score) -> Status:
        life = occasion.life
        if not milestones.first_time(life, event.event_id):
            return "duplicate"
        _alive(occasion)
        if isinstance(event, Score):
            if occasion.rules.engine == "classic":
                classic_turns.score(occasion, event.value)
            judge.note_score(life.memory, event.value)
            return "applied"
        seq = event.at_seq if event.at_seq is not None else life.last_seq
        if milestones.reach(occasion, event.id, seq):
            _brought_news(occasion, seq)
            return "applied"
        return "ignored"

    def _from_agent(self, occasion: Occasion, event: OwnEvent) -> Status:
        place, gap = occasion.life.sequence.admit(event.seq)
        if place == "duplicate":
            return "duplicate"
        occasion.out.gap = gap
        run = occasion.run
        if run.life is not None and not run.life.rules:
            occasion = lifecycle.pin(occasion, event.task)
        if run.parent is None and event.parent_run_id != run.run_id:
            run.parent = event.parent_run_id
        _alive(occasion)
        if isinstance(event, Step):  # nearly every event is one
            return self._step(occasion, event, place, gap)
        match event:
            case RunStarted():
                judge.note_limits(occasion.life.memory, event.limits)
            case RunEnded():
                classic_turns.end_turn(occasion, over=True)
                lifecycle.end(occasion, why=f"{RUN_ENDED}: {event.outcome}")
            case Compaction():
                judge.note_compaction(occasion.life.memory, event.lost)
            case UserInput() if place == "new":
                # The baseline that a late one would open lies in the past.
                judge.note_user_input(occasion.life.memory)
                rungs.cleared(occasion, why="a person spoke to the agent")
        return "late" if place == "late" else "applied"

    def _step(self, occasion: Occasion, step: Step, place: Place, gap: int) -> Status:
        life, rules, out = occasion.life, occasion.rules, occasion.out
        classic = rules.engine == "classic"
        if classic and not classic_turns.has_content(step):
            out.problem = classic_turns.NEEDS_CONTENT
            return "refused"
        if place == "late":
            if not classic:
                judge.learn_late(life.memory, features(step, rules))
            milestones.spend(life, step.tokens, step.cost_usd)
            if step.milestone is not None:
                milestones.reach(occasion, step.milestone, step.seq)
            return "late"
        if classic:
            classic_turns.take(occasion, step)
            milestones.spend(life, step.tokens, step.cost_usd)
            if step.milestone is not None:
                milestones.reach(occasion, step.milestone, step.seq)
            return "applied"
        life.steps += 1
        life.last_seq = step.seq
        milestones.spend(life, step.tokens, step.cost_usd)
        seen = judge.judge_step(life.memory, step, features(step, rules), rules, gap=gap)
        if seen.findings:
            out.signals.extend([finding.reason for finding in seen.findings])
        out.since_news, out.since_milestone = seen.since_news, seen.since_milestone
        if seen.since_news == 0:
            _brought_news(occasion, step.seq)
        # A step that reaches a milestone is not judged against the run: a halt could not be taken back.
        if step.milestone is not None and milestones.reach(occasion, step.milestone, step.seq):
            out.since_milestone = 0
        else:
            rungs.judged(occasion, seen, assume_delivery=self.assume_delivery)
        return "applied"


def _alive(occasion: Occasion) -> None:
    """The run was heard of: it is not silent, and no other of its family was idle for a shorter time."""
    root, run, at = occasion.root, occasion.run, occasion.at
    root.events += 1
    run.order = root.events
    if at is not None:
        run.last_at = at if run.last_at is None else max(run.last_at, at)
    if run.life is not None and run.life.silent:
        deadlines.heard_again(occasion)


def _brought_news(occasion: Occasion, seq: int) -> None:
    life = occasion.life
    life.news_seq = max(life.news_seq, seq)
    life.news_at, life.news_order = occasion.at, occasion.root.events
    life.dry = Spent()


def _hear_what_waited(occasion: Occasion) -> None:
    """Persons' words whose command was reached meanwhile are applied; what they lead to may reach others."""
    run = occasion.run
    before = None
    while run.words and before != (run.attempt, run.version):
        before = (run.attempt, run.version)
        words.reached(occasion.of(run))
