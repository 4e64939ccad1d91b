"""What must come out: the steps topic read once, partition by partition, straight through the engine.

No batches, no crashes, no outbox: the reference that the worker's changelog, control, verdict and
dead-letter topics are compared with, byte for byte.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from topic_log import Record, latest

from detectors import rulefile, state
from detectors.engine import Engine
from detectors.events import Source
from detectors.rules import RuleBook
from detectors.state import RootState
from streams import codec
from streams.codec import BadRecord
from streams.record import PROGRESS_KEY, decode_state, supersedes


@dataclass
class Expected:
    """What one steps topic leads to."""

    roots: dict[bytes, bytes] = field(default_factory=dict)
    """Root key → encoded state."""
    applied: dict[bytes, int] = field(default_factory=dict)
    """Root key → offset of its last applied step."""
    commands: dict[str, bytes] = field(default_factory=dict)
    """Command id → value on the control topic."""
    verdicts: list[bytes] = field(default_factory=list)
    dead: list[tuple[Record, str]] = field(default_factory=list)
    """Records that cannot be read, and why."""
    statuses: dict[str, int] = field(default_factory=dict)
    """How many records were applied, duplicate, late …"""

    @property
    def halts(self) -> list[str]:
        """Ids of the halts."""
        return [i for i, value in self.commands.items() if codec.decode_command(value).action == "halt"]


def book(rules: str) -> RuleBook:
    """The rules of a profile's name or a file."""
    path = Path(rules)
    return rulefile.parse(path.read_text(), rules) if path.suffix else rulefile.profile(rules)


def straight_replay(topic: str, records: Iterable[Record], rules: str) -> Expected:
    """The reference. `records`: the whole topic, each partition in its order."""
    engine = Engine(book(rules))
    out = Expected()
    roots: dict[tuple[int, bytes], RootState] = {}
    for record in records:
        try:
            event = codec.decode_steps(record.key, record.value, record.headers)
        except BadRecord as bad:
            out.dead.append((record, str(bad.reason)))
            continue
        assert record.key is not None
        root = roots.setdefault((record.partition, record.key), RootState(record.key.decode()))
        source = Source(topic=topic, partition=record.partition, offset=record.offset)
        outcome = engine.apply(root, event, at=record.timestamp / 1000, source=source)
        out.applied[record.key] = record.offset
        out.statuses[outcome.status] = out.statuses.get(outcome.status, 0) + 1
        out.commands.update({c.command_id: codec.encode(c) for c in outcome.commands})
        out.verdicts += [codec.encode(v) for v in outcome.verdicts]
    out.roots = {key: state.encode(root) for (_, key), root in roots.items()}
    return out


def final_states(
    changelog: Iterable[Record], *, recovered: bool = False
) -> tuple[dict[bytes, bytes], dict[bytes, int]]:
    """(root key → encoded state, root key → offset of its last applied step), as the changelog has them.

    The last record of a key counts, as it does after compaction; with `recovered`, the one that recovery
    keeps.
    """
    roots, applied = {}, {}
    for key, value in (_kept(changelog) if recovered else latest(changelog)).items():
        if key == PROGRESS_KEY or value is None:
            continue
        offsets, body = decode_state(value)
        roots[key], applied[key] = body.root, offsets[0]
    return roots, applied


def _kept(changelog: Iterable[Record]) -> dict[bytes, bytes | None]:
    kept: dict[bytes, bytes | None] = {}
    for record in changelog:
        assert record.key is not None
        before = kept.get(record.key)
        if before is None or record.value is None or supersedes(record.value, before):
            kept[record.key] = record.value
    return kept


def sent_commands(control: Iterable[Record]) -> dict[str, bytes]:
    """Command id → value. Fails if one id stands there with two different values."""
    found: dict[str, bytes] = {}
    for record in control:
        if record.value is None:
            continue
        command = codec.decode_command(record.value)
        assert record.key == command.run_id.encode()
        assert found.setdefault(command.command_id, record.value) == record.value, (
            f"{command.command_id} of {command.run_id} has two values"
        )
    return found
