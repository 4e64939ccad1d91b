"""The state of a root run: the run and its sub-agents, one record on the changelog."""

import msgspec

from detectors.ladder import Ladder
from detectors.memory import Memory

VERSION = 1
MAX_BYTES = 64 * 1024
"""Hard bound of one encoded root, whatever comes in."""
MAX_RUNS = 32
"""Live runs of one root."""


class RunState(msgspec.Struct, array_like=True):
    """One run: its current attempt, or the small marker of its last one."""

    run_id: str
    attempt: int = 0
    rules: str = ""
    """Digest of the rule set that the attempt started with."""
    closed: bool = False
    version: int = 0
    """Version of the last command within the attempt."""
    next_seq: int = 0
    last_at: float | None = None
    memory: Memory = msgspec.field(default_factory=Memory)
    ladder: Ladder = msgspec.field(default_factory=Ladder)


class RootState(msgspec.Struct, array_like=True):
    """Everything that one key of the steps topic has."""

    root_id: str
    runs: dict[str, RunState] = {}
    format: int = VERSION


class StateError(ValueError):
    """Bytes that are no state of this version."""


_encoder = msgspec.msgpack.Encoder()
_decoder = msgspec.msgpack.Decoder(RootState)


def encode(root: RootState) -> bytes:
    """msgpack, at most `MAX_BYTES`."""
    return _encoder.encode(root)


def decode(data: bytes) -> RootState:
    """The state again. Raises `StateError`."""
    try:
        root = _decoder.decode(data)
    except msgspec.DecodeError as error:
        raise StateError(str(error)) from None
    if root.format != VERSION:
        raise StateError(f"state format {root.format}, this worker reads {VERSION}")
    return root
