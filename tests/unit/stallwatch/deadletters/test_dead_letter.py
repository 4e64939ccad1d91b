"""Dead letters are read back to what came in, byte for byte, whatever headers it had."""

from types import SimpleNamespace
from typing import Any

import msgspec

from stallwatch.deadletters.dead_letter import (
    REDRIVEN,
    SENT_AGAIN,
    DeadLetter,
    Selection,
    dead_letter,
    mark_of,
)
from stallwatch.deadletters.dead_letter_output import done_sentence, listed, preview_line
from stallwatch.deadletters.redrive import Redriven

OURS = [
    ("dlq.reason", b"wrong_type"),
    ("dlq.detail", "`seq` – text".encode()),
    ("dlq.topic", b"stallwatch.steps"),
    ("dlq.partition", b"3"),
    ("dlq.offset", b"8812"),
    ("dlq.timestamp", b"1764521042100"),
    ("dlq.failed_at", b"1764521043000"),
    ("dlq.app_version", b"0.1.0"),
]


def letter(headers: list[tuple[str, Any]] | None, **fields: Any) -> DeadLetter:
    given = {"partition": 1, "offset": 7, "key": b"k", "value": b"\x00raw", **fields}
    return dead_letter(SimpleNamespace(headers=headers, **given))


def test_the_workers_headers_are_read_and_the_others_kept_in_order() -> None:
    own = [("content-type", b"x"), ("empty", None), ("content-type", b"y")]
    found = letter([*own, *OURS])
    assert found.headers == own
    assert (found.reason, found.origin_topic, found.origin_partition, found.origin_offset) == (
        "wrong_type",
        "stallwatch.steps",
        3,
        8812,
    )
    assert (found.key, found.value) == (b"k", b"\x00raw")


def test_a_record_that_brought_such_headers_itself_keeps_them() -> None:
    own = [("dlq.topic", b"stallwatch.control"), ("dlq.reason", b"mine")]
    found = letter([*own, *OURS])
    assert found.headers == own
    assert found.origin_topic == "stallwatch.steps"


def test_stamps_of_earlier_redrives_stay_and_are_counted() -> None:
    own = [(REDRIVEN, b"2026-01-01"), (REDRIVEN, b"2026-01-02")]
    found = letter([*own, *OURS])
    assert found.headers == own
    assert found.redriven == 2


def test_headers_that_are_missing_or_no_numbers_do_no_harm() -> None:
    found = letter(None)
    assert (found.reason, found.origin_topic, found.origin_partition) == ("", "", None)
    found = letter([("dlq.partition", b"x"), ("dlq.offset", None), ("dlq.topic", b"\xff")])
    assert (found.origin_partition, found.origin_offset, found.origin_topic) == (None, None, "\ufffd")


def test_a_selection_takes_what_it_names() -> None:
    one = letter(OURS)
    assert Selection().takes(one)
    assert Selection(reason="wrong_type", partition=1, offset=7).takes(one)
    assert not Selection(reason="empty").takes(one)
    assert not Selection(partition=2).takes(one)
    assert not Selection(partition=1, offset=8).takes(one)


def test_a_listed_letter_shows_everything_but_its_content() -> None:
    shown = msgspec.to_builtins(listed(letter([("h", b"secret"), *OURS], key=b"\xffk", value=b"secret")))
    assert "secret" not in str(shown)
    assert shown["key"] == "\\xffk"
    assert shown["bytes"] == 6
    assert shown["timestamp"] == "2025-11-30T16:44:02.100+00:00"
    assert shown["detail"] == "`seq` – text"
    empty = listed(letter(None, key=None, value=None))
    assert (empty.key, empty.bytes, empty.timestamp) == (None, None, None)
    assert listed(letter([("dlq.timestamp", b"99999999999999999999")])).timestamp is None


def test_a_preview_says_where_it_would_go_or_why_not() -> None:
    assert preview_line(letter(OURS), "sent") == "1/7: wrong_type, 4 bytes, would go to stallwatch.steps"
    assert "stays, an unnamed topic is no input topic here" in preview_line(letter(None), "refused")
    assert "stays, its record was redriven before" in preview_line(letter(OURS), "redriven")


def test_the_closing_sentence_counts_what_was_done() -> None:
    assert "no dead letter is selected" in done_sentence(Redriven(), dry_run=True)
    assert done_sentence(Redriven(selected=3, refused=1), dry_run=True).startswith(
        "Dry run: 2 dead letters would be sent, 1 dead letter left"
    )
    assert (
        done_sentence(Redriven(selected=1, sent=1), dry_run=False) == "1 dead letter sent and acknowledged."
    )
    assert done_sentence(Redriven(selected=1, refused=1), dry_run=False).startswith("nothing to send")
    assert done_sentence(Redriven(selected=3, sent=1, left_out=2), dry_run=False) == (
        "1 dead letter sent and acknowledged, 2 dead letters left out since redriven before (--again sends those too)."
    )


def test_a_letter_is_known_by_the_record_that_failed() -> None:
    assert letter(OURS).identity == letter(OURS, partition=4, offset=9).identity
    anew = [header for header in OURS if header[0] != "dlq.timestamp"] + [("dlq.timestamp", b"7")]
    assert letter(anew).identity != letter(OURS).identity
    assert letter(None).identity != letter(None, offset=8).identity


def test_a_stamp_leads_to_the_letter_before() -> None:
    first = letter(OURS)
    stamp = b"2026-01-02 " + first.identity.encode()
    assert letter([(REDRIVEN, b"2026-01-01 x/1/2"), (REDRIVEN, stamp), *OURS]).predecessor == first.identity
    assert letter([(REDRIVEN, b"2026-01-01"), *OURS]).predecessor is None
    assert letter([(REDRIVEN, None), *OURS]).predecessor is None
    assert letter(OURS).predecessor is None


def test_a_mark_is_told_from_a_letter_that_brought_such_a_header() -> None:
    assert mark_of(SimpleNamespace(headers=[(SENT_AGAIN, b"a/1/2")])) == "a/1/2"
    assert mark_of(SimpleNamespace(headers=[(SENT_AGAIN, b"a/1/2"), *OURS])) is None
    assert mark_of(SimpleNamespace(headers=None)) is None
