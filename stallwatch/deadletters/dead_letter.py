"""A dead letter: the record as it came, and what the worker said about it in headers."""

from typing import Any

import msgspec

NAMES = ("reason", "detail", "topic", "partition", "offset", "timestamp", "failed_at", "app_version")
"""The worker's headers, each with the prefix `dlq.`; they stand after the record's own."""
REDRIVEN = "dlq.redriven"
"""Stamped at each redrive: its time, and whence the record came to the dlq topic. Stamps stay and add up."""
SENT_AGAIN = "dlq.sent_again"
"""The only header of a mark: the record of the dlq topic that says which dead letter was sent again."""
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

    @property
    def identity(self) -> str:
        """Of the record that failed: a worker may have told of it twice, a topic may have been made anew."""
        if self.origin_partition is None or self.origin_offset is None:
            return f"dlq/{self.partition}/{self.offset}"
        at = f"{self.origin_topic}/{self.origin_partition}/{self.origin_offset}"
        return at if self.origin_timestamp_ms is None else f"{at}@{self.origin_timestamp_ms}"

    @property
    def predecessor(self) -> str | None:
        """The identity that this record had when it failed before, if it was redriven since."""
        stamps = [value for name, value in self.headers if name == REDRIVEN]
        return (stamps[-1] or b"").decode("utf-8", "replace").partition(" ")[2] or None if stamps else None


def mark_of(record: Any) -> str | None:
    """The identity of the dead letter that was sent again, if the record of the dlq topic is a mark."""
    headers: list[Header] = list(record.headers or ())
    if len(headers) != 1 or headers[0][0] != SENT_AGAIN:
        return None
    return (headers[0][1] or b"").decode("utf-8", "replace")


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
