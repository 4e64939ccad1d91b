"""The distance to the last verified milestone."""

from detectors.memory import Memory
from detectors.parameters import MilestoneGap
from detectors.signals.milestone_gap import beyond

RULES = MilestoneGap(steps=20, dryness=0.25)


def test_it_takes_the_gap_and_the_dryness() -> None:
    assert beyond(Memory(since_milestone=21, milestones=1), 0.3, RULES)
    assert not beyond(Memory(since_milestone=21, milestones=1), 0.2, RULES)
    assert not beyond(Memory(since_milestone=20, milestones=1), 0.3, RULES)


def test_the_runs_own_segments_set_the_measure() -> None:
    assert not beyond(Memory(since_milestone=50, milestones=3, longest_gap=30), 0.3, RULES)
    assert beyond(Memory(since_milestone=61, milestones=3, longest_gap=30), 0.3, RULES)


def test_a_run_without_milestones_says_nothing() -> None:
    assert not beyond(Memory(since_milestone=500), 0.9, RULES)
    assert not beyond(Memory(since_milestone=500, milestones=2), 0.9, MilestoneGap(steps=0))
