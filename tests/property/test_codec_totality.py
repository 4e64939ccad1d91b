"""Whatever comes in, the codec answers with an event or with `BadRecord`; whatever goes out can be read."""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detectors.events import Step
from streams.cloudevents import opened
from streams.codec import (
    BadRecord,
    Reason,
    decode_ack,
    decode_command,
    decode_event,
    decode_operator,
    decode_steps,
    decode_verdict,
    encode,
    event_from_mapping,
)
from streams.plain import clean

FIELDS = [
    "run_id",
    "seq",
    "tool",
    "kind",
    "schema",
    "ts",
    "at",
    "args",
    "result",
    "attempt",
    "turn",
    "exit_code",
    "features",
    "error",
    "limits",
    "outcome",
    "event_id",
    "go",
    "command_id",
    "status",
    "score",
    "value",
    "root_run_id",
    "lost",
    "id",
    "version",
    "action",
    "episode_id",
    "event",
    "reason",
    "evidence",
]
KINDS = [
    "step",
    "run_started",
    "run_ended",
    "compaction",
    "user_input",
    "milestone",
    "score",
    "release",
    "answer",
    "halt",
]

text = st.text(st.sampled_from("aZ0 \n\0\x7fé😀\ud800\udc00"), max_size=6)
scalar = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2)
    | st.sampled_from([2**53 + 1, -(2**64), 10**400])
    | st.floats()
    | st.sampled_from(["r", "done", "2025-11-30T16:44:02Z", *KINDS])
    | text
)
anything = st.recursive(
    scalar,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(FIELDS) | text, inner, max_size=3)
    ),
    max_leaves=8,
)
VALID = {
    "run_id": "r",
    "seq": 1,
    "tool": "t",
    "event_id": "e",
    "id": "m",
    "command_id": "c",
    "status": "done",
}
record = st.builds(
    lambda kind, more: VALID | {"kind": kind} | more,
    st.sampled_from(KINDS),
    st.dictionaries(st.sampled_from(FIELDS), anything, max_size=3),
)
slow_is_fine = settings(max_examples=300, suppress_health_check=[HealthCheck.too_slow], deadline=None)


DECODERS: list[Callable[[bytes], object]] = [
    lambda value: decode_steps(b"r", value, ()),
    lambda value: decode_operator(b"r", value, ()),
    lambda value: decode_ack(b"r", value, ()),
    lambda value: decode_steps(b"r", value, [("content-type", b"application/cloudevents+json")]),
    decode_event,
    decode_command,
    decode_verdict,
]


def a_reason(bad: BadRecord, *expected: Reason) -> None:
    """The refusal's reason is one of the closed set, its detail short."""
    assert bad.reason in (expected or tuple(Reason))
    assert len(bad.detail) <= 300


def answers(value: bytes) -> None:
    """Every decoder gives an event or a reason out of the closed set."""
    for decode in DECODERS:
        try:
            decode(value)
        except BadRecord as bad:
            a_reason(bad)


@given(st.binary(max_size=200))
def test_any_bytes(value: bytes) -> None:
    answers(value)


@given(record)
@slow_is_fine
def test_any_json_in_the_wires_fields(value: dict[str, Any]) -> None:
    answers(json.dumps(value).encode("utf-8", "surrogatepass"))  # NaN and lone surrogates included


@given(record, st.data())
@slow_is_fine
def test_any_damage_to_a_record(value: dict[str, Any], data: st.DataObject) -> None:
    whole = json.dumps(value).encode("utf-8", "surrogatepass")
    at = data.draw(st.integers(0, max(0, len(whole) - 1)))
    answers(whole[:at] + data.draw(st.binary(max_size=3)) + whole[at + data.draw(st.integers(0, 3)) :])


@given(record)
@slow_is_fine
def test_any_mapping(value: dict[str, Any]) -> None:
    try:
        event_from_mapping(value)
    except BadRecord as bad:
        a_reason(bad)


@given(st.lists(st.tuples(st.text(max_size=20), st.none() | st.binary(max_size=40)), max_size=4))
def test_any_headers(headers: list[tuple[str, bytes | None]]) -> None:
    value = b'{"run_id":"r","seq":1,"tool":"t"}'
    try:
        assert opened(value, headers) == value
    except BadRecord as bad:
        a_reason(bad, Reason.CLOUD_EVENT)


@given(anything)
@slow_is_fine
def test_whatever_a_publisher_sends_can_be_read(value: object) -> None:
    event = decode_event(encode(Step(run_id="r", seq=1, tool="t", args=value, result=clean(value))))
    assert isinstance(event, Step)
    assert clean(event.args) == event.result


@given(record)
@slow_is_fine
def test_what_the_wire_accepts_survives_the_way_out_and_in(value: dict[str, Any]) -> None:
    try:
        event = decode_event(json.dumps(value).encode("utf-8", "surrogatepass"))
    except BadRecord:
        return
    assert decode_event(encode(event)) == event
