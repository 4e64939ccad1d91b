"""The commit protocol: a decision is durable before its effect, an effect before the offset that caused it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Protocol

from streams.partition import Partition
from streams.record import Entry
from streams.work import DeadLetter, Work


class Writer(Protocol):
    """The port to Kafka. Everything is handed over in order and tried again until the broker has acknowledged it."""

    async def send_dead(self, dead: Sequence[DeadLetter]) -> None:
        """The dead letters are acknowledged."""
        ...

    async def write_states(
        self, partition: int, states: Sequence[tuple[bytes, bytes | None]]
    ) -> Awaitable[None]:
        """Changelog records of one partition are on their way, in order; the result is done when acknowledged."""
        ...

    async def send_effects(self, entries: Sequence[Entry]) -> None:
        """Commands, verdicts and tombstones are acknowledged."""
        ...


async def hand_over(work: Work, writer: Writer) -> Awaitable[None] | None:
    """Step 0 is done and step 1 of `settle` is under way: call it in the order of the judging."""
    if work.dead:  # 0
        await writer.send_dead(work.dead)
    if work.states:
        return await writer.write_states(work.partition, work.states)
    return None


async def settle(
    work: Work,
    partition: Partition,
    states: Awaitable[None] | None,
    previous: "asyncio.Task[None] | None",
    writer: Writer,
    mark: Callable[[Work], None],
) -> None:
    """The work is durable, its effects are out, and its offsets may be committed.

    In this order, and only so:

    0. Dead letters are acknowledged (`hand_over`): they depend on the record alone, so they may come twice.
    1. The states it touched, with the commands just decided in their outboxes, and the progress that covers its
       records are acknowledged by the changelog (handed over before this call, so that the next batch is judged
       meanwhile), and so is all earlier work of the partition.
    2. Commands, verdicts and tombstones are acknowledged, byte for byte as the states hold them.
    3. The watermark moves over the work; a timer commits it later.

    A crash before 1 judges the records again from the old state. Between 1 and 2 the restart finds the effects in
    the outboxes and sends them, same id and bytes; the records are not applied again. Between 2 and 3 the same,
    and every effect that arrives twice is byte-identical. After 3 the commit may be lost: records are read again
    and skipped. Nothing is decided twice, since whatever was decided was durable before anyone saw it.
    """
    if states is not None:  # 1
        await states
    if previous is not None:
        await asyncio.shield(previous)
    if work.entries:  # 2
        await writer.send_effects(work.entries)
    partition.settled[work.input] = max(partition.settled[work.input], work.upto)  # 3
    mark(work)
