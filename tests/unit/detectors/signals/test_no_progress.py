"""The best score so far."""

from detectors.memory import Memory
from detectors.parameters import NoProgress
from detectors.signals.no_progress import sample, weigh

RULES = NoProgress(patience=3, min_delta=0.01)


def scored(*values: float) -> Memory:
    memory = Memory()
    for value in values:
        sample(memory, value, RULES)
    return memory


def test_only_a_new_best_counts() -> None:
    assert scored(0.3, 0.8, 0.7, 0.8, 0.6).scored == 3
    assert scored(0.3, 0.8, 0.805).scored == 1
    assert scored(0.3, 0.8, 0.9).scored == 0


def test_beyond_the_patience_each_scored_round_weighs() -> None:
    assert weigh(scored(0.8, 0.8, 0.8, 0.8), RULES, scored=True) is None
    mark = weigh(scored(0.8, 0.8, 0.8, 0.8, 0.8), RULES, scored=True)
    assert mark is not None
    assert (mark.weight, mark.families) == (1.0, ("milestones",))
    assert weigh(scored(0.8, 0.8, 0.8, 0.8, 0.8), RULES, scored=False) is None


def test_the_last_scores_are_kept() -> None:
    assert scored(*[i / 10 for i in range(20)]).scores == [i / 10 for i in range(12, 20)]
