"""What a run handle puts on the wire."""

import time
from typing import Any

import pytest

from detectors.events import Limits, Milestone, Score, Step
from stallwatch.clients.publisher import StepPublisher
from stallwatch.testing import FakeBroker
from streams.codec import decode_steps


def sent(broker: FakeBroker) -> list[Any]:
    """Everything on the steps topic as the worker decodes it."""
    return [decode_steps(r.key, r.value) for r in broker.records("stallwatch.steps")]


def published(record: Any, **options: Any) -> list[Any]:
    broker = FakeBroker()
    with StepPublisher(transport=broker, run_id="r-1", **options) as publisher:
        record(publisher.run("r-1"))
    return sent(broker)


def test_all_kinds_of_the_agents_side_share_one_numbering() -> None:
    def record(run: Any) -> None:
        assert run.run_started() == 0
        assert run.step(tool="read") == 1
        assert run.compaction(lost=["0123456789abcdef"]) == 2
        run.milestone("reproduced")
        assert run.user_input("please hurry") == 3
        run.score(0.5, oracle="tests")
        assert run.step(tool="edit") == 4
        assert run.run_ended("completed", claim="all done") == 5

    events = published(record)
    kinds = [type(event).__name__ for event in events]
    assert kinds == [
        "RunStarted", "Step", "Compaction", "Milestone", "UserInput", "Score", "Step", "RunEnded",
    ]  # fmt: skip
    assert [event.seq for event in events if not isinstance(event, (Milestone, Score))] == [0, 1, 2, 3, 4, 5]
    assert [event.at_seq for event in events if isinstance(event, (Milestone, Score))] == [2, 3]
    assert events[2].lost == ["0123456789abcdef"]
    assert events[4].text == "please hurry"
    assert (events[7].outcome, events[7].claim) == ("completed", "all done")


def test_every_field_of_a_step_arrives() -> None:
    fields: dict[str, Any] = {
        "tool": "bash", "args": {"command": "pytest -q"}, "result": "3 failed", "turn": 7, "call_id": "c-12",
        "ts": 1764521042.1, "duration_s": 0.8, "exit_code": 1, "error": "exit 1", "effect": "run", "target": "t",
        "before_hash": "aa", "after_hash": "bb", "score": 0.25, "milestone": "reproduced", "compaction": True,
        "tokens": 1830, "cost_usd": 0.011,
    }  # fmt: skip
    (step,) = published(lambda run: run.step(**fields), task="fix", agent="coder", tenant="acme", attempt=3)
    assert {name: getattr(step, name) for name in fields} == fields
    assert (step.run_id, step.attempt, step.task, step.agent, step.tenant) == (
        "r-1",
        3,
        "fix",
        "coder",
        "acme",
    )


@pytest.mark.parametrize(
    ("field", "odd"),
    [
        ("tokens", -5), ("tokens", "many"), ("cost_usd", float("nan")), ("cost_usd", -1), ("duration_s", "fast"),
        ("duration_s", float("inf")), ("exit_code", "0"), ("exit_code", 2**80), ("score", float("-inf")),
        ("milestone", ""), ("call_id", ""), ("turn", 2**80), ("target", None), ("effect", ""), ("turn", True),
        ("error", False),
    ],
)  # fmt: skip
def test_a_value_that_a_field_cannot_hold_is_left_out(field: str, odd: Any) -> None:
    (step,) = published(lambda run: run.step(tool="bash", result="kept", **{field: odd}))
    assert not getattr(step, field)
    assert step.result == "kept"


@pytest.mark.parametrize(
    ("tool", "expected"), [("", "unknown"), (None, "unknown"), ("x" * 999, "x" * 256), (7, "7")]
)
def test_any_tool_name_is_a_name(tool: Any, expected: str) -> None:
    (step,) = published(lambda run: run.step(tool=tool))
    assert step.tool == expected


