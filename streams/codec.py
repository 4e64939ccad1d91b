"""Bytes into events and back: the one place where the wire format is decided.

Whatever bytes come in, a decode function returns an event or raises `BadRecord`; nothing else escapes.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from typing import Annotated, Any, TypeVar

import msgspec

from detectors.events import (
    Ack,
    Answer,
    Command,
    Compaction,
    HaltOrder,
    Milestone,
    OperatorEvent,
    Release,
    RunEnded,
    RunEvent,
    RunStarted,
    Score,
    Step,
    UserInput,
    Verdict,
)
from streams.badrecord import BadRecord, Reason
from streams.cloudevents import Headers, opened
from streams.decode_errors import bad_record
from streams.number_bounds import check_numbers
from streams.plain import check_depth, check_plain, clean

__all__ = [
    "MAX_VALUE_BYTES",
    "BadRecord",
    "Reason",
    "clean",
    "decode_ack",
    "decode_command",
    "decode_event",
    "decode_operator",
    "decode_steps",
    "decode_verdict",
    "encode",
    "event_from_mapping",
    "partition_for",
    "run_key",
]

MAX_VALUE_BYTES = 1024 * 1024
"""Largest value that is read, uncompressed; the input topics' `max.message.bytes`."""
MAX_TIME_S = 1e11
"""Times are seconds since the epoch, 0 … 10¹¹ (the year 5138); more is milliseconds by mistake."""

_RUN_KINDS: dict[str, type] = {
    "step": Step,
    "run_started": RunStarted,
    "run_ended": RunEnded,
    "compaction": Compaction,
    "user_input": UserInput,
    "milestone": Milestone,
    "score": Score,
}
_OPERATOR_KINDS: dict[str, type] = {"release": Release, "answer": Answer, "halt": HaltOrder}

T = TypeVar("T")
_Moment = Annotated[datetime, msgspec.Meta(tz=True)]


class _Peek(msgspec.Struct):
    kind: str = "step"
    schema: int = 1


class _PeekOperator(msgspec.Struct):
    kind: str
    schema: int = 1


_peek = msgspec.json.Decoder(_Peek)
_peek_operator = msgspec.json.Decoder(_PeekOperator)
_run_decoders: dict[str, msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(struct) for kind, struct in _RUN_KINDS.items()
}
_operator_decoders: dict[str, msgspec.json.Decoder[Any]] = {
    kind: msgspec.json.Decoder(struct) for kind, struct in _OPERATOR_KINDS.items()
}
_step = msgspec.json.Decoder(Step)
_ack = msgspec.json.Decoder(Ack)
_command = msgspec.json.Decoder(Command)
_verdict = msgspec.json.Decoder(Verdict)
_encoder = msgspec.json.Encoder()


def decode_steps(key: bytes | None, value: bytes | None, headers: Headers = None) -> RunEvent:
    """One record of the steps topic as its event, `ts` in seconds. O(len(value)). Raises `BadRecord`."""
    event = _run_event(_opened(value, headers))
    _check_key(key, event.run_id, event.root_run_id)
    return event


def decode_event(value: bytes | None) -> RunEvent:
    """A run event without its record, as replay reads it from a line. Raises `BadRecord`."""
    return _run_event(_present(value))


def _run_event(data: bytes) -> RunEvent:
    try:
        # Nearly every record is a step, so that is tried first; what it refuses is looked at properly.
        step = _step.decode(data)
    except (msgspec.DecodeError, RecursionError, OverflowError, ValueError):
        return _any_run_event(data)
    return _finished(step)


def _any_run_event(data: bytes) -> RunEvent:
    peek = _decode(_peek, data)
    decoder = _run_decoders.get(peek.kind)
    if decoder is None:
        raise _unknown_kind(_RUN_KINDS)
    _check_schema(peek.schema)
    return _finished(_decode(decoder, data))


def decode_operator(key: bytes | None, value: bytes | None, headers: Headers = None) -> OperatorEvent:
    """One record of the operator topic as a person's word, `at` in seconds. Raises `BadRecord`."""
    data = _opened(value, headers)
    peek = _decode(_peek_operator, data)
    decoder = _operator_decoders.get(peek.kind)
    if decoder is None:
        raise _unknown_kind(_OPERATOR_KINDS)
    _check_schema(peek.schema)
    event: OperatorEvent = _decode(decoder, data)
    event.at = _seconds(event.at, "at")
    _check_key(key, event.run_id, event.root_run_id)
    return event


def decode_ack(key: bytes | None, value: bytes | None, headers: Headers = None) -> Ack:
    """One record of the acks topic, `at` in seconds. Raises `BadRecord`."""
    data = _opened(value, headers)
    _check_schema(_decode(_peek, data).schema)
    ack = _decode(_ack, data)
    ack.at = _seconds(ack.at, "at")
    _check_key(key, ack.run_id, ack.root_run_id)
    return ack


def decode_command(value: bytes | None) -> Command:
    """One record of the control topic; a tombstone is the caller's to look for. Raises `BadRecord`."""
    data = _present(value)
    _check_schema(_decode(_peek, data).schema)
    return _decode(_command, data)


