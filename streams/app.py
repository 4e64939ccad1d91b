"""The Faust application: one agent over the three inputs, one table whose changelog is the state."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import faust
from faust.types import TP
from yarl import URL

from streams.batches import Batch, BatchConsumer, BatchTransport, Hooks
from streams.settings import Settings
from streams.store import StateStore

TABLE = "runs"
"""The changelog is named after it: `<group_id>-runs-changelog`."""
BATCHES_BUFFERED = 8
"""Fetched chunks of a partition that wait for the agent. They are whole batches, so few suffice."""
PRODUCER_BUFFER = 5000
MAX_POLL_RECORDS = 2000


class StateTable(faust.Table):  # type: ignore[misc]
    """A Faust table whose storage keeps raw values by partition."""

    def _new_store(self) -> StateStore:
        return StateStore(URL("memory://"), self.app, self)


class App:
    """The Faust app and the three things the pipeline needs of it."""

    def __init__(
        self, settings: Settings, input_topics: tuple[str, ...], partitions: int, datadir: str
    ) -> None:
        self.faust = faust.App(
            settings.group_id,
            **settings.faust_options(),
            broker_client_id="stallwatch",
            store="memory://",
            datadir=datadir,
            autodiscover=False,
            processing_guarantee="at_least_once",
            topic_partitions=partitions,
            table_standby_replicas=0,  # the memory store drops standbys at every recovery
            consumer_auto_offset_reset="earliest",
            broker_max_poll_records=MAX_POLL_RECORDS,
            broker_rebalance_timeout=settings.session_timeout_s,
            producer_acks=-1,
            stream_wait_empty=True,
            stream_buffer_maxsize=BATCHES_BUFFERED,
            stream_recovery_delay=0.0,
            worker_redirect_stdouts=False,
        )
        app = self.faust
        self._transport = app.transport = BatchTransport(app.conf.broker_consumer, app)
        self._inputs = frozenset(input_topics)
        raw = {"key_type": bytes, "value_type": bytes, "key_serializer": "raw", "value_serializer": "raw"}
        self.topic = app.topic(*input_topics, partitions=partitions, **raw)
        self.table = StateTable(
            app,
            name=TABLE,
            partitions=partitions,
            key_type=bytes,
            value_type=bytes,
            schema=faust.Schema(**raw),
        )
        app.tables.add(self.table)

    def wire(
        self,
        handle: Callable[[Batch], Awaitable[None]],
        drain: Callable[[], Awaitable[None]],
        on_revoked: Callable[[], None],
        on_seek: Callable[[Mapping[tuple[str, int], int | None]], Awaitable[None]],
        on_assigned: Callable[[], None],
        on_recovered: Callable[[set[int]], None],
        on_shutdown: Callable[[], Awaitable[None]],
    ) -> None:
        """Batches go to `handle` one after the other, and the life of partitions is told to the others.

        `handle` must not raise: an exception would let Faust ack the batch and restart on the next one.
        """
        self._transport.hooks = Hooks(self._inputs, drain, on_revoked, on_seek)
        self.store.on_recovered = on_recovered

        async def assigned(*_: Any, **__: Any) -> None:
            on_assigned()

        async def shutdown(*_: Any, **__: Any) -> None:
            await on_shutdown()

        self._receivers = (assigned, shutdown)  # Faust's signals hold weak references
        self.faust.on_partitions_assigned.connect(assigned)
        self.faust.on_before_shutdown.connect(shutdown)

        async def judge(stream: Any) -> None:
            async for event in stream.events():
                await handle(event.value)

        self.faust.agent(self.topic, name="judge", concurrency=1)(judge)

    @property
    def consumer(self) -> BatchConsumer:
        """The batch consumer; it exists once the app has started."""
        consumer = self.faust.consumer
        assert isinstance(consumer, BatchConsumer), "Faust built another consumer than the batch transport's"
        return consumer

    def is_current(self, batch: Batch) -> bool:
        """Whether the batch may be judged (`BatchConsumer.is_current`)."""
        return self.consumer.is_current(batch)

    def mark(self, batch: Batch) -> bool:
        """The batch may be committed (`BatchConsumer.mark`)."""
        return self.consumer.mark(batch)

    @property
    def store(self) -> StateStore:
        """The table's storage."""
        store = self.table.data
        assert isinstance(store, StateStore)
        return store

    def highwater(self, topic: str, partition: int) -> int | None:
        """End of an input partition as the last fetch told it; None if unknown."""
        tp = TP(topic, partition)
        if tp not in self.consumer.assignment():
            return None
        mark: int | None = self.consumer.highwater(tp)
        return mark

    def committed(self) -> dict[tuple[str, int], int]:
        """Committed offsets of the inputs, as far as this worker knows them."""
        return self.consumer.committed()

    def uncommitted(self) -> bool:
        """Whether something is marked and not yet committed."""
        return self.consumer.uncommitted()

    async def log_starts(self, partitions: Sequence[tuple[str, int]]) -> dict[tuple[str, int], int]:
        """Oldest offsets that the broker still has. One request; it may wait behind a fetch (1.5 s)."""
        offsets = await self.consumer.earliest_offsets(*(TP(topic, number) for topic, number in partitions))
        return {(tp.topic, tp.partition): int(offset) for tp, offset in offsets.items()}
