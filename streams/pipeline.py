"""Batches and ticks through the commit protocol, partition by partition; the life of partitions around it."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol

from streams.batches import Batch
from streams.breaker import Breaker
from streams.census import Census
from streams.continuity import Position, check
from streams.judging import Judge
from streams.outbox import Writer, hand_over, settle
from streams.partition import Partition
from streams.work import Work

IN_FLIGHT = 8
"""Works that wait for acknowledgements while the next is judged."""


class Consumer(Protocol):
    """What the pipeline asks of the batch consumer."""

    def is_current(self, batch: Batch) -> bool:
        """The batch may be judged."""
        ...

    def mark(self, batch: Batch) -> bool:
        """The batch may be committed."""
        ...


class Observer(Protocol):
    """Told what happened, for metrics, logs and health. Nothing here may fail or wait."""

    def judged(self, work: Work, seconds: float) -> None:
        """A batch or tick was judged."""
        ...

    def settled(self, work: Work) -> None:
        """The work is durable and out."""
        ...

    def stale(self, batch: Batch) -> None:
        """A batch was dropped, to be read again."""
        ...

    def opened(self, partition: Partition, resent: int) -> None:
        """A partition is complete."""
        ...

    def ready(self, partitions: frozenset[int]) -> None:
        """Reading goes on."""
        ...

    def retention_loss(self, topic: str, partition: int, records: int) -> None:
        """Records were deleted unread."""
        ...


class Pipeline:
    """Owns the partitions of this worker. One event loop, no threads."""

    def __init__(
        self,
        *,
        judge: Judge,
        writer: Writer,
        consumer: Consumer,
        values: Callable[[int], dict[bytes, bytes]],
        topics: Mapping[str, int],
        log_starts: Callable[[Sequence[tuple[str, int]]], Awaitable[Mapping[tuple[str, int], int]]],
        highwater: Callable[[str, int], int | None],
        before_open: Callable[[], Awaitable[None]],
        census: Census,
        breaker: Breaker,
        observer: Observer,
        fatal: Callable[[str], None],
        clock: Callable[[], float],
        drain_s: float,
    ) -> None:
        self._judge, self._writer, self._consumer = judge, writer, consumer
        self._values, self.topics, self._log_starts = values, topics, log_starts
        self._highwater, self._before_open = highwater, before_open
        self._census, self._breaker, self._observer = census, breaker, observer
        self._fatal, self._clock = fatal, clock
        self._drain_s = drain_s
        self._slots = asyncio.Semaphore(IN_FLIGHT)
        self._paused = False
        self.partitions: dict[int, Partition] = {}
        self.in_flight = 0
        """Works handed over and not yet settled."""
        self.busy = 0
        """Batches that are being judged or wait for a slot."""
        self._unopened: set[int] = set()

    async def handle(self, batch: Batch) -> None:
        """The batch is judged and on its way through the protocol; waits only if too much is in flight."""
        partition = self.partitions.get(batch.tp.partition)
        if partition is None or not self._consumer.is_current(batch):
            self._observer.stale(batch)
            return
        self.busy += 1
        async with partition.lock:
            if self._consumer.is_current(batch):
                await self._check_hole(partition, batch)
                started = self._clock()
                work = self._judge.batch(partition, batch)
                self._observer.judged(work, self._clock() - started)
                await self._go(work, partition)
            else:
                self._observer.stale(batch)
        self.busy -= 1

    async def _check_hole(self, partition: Partition, batch: Batch) -> None:
        """Records were not left out before this batch; those that the broker deleted first are counted."""
        topic, number = batch.tp.topic, batch.tp.partition
        index = self.topics[topic]
        first = batch.records[0].offset
        if (
            first > partition.judged[index]
        ):  # transaction markers take offsets too, so a gap alone says nothing
            starts = await self._log_starts([(topic, number)])
            lost = min(first, starts[topic, number]) - partition.judged[index]
            if lost > 0:
                self._observer.retention_loss(topic, number, lost)
                partition.judged[index] += lost
                return
        if batch.first > partition.judged[index]:
            self._fatal(
                f"{topic}[{number}]: a batch begins at {batch.first}, but records were judged only up to "
                f"{partition.judged[index]}: ending rather than committing over the gap. A restart reads again from "
                f"the group's offset; if it ends here once more, set that offset back to {partition.judged[index]}"
            )

    async def tick(self) -> None:
        """What the time alone leads to, in every partition."""
        for partition in list(self.partitions.values()):
            if self._paused or partition.number in self._unopened:
                continue
            async with partition.lock:
                if self.partitions.get(partition.number) is not partition:  # it went while we waited
                    continue
                now = self._time_of(partition)
                if now is None:
                    continue
                if partition.held and not self._breaker.open(now, self._census.runs):
                    await self._maybe_go(self._judge.unhold(partition), partition)
                await self._maybe_go(self._judge.tick(partition, now), partition)

    def _time_of(self, partition: Partition) -> float | None:
        """The time by which the partition's deadlines are judged; None if it cannot be told yet.

        The clock, once every record is judged. Until then the arrival time of the last judged record: after a
        downtime the clock would call runs silent and questions unanswered whose records just wait to be read.
        """
        now = self._clock()
        for topic, index in self.topics.items():
            end = self._highwater(topic, partition.number)
            if end is None:
                return None
            if partition.judged[index] < end:
                arrived = partition.stream_time[index]
                if arrived is None:
                    return None
                now = min(now, arrived)
        return now

    async def _maybe_go(self, work: Work | None, partition: Partition) -> None:
        if work is not None:
            self._observer.judged(work, 0.0)
            await self._go(work, partition)

    async def _go(self, work: Work, partition: Partition) -> None:
        """Hands the states over in the order of the judging; the rest of the protocol runs beside the next batch."""
        await self._slots.acquire()
        self.in_flight += 1
        states = await hand_over(work, self._writer)
        task = asyncio.ensure_future(
            settle(work, partition, states, partition.tail, self._writer, self._mark)
        )
        partition.tail = task
        task.add_done_callback(self._settled)

    def _settled(self, task: "asyncio.Task[None]") -> None:
        self._slots.release()
        self.in_flight -= 1
        if not task.cancelled() and (error := task.exception()) is not None:
            self._fatal(f"a batch could not be made durable: {type(error).__name__}: {error}")

    def _mark(self, work: Work) -> None:
        if work.batch is not None:
            self._consumer.mark(work.batch)
        self._observer.settled(work)

    def recovered(self, active: set[int]) -> None:
        """The states of these partitions are complete; all others are gone."""
        self.revoked()
        self.partitions = {n: Partition(n, self._values(n)) for n in sorted(active)}
        self._unopened = set(active)
        for partition in self.partitions.values():
            partition.open()
        if not active:  # a spare worker: no seek will follow
            self._observer.ready(frozenset())

    def revoked(self) -> None:
        """No partition is ours: nothing is judged or written, by batch or by time, until states are complete again."""
        for number in list(self.partitions):
            self._census.drop(number)
        self.partitions = {}
        self._unopened = set()

    async def sought(self, positions: Mapping[tuple[str, int], int | None]) -> None:
        """Reading goes on at these committed positions.

        They are checked against the durable progress, and, after a recovery, what may not have been sent is sent
        again before anything new.
        """
        if not self.partitions:  # after a fetch that a rebalance overtook: the recovery under way seeks again
            return
        await self._check_start({at: c for at, c in positions.items() if at[1] in self._unopened})
        for (topic, number), committed in positions.items():
            partition = self.partitions.get(number)
            if partition is not None and committed is not None:
                index = self.topics[topic]
                partition.settled[index] = max(partition.settled[index], committed)
        await self._open()
        self._paused = False
        self._observer.ready(frozenset(self.partitions))

    async def _check_start(self, positions: Mapping[tuple[str, int], int | None]) -> None:
        """No record lies between the recovered states and where reading begins."""
        # Only where the commit is not behind the states does it matter what the broker still has: one request for
        # all, since each may wait behind a fetch.
        doubtful = sorted(
            (topic, number)
            for (topic, number), committed in positions.items()
            if committed is None or committed > self.partitions[number].judged[self.topics[topic]]
        )
        if not doubtful:
            return
        starts = await self._log_starts(doubtful)
        for topic, number in doubtful:
            partition, index = self.partitions[number], self.topics[topic]
            durable = partition.judged[index]
            verdict = check(Position(topic, number, positions[topic, number], durable, starts[topic, number]))
            if verdict.hole is not None:
                self._fatal(verdict.hole)
            if verdict.lost:
                self._observer.retention_loss(topic, number, verdict.lost)
            partition.judged[index] = max(durable, verdict.reads_from)

    async def _open(self) -> None:
        if not self._unopened:
            return
        await self._before_open()
        for number in sorted(self._unopened):
            partition = self.partitions[number]
            async with partition.lock:
                work = self._judge.reopen(partition)
                self._observer.opened(partition, len(work.entries))
                await self._go(work, partition)
        self._unopened.clear()

    async def drain(self) -> None:
        """Everything judged is durable, out and marked; nothing is judged by time until the next seek.

        Ends the process if that takes longer than the group would wait for us: what is not durable must not be
        taken for applied when the partition comes back.
        """
        self._paused = True
        try:
            await asyncio.wait_for(self._drained(), self._drain_s)
        except TimeoutError:
            self._fatal(f"states were not acknowledged within {self._drain_s:g} s of a rebalance or shutdown")

    async def _drained(self) -> None:
        for partition in list(self.partitions.values()):
            async with partition.lock:
                tail = partition.tail
            if tail is not None:
                await asyncio.shield(tail)

    def lag(self) -> dict[tuple[str, int], int]:
        """Records of each input partition that are not judged yet. O(partitions)."""
        behind: dict[tuple[str, int], int] = {}
        for topic, index in self.topics.items():
            for number, partition in self.partitions.items():
                end = self._highwater(topic, number)
                if end is not None:
                    behind[topic, number] = max(0, end - partition.judged[index])
        return behind
