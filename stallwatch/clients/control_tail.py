"""Reads the control topic from its beginning to its end, and then stays at the end."""

import asyncio
import logging
from collections.abc import Callable

from detectors.events import Command
from stallwatch.clients.desired_state import DesiredStates
from stallwatch.clients.transport import Received, RecordSource, told

log = logging.getLogger(__name__)

POLL_S = 0.5
FIRST_PAUSE_S = 0.1
LONGEST_PAUSE_S = 5.0


class ControlTail:
    """Keeps `states` what the topic says. Ready once it has read up to where the topic ended when it began.

    It is in no group and commits nothing: every start reads the compacted topic again. After a failure it
    goes on with a new connection where it was, and stays ready; `contact_at` tells how old its knowledge may
    be.
    """

    def __init__(
        self,
        open_source: Callable[[], RecordSource],
        states: DesiredStates,
        *,
        refresh_s: float,
        on_command: Callable[[Command], None],
        on_ready: Callable[[], None],
    ) -> None:
        self._open_source = open_source
        self._states = states
        self._refresh_s = refresh_s
        self._on_command = on_command
        self._on_ready = on_ready
        self._positions: dict[int, int] = {}
        self._troubled = False
        self.ready = asyncio.Event()
        self.contact_at: float | None = None
        """Time of the loop at which the broker last told where the topic ends."""

    async def run(self) -> None:
        """Reads until cancelled."""
        pause_s = FIRST_PAUSE_S
        while True:
            source = self._open_source()
            try:
                await self._follow(source)
            except Exception as error:  # noqa: BLE001 - whatever went wrong, reading goes on
                self._trouble(error)
            finally:
                await source.close()
            await asyncio.sleep(pause_s)
            pause_s = FIRST_PAUSE_S if not self._troubled else min(pause_s * 2, LONGEST_PAUSE_S)

    async def _follow(self, source: RecordSource) -> None:
        while True:
            partitions = await source.partitions()
            await source.assign({number: self._positions.get(number) for number in partitions})
            ends = await source.ends()
            self._contact()
            probe = asyncio.create_task(self._changed(source, partitions))
            try:
                while not probe.done():
                    if not self.ready.is_set() and self._reached(ends, await source.positions()):
                        self.ready.set()
                        self._on_ready()
                    for record in await source.poll(POLL_S):
                        self._read(record)
            finally:
                probe.cancel()

    async def _changed(self, source: RecordSource, partitions: set[int]) -> None:
        """The topic has other partitions than these. Keeps `contact_at` fresh on the way."""
        while True:
            await asyncio.sleep(self._refresh_s)
            try:
                found = await source.partitions()
                await source.ends()
            except Exception as error:  # noqa: BLE001 - the reading itself goes on
                self._trouble(error)
                continue
            self._contact()
            if found != partitions:
                log.info("the control topic has %d partitions now", len(found))
                return

    def _read(self, record: Received) -> None:
        command = self._states.apply(record.key, record.value)
        self._positions[record.partition] = record.offset + 1
        if command is not None and self.ready.is_set():
            self._on_command(command)

    def _reached(self, ends: dict[int, int], positions: dict[int, int]) -> bool:
        return all(positions.get(number, 0) >= end for number, end in ends.items())

    def _contact(self) -> None:
        self.contact_at = asyncio.get_running_loop().time()
        if self._troubled:
            self._troubled = False
            log.warning("the control topic is reached again")

    def _trouble(self, error: Exception) -> None:
        if not self._troubled:
            self._troubled = True
            log.warning("the control topic cannot be read, trying again: %s", told(error))
