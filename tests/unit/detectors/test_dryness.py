"""Rounds, and the mean of their weights."""

import pytest

from detectors import dryness as dry
from detectors.events import Step
from detectors.look import Mark
from detectors.memory import Memory
from detectors.rules import Rules

RULES = Rules()
DRY = Mark(1.0, "no_news", ("answers",))


def step(seq: int, **fields: object) -> Step:
    return Step(run_id="r", seq=seq, tool="t", **fields)  # type: ignore[arg-type]


def go(memory: Memory, mark: Mark | None, *, fresh: bool = False, **fields: object) -> bool:
    new = dry.enter(memory, step(memory.rounds, **fields), RULES)
    dry.settle(memory, mark, fresh, 0.1)
    return new


def test_the_mean_is_exponential() -> None:
    memory = Memory()
    for n in range(1, 9):
        go(memory, DRY)
        assert dry.dryness(memory) == pytest.approx(1 - 0.9**n)


def test_news_weighs_nothing_and_neutral_rounds_leave_it() -> None:
    memory = Memory()
    go(memory, DRY)
    go(memory, None)
    assert dry.dryness(memory) == pytest.approx(0.1)
    go(memory, None, fresh=True)
    assert dry.dryness(memory) == pytest.approx(0.09)


def test_a_round_has_one_weight_the_lowest_of_its_calls() -> None:
    memory = Memory()
    for mark in (DRY, DRY, Mark(0.3, "no_news", ()), DRY):
        go(memory, mark, turn=1)
    assert memory.rounds == 1
    assert dry.dryness(memory) == pytest.approx(0.03)


@pytest.mark.parametrize(
    ("stamps", "rounds"),
    [([10.0, 10.05, 10.12], 1), ([10.0, 10.2], 2), ([10.0, 9.0], 2), ([None, None], 2), ([10.0, None], 2)],
)
def test_without_turns_calls_close_in_time_are_a_round(stamps: list[float | None], rounds: int) -> None:
    memory = Memory()
    for ts in stamps:
        go(memory, DRY, ts=ts)
    assert memory.rounds == rounds


def test_turns_of_two_agents_are_two_rounds() -> None:
    memory = Memory()
    assert go(memory, DRY, turn=1, agent="a")
    assert not go(memory, DRY, turn=1, agent="a")
    assert go(memory, DRY, turn=1, agent="b")


def test_shares_are_the_parts_of_the_reasons() -> None:
    memory = Memory()
    go(memory, DRY)
    go(memory, Mark(0.5, "same_error", ("errors",)))
    assert dry.shares(memory) == {"no_news": pytest.approx(0.643), "same_error": pytest.approx(0.357)}
    assert dry.families(memory)["errors"] == pytest.approx(0.05)
    assert dry.shares(Memory()) == {}


def test_an_idle_gap_lets_it_fade_by_half_lives() -> None:
    memory = Memory()
    for seq in range(6):
        go(memory, DRY, ts=10.0 * seq)
    memory.idle = True
    before = dry.dryness(memory)
    dry.enter(memory, step(9, ts=50.0 + 120 + 150), RULES)
    assert sum(memory.masses[: len(memory.masses) // 2]) < before
    assert dry.dryness(memory) == pytest.approx(before / 2)


def test_no_fading_while_something_was_running() -> None:
    memory = Memory()
    for seq in range(6):
        go(memory, DRY, ts=10.0 * seq)
    memory.idle = False
    before = dry.dryness(memory)
    dry.enter(memory, step(9, ts=10_000.0), RULES)
    assert dry.dryness(memory) == pytest.approx(before)


def test_clearing_begins_anew() -> None:
    memory = Memory()
    go(memory, DRY, turn=1)
    dry.clear(memory)
    assert dry.dryness(memory) == 0
    assert go(memory, DRY, turn=1)