def test_a_forgotten_or_unknown_argument_is_a_type_error() -> None:
    with StepPublisher(transport=FakeBroker(), run_id="r-1") as publisher:
        with pytest.raises(TypeError, match="tool"):
            publisher.step()  # type: ignore[call-arg]
        with pytest.raises(TypeError, match="arguments"):
            publisher.step(tool="bash", arguments={})  # type: ignore[call-arg]
        assert publisher.run("r-1").next_seq == 0  # no number was used up


def test_an_unknown_outcome_and_impossible_limits_are_value_errors() -> None:
    with StepPublisher(transport=FakeBroker(), run_id="r-1") as publisher:
        with pytest.raises(ValueError, match="'success'"):
            publisher.run_ended("success")  # type: ignore[arg-type]
        with pytest.raises(ValueError, match="rounds"):
            publisher.run("r-2", limits=Limits(rounds=0))


def test_when_the_call_was_issued() -> None:
    before = time.time()
    given, spent, now = published(
        lambda run: (run.step(tool="a", ts=5.0), run.step(tool="b", duration_s=100), run.step(tool="c"))
    )
    assert given.ts == 5.0
    assert before - 100 <= spent.ts <= time.time() - 100
    assert before <= now.ts <= time.time()


def test_a_run_as_a_context_starts_and_ends() -> None:
    def record(run: Any) -> None:
        with run:
            run.step(tool="bash")

    started, step, ended = published(record)
    assert (started.seq, step.seq, ended.seq, ended.outcome) == (0, 1, 2, "completed")


@pytest.mark.parametrize(("error", "outcome"), [(OSError, "failed"), (KeyboardInterrupt, "cancelled")])
def test_a_run_that_raises_ends_as_what_it_was(error: type[BaseException], outcome: str) -> None:
    def record(run: Any) -> None:
        with pytest.raises(error), run:
            raise error

    assert [getattr(event, "outcome", None) for event in published(record)] == [None, outcome]


def test_a_run_that_was_ended_by_hand_is_not_ended_twice() -> None:
    def record(run: Any) -> None:
        with run:
            run.run_ended("failed")

    assert len(published(record)) == 2


def test_limits_of_the_handle_travel_with_its_start() -> None:
    limits = Limits(rounds=50, cost_usd=2.5)
    (started,) = published(lambda run: run.run_started(), limits=limits)
    assert started.limits == limits


def test_a_sub_agents_run_has_its_roots_key_and_partition() -> None:
    broker = FakeBroker(partitions=12)
    with StepPublisher(transport=broker, run_id="root", attempt=0) as publisher:
        child = publisher.run("root").child("child", agent="searcher")
        grandchild = child.child("grandchild")
        publisher.step(tool="delegate")
        child.step(tool="grep")
        grandchild.step(tool="read")
    records = broker.records("stallwatch.steps")
    assert {record.key for record in records} == {b"root"}
    assert len({record.partition for record in records}) == 1
    by_run: dict[str, Step] = {event.run_id: event for event in sent(broker)}
    assert (by_run["child"].parent_run_id, by_run["child"].root_run_id) == ("root", "root")
    assert (by_run["grandchild"].parent_run_id, by_run["grandchild"].root_run_id) == ("child", "root")
    assert by_run["root"].root_run_id is None


def test_a_milestone_told_twice_has_one_id() -> None:
    def record(run: Any) -> None:
        assert run.milestone("green", event_id="m-1", at_seq=4) == "m-1"
        assert run.milestone("green", event_id="m-1", at_seq=4) == "m-1"
        assert run.milestone("green") != run.milestone("green")

    events = published(record)
    assert [event.at_seq for event in events] == [4, 4, None, None]
    assert len({event.event_id for event in events}) == 3


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "high", None])
def test_a_score_that_is_no_number_is_no_sample(value: Any) -> None:
    (score,) = published(lambda run: run.score(value, oracle="tests", oracle_version="2"))
    assert (score.value, score.oracle, score.oracle_version) == (None, "tests", "2")
