"""One event while it is applied: where it belongs, when it happened, and what has followed from it so far."""

from copy import copy

import msgspec

from detectors.events import Evidence, Source
from detectors.outcome import Outcome
from detectors.rules import RuleBook, Rules
from detectors.runs import Life, RootState, RunState


class Occasion(msgspec.Struct, frozen=True, gc=False):
    """Passed to every function that decides something; what is decided goes into `out`."""

    root: RootState
    run: RunState
    book: RuleBook
    rules: Rules
    """What the run is judged by: the set its life is pinned to, before that the default."""
    out: Outcome
    at: float | None
    """Arrival time, seconds: for deadlines."""
    when: float | None
    """Time of the event itself, else its arrival: what decisions carry."""
    source: Source | None

    @property
    def life(self) -> Life:
        """The run's life; only asked for where there is one."""
        life = self.run.life
        assert life is not None, f"run {self.run.run_id} is closed"
        return life

    def of(self, run: RunState) -> "Occasion":
        """The same event, seen by another run of the family."""
        return Occasion(
            self.root, run, self.book, rules_of(run, self.book), self.out, self.at, self.when, self.source
        )


def rules_of(run: RunState, book: RuleBook) -> Rules:
    """The set the run is pinned to, else the default. Raises `UnknownRulesError`."""
    life = run.life
    if life is None or not life.rules:
        return book.for_new_run(None)[1]
    return book.get(life.rules)


_HUGE = 1e300


def finite(value: object) -> float | None:
    """The value as a finite float, or None: a missing clock is no data, and so is NaN."""
    if value is None:
        return None
    if type(value) is float:
        return value if -_HUGE < value < _HUGE else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if -_HUGE < number < _HUGE else None


def complete(evidence: Evidence | None, occasion: Occasion) -> Evidence:
    """A copy of the evidence with what the life knows, and without NaN and infinities: they are not JSON."""
    evidence = Evidence() if evidence is None else copy(evidence)
    life = occasion.run.life
    evidence.rules = occasion.rules.label
    if life is not None:
        evidence.steps = life.steps
        evidence.tokens = life.segment.tokens
        evidence.cost_usd = life.segment.cost_usd
        evidence.gaps = life.sequence.gaps
        evidence.seq_to = max(evidence.seq_to, life.last_seq)
        evidence.seq_from = min(evidence.seq_from, evidence.seq_to)
    evidence.dryness = finite(evidence.dryness) or 0.0
    evidence.known_lines_ratio = finite(evidence.known_lines_ratio)
    evidence.waited_s = finite(evidence.waited_s)
    evidence.best_score = finite(evidence.best_score)
    evidence.novelty_ratio = finite(evidence.novelty_ratio)
    evidence.scores = [finite(score) for score in evidence.scores]
    evidence.shares = {reason: finite(share) or 0.0 for reason, share in evidence.shares.items()}
    return evidence
