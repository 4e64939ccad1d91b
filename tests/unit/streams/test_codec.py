"""The wire: what is read, what is refused and for which reason, and what goes out."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from detectors.events import (
    Ack,
    Answer,
    Command,
    Evidence,
    HaltOrder,
    Limits,
    Milestone,
    Release,
    RunStarted,
    Score,
    Step,
    Verdict,
)
from streams.codec import (
    MAX_VALUE_BYTES,
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
    partition_for,
    run_key,
)
from streams.plain import MAX_DEPTH

BASE = {"run_id": "r", "seq": 1, "tool": "t"}


def step(**more: Any) -> bytes:
    return json.dumps(BASE | more).encode()


def with_raw(field: str, raw: str | bytes) -> bytes:
    """A valid step with one field whose JSON text is given as it is."""
    raw = raw.encode() if isinstance(raw, str) else raw
    return b'{"run_id":"r","seq":1,"tool":"t","' + field.encode() + b'":' + raw + b"}"


def refusal(decode: Callable[..., object], *args: Any) -> BadRecord:
    with pytest.raises(BadRecord) as caught:
        decode(*args)
    return caught.value


def test_a_step_may_leave_out_its_kind() -> None:
    assert decode_steps(b"r", step()) == Step(run_id="r", seq=1, tool="t")
    assert decode_steps(b"r", step(kind="step")) == Step(run_id="r", seq=1, tool="t")


@pytest.mark.parametrize(
    ("record", "event"),
    [
        (
            {"kind": "run_started", "run_id": "r", "seq": 0, "limits": {"rounds": 5}},
            RunStarted(run_id="r", seq=0, limits=Limits(rounds=5)),
        ),
        (
            {"kind": "milestone", "run_id": "r", "event_id": "e", "at_seq": 3, "id": "green"},
            Milestone(run_id="r", event_id="e", at_seq=3, id="green"),
        ),
        (
            {"kind": "score", "run_id": "r", "event_id": "e", "value": None},
            Score(run_id="r", event_id="e"),
        ),
    ],
)
def test_each_kind_is_its_own_struct(record: dict[str, Any], event: object) -> None:
    assert decode_steps(b"r", json.dumps(record).encode()) == event


def test_unknown_fields_are_ignored() -> None:
    assert decode_steps(b"r", step(later="version", and_={"deep": [1]})) == decode_steps(b"r", step())


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (None, Reason.EMPTY),
        (b"", Reason.EMPTY),
        (b" \n", Reason.EMPTY),
        (b" null ", Reason.EMPTY),
        (b"{", Reason.INVALID_JSON),
        (b"\xef\xbb\xbf{}", Reason.INVALID_JSON),
        (b'{"run_id":"r"} x', Reason.INVALID_JSON),
        (b"[]", Reason.WRONG_TYPE),
        (b'"text"', Reason.WRONG_TYPE),
        (b'{"seq":1,"tool":"t"}', Reason.MISSING_FIELD),
        (b'{"run_id":"r","seq":1}', Reason.MISSING_FIELD),
        (with_raw("args", b'"\xff"'), Reason.INVALID_UTF8),
        (with_raw("unknown", b'"\xff"'), Reason.INVALID_UTF8),
        (with_raw("args", "NaN"), Reason.NOT_FINITE),
        (with_raw("args", "-Infinity"), Reason.NOT_FINITE),
        (with_raw("score", "Infinity"), Reason.NOT_FINITE),
        (with_raw("args", "1e999"), Reason.OUT_OF_RANGE),
        (with_raw("score", "1e101"), Reason.OUT_OF_RANGE),
        (with_raw("args", r'"\ud800"'), Reason.LONE_SURROGATE),
        (with_raw("args", r'{"a\udc00": 1}'), Reason.LONE_SURROGATE),
        (with_raw("args", "[" * 100_000), Reason.TOO_DEEP),
        (with_raw("args", "[" * 100_000 + "]" * 100_000), Reason.TOO_DEEP),
        (with_raw("unknown", '{"a":' * 100_000 + "1" + "}" * 100_000), Reason.TOO_DEEP),
        (with_raw("args", "[" * (MAX_DEPTH + 1) + "]" * (MAX_DEPTH + 1)), Reason.TOO_DEEP),
        (with_raw("result", '{"a":' * (MAX_DEPTH + 1) + "1" + "}" * (MAX_DEPTH + 1)), Reason.TOO_DEEP),
        (with_raw("result", '"' + "x" * MAX_VALUE_BYTES + '"'), Reason.TOO_LARGE),
        (step(kind="stepp"), Reason.UNKNOWN_KIND),
        (step(kind="halt"), Reason.UNKNOWN_KIND),
        (step(kind=None), Reason.WRONG_TYPE),
        (step(kind=7), Reason.WRONG_TYPE),
        (step(schema=2), Reason.UNKNOWN_SCHEMA),
        (step(schema="1"), Reason.WRONG_TYPE),
        (step(seq=-1), Reason.OUT_OF_RANGE),
        (step(seq=2**53 + 1), Reason.OUT_OF_RANGE),
        (step(seq=1.0), Reason.WRONG_TYPE),
        (step(seq="1"), Reason.WRONG_TYPE),
        (step(seq=True), Reason.WRONG_TYPE),
        (step(run_id=""), Reason.OUT_OF_RANGE),
        (step(run_id="x" * 513), Reason.OUT_OF_RANGE),
        (step(tool=None), Reason.WRONG_TYPE),
        (step(error={"a": 1}), Reason.WRONG_TYPE),
        (step(exit_code=10**30), Reason.OUT_OF_RANGE),
        (step(turn=-(10**30)), Reason.OUT_OF_RANGE),
        (with_raw("exit_code", "9" * 5000), Reason.OUT_OF_RANGE),
        (step(tokens=-1), Reason.OUT_OF_RANGE),
        (step(cost_usd=-0.5), Reason.OUT_OF_RANGE),
        (step(features={"size": 10**20}), Reason.OUT_OF_RANGE),
        (step(kind="run_started", limits={"rounds": 10**20}), Reason.OUT_OF_RANGE),
        (step(kind="run_ended", outcome="gave_up"), Reason.OUT_OF_RANGE),
    ],
)
def test_what_cannot_be_used_is_refused_with_its_reason(value: bytes | None, reason: Reason) -> None:
    assert refusal(decode_steps, b"r", value).reason == reason


def test_nesting_at_the_bound_is_read() -> None:
    args = decode_event(with_raw("args", "[" * MAX_DEPTH + "]" * MAX_DEPTH))
    assert isinstance(args, Step)


def test_a_refusal_names_the_path_and_no_payload() -> None:
    bad = refusal(decode_event, json.dumps(BASE | {"kind": "run_ended", "outcome": "secret"}).encode())
    assert "$.outcome" in bad.detail
    assert "secret" not in str(bad)


@pytest.mark.parametrize(
    ("ts", "seconds"),
    [
        (0, 0.0),
        (1764521042.125, 1764521042.125),
        ("2025-11-30T16:44:02.125Z", 1764521042.125),
        ("2025-11-30T17:44:02.125+01:00", 1764521042.125),
        ("2025-11-30t16:44:02z", 1764521042.0),
    ],
)
def test_times_become_seconds(ts: object, seconds: float) -> None:
    event = decode_event(step(ts=ts))
    assert isinstance(event, Step)
    assert event.ts == seconds
    assert isinstance(event.ts, float)


@pytest.mark.parametrize(
    "ts", ["", "yesterday", "2025-11-30", "2025-11-30T16:44:02", "20251130T164402Z", -1, 1764521042125, 1e12]
)
def test_what_is_no_time_is_refused(ts: object) -> None:
    assert refusal(decode_event, step(ts=ts)).reason == Reason.BAD_TIME


def test_milliseconds_get_a_hint() -> None:
    assert "milliseconds?" in refusal(decode_event, step(ts=1764521042125)).detail


@pytest.mark.parametrize("key", [None, b""])
def test_a_record_without_a_key_is_refused(key: bytes | None) -> None:
    assert refusal(decode_steps, key, step()).reason == Reason.MISSING_KEY


@pytest.mark.parametrize("key", [b"other", b"R", b"r ", b"\xff"])
def test_a_key_of_another_run_is_refused(key: bytes) -> None:
    assert refusal(decode_steps, key, step(root_run_id="top")).reason == Reason.WRONG_KEY


def test_a_key_may_be_the_root_or_the_run() -> None:
    value = step(root_run_id="top")
    assert decode_steps(b"top", value) == decode_steps(b"r", value)


def test_keys_of_the_workers_own_records_are_refused() -> None:
    value = json.dumps(BASE | {"run_id": "\0progress"}).encode()
    assert refusal(decode_steps, b"\0progress", value).reason == Reason.WRONG_KEY


def test_operator_words() -> None:
    release = decode_operator(b"r", b'{"kind":"release","run_id":"r","at":"2025-11-30T16:44:02Z"}')
    assert release == Release(run_id="r", at=1764521042.0)
    assert decode_operator(b"r", b'{"kind":"answer","run_id":"r","go":false}') == Answer(run_id="r", go=False)
    assert decode_operator(b"r", b'{"kind":"halt","run_id":"r"}') == HaltOrder(run_id="r")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        (b'{"run_id":"r"}', Reason.MISSING_FIELD),
        (b'{"kind":"step","run_id":"r","seq":1,"tool":"t"}', Reason.UNKNOWN_KIND),
        (b'{"kind":"answer","run_id":"r"}', Reason.MISSING_FIELD),
        (b'{"kind":"release","run_id":"r","schema":2}', Reason.UNKNOWN_SCHEMA),
        (b'{"kind":"release","run_id":"r","at":"soon"}', Reason.BAD_TIME),
        (b'{"kind":"release","run_id":"other"}', Reason.WRONG_KEY),
    ],
)
def test_operator_words_are_refused_with_a_reason(value: bytes, reason: Reason) -> None:
    assert refusal(decode_operator, b"r", value).reason == reason


def test_acknowledgements() -> None:
    ack = decode_ack(b"r", b'{"command_id":"c","run_id":"r","status":"done","at":5}')
    assert ack == Ack(command_id="c", run_id="r", status="done", at=5.0)
    bad = b'{"command_id":"c","run_id":"r","status":"maybe"}'
    assert refusal(decode_ack, b"r", bad).reason == Reason.OUT_OF_RANGE
    assert refusal(decode_ack, None, encode(ack)).reason == Reason.MISSING_KEY


def test_commands_and_verdicts_come_back_as_they_were() -> None:
    command = Command(
        command_id="c", run_id="r", action="halt", version=2, evidence=Evidence(scores=[None, 1.5])
    )
    assert decode_command(encode(command)) == command
    verdict = Verdict(episode_id="e", run_id="r", event="opened", reason="no_news", shares={"no_news": 1.0})
    assert decode_verdict(encode(verdict)) == verdict


def test_what_json_lacks_is_replaced_on_the_way_out() -> None:
    value = encode(
        Step(run_id="r\ud800", seq=1, tool="t", args={"a": float("nan"), "b": [float("inf"), "\udc00"]})
    )
    sent = decode_event(value)
    assert isinstance(sent, Step)
    assert sent.run_id == "r\ufffd"
    assert sent.args == {"a": None, "b": [None, "\ufffd"]}


def test_a_mapping_is_read_as_the_wire_is() -> None:
    mapping = BASE | {"ts": "2025-11-30T16:44:02Z", "args": {"a": [1, None]}, "unknown": 1}
    assert event_from_mapping(mapping) == decode_event(json.dumps(mapping).encode())


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"args": float("nan")}, Reason.NOT_FINITE),
        ({"args": ["\ud800"]}, Reason.LONE_SURROGATE),
        ({"args": {1: 2}}, Reason.WRONG_TYPE),
        ({"args": object()}, Reason.WRONG_TYPE),
        ({"args": b"bytes"}, Reason.WRONG_TYPE),
        ({"kind": "no"}, Reason.UNKNOWN_KIND),
        ({"kind": ["step"]}, Reason.UNKNOWN_KIND),
        ({"schema": 3}, Reason.UNKNOWN_SCHEMA),
        ({"schema": True}, Reason.WRONG_TYPE),
        ({"seq": -1}, Reason.OUT_OF_RANGE),
        ({"seq": 10**400}, Reason.OUT_OF_RANGE),
        ({"ts": 10**400}, Reason.OUT_OF_RANGE),
        ({"tool": 5}, Reason.WRONG_TYPE),
    ],
)
def test_a_mapping_is_refused_as_the_wire_is(more: dict[str, Any], reason: Reason) -> None:
    assert refusal(event_from_mapping, BASE | more).reason == reason


def test_a_mapping_that_holds_itself_is_too_deep() -> None:
    knot: list[Any] = []
    knot += [knot, knot]
    assert refusal(event_from_mapping, BASE | {"args": knot}).reason == Reason.TOO_DEEP


def test_keys_are_the_root_else_the_run() -> None:
    assert run_key(Step(run_id="rün", seq=0, tool="t")) == "rün".encode()
    assert run_key(Step(run_id="r", root_run_id="top", seq=0, tool="t")) == b"top"


# Hashes of Kafka's Java client (org.apache.kafka.common.utils.Utils.murmur2 and its own test's values).
JAVA = {
    b"21": -973932308,
    b"foobar": -790332482,
    b"a-little-bit-long-string": -985981536,
    b"a-little-bit-longer-string": -1486304829,
    b"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
    b"abc": 479470107,
}


@pytest.mark.parametrize(("key", "hashed"), JAVA.items())
@pytest.mark.parametrize("partitions", [1, 4, 12, 1000003])
def test_partitions_are_those_of_the_java_client(key: bytes, hashed: int, partitions: int) -> None:
    assert partition_for(key, partitions) == (hashed & 0x7FFFFFFF) % partitions
