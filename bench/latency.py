"""From a step's publication to the halt it caused standing on the control topic, at a steady rate of events.

A fleet of runs steps in turn; some go round in circles. An orchestrator in the same process acknowledges
what the worker commands, so that the ladder goes on, and replaces a halted run by a new one. Each command
names the record that caused it, so the delay of a halt is: seen by a consumer of the control topic, minus
given to the producer.
"""

import asyncio
import math
import time
from collections.abc import Iterator
from itertools import count

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from bench.load import Run
from bench.throughput import partitions
from detectors.events import Ack
from streams import codec


class Delays(msgspec.Struct):
    """Delays in milliseconds."""

    rate: float
    """Events per second that were really published."""
    seconds: float
    halts: int
    p50_ms: float
    p99_ms: float
    max_ms: float
    commands: int
    commands_p99_ms: float
    """Of every command: notices, replans, questions and halts."""


class Fleet:
    """Publishes at a rate, acknowledges commands, and notes when each halt came."""

    def __init__(self, *, runs: int, stuck: int, rate: float, seed: int) -> None:
        self._rate = rate
        self._numbers = count()
        self._seed = seed
        self._members = [self._new(stuck=i < stuck) for i in range(runs)]
        self._given: dict[tuple[int, int], float] = {}
        self._seen: list[tuple[tuple[int, int], float, str]] = []
        self.published = 0

    def _new(self, *, stuck: bool) -> Run:
        number = next(self._numbers)
        # Not all at once: each begins to go round in circles after its own while.
        return Run(
            f"live-{self._seed}-{number}", self._seed + number, stuck_from=5 + number % 20 if stuck else None
        )

    async def publish(self, producer: AIOKafkaProducer, topic: str, seconds: float) -> None:
        """The fleet has stepped for that long, at the rate."""
        begin = time.perf_counter()
        turns = self._turns()
        # Sent in small groups: one timer a millisecond is as fine as an event loop keeps.
        while (passed := time.perf_counter() - begin) < seconds:
            for _ in range(int(passed * self._rate) - self.published):
                run = next(turns)
                given = time.perf_counter()
                sent = await producer.send(topic, key=run.key, value=run.next())
                sent.add_done_callback(lambda done, given=given: self._note(done, given))
                self.published += 1
            await asyncio.sleep(0.001)
        await producer.flush()

    def _turns(self) -> Iterator[Run]:
        while True:
            for place in range(len(self._members)):
                yield self._members[place]

    def _note(self, sent: "asyncio.Future[object]", given: float) -> None:
        metadata = sent.result()
        self._given[metadata.partition, metadata.offset] = given  # type: ignore[attr-defined]

    async def obey(self, consumer: AIOKafkaConsumer, producer: AIOKafkaProducer, acks: str) -> None:
        """Every command is acknowledged; a halted run's place is taken by a new one."""
        async for record in consumer:
            seen = time.perf_counter()
            if record.value is None:
                continue
            command = codec.decode_command(record.value)
            if not command.run_id.startswith(f"live-{self._seed}-"):
                continue
            if (source := command.source) and source.partition is not None and source.offset is not None:
                self._seen.append(((source.partition, source.offset), seen, command.action))
            ack = Ack(command_id=command.command_id, run_id=command.run_id, status="done", by="bench")
            await producer.send(acks, key=command.run_id.encode(), value=codec.encode(ack))
            if command.action == "halt":
                self._replace(command.run_id)

    def delays_ms(self, *actions: str) -> list[float]:
        """Of the commands with one of these actions whose step was published since `forget`."""
        # Matched afterwards: a command may be seen before this process has handled its step's
        # acknowledgement.
        return [
            (seen - given) * 1000
            for cause, seen, action in self._seen
            if (not actions or action in actions) and (given := self._given.get(cause)) is not None
        ]

    def forget(self) -> None:
        """What was published and seen so far does not count."""
        self._given.clear()
        self._seen.clear()
        self.published = 0

    def _replace(self, run_id: str) -> None:
        for place, member in enumerate(self._members):
            if member.run_id == run_id:
                self._members[place] = self._new(stuck=True)


async def measure(
    bootstrap: str, steps: str, control: str, acks: str, *, fleet: Fleet, warm_up_s: float, seconds: float
) -> Delays:
    """The delays of one fleet against a worker that is ready. Raises `RuntimeError` without a halt."""
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all", enable_idempotence=True, linger_ms=0)
    consumer = AIOKafkaConsumer(bootstrap_servers=bootstrap, enable_auto_commit=False, fetch_max_wait_ms=100)
    await producer.start()
    await consumer.start()
    sources = await partitions(bootstrap, control)
    consumer.assign(sources)
    await consumer.seek_to_end(*sources)
    obeying = asyncio.create_task(fleet.obey(consumer, producer, acks))
    try:
        await fleet.publish(producer, steps, warm_up_s)
        fleet.forget()
        begin = time.perf_counter()
        await fleet.publish(producer, steps, seconds)
        passed = time.perf_counter() - begin
        await asyncio.sleep(2.0)  # the last commands are still on their way
        if obeying.done():
            obeying.result()
        halts, commands = fleet.delays_ms("halt"), fleet.delays_ms()
        if not halts:
            raise RuntimeError(f"no halt in {seconds} s, {len(commands)} commands")
        return Delays(
            rate=fleet.published / passed,
            seconds=passed,
            halts=len(halts),
            p50_ms=quantile(halts, 0.5),
            p99_ms=quantile(halts, 0.99),
            max_ms=max(halts),
            commands=len(commands),
            commands_p99_ms=quantile(commands, 0.99),
        )
    finally:
        obeying.cancel()
        await consumer.stop()
        await producer.stop()


def quantile(values: list[float], q: float) -> float:
    """The value that a share `q` of them does not exceed (nearest rank)."""
    return sorted(values)[max(0, math.ceil(q * len(values)) - 1)]
