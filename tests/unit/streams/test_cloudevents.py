"""CloudEvents envelopes around records, opened before anything else looks at them."""

import json
from base64 import b64encode

import pytest

from streams.cloudevents import Headers, opened
from streams.codec import BadRecord, Reason, decode_ack, decode_steps

EVENT = {"run_id": "r", "seq": 1, "tool": "t"}
VALUE = json.dumps(EVENT).encode()
ENVELOPE = {"specversion": "1.0", "type": "step", "source": "/fleet", "id": "1"}
STRUCTURED: Headers = [("content-type", b"application/cloudevents+json; charset=utf-8")]
BINARY: Headers = [
    ("ce_specversion", b"1.0"),
    ("ce_type", b"step"),
    ("ce_source", b"/fleet"),
    ("ce_id", b"1"),
    ("content-type", b"application/json"),
]


def test_a_plain_record_is_left_alone() -> None:
    for headers in (None, (), [], {}, [("trace", b"x"), ("none", None)], [("content-type", b"text/plain")]):
        assert opened(VALUE, headers) is VALUE


def test_binary_mode_carries_the_event_as_it_is() -> None:
    assert opened(VALUE, BINARY) is VALUE
    assert opened(VALUE, dict(BINARY)) is VALUE  # Faust may hand headers over as a mapping
    assert opened(VALUE, [("ce_specversion", b"1.0")]) is VALUE


def test_structured_mode_is_unwrapped() -> None:
    for data in ({"data": EVENT}, {"data_base64": b64encode(VALUE).decode()}):
        value = json.dumps(ENVELOPE | data | {"datacontenttype": "application/vnd.step+json"}).encode()
        assert json.loads(opened(value, STRUCTURED)) == EVENT


def test_an_opened_event_is_decoded_like_any_other() -> None:
    value = json.dumps(ENVELOPE | {"data": EVENT}).encode()
    assert decode_steps(b"r", value, STRUCTURED) == decode_steps(b"r", VALUE)
    ack = {"command_id": "c", "run_id": "r", "status": "done"}
    value = json.dumps(ENVELOPE | {"data": ack}).encode()
    assert decode_ack(b"r", value, STRUCTURED) == decode_ack(b"r", json.dumps(ack).encode(), BINARY)


@pytest.mark.parametrize(
    ("value", "headers"),
    [
        (VALUE, STRUCTURED),
        (b"{", STRUCTURED),
        (b"[" * 100_000, STRUCTURED),
        (json.dumps(ENVELOPE | {"specversion": "0.3", "data": EVENT}).encode(), STRUCTURED),
        (json.dumps(ENVELOPE | {"data": EVENT, "datacontenttype": "text/xml"}).encode(), STRUCTURED),
        (json.dumps(ENVELOPE | {"data_base64": "*"}).encode(), STRUCTURED),
        (VALUE, [("content-type", b"application/cloudevents-batch+json")]),
        (VALUE, [("content-type", b"application/cloudevents+avro")]),
        (VALUE, [("ce_specversion", b"2.0")]),
        (VALUE, [("ce_specversion", b"1.0"), ("content-type", b"application/avro")]),
        (VALUE, [("ce_specversion", None)]),
        (VALUE, [("ce_specversion", b"\xff")]),
    ],
)
def test_an_envelope_that_cannot_be_opened_is_refused(value: bytes, headers: Headers) -> None:
    with pytest.raises(BadRecord) as caught:
        decode_steps(b"r", value, headers)
    assert caught.value.reason == Reason.CLOUD_EVENT


def test_an_envelope_around_nothing_is_empty() -> None:
    for data in ({}, {"data": None}, {"data_base64": ""}):
        with pytest.raises(BadRecord) as caught:
            decode_steps(b"r", json.dumps(ENVELOPE | data).encode(), STRUCTURED)
        assert caught.value.reason == Reason.EMPTY


def test_what_an_envelope_carries_is_checked_like_any_value() -> None:
    value = json.dumps(ENVELOPE | {"data_base64": b64encode(b'{"run_id":"\xff"}').decode()}).encode()
    with pytest.raises(BadRecord) as caught:
        decode_steps(b"r", value, STRUCTURED)
    assert caught.value.reason == Reason.INVALID_UTF8
