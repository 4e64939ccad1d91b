"""What should be true of each run, as the control topic says it: the latest command per run."""

from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from detectors.events import Command
from streams.codec import BadRecord, decode_command

Read = Literal["applied", "superseded", "tombstone", "malformed"]


class Desired(NamedTuple):
    """The latest command of one run. `value` is the record's value, decoded again when somebody asks."""

    attempt: int
    version: int
    halted: bool
    value: bytes


class DesiredStates:
    """One small record per run that is on the control topic (its latest command, one or two kB).

    Written by one thread, read by any. A run disappears with its tombstone, which the worker writes some
    time after the run has ended, so the size follows the number of runs that were warned or halted lately.
    """

    def __init__(self) -> None:
        self._runs: dict[str, Desired] = {}
        self._reads: Counter[Read] = Counter()

    def apply(self, key: bytes | None, value: bytes | None) -> Command | None:
        """The command, if this record tells something new; O(1).

        Commands of a run are ordered by (attempt, version); what is not above the run's latest changes
        nothing. A halt is absorbing within its attempt: only a release lifts it. A record that cannot be
        read is counted and skipped.
        """
        try:
            run_id = key.decode() if key else ""
        except UnicodeDecodeError:
            run_id = ""
        if not run_id:
            self._reads["malformed"] += 1
            return None
        if value is None:
            self._reads["tombstone"] += 1
            self._runs.pop(run_id, None)
            return None
        try:
            command = decode_command(value)
        except BadRecord:
            self._reads["malformed"] += 1
            return None
        if command.run_id != run_id:
            self._reads["malformed"] += 1
            return None
        known = self._runs.get(run_id)
        if known is not None and (command.attempt, command.version) <= (known.attempt, known.version):
            self._reads["superseded"] += 1
            return None
        still = known is not None and known.attempt == command.attempt and known.halted
        halted = command.action == "halt" or (still and command.action != "release")
        self._runs[run_id] = Desired(command.attempt, command.version, halted, value)
        self._reads["applied"] += 1
        return command

    def is_halted(self, run_id: str, attempt: int | None) -> bool:
        """Whether this attempt must not go on: it was halted, or a higher attempt has taken its place.

        None asks for the highest attempt that the control topic knows.
        """
        known = self._runs.get(run_id)
        if known is None or (attempt is not None and attempt > known.attempt):
            return False
        return known.halted or (attempt is not None and attempt < known.attempt)

    def command(self, run_id: str) -> Command | None:
        """The run's latest command; None for a run that was never spoken of, or is over."""
        known = self._runs.get(run_id)
        return decode_command(known.value) if known is not None else None

    def commands(self) -> list[Command]:
        """The latest command of every run. O(runs)."""
        return [decode_command(known.value) for known in list(self._runs.values())]

    @property
    def reads(self) -> Mapping[Read, int]:
        """Records read so far, by what they were."""
        return {kind: self._reads[kind] for kind in ("applied", "superseded", "tombstone", "malformed")}

    def __len__(self) -> int:
        return len(self._runs)
