"""From the buffer to the broker: in order within a partition, again until it is through."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from stallwatch.clients.buffer import Buffer, Waiting
from stallwatch.clients.transport import RecordSender, RejectedError, told
from streams.codec import partition_for

log = logging.getLogger(__name__)

BATCH_RECORDS = 500
BATCH_BYTES = 512 * 1024
"""Half of what a broker takes as one batch by default; a single record may be larger."""
FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0


class Delivery:
    """Drains a buffer to one topic, from one event loop.

    Each partition has a lane with one batch on its way at a time: what comes meanwhile is the next batch, a
    batch that failed is sent again before anything behind it, and a partition without a leader holds up no
    other.
    """

    def __init__(
        self, buffer: Buffer, sender: RecordSender, topic: str, *, on_rejected: Callable[[int], None]
    ) -> None:
        self._buffer = buffer
        self._sender = sender
        self._topic = topic
        self._on_rejected = on_rejected
        self._wake = asyncio.Event()
        self._progress = asyncio.Event()
        self._queues: dict[int, deque[Waiting]] = {}
        self._lanes: dict[int, asyncio.Task[None]] = {}
        self._troubled = False
        self.delivered = 0
        """Records that the broker acknowledged."""

    def wake(self) -> None:
        """There is something in the buffer. To be called in the loop's thread."""
        self._wake.set()

    async def run(self) -> None:
        """Delivers until cancelled."""
        try:
            await self._partitions()  # connects before the first record is there
            while True:
                await self._wake.wait()
                self._wake.clear()
                partitions = await self._partitions()
                for record in self._buffer.take():
                    self._enqueue(partition_for(record.key, partitions), record)
        finally:
            for lane in self._lanes.values():
                lane.cancel()
            await asyncio.gather(*self._lanes.values(), return_exceptions=True)
            await self._sender.close()

    async def drained(self, end: int) -> None:
        """Every record with a number below `end` is settled."""
        while not self._buffer.settled_before(end):
            self._progress.clear()
            await self._progress.wait()

    def _enqueue(self, partition: int, record: Waiting) -> None:
        self._queues.setdefault(partition, deque()).append(record)
        if partition not in self._lanes:
            self._lanes[partition] = asyncio.create_task(self._lane(partition))

    async def _lane(self, partition: int) -> None:
        """The partition's queue is empty, and this lane is gone with it."""
        queue = self._queues[partition]
        pause_s, most = FIRST_PAUSE_S, BATCH_RECORDS
        while queue:
            batch = _head(queue, most)
            try:
                await self._sender.send(self._topic, partition, batch)
            except RejectedError as error:
                if len(batch) > 1:
                    most = len(batch) // 2  # to find the one that it is about
                    continue
                log.warning("the broker refused a record of %d bytes: %s", batch[0].size_bytes, error)
                self._on_rejected(1)
            except Exception as error:  # noqa: BLE001 - whatever went wrong, the record is sent again
                self._trouble(error)
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)
                continue
            else:
                self.delivered += len(batch)
                self._recovered()
            for _ in batch:
                queue.popleft()
            self._buffer.settle(batch)
            self._progress.set()
            pause_s, most = FIRST_PAUSE_S, BATCH_RECORDS
        del self._lanes[partition], self._queues[partition]

    async def _partitions(self) -> int:
        pause_s = FIRST_PAUSE_S
        while True:
            try:
                return await self._sender.partitions(self._topic)
            except Exception as error:  # noqa: BLE001 - whatever went wrong, it is tried again
                self._trouble(error)
                await asyncio.sleep(pause_s)
                pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def _trouble(self, error: Exception) -> None:
        if not self._troubled:
            self._troubled = True
            log.warning("topic %s cannot be reached, records wait: %s", self._topic, told(error))

    def _recovered(self) -> None:
        if self._troubled:
            self._troubled = False
            log.warning("topic %s is reached again", self._topic)


def _head(queue: deque[Waiting], most: int) -> list[Waiting]:
    batch: list[Waiting] = []
    size = 0
    for record in queue:
        size += record.size_bytes
        if batch and (len(batch) >= most or size > BATCH_BYTES):
            break
        batch.append(record)
    return batch
