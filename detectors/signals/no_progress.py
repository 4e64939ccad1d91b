"""`no_progress`: the oracle's best score stays where it is.

Sees: scored rounds since the best score so far rose, beyond the patience. A score that falls and comes back is no
progress; only a new best is.
Ignores on purpose: missing, NaN and infinite samples (the count pauses), rises below `min_delta`, the first
samples. Look-alike evidence: it may warn and ask, it never halts alone.
"""

from detectors.look import Mark
from detectors.memory import Memory
from detectors.parameters import NoProgress


def weigh(memory: Memory, rules: NoProgress, *, scored: bool) -> Mark | None:
    """The mark of a scored round without a new best, None within the patience. O(1)."""
    if not scored or memory.scored <= rules.patience:
        return None
    return Mark(rules.weight, "no_progress", ("milestones",), over_news=True)


def sample(memory: Memory, value: float, rules: NoProgress) -> None:
    """The sample is known: a new best, or one more round without. O(1)."""
    if memory.best is None or value > memory.best + rules.min_delta:
        memory.best = value
        memory.scored = 0
    else:
        memory.scored += 1
    memory.scores = [*memory.scores, value][-8:]
