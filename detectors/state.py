"""The state of a root run as bytes: one record on the changelog."""

import msgspec

from detectors.outcome import Outcome
from detectors.runs import MAX_BYTES, MAX_RUNS, Life, RootState, RunState
from detectors.shedding import shed

__all__ = ["MAX_BYTES", "MAX_RUNS", "Life", "RootState", "RunState", "StateError", "decode", "encode"]

VERSION = 2
"""Of the record's layout."""


class StateError(ValueError):
    """Bytes that are no state of this version."""


class _Record(msgspec.Struct, array_like=True):
    format: int
    root_id: str
    events: int
    refused: int
    shed: int
    runs: list[RunState]


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(_Record)
_version = msgspec.msgpack.Decoder(list[msgspec.Raw])


def encode(root: RootState) -> bytes:
    """msgpack, at most `MAX_BYTES`. O(size).

    The engine keeps a family within the bound after every event; should a lone run exceed it, its state gives up
    here what it takes.
    """
    data = _encoder.encode(_record(root))
    if len(data) > MAX_BYTES:
        shed(root, Outcome())
        data = _encoder.encode(_record(root))
    return data


def _record(root: RootState) -> _Record:
    return _Record(VERSION, root.root_id, root.events, root.refused, root.shed, list(root.runs.values()))


def decode(data: bytes) -> RootState:
    """The state again. Raises `StateError` for other bytes and other versions. O(size)."""
    try:
        record = _decoder.decode(data)
    except msgspec.DecodeError as error:
        _refuse_other_version(data)
        raise StateError(f"not a run's state: {error}") from None
    if record.format != VERSION:
        raise StateError(_other(record.format))
    return RootState(
        record.root_id, {r.run_id: r for r in record.runs}, record.events, record.refused, record.shed
    )


def _refuse_other_version(data: bytes) -> None:
    """A state of another version rarely decodes: name the version rather than the field that differs."""
    try:
        found = msgspec.msgpack.decode(_version.decode(data)[0], type=int)
    except (msgspec.DecodeError, IndexError):
        return
    if found != VERSION:
        raise StateError(_other(found)) from None


def _other(found: int) -> str:
    return f"state format {found}, this worker reads {VERSION}: start a worker of the release that wrote it"
