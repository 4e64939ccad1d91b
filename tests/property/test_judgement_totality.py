"""Whatever comes in: no exception, bounds kept, the same input gives the same bytes."""

import math
from typing import Any

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detectors.canonical import canonical
from detectors.causes import cause, failed
from detectors.events import Step
from detectors.feature_types import MAX_LINES, Features
from detectors.features import features
from detectors.judge import judge_step, note_compaction, note_milestone, note_score, note_user_input
from detectors.ladder import Ladder, climb, feedback_delivered
from detectors.memory import Memory
from detectors.rules import Rules
from detectors.tones import tone
from detectors.volatile import scrub

RULES = Rules()
LIMIT = 60 * 1024
TEXT = st.one_of(
    st.text(max_size=300),
    st.from_regex(r"[0-9a-f:.\-/ TZsm]{0,80}", fullmatch=True),
    st.sampled_from(
        ["Error: x", "ok", "[]", "{}", '{"a": NaN}', "\ud800", "a\r\nb", "0" * 5000, "x\n" * 600]
    ),
)
JSON: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(),
        TEXT,
        st.binary(max_size=40),
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.dictionaries(
            st.one_of(st.text(max_size=12), st.integers(), st.booleans(), st.none()), inner, max_size=6
        ),
    ),
    max_leaves=20,
)
HASH = st.one_of(st.none(), st.sampled_from(["a", "b", ""]), st.text(max_size=20))
STEPS = st.builds(
    Step,
    run_id=st.just("r"),
    seq=st.just(0),
    tool=st.one_of(st.sampled_from(["read", "w", "sh"]), st.text(min_size=1, max_size=40)),
    args=JSON,
    result=JSON,
    turn=st.one_of(st.none(), st.integers(), st.text(max_size=5)),
    ts=st.one_of(
        st.none(), st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([0.0, 1.0, 1.05])
    ),
    exit_code=st.one_of(st.none(), st.integers(-5, 300)),
    error=st.one_of(st.none(), st.booleans(), TEXT),
    effect=st.one_of(st.none(), st.sampled_from(["read", "write", "plan", "nonsense"])),
    target=HASH,
    before_hash=HASH,
    after_hash=HASH,
    score=st.one_of(st.none(), st.floats()),
    compaction=st.booleans(),
    agent=st.one_of(st.none(), st.text(min_size=1, max_size=8)),
    duration_s=st.one_of(st.none(), st.floats(0, 1e9)),
    tokens=st.one_of(st.none(), st.integers(0, 2**53)),
    cost_usd=st.one_of(st.none(), st.floats(min_value=0)),
)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(STEPS, max_size=12))
def test_any_steps_are_judged_the_same_twice(steps: list[Step]) -> None:
    first, second = _judge(steps), _judge(steps)
    assert first == second
    memory, rungs = first
    assert len(memory) < LIMIT
    assert all(0 <= rung <= 4 for rung in rungs)


def _judge(steps: list[Step]) -> tuple[bytes, list[int]]:
    memory, ladder = Memory(), Ladder()
    rungs = []
    for step in steps:
        found = features(step, RULES)
        again = msgspec.json.decode(msgspec.json.encode(found), type=Features)
        assert again == found
        assert len(found.lines) == len(found.shapes) <= MAX_LINES
        seen = judge_step(memory, step, found, RULES)
        assert 0 <= seen.dryness <= 1.5
        assert (seen.evidence is not None) == bool(seen.findings)
        assert seen.evidence is None or math.isfinite(seen.evidence.dryness)
        rungs.append(climb(ladder, seen, RULES))
        feedback_delivered(ladder)
        memory = msgspec.msgpack.decode(msgspec.msgpack.encode(memory), type=Memory)
    return msgspec.msgpack.encode(memory), rungs


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_features_from_a_stranger_are_judged_as_well(data: st.DataObject) -> None:
    """What comes over the wire need not be computed by our code."""
    hashes = st.lists(st.integers(0, 2**32 - 1), max_size=40)
    memory = Memory()
    for seq in range(4):
        found = Features(
            call=data.draw(st.sampled_from(["", "0123456789abcdef", "zz", "é"])),
            lines=data.draw(hashes),
            shapes=data.draw(hashes),
            numbers=data.draw(st.lists(st.integers(0, 2**16 - 1), max_size=16)),
            region=data.draw(
                st.one_of(st.none(), st.tuples(st.integers(-(2**53), 2**53), st.integers(-(2**53), 2**53)))
            ),
            target=data.draw(st.integers(0, 3)),
            ids=data.draw(st.lists(st.integers(0, 9), max_size=5)),
            failed=data.draw(st.booleans()),
            cause=data.draw(st.sampled_from(["", "x", "error:1"])),
            total=data.draw(st.integers(0, 10**9)),
            body=data.draw(st.integers(0, 2)),
        )
        step = Step(run_id="r", seq=seq, tool="t", features=found, after_hash=data.draw(HASH))
        judge_step(memory, step, features(step, RULES), RULES)
    assert len(msgspec.msgpack.encode(memory)) < LIMIT


@settings(max_examples=200, deadline=None)
@given(JSON)
def test_every_value_has_a_canonical_form(value: Any) -> None:
    assert canonical(value) == canonical(value)


@settings(max_examples=200, deadline=None)
@given(TEXT, st.one_of(st.none(), st.integers(-3, 200)), st.one_of(st.none(), st.booleans(), TEXT))
def test_texts_have_scrubbed_forms_tones_and_causes(text: str, exit_code: int | None, error: Any) -> None:
    scrub(text.encode("utf-8", "surrogatepass"))
    tone(text, hollow=False)
    failed(text, text.count("\n") + 1, exit_code=exit_code, error=error)
    found = cause(text, text.count("\n") + 1, error=error, args=[text[:20]])
    assert 0 < len(found.code) <= 64


def test_a_long_hostile_run_stays_within_the_bound() -> None:
    """Everything new at every step, as large as it may be."""
    memory = Memory()
    sizes = []
    for seq in range(700):
        body = "\n".join(
            f"{seq}-{i} {chr(97 + i % 26) * 3}{chr(97 + (seq + i) % 26) * 4} row" for i in range(300)
        )
        step = Step(
            run_id="r",
            seq=seq,
            tool="t" * 200 + str(seq),
            args={f"k{seq}-{i}": f"value-{seq}-{i}" for i in range(60)}
            | {"path": f"p/{seq}", "offset": 100 * seq},
            result=body,
            error=f"Error: {chr(97 + seq % 26) * (seq % 40 + 1)} broke",
            agent=f"agent-{seq}",
            ts=float(seq * 1000),
            before_hash=str(seq),
            after_hash=str(seq + 1),
            score=float(seq % 7),
        )
        judge_step(memory, step, features(step, RULES), RULES)
        if seq % 50 == 7:
            note_compaction(memory, None)
            note_score(memory, None)
            sizes.append(len(msgspec.msgpack.encode(memory)))
        if seq % 90 == 8:
            note_milestone(memory, "m", seq)
            note_user_input(memory)
    assert max(sizes) < 24 * 1024
    assert sizes[-1] <= max(sizes[3:9]) * 1.3