def decode_verdict(value: bytes | None) -> Verdict:
    """One record of the verdicts topic. Raises `BadRecord`."""
    data = _present(value)
    _check_schema(_decode(_peek, data).schema)
    return _decode(_verdict, data)


def event_from_mapping(mapping: Mapping[str, Any]) -> RunEvent:
    """A run event from a mapping in wire form, under the same checks as on the wire. Raises `BadRecord`."""
    check_plain(mapping)
    kind = mapping.get("kind", "step")
    struct = _RUN_KINDS.get(kind) if isinstance(kind, str) else None
    if struct is None:
        raise _unknown_kind(_RUN_KINDS)
    schema = mapping.get("schema", 1)
    if type(schema) is not int:
        raise BadRecord(Reason.WRONG_TYPE, "Expected `int` - at `$.schema`")
    _check_schema(schema)
    try:
        event: RunEvent = msgspec.convert(dict(mapping), struct)
    except (msgspec.ValidationError, RecursionError, OverflowError) as error:
        raise bad_record(error, b"") from None
    return _finished(event)


def encode(record: msgspec.Struct | Mapping[str, Any]) -> bytes:
    """The record as JSON that every reader accepts: NaN and infinities as null, lone surrogates as U+FFFD.

    Total over what the wire's structs can hold, `clean` for the rest. O(size).
    """
    try:
        return _encoder.encode(record)
    except (UnicodeEncodeError, TypeError, RecursionError, OverflowError, ValueError):
        return _encoder.encode(clean(record))


def run_key(event: RunEvent | OperatorEvent | Ack | Command) -> bytes:
    """The Kafka key of a run's records on every topic but control: its root, or itself."""
    return (event.root_run_id or event.run_id).encode("utf-8", "replace")


@lru_cache(maxsize=16384)
def partition_for(key: bytes, partitions: int) -> int:
    """The partition that Kafka's Java client gives `key` (murmur2). About 9 µs, then remembered."""
    from aiokafka.partitioner import murmur2  # noqa: PLC0415 - the wire types must not import aiokafka

    return int(murmur2(key) & 0x7FFFFFFF) % partitions


def _present(value: bytes | None) -> bytes:
    if not value or value.isspace() or (len(value) < 64 and value.strip() == b"null"):
        raise BadRecord(Reason.EMPTY, "the record has no value")
    if len(value) > MAX_VALUE_BYTES:
        raise BadRecord(Reason.TOO_LARGE, f"{len(value)} bytes; at most {MAX_VALUE_BYTES} are read")
    if not value.isascii():
        try:
            value.decode()
        except UnicodeDecodeError as error:
            raise BadRecord(Reason.INVALID_UTF8, f"not UTF-8 at byte {error.start}") from None
    return value


def _opened(value: bytes | None, headers: Headers) -> bytes:
    data = _present(value)
    return _present(opened(data, headers)) if headers else data


def _decode(decoder: msgspec.json.Decoder[T], data: bytes) -> T:
    try:
        return decoder.decode(data)
    except (msgspec.DecodeError, RecursionError, OverflowError, ValueError) as error:
        raise bad_record(error, data) from None


def _finished(event: RunEvent) -> RunEvent:
    """The checks that types cannot say: times, nesting, numbers that JSON readers keep exact."""
    if event.ts is not None:
        event.ts = _seconds(event.ts, "ts")
    if type(event) is Step:
        check_depth((event.args, event.result))
    check_numbers(event)
    return event


def _seconds(moment: float | str | None, field: str) -> float | None:
    if moment is None:
        return None
    if isinstance(moment, str):
        try:
            # An offset is required: local time is no time.
            seconds = msgspec.convert(moment, _Moment).timestamp()
        except (msgspec.ValidationError, OverflowError, ValueError):
            raise BadRecord(
                Reason.BAD_TIME, f"neither seconds nor RFC 3339 with an offset - at `$.{field}`"
            ) from None
    else:
        seconds = float(moment)
    if not 0 <= seconds <= MAX_TIME_S:
        hint = " (milliseconds?)" if seconds > MAX_TIME_S else ""
        raise BadRecord(Reason.BAD_TIME, f"seconds since the epoch, 0 to 1e11{hint} - at `$.{field}`")
    return seconds


def _check_key(key: bytes | None, run_id: str, root_run_id: str | None) -> None:
    if not key:
        raise BadRecord(Reason.MISSING_KEY, "the record's key must be the run's root_run_id, else its run_id")
    if key.startswith(b"\0"):  # such keys of the changelog are the worker's own
        raise BadRecord(Reason.WRONG_KEY, "the record's key begins with a NUL character")
    if key != run_id.encode() and (root_run_id is None or key != root_run_id.encode()):
        raise BadRecord(
            Reason.WRONG_KEY, "the record's key is neither the event's root_run_id nor its run_id"
        )


def _check_schema(schema: int) -> None:
    if schema != 1:
        raise BadRecord(Reason.UNKNOWN_SCHEMA, "`schema` is not 1, the only one that this version reads")


def _unknown_kind(known: Mapping[str, type]) -> BadRecord:
    return BadRecord(Reason.UNKNOWN_KIND, f"`kind` is none of {', '.join(known)}")
