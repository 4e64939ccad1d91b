"""A `RecordSender` on aiokafka: idempotent, acknowledged by all in-sync replicas, reconnecting."""

import asyncio
import contextlib
from collections.abc import Mapping, Sequence
from typing import Any

from stallwatch.clients.buffer import Waiting
from stallwatch.clients.transport import RejectedError, told

STOP_S = 2.0
MAX_REQUEST_BYTES = 2 * 1024 * 1024


class _Connection:
    """One producer, good until its first failure: after it its sequence numbers have a hole."""

    def __init__(self, producer: Any) -> None:
        self.producer = producer
        self.broken: asyncio.Future[None] = asyncio.get_running_loop().create_future()


class KafkaSender:
    """Sends with one idempotent producer at a time; a new one after any error that the producer gave up on.

    What was on its way then may be sent twice. That is harmless: steps are known by `seq`, acknowledgements
    and host events by their ids.
    """

    def __init__(self, options: Mapping[str, object]) -> None:
        """`options`: keyword arguments of aiokafka's clients."""
        self._options = dict(options)
        self._connection: _Connection | None = None
        self._connecting = asyncio.Lock()

    async def partitions(self, topic: str) -> int:
        """See `RecordSender`."""
        connection = await self._connected()
        try:
            return len(await self._unless_broken(connection, connection.producer.partitions_for(topic)))
        except Exception:
            await self._give_up(connection)
            raise

    async def send(self, topic: str, partition: int, records: Sequence[Waiting]) -> None:
        """See `RecordSender`."""
        from aiokafka import errors  # noqa: PLC0415 - importing stallwatch must stay light

        connection = await self._connected()
        producer = connection.producer
        batch = producer.create_batch()
        for record in records:
            batch.append(key=record.key, value=record.value, timestamp=None)
        batch.close()
        if batch.record_count() < len(records):
            raise RejectedError(f"{len(records)} records do not fit one request")
        try:
            future = await self._unless_broken(
                connection, producer.send_batch(batch, topic, partition=partition)
            )
            await self._unless_broken(connection, future)
        except (
            errors.MessageSizeTooLargeError,
            errors.RecordListTooLargeError,
            errors.InvalidMessageError,
            errors.InvalidTimestampError,
            errors.UnsupportedForMessageFormatError,
        ) as error:
            await self._give_up(connection)
            raise RejectedError(told(error)) from error
        except Exception:
            await self._give_up(connection)
            raise

    async def close(self) -> None:
        """See `RecordSender`. Takes at most a few seconds."""
        if self._connection is not None:
            await self._give_up(self._connection)

    async def _connected(self) -> _Connection:
        async with self._connecting:
            if self._connection is None:
                self._connection = _Connection(await self._start())
            return self._connection

    async def _start(self) -> Any:
        from aiokafka import AIOKafkaProducer  # noqa: PLC0415 - importing stallwatch must stay light

        producer = AIOKafkaProducer(
            **{
                "client_id": "stallwatch",
                "acks": "all",
                "enable_idempotence": True,
                "max_batch_size": MAX_REQUEST_BYTES,
                "max_request_size": MAX_REQUEST_BYTES,
                "metadata_max_age_ms": 60_000,
                "request_timeout_ms": 20_000,
                **self._options,
            }
        )
        try:
            await producer.start()
        except BaseException:
            await _stop(producer)
            raise
        return producer

    async def _unless_broken(self, connection: _Connection, work: Any) -> Any:
        """What `work` gives; an error as soon as another lane found the connection broken.

        A producer that is stopped leaves its batches' futures pending for ever.
        """
        task = asyncio.ensure_future(work)
        try:
            await asyncio.wait({task, connection.broken}, return_when=asyncio.FIRST_COMPLETED)
            if not task.done():
                raise ConnectionError("the connection was given up")
            return task.result()
        finally:
            task.cancel()

    async def _give_up(self, connection: _Connection) -> None:
        if connection.broken.done():
            return
        connection.broken.set_result(None)
        if self._connection is connection:
            self._connection = None
        await _stop(connection.producer)


async def _stop(producer: Any) -> None:
    """The producer is closed and what it holds given up: waiting for a broker that is away has no end."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(STOP_S):
            await producer.stop()
            return
    # It still waits for its batches. Without its sending task it has nothing to wait for.
    task = getattr(getattr(producer, "_sender", None), "sender_task", None)
    if task is not None:
        task.cancel()
    with contextlib.suppress(Exception):
        async with asyncio.timeout(STOP_S):
            await producer.client.close()
