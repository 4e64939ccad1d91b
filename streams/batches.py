"""Batch delivery for Faust: one event per fetched chunk and partition, committed only by an explicit watermark.

Stock consumption moves one record at a time and commits what its acks say: slow, and able to pass a record that was
never finished or to skip some after a rebalance. Here an event's value is a `Batch` of raw records of one topic
partition, Faust's acks move nothing, and the chain of batches is checked: each must begin where the one before ended.

This module alone touches private parts of Faust (`tests/unit/streams/test_faust_pins.py` names each of them).
"""

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from typing import Any

from faust.transport.drivers.aiokafka import AIOKafkaConsumerThread
from faust.transport.drivers.aiokafka import Consumer as FaustConsumer
from faust.transport.drivers.aiokafka import Transport as FaustTransport
from faust.types import TP


class Batch:
    """Raw records of one topic partition, in offset order.

    `first` is the position at which the fetch began (the `next` of the batch before, not the first record's offset:
    transaction markers and retention leave holes in offsets); `next` is where the following batch must begin.
    """

    __slots__ = ("epoch", "first", "next", "records", "tp")

    def __init__(self, tp: TP, first: int, following: int, epoch: int, records: list[Any]) -> None:
        self.tp, self.first, self.next = tp, first, following
        self.epoch, self.records = epoch, records


class OutOfOrderError(RuntimeError):
    """A batch was lost or finished out of order: the process must stop without committing."""


class Hooks:
    """What the consumer tells the pipeline; set on the transport before the app starts."""

    def __init__(
        self,
        batch_topics: frozenset[str],
        drain: Callable[[], Awaitable[None]],
        on_revoked: Callable[[], None],
        on_seek: Callable[[Mapping[TP, int | None]], Awaitable[None]],
    ) -> None:
        self.batch_topics = batch_topics
        self.drain = drain
        """Waits until what was judged is durable and marked; called before partitions go and before the last commit."""
        self.on_revoked = on_revoked
        """The partitions are no longer ours; all of them, the protocol is eager."""
        self.on_seek = on_seek
        """Told the committed positions from which reading goes on after every seek."""


FETCH_WAIT_MS = 250
"""Longest that a broker holds a fetch open. Faust fixes 1.5 s, which every other request on the connection waits for
(log starts at an assignment), and which is the latency itself on the embedded broker: it never answers early."""


LAST_COMMITS = 5
"""Tries of the commit before partitions go. What it leaves out is read again and skipped."""


class ShortFetches(AIOKafkaConsumerThread):  # type: ignore[misc]
    """Faust's consumer thread, with fetches that end sooner."""

    def _create_worker_consumer(self, transport: FaustTransport) -> Any:
        consumer = super()._create_worker_consumer(transport)
        consumer._fetch_max_wait_ms = FETCH_WAIT_MS  # noqa: SLF001 - read when it starts; pinned
        return consumer


