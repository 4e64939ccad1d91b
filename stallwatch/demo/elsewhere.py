"""A worker that was there before the demo: the fleet works under it, and nothing of it is started or stopped here."""

import asyncio

from stallwatch.mistakes import AnswerIsNoError


class WorkerElsewhere:
    """What the demo asks of a worker, of one that runs somewhere else."""

    metrics_url = ""
    """Not known here."""

    async def ready(self) -> None:
        """Taken for granted: a worker that comes later finds the steps on the topic."""

    async def wait(self) -> int:
        """Never: its end would not be seen."""
        await asyncio.Event().wait()
        raise AssertionError("nobody sets that event")

    def ended_early(self) -> AnswerIsNoError:
        """Never raised, since its end is not seen."""
        return AnswerIsNoError("the worker ended")
