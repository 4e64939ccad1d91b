"""The Faust table's storage: raw changelog values by partition and key, kept by `applied`.

Faust's own memory store keys by key alone, keeps keys of partitions that have gone, and lets the last record win.
Recovery swallows exceptions of a store (and with them the record), so nothing here raises on a bad value: it is
counted in `unreadable` and looked at when the partition is opened.
"""

from collections.abc import Callable, Iterable
from typing import Any

from faust.stores import memory
from faust.types import TP

from streams.record import RecordError, supersedes


class StateStore(memory.Store):  # type: ignore[misc]
    """Values by (partition, key). Every operation O(1) but the purge of a partition."""

    def __post_init__(self) -> None:
        self.data: dict[int, dict[bytes, bytes]] = {}
        self._key_partition: dict[bytes, int] = {}
        self.superseded = 0
        self.unreadable = 0
        self.on_recovered: Callable[[set[int]], None] | None = None
        """Called with the active partition numbers when their states are complete, before reading goes on."""

    def partition(self, number: int) -> dict[bytes, bytes]:
        """The partition's values, progress record aside."""
        return self.data.setdefault(number, {})

    def apply_changelog_batch(
        self, batch: Iterable[Any], to_key: Callable[[Any], Any], to_value: Callable[[Any], Any]
    ) -> None:
        """The changelog's records are in the store, except those that an older owner wrote too late."""
        for event in batch:
            message = event.message
            self.apply(message.partition, message.key, message.value)

    def apply(self, number: int, key: bytes | None, value: bytes | None) -> None:
        """One changelog record is in the store, unless it knows less than what is there."""
        values = self.partition(number)
        if key is None:
            self.unreadable += 1
            return
        if value is None:
            values.pop(key, None)
            return
        held = values.get(key)
        if held is not None:
            try:
                if not supersedes(value, held):
                    self.superseded += 1
                    return
            except RecordError:
                self.unreadable += 1
        values[key] = value

    async def on_rebalance(
        self, assigned: set[TP], revoked: set[TP], newly_assigned: set[TP], generation_id: int = 0
    ) -> None:
        """Partitions that come or go start empty: they are read again from the beginning."""
        topic = self.table.changelog_topic_name
        for tp in revoked | newly_assigned:
            if tp.topic == topic:
                self.data.pop(tp.partition, None)

    async def on_recovery_completed(self, active_tps: set[TP], standby_tps: set[TP]) -> None:
        """Only active partitions are kept, and they are complete."""
        active = {tp.partition for tp in active_tps}
        for number in [n for n in self.data if n not in active]:
            del self.data[number]
        if self.on_recovered is not None:
            self.on_recovered(active)
