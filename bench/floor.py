"""The floor that the worker is held up to: bare aiokafka with the same detector, changelog and outputs.

It reads, judges, writes one state per touched run and chunk, sends commands and verdicts, and commits by a
timer, one chunk ahead of the acknowledgements. It has no recovery, no outbox, no dead letters, no timers
and no metrics: what those cost is the worker's distance to it.
"""

import asyncio
import signal
import sys
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any

import msgspec
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer, TopicPartition

from detectors import state
from detectors.engine import Engine
from detectors.events import Source
from detectors.rulefile import profile
from detectors.state import RootState
from streams import codec
from streams.record import encode_state

COMMIT_EVERY_S = 1.0


class Plan(msgspec.Struct):
    """Where the floor works; given as JSON on the command line."""

    bootstrap: str
    group: str
    steps: str
    control: str
    verdicts: str
    changelog: str
    rules: str = "default"
    max_poll_records: int = 2000


@dataclass
class Root:
    """A root in memory."""

    state: RootState
    applied: int = -1


class Floor:
    """One process that does the worker's work without its guarantees."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.engine = Engine(profile(plan.rules))
        self.roots: dict[bytes, Root] = {}
        self.stopping = asyncio.Event()

    async def run(self) -> None:
        """Works until it is told to stop."""
        plan = self.plan
        consumer = AIOKafkaConsumer(
            plan.steps,
            bootstrap_servers=plan.bootstrap,
            group_id=plan.group,
            enable_auto_commit=False,
            auto_offset_reset="earliest",
            max_poll_records=plan.max_poll_records,
        )
        states, effects = (
            AIOKafkaProducer(
                bootstrap_servers=plan.bootstrap,
                acks="all",
                enable_idempotence=True,
                max_batch_size=900_000,
                max_request_size=1_100_000,
            )
            for _ in range(2)
        )
        for client in (states, effects, consumer):
            await client.start()
        waiting: list[Awaitable[Any]] = []
        read: dict[TopicPartition, int] = {}
        done: dict[TopicPartition, int] = {}
        last_commit = time.monotonic()
        while not self.stopping.is_set():
            sent: list[Awaitable[Any]] = []
            now: dict[TopicPartition, int] = {}
            for tp, records in (await consumer.getmany(timeout_ms=200)).items():
                sent += await self.chunk(tp, records, states, effects)
                now[tp] = records[-1].offset + 1
            await asyncio.gather(*waiting)  # the chunk before; this one is in flight meanwhile
            done.update(read)
            waiting, read = sent, now
            if done and time.monotonic() - last_commit > COMMIT_EVERY_S:
                await consumer.commit(done)
                done, last_commit = {}, time.monotonic()
        for client in (consumer, effects, states):
            await client.stop()

    async def chunk(
        self, tp: TopicPartition, records: list[Any], states: AIOKafkaProducer, effects: AIOKafkaProducer
    ) -> list[Awaitable[Any]]:
        """Judged and handed over; what it returns is done when the broker has acknowledged all of it."""
        touched: dict[bytes, Root] = {}
        out: list[tuple[str, bytes, bytes]] = []
        for record in records:
            key = record.key
            event = codec.decode_steps(key, record.value, record.headers)
            root = self.roots.get(key)
            if root is None:
                root = self.roots[key] = Root(RootState(key.decode()))
            source = Source(topic=tp.topic, partition=tp.partition, offset=record.offset)
            outcome = self.engine.apply(root.state, event, at=record.timestamp / 1000, source=source)
            root.applied = record.offset
            touched[key] = root
            out += [(self.plan.control, c.run_id.encode(), codec.encode(c)) for c in outcome.commands]
            out += [(self.plan.verdicts, key, codec.encode(v)) for v in outcome.verdicts]
        sent: list[Awaitable[Any]] = []
        batch = states.create_batch()
        for key, root in touched.items():
            value = encode_state([root.applied, -1, -1], [], state.encode(root.state))
            if batch.append(key=key, value=value, timestamp=None) is None:
                batch.close()
                sent.append(await states.send_batch(batch, self.plan.changelog, partition=tp.partition))
                batch = states.create_batch()
                batch.append(key=key, value=value, timestamp=None)
        batch.close()
        sent.append(await states.send_batch(batch, self.plan.changelog, partition=tp.partition))
        for topic, key, value in out:
            sent.append(await effects.send(topic, key=key, value=value))
        return sent


async def _main(plan: Plan) -> None:
    floor = Floor(plan)
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, floor.stopping.set)
    await floor.run()


if __name__ == "__main__":
    asyncio.run(_main(msgspec.json.decode(sys.argv[1], type=Plan)))
