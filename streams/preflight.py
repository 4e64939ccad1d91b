"""What must hold before a worker reads its first record."""

import logging

from streams import admin
from streams.settings import Settings

_log = logging.getLogger("stallwatch.worker")


class PreflightError(RuntimeError):
    """The worker must not start; `problems` has one sentence for each reason."""

    def __init__(self, problems: list[str]) -> None:
        self.problems = problems
        super().__init__("; ".join(problems))


async def check(settings: Settings) -> int:
    """Topics are as they must be; returns the partition count of the inputs. Raises `PreflightError`, `KafkaError`."""
    verified = await admin.verify(settings)
    if verified.fatal:
        raise PreflightError([mismatch.sentence for mismatch in verified.fatal])
    for mismatch in verified.mismatches:
        _log.warning("topic differs from the table", extra={"fields": {"what": mismatch.sentence}})
    return verified.partitions
