"""Episodes: opened once, updated when there is something to say, closed."""

import itertools
from typing import Any

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.episodes import RUN_ENDED, UPDATE_EVERY, episode_id
from detectors.events import Milestone, Release, RunEnded, Step, UserInput, Verdict


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def _told(world: World, rung: int, times: int = 1, **fields: Any) -> list[Verdict]:
    return [v for _ in range(times) for v in world.step(rung, **fields).verdicts]


def test_one_stall_is_one_episode() -> None:
    world = World()
    world.step(0)
    told = _told(world, 2, 30) + _told(world, 0)
    assert [(v.event, v.rung) for v in told] == [("opened", 1), ("updated", 2), ("closed", 0)]
    assert {v.episode_id for v in told} == {episode_id("r", 0, 1)}
    (again,) = _told(world, 1)
    assert again.episode_id == episode_id("r", 0, 2)


def test_an_episode_reaches_back_to_the_step_after_the_last_news() -> None:
    world = World()
    world.step(0, tokens=100)
    world.step(0, tokens=1, cost_usd=0.5, news=False)
    world.step(0, tokens=2, news=False)
    (opened,) = _told(world, 1, tokens=4)
    assert (opened.seq_from, opened.seq_to, opened.tokens, opened.cost_usd) == (1, 3, 7, 0.5)
    world.step(1, tokens=8)
    (closed,) = _told(world, 0, tokens=16)
    assert (closed.seq_from, closed.seq_to, closed.tokens) == (1, 5, 31)


def test_another_reason_is_told_but_not_at_every_step() -> None:
    world = World()
    told = _told(world, 1)
    for n in range(4 * UPDATE_EVERY):
        told += _told(world, 1, reason=("same_error", "write_churn")[n % 2])
    assert told[0].event == "opened"
    assert [v.event for v in told[1:]] == ["updated"] * (len(told) - 1)
    assert 3 <= len(told) - 1 <= 4
    assert all(v.reason != u.reason for v, u in itertools.pairwise(told))


def test_the_verdict_carries_shares_evidence_and_text() -> None:
    world = World()
    (opened,) = _told(world, 1)
    assert opened.shares == {"no_news": 1.0}
    assert opened.text == "no_news seen"
    assert opened.rules == "default@1"
    assert opened.root_run_id == "r"
    assert opened.evidence is not None
    assert opened.evidence.dryness == 0.5


def test_the_end_of_a_run_closes_its_episode() -> None:
    world = World()
    world.climb(2)
    out = world.do(RunEnded(run_id="r", seq=2, outcome="failed", ts=9.5))
    assert [(v.event, v.rung, v.at, v.text) for v in out.verdicts] == [
        ("closed", 0, 9.5, f"{RUN_ENDED}: failed")
    ]


def test_a_closing_verdict_says_what_closed_the_episode() -> None:
    for event, text in (
        (UserInput(run_id="r", seq=2), "a person spoke to the agent"),
        (Milestone(run_id="r", event_id="e", id="built"), "milestone reached: built"),
        (Release(run_id="r", by="ada", at=9.0), "released by ada"),
        (Step(run_id="r", seq=0, attempt=1, tool="t"), "attempt 1 began"),
    ):
        world = World()
        world.climb(2)
        assert [(v.event, v.text) for v in world.do(event).verdicts][:1] == [("closed", text)]


def test_a_step_without_findings_keeps_the_evidence_of_the_stall() -> None:
    world = World()
    _told(world, 2)
    world.step(2)
    (closed,) = _told(world, 0)
    assert closed.reason == "no_news"
    assert closed.evidence is not None
    assert closed.evidence.dryness == 0.5
