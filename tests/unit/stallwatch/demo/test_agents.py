"""Every scripted agent does what it says, for real, and what it tells is what the detection needs."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import xxhash
from agent_life import Lived

from detectors.events import Compaction, RunEnded, RunStarted
from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.agents.behaviour import Behaviour
from streams.codec import decode_steps, encode, run_key

Lives = Callable[[str], Lived]
HEALTHY = [behaviour for behaviour in BEHAVIOURS.values() if behaviour.healthy]
STUCK = [behaviour for behaviour in BEHAVIOURS.values() if not behaviour.healthy]


def name_of(behaviour: Behaviour) -> str:
    return behaviour.name


@pytest.mark.parametrize("behaviour", HEALTHY, ids=name_of)
def test_a_healthy_agent_finishes_with_everything_verified(behaviour: Behaviour, lived: Lives) -> None:
    ending, kept, _ = lived(behaviour.name)
    assert ending == "completed"
    assert [step.milestone for step in kept.steps if step.milestone] == [m.id for m in behaviour.milestones]
    assert not [step.error for step in kept.steps if step.error]
    assert len(kept.steps) < behaviour.limit / 2


@pytest.mark.parametrize("behaviour", STUCK, ids=name_of)
def test_a_stuck_agent_would_go_on_to_its_limit(behaviour: Behaviour, lived: Lives) -> None:
    ending, kept, _ = lived(behaviour.name)
    assert ending == "limit"
    assert len(kept.steps) == behaviour.limit
    # It began with good work and never got further.
    assert [step.milestone for step in kept.steps if step.milestone] == [behaviour.milestones[0].id]


@pytest.mark.parametrize("behaviour", BEHAVIOURS.values(), ids=name_of)
def test_what_an_agent_tells_is_the_wire_format(behaviour: Behaviour, lived: Lives) -> None:
    kept = lived(behaviour.name).kept
    again = [decode_steps(run_key(event), encode(event), []) for event in kept.events]
    assert again == kept.events
    assert isinstance(again[0], RunStarted)
    assert isinstance(again[-1], RunEnded)
    assert [event.seq for event in again] == list(range(len(again)))
    assert all(step.tokens and step.ts is not None for step in kept.steps)


def test_hashes_are_those_of_the_files(lived: Lives) -> None:
    kept = lived("flip-flop").kept
    writes = [step for step in kept.steps if step.args.get("path") == "shop/settings.py" and step.after_hash]
    states = [(step.before_hash, step.after_hash) for step in writes]
    assert len(set(states)) == 2
    assert all(one[1] == two[0] for one, two in pairwise(states))
    assert writes[-1].after_hash == _digest(lived("flip-flop").folder / "shop" / "settings.py")


def test_exit_codes_come_from_the_tests_that_ran(lived: Lives) -> None:
    kept = lived("fix-test-first").kept
    runs = [step for step in kept.steps if "unittest" in step.args.get("command", "")]
    assert [step.exit_code for step in runs] == [0, 1, 1, 0, 0]
    assert "failures=2" in runs[1].result
    assert "failures=1" in runs[2].result


def test_the_search_is_asked_in_ever_other_words_and_finds_nothing(lived: Lives) -> None:
    kept = lived("dry-search").kept
    asked = [(tuple(step.args.values()), step.result) for step in kept.steps[9:]]
    assert {step.tool for step in kept.steps[9:]} == {"search"}
    assert len({words for words, _ in asked}) == len(asked)
    assert sum(result == "no matches" for _, result in asked) > 0.9 * len(asked)


def test_every_attempt_fails_of_the_same_missing_secret(lived: Lives) -> None:
    kept = lived("retry-one-cause").kept
    tries = [step for step in kept.steps if "publish.py" in step.args.get("command", "")]
    assert len({step.args["command"] for step in tries}) == len(tries)
    assert all(step.exit_code == 1 and "SHOP_TOKEN is not set" in step.result for step in tries)


def test_compactions_are_told_between_the_sweeps(lived: Lives) -> None:
    kept = lived("reread").kept
    at = [index for index, event in enumerate(kept.events) if isinstance(event, Compaction)]
    assert len(at) > 5
    assert len({later - earlier for earlier, later in pairwise(at)}) == 1


def _digest(path: Path) -> str:
    return xxhash.xxh3_64_hexdigest(path.read_bytes())
