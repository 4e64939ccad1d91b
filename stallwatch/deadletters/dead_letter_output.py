"""Dead letters as people and programs are shown them: never their content."""

import sys
from datetime import UTC, datetime

import msgspec
from rich.table import Table
from rich.text import Text

from stallwatch.clients.kafka_errors import ClientOptions
from stallwatch.console import BLOCK_ROWS, output
from stallwatch.deadletters.dead_letter import DeadLetter, Selection
from stallwatch.deadletters.redrive import Fate, Redriven, dead_letters, history
from stallwatch.terminal_text import counted, printable, shortened
from stallwatch.topic_reader import TopicReader


class Listed(msgspec.Struct, kw_only=True):
    """One dead letter in `dlq list --json`."""

    partition: int
    offset: int
    reason: str
    detail: str
    topic: str
    origin_partition: int | None
    origin_offset: int | None
    key: str | None
    """Text where the key is UTF-8, else its bytes with escapes."""
    bytes: int | None
    """Size of the value; null if there is none."""
    timestamp: str | None
    """When the record was written, RFC 3339."""
    failed_at: str | None
    app_version: str
    redriven: int
    """How often the record was redriven before it failed again."""
    sent_again: bool
    """Whether this dead letter was redriven since."""


def listed(letter: DeadLetter, *, sent_again: bool = False) -> Listed:
    """The dead letter without its content."""
    return Listed(
        partition=letter.partition,
        offset=letter.offset,
        reason=letter.reason,
        detail=letter.detail,
        topic=letter.origin_topic,
        origin_partition=letter.origin_partition,
        origin_offset=letter.origin_offset,
        key=None if letter.key is None else letter.key.decode("utf-8", "backslashreplace"),
        bytes=None if letter.value is None else len(letter.value),
        timestamp=_moment(letter.origin_timestamp_ms),
        failed_at=_moment(letter.failed_at_ms),
        app_version=letter.app_version,
        redriven=letter.redriven,
        sent_again=sent_again,
    )


async def print_list(
    options: ClientOptions, prefix: str, selection: Selection, *, as_json: bool, timeout_s: float
) -> None:
    """Every dead letter of the selection is on standard output. Memory: O(dead letters that were redriven)."""
    console = output()
    rows: list[Listed] = []
    total = 0
    async with TopicReader(options, timeout_s=timeout_s) as reader:
        before = await history(reader, prefix)
        async for letter in dead_letters(reader, prefix, selection):
            total += 1
            row = listed(letter, sent_again=letter.identity in before.sent)
            if as_json:
                sys.stdout.write(msgspec.json.encode(row).decode() + "\n")
                continue
            rows.append(row)
            if len(rows) == BLOCK_ROWS:
                console.print(_table(rows))
                rows.clear()
    if as_json:
        return
    if rows:
        console.print(_table(rows))
    console.print(f"{counted(total, 'dead letter')}.")


def _table(rows: list[Listed]) -> Table:
    table = Table(show_edge=False, pad_edge=False, header_style="bold")
    for name in ("at", "reason", "from", "key", "bytes", "failed at"):
        table.add_column(name, no_wrap=True, justify="right" if name == "bytes" else "left")
    table.add_column("what was wrong", ratio=1, overflow="fold")
    for row in rows:
        table.add_row(
            f"{row.partition}/{row.offset}",
            Text(printable(row.reason)),
            Text(_origin(row.topic, row.origin_partition, row.origin_offset)),
            Text("–" if row.key is None else shortened(row.key, 24)),
            "–" if row.bytes is None else f"{row.bytes:,}",
            row.failed_at or "–",
            Text(printable(row.detail) + _redriven(row)),
        )
    return table


def _redriven(row: Listed) -> str:
    if row.sent_again:
        return " (sent again)"
    return f" (redriven {row.redriven}×)" if row.redriven else ""


def preview_line(letter: DeadLetter, fate: Fate) -> str:
    """What would become of the dead letter at a redrive."""
    at = f"{letter.partition}/{letter.offset}"
    size = counted(len(letter.value or b""), "byte")
    if fate == "redriven":
        return printable(f"{at}: stays, its record was redriven before, or is with another dead letter")
    if fate == "refused":
        return printable(f"{at}: stays, {letter.origin_topic or 'an unnamed topic'} is no input topic here")
    return printable(f"{at}: {letter.reason}, {size}, would go to {letter.origin_topic}")


def done_sentence(done: Redriven, *, dry_run: bool) -> str:
    """What the redrive came to."""
    if not done.selected:
        return "no dead letter is selected; see stallwatch dlq list"
    rest = ""
    if done.refused:
        rest += f", {counted(done.refused, 'dead letter')} left where it came from no input topic"
    if done.left_out:
        rest += f", {counted(done.left_out, 'dead letter')} left out since redriven before (--again sends those too)"
    if done.nothing:
        return f"nothing to send{rest}"
    if dry_run:
        would = counted(done.selected - done.refused - done.left_out, "dead letter")
        return f"Dry run: {would} would be sent{rest}; add --yes to send."
    return f"{counted(done.sent, 'dead letter')} sent and acknowledged{rest}."


def _origin(topic: str, partition: int | None, offset: int | None) -> str:
    where = "/".join("?" if number is None else str(number) for number in (partition, offset))
    return f"{printable(topic) or '?'} {where}"


def _moment(milliseconds: int | None) -> str | None:
    try:
        return (
            None
            if milliseconds is None
            else datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")
        )
    except (OverflowError, ValueError, OSError):
        return None
