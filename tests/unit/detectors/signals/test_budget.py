"""Shares of the limits."""

import pytest

from detectors.memory import Memory
from detectors.parameters import Limits
from detectors.signals.budget import used


def test_the_largest_share_counts() -> None:
    memory = Memory(rounds=10, tokens_spent=900, cost_spent=1.0)
    assert used(memory, Limits(rounds=100, tokens=1_000, cost_usd=4.0)) == pytest.approx(0.9)


def test_no_limits_no_share() -> None:
    assert used(Memory(rounds=10_000, tokens_spent=10**9), Limits()) == 0


def test_the_runs_own_limits_come_first() -> None:
    assert used(Memory(rounds=10, limits=(20, 0, 0.0)), Limits(rounds=1_000)) == 0.5
