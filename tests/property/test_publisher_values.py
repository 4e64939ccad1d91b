"""Whatever an agent hands to `step`, a record that the worker reads comes out, with the next number."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.events import Step
from stallwatch.clients.edge import EdgeLimits
from stallwatch.clients.publisher import StepPublisher
from stallwatch.testing import FakeBroker
from streams.codec import decode_steps

characters = st.text(st.characters(exclude_categories=()), max_size=60)
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | characters
    | st.binary(max_size=20)
    | st.datetimes()
    | st.uuids()
    | st.complex_numbers()
    | st.just(object())
    | st.builds(ValueError, characters)
)
anything = st.recursive(
    leaves,
    lambda inner: (
        st.lists(inner, max_size=5)
        | st.tuples(inner, inner)
        | st.dictionaries(characters | st.integers() | st.tuples(st.integers()), inner, max_size=5)
        | st.frozensets(st.integers() | characters, max_size=4)
    ),
    max_leaves=25,
)
FIELDS = (
    "tool", "args", "result", "turn", "call_id", "ts", "duration_s", "exit_code", "error", "effect", "target",
    "before_hash", "after_hash", "score", "milestone", "compaction", "tokens", "cost_usd", "features",
)  # fmt: skip


@settings(deadline=None, max_examples=200)
@given(st.dictionaries(st.sampled_from(FIELDS), anything), st.booleans(), st.sampled_from([256, 65_536]))
def test_any_values_make_a_step_that_the_worker_reads(
    fields: dict[str, Any], content: bool, limit: int
) -> None:
    broker = FakeBroker()
    limits = EdgeLimits(args_bytes=limit, result_bytes=limit, text_bytes=limit)
    fields.setdefault("tool", "bash")
    with StepPublisher(transport=broker, run_id="r", content=content, edge_limits=limits) as publisher:
        assert publisher.step(**fields) == 0
        assert publisher.step(tool="bash") == 1
    steps = [decode_steps(record.key, record.value) for record in broker.records("stallwatch.steps")]
    assert [step.seq for step in steps if isinstance(step, Step)] == [0, 1]
    if not content:
        assert steps[0].args is None  # type: ignore[union-attr]


@settings(deadline=None, max_examples=60)
@given(characters, characters, characters, anything, anything)
def test_any_identity_and_any_text_beside_the_steps(
    run_id: str, task: str, agent: str, text: Any, number: Any
) -> None:
    broker = FakeBroker()
    with StepPublisher(transport=broker) as publisher:
        if run_id.startswith("\0"):  # the caller's mistake, said at once and not with the first step
            with pytest.raises(ValueError, match="root_run_id begins with a NUL"):
                publisher.run("r", root_run_id=run_id)
            return
        run = publisher.run("r" + run_id, task=task, agent=agent, root_run_id=run_id or None)
        run.user_input(text)
        run.compaction(lost=[text, number])
        run.milestone(text, evidence=text, at_seq=number, event_id=text)
        run.score(number, oracle=text, oracle_version=text)
        run.run_ended("failed", claim=text)
    kinds = [type(decode_steps(r.key, r.value)).__name__ for r in broker.records("stallwatch.steps")]
    assert kinds == ["UserInput", "Compaction", "Milestone", "Score", "RunEnded"]
