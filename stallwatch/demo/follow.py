"""Reads the topics that the live table shows, as anybody may who has the right to read them."""

import asyncio
import logging
from collections.abc import Callable

from detectors.engine import Engine
from detectors.rules import RuleBook
from detectors.state import RootState
from stallwatch.clients.transport import Received, RecordSource
from streams.codec import BadRecord, decode_steps

log = logging.getLogger(__name__)

POLL_S = 0.5
PAUSE_S = 0.5


async def follow(
    open_source: Callable[[], RecordSource], on_record: Callable[[Received], None], *, existing: bool = True
) -> None:
    """`on_record` is called with every record of a topic until this is cancelled.

    With `existing` from the topic's beginning, else with those that come from now on.
    """
    positions: dict[int, int] = {}
    while True:
        source = open_source()
        try:
            partitions = await source.partitions()
            await source.assign({number: positions.get(number) for number in partitions})
            if not existing and not positions:
                positions = await source.ends()
                await source.assign(dict(positions))
            while True:
                for record in await source.poll(POLL_S):
                    positions[record.partition] = record.offset + 1
                    on_record(record)
        except Exception as error:  # noqa: BLE001 - whatever went wrong, a new source goes on where this one was
            log.info("reading goes on with a new connection: %s", error)
            await asyncio.sleep(PAUSE_S)
        finally:
            await source.close()


class Gauges:
    """Steps since news and since a milestone, per run, by the same engine on the same steps.

    The worker keeps these in its state and tells them when a rung changes; the table wants them at every step.
    """

    def __init__(self, book: RuleBook, on_measured: Callable[[str, int | None, int | None], None]) -> None:
        self._engine = Engine(book, assume_delivery=True)
        self._roots: dict[str, RootState] = {}
        self._on_measured = on_measured

    def read(self, record: Received) -> None:
        """A record of the steps topic was read."""
        try:
            event = decode_steps(record.key, record.value)
        except BadRecord:
            return
        root_id = (record.key or b"").decode()
        root = self._roots.setdefault(root_id, RootState(root_id))
        outcome = self._engine.apply(root, event)
        if outcome.since_news is not None:
            self._on_measured(event.run_id, outcome.since_news, outcome.since_milestone)
