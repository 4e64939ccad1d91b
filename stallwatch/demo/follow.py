"""Reads the topics that the live table shows, as anybody may who has the right to read them."""

from collections.abc import Callable

from detectors.engine import Engine
from detectors.rules import RuleBook
from detectors.state import RootState
from stallwatch.connection import connection
from stallwatch.transport import Received
from streams.codec import BadRecord, decode_steps


async def follow(
    bootstrap_servers: str, topic_name: str, on_record: Callable[[Received], None], *, existing: bool = True
) -> None:
    """`on_record` is called with every record of the topic until this is cancelled.

    With `existing` from the topic's beginning, else with those that come from now on.
    """
    source = connection(bootstrap_servers).transport.source(topic_name, refresh_s=30.0)
    try:
        await source.assign(dict.fromkeys(await source.partitions()))
        if not existing:
            await source.assign(await source.ends())
        while True:
            for record in await source.poll(0.5):
                on_record(record)
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