class BatchConsumer(FaustConsumer):  # type: ignore[misc]
    """Faust's consumer, delivering batches for the batch topics and everything else record by record."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._hooks: Hooks = self.transport.hooks
        self._epoch = 0  # batches of an older epoch are not judged: they will be read again
        self._mark_from = 0  # batches of an older epoch may no longer move the watermark
        self._delivered: dict[TP, int] = {}  # position after the last delivered batch
        self._marked: dict[TP, int] = {}  # position after the last durable batch

    def _new_consumer_thread(self) -> ShortFetches:
        return ShortFetches(self, loop=self.loop, beacon=self.beacon)

    def _begin_epoch(self) -> None:
        self._epoch += 1
        self._delivered.clear()

    def _forget_marks(self) -> None:
        self._mark_from = self._epoch
        self._marked.clear()

    async def seek_to_committed(self) -> Mapping[TP, int]:
        """Every partition is at its committed offset, or at its beginning.

        aiokafka leaves a partition that nothing was committed for where it is: behind the records that were
        fetched before this seek and are dropped as stale.
        """
        committed: Mapping[TP, int] = await super().seek_to_committed()
        fresh = [
            tp for tp, at in committed.items() if tp.topic in self._hooks.batch_topics and not (at and at > 0)
        ]
        if fresh:
            await self._thread.seek_to_beginning(*fresh)
        return committed

    async def perform_seek(self) -> None:
        """Reading goes on at the committed offsets; what was delivered before is stale."""
        self._begin_epoch()
        self._forget_marks()
        try:
            await super().perform_seek()
        finally:
            self._begin_epoch()  # what was delivered while the seek was under way is stale as well
            self._forget_marks()
        positions = {
            tp: self._committed_offset.get(tp)
            for tp in self.assignment()
            if tp.topic in self._hooks.batch_topics
        }
        self._delivered.update({tp: offset for tp, offset in positions.items() if offset is not None})
        await self._hooks.on_seek(positions)

    async def on_partitions_revoked(self, revoked: set[TP]) -> None:
        """Judged batches are durable and committed, nothing more is judged, before the partitions go."""
        self._begin_epoch()
        await super().on_partitions_revoked(revoked)  # suspends the flow, then waits for `wait_empty`
        self._forget_marks()
        self._hooks.on_revoked()

    async def wait_empty(self) -> None:
        """Everything judged is durable and committed, and nothing more is judged before the next seek."""
        self._begin_epoch()  # what the agent still has at hand would be durable after the last commit
        await self._hooks.drain()
        await super().wait_empty()
        for _ in range(LAST_COMMITS):  # Faust takes a timer's commit that was under way for the last one
            if not self.uncommitted():
                break
            await self.commit()

    async def getmany(self, timeout: float) -> AsyncIterator[tuple[TP, Any]]:  # noqa: ASYNC109 - Faust's signature
        """Fetched chunks as batches. A fetch that a seek or a rebalance overtook is dropped and read again."""
        epoch = self._epoch  # taken before the fetch
        records, active = await self._wait_next_records(timeout)
        if not records or self.should_stop:
            return
        generation = self.app.consumer_generation_id

        def interrupted() -> bool:
            return not self.flow_active or self.app.consumer_generation_id != generation

        def stale() -> bool:
            return self._epoch != epoch or interrupted()

        for tp, chunk in records.items():
            if active is not None and tp not in active and tp not in self._buffered_partitions:
                continue
            if interrupted():
                break
            self.app.monitor.track_tp_end_offset(tp, self.highwater(tp))
            if tp.topic not in self._hooks.batch_topics:
                # No epoch here: a fetch that began before a revocation may bring what the recovery after it has
                # sought. The recovery would wait for ever for what was dropped.
                for record in chunk:
                    if interrupted():
                        break
                    yield tp, self._to_message(tp, record)
                continue
            if stale():
                continue
            last = chunk[-1]
            first = self._delivered.get(tp, chunk[0].offset)
            batch = Batch(tp, first, last.offset + 1, epoch, chunk)
            message = self._to_message(tp, last)
            message.key, message.value = None, batch
            self._delivered[tp] = batch.next
            self._read_offset[tp] = None  # Faust must neither drop the batch nor see a gap before it
            yield tp, message
        dropped = stale() and any(tp.topic in self._hooks.batch_topics for tp in records)
        if dropped and not interrupted():
            # The fetch position is ahead of records that were dropped just now: go back to what is committed. Where
            # the flow was stopped, a seek follows when it goes on; one now would forget what the last commit before a
            # revocation or the end is to move.
            try:
                await self.perform_seek()
            except Exception as error:  # noqa: BLE001 - the rebalance under way seeks again when it completes
                self.log.warning("seek after a stale fetch failed, the rebalance will seek again: %r", error)

    def is_current(self, batch: Batch) -> bool:
        """False after a seek or rebalance: the batch must not be judged, it will be read again."""
        return batch.epoch == self._epoch

    def mark(self, batch: Batch) -> bool:
        """The batch's offsets may be committed; False if a seek came between (it will be read again).

        Raises `OutOfOrderError` if the batch does not begin where the last durable one ended.
        """
        if batch.epoch < self._mark_from:
            return False
        done = self._marked.get(batch.tp)
        if done is not None and done != batch.first:
            raise OutOfOrderError(
                f"{batch.tp.topic}[{batch.tp.partition}]: durable up to {done}, batch starts at {batch.first}"
            )
        self._marked[batch.tp] = batch.next
        self._acked[batch.tp]  # a defaultdict: the commit loop looks at this partition from now on
        return True

    def committed(self) -> dict[tuple[str, int], int]:
        """Committed offsets of the batch topics. O(partitions)."""
        return {
            (tp.topic, tp.partition): offset
            for tp, offset in self._committed_offset.items()
            if offset is not None and tp.topic in self._hooks.batch_topics
        }

    def uncommitted(self) -> bool:
        """Whether a marked position has not been committed yet. O(partitions)."""
        return any((self._committed_offset.get(tp) or 0) < marked for tp, marked in self._marked.items())

    def _new_offset(self, tp: TP) -> int | None:
        if tp.topic not in self._hooks.batch_topics:
            offset: int | None = super()._new_offset(tp)
            return offset
        self._acked[tp].clear()
        self._acked_index[tp].clear()
        return self._marked.get(tp)


class BatchTransport(FaustTransport):  # type: ignore[misc]
    """Faust's aiokafka transport with the batch consumer."""

    Consumer = BatchConsumer
    hooks: Hooks
