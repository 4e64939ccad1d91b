"""A dead letter: the record as it came, and what the worker said about it in headers."""

from typing import Any

import msgspec

NAMES = ("reason", "detail", "topic", "partition", "offset", "timestamp", "failed_at", "app_version")
"""The worker's headers, each with the prefix `dlq.`; they stand after the record's own."""
REDRIVEN = "dlq.redriven"
"""Stamped at each redrive with its time; stays with the record, so that stamps add up."""
Header = tuple[str, bytes | None]


class DeadLetter(msgspec.Struct, kw_only=True):
    """One record of the dlq topic."""

    partition: int
    offset: int
    reason: str
    detail: str
    origin_topic: str
    origin_partition: int | None
    origin_offset: int | None
    origin_timestamp_ms: int | None
    failed_at_ms: int | None
    app_version: str
    redriven: int
    """How often the record was redriven before it failed again."""
    key: bytes | None
    value: bytes | None
    headers: list[Header]
    """The original headers, in order, stamps of earlier redrives among them."""


def dead_letter(record: Any) -> DeadLetter:
    """The dead letter that a record of the dlq topic is. Total: what is missing or no number is None."""
    headers: list[Header] = [(name, value) for name, value in record.headers or ()]
    said: dict[str, str] = {}
    for name in NAMES:
        # The last one is the worker's: a header of this name that the record itself had stands before it.
        at = next((i for i in reversed(range(len(headers))) if headers[i][0] == f"dlq.{name}"), None)
        if at is not None:
            said[name] = (headers.pop(at)[1] or b"").decode("utf-8", "replace")
    return DeadLetter(
        partition=record.partition,
        offset=record.offset,
        reason=said.get("reason", ""),
        detail=said.get("detail", ""),
        origin_topic=said.get("topic", ""),
        origin_partition=_number(said.get("partition")),
        origin_offset=_number(said.get("offset")),
        origin_timestamp_ms=_number(said.get("timestamp")),
        failed_at_ms=_number(said.get("failed_at")),
        app_version=said.get("app_version", ""),
        redriven=sum(name == REDRIVEN for name, _ in headers),
        key=record.key,
        value=record.value,
        headers=headers,
    )


def _number(text: str | None) -> int | None:
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


class Selection(msgspec.Struct, kw_only=True, frozen=True):
    """Which dead letters are meant; None means all."""

    reason: str | None = None
    partition: int | None = None
    """Of the dlq topic."""
    offset: int | None = None
    """Within `partition` of the dlq topic."""

    def takes(self, letter: DeadLetter) -> bool:
        """Whether the letter is meant."""
        return (
            self.reason in (None, letter.reason)
            and self.partition in (None, letter.partition)
            and self.offset in (None, letter.offset)
        )
