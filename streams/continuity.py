"""Whether reading may go on where the group's commit says: no record may be left out between two lives of a worker."""

from typing import NamedTuple


class Position(NamedTuple):
    """Where one input partition stands after an assignment."""

    topic: str
    partition: int
    committed: int | None
    """Offset from which reading goes on; None: from the oldest record there is."""
    durable: int
    """Position up to which the recovered states include the records; 0 if nothing is known."""
    log_start: int
    """Oldest offset that the broker still has."""


class Verdict(NamedTuple):
    """What follows."""

    reads_from: int
    """Where the first batch begins."""
    hole: str | None = None
    """Reason to end the process: records between the states and the commit were never judged."""
    lost: int = 0
    """Records that the broker deleted before they were judged: counted, and reading goes on."""


def check(at: Position) -> Verdict:
    """Judged up to `durable`, read from `committed`: a repeat is harmless, a hole is not."""
    reads_from = at.log_start if at.committed is None else max(at.committed, at.log_start)
    if reads_from <= at.durable:
        return Verdict(reads_from)
    if at.durable == 0 and at.committed is None:
        return Verdict(reads_from)  # a first start: there is nothing behind us
    if at.log_start >= reads_from:
        return Verdict(reads_from, lost=at.log_start - at.durable)
    if at.durable == 0:
        return Verdict(
            reads_from
        )  # commits of a worker without a changelog record yet (nothing but unreadable records)
    return Verdict(
        reads_from,
        hole=f"{at.topic}[{at.partition}]: the group's offset is {reads_from}, but the states include records only "
        f"up to {at.durable}; the ones between were never judged. Set the group's offset back to {at.durable} and "
        "start again",
    )
