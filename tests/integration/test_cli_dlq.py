"""Dead letters on a broker: listed without their content, redriven byte for byte."""

import asyncio
import itertools
import json

import pytest
from broker_records import Header, Record, read, write
from typer.testing import CliRunner, Result

from stallwatch.cli import app
from streams.codec import partition_for

OWN: list[Header] = [("trace", b"\x00\xff"), ("trace", b"again"), ("none", None)]
VALUE = b'{"run_id": "r-1", "seq": "\xff\x00 not json'


OFFSETS = itertools.count(1000)


def run(broker: str, *words: str) -> Result:
    return CliRunner().invoke(app, ["dlq", *words, "--bootstrap-servers", broker])


def said(
    reason: str, topic: str = "stallwatch.steps", partition: int = 1, offset: int | None = None
) -> list[Header]:
    facts = {
        "reason": reason,
        "detail": f"what was wrong – {reason}",
        "topic": topic,
        "partition": partition,
        "offset": next(OFFSETS) if offset is None else offset,
        "timestamp": 1764521042100,
        "failed_at": 1764521043000,
        "app_version": "0.1.0",
    }
    return [(f"dlq.{name}", str(fact).encode()) for name, fact in facts.items()]


def dead(broker: str, *letters: tuple[bytes | None, bytes | None, list[Header]], partition: int = 2) -> None:
    write(broker, "stallwatch.dlq", letters, partition=partition)


def unstamped(record: Record) -> list[Header]:
    return [header for header in record.headers if header[0] != "dlq.redriven"]


def test_the_list_tells_reason_origin_and_size_but_no_content(embedded_broker: str) -> None:
    dead(
        embedded_broker,
        (b"r-1", VALUE, [*OWN, *said("invalid_json", offset=88)]),
        (None, None, said("empty")),
    )
    result = run(embedded_broker, "list", "--json")
    assert result.exit_code == 0, result.stderr
    first, second = [json.loads(line) for line in result.stdout.splitlines()]
    assert first == {
        "partition": 2,
        "offset": 0,
        "reason": "invalid_json",
        "detail": "what was wrong – invalid_json",
        "topic": "stallwatch.steps",
        "origin_partition": 1,
        "origin_offset": 88,
        "key": "r-1",
        "bytes": len(VALUE),
        "timestamp": "2025-11-30T16:44:02.100+00:00",
        "failed_at": "2025-11-30T16:44:03.000+00:00",
        "app_version": "0.1.0",
        "redriven": 0,
        "sent_again": False,
    }
    assert (second["reason"], second["key"], second["bytes"]) == ("empty", None, None)
    table = run(embedded_broker, "list").stdout
    assert "2 dead letters." in table
    assert "what was wrong – invalid_json" in table
    assert "not json" not in table


def test_the_list_can_be_narrowed(embedded_broker: str) -> None:
    dead(embedded_broker, (b"a", b"1", said("empty")), (b"b", b"2", said("too_deep")), partition=0)
    dead(embedded_broker, (b"c", b"3", said("empty")), partition=3)

    def keys(*words: str) -> set[str]:
        return {
            json.loads(line)["key"]
            for line in run(embedded_broker, "list", "--json", *words).stdout.splitlines()
        }

    assert keys() == {"a", "b", "c"}
    assert keys("--reason", "empty") == {"a", "c"}
    assert keys("--partition", "0") == {"a", "b"}
    assert keys("--partition", "0", "--offset", "1") == {"b"}
    assert keys("--partition", "9") == set()


def test_a_dry_run_says_what_would_go_where_and_sends_nothing(embedded_broker: str) -> None:
    dead(embedded_broker, (b"r-1", VALUE, said("invalid_json")))
    result = run(embedded_broker, "redrive")
    assert result.exit_code == 0
    assert "would go to stallwatch.steps" in result.stdout
    assert "Dry run: 1 dead letter would be sent; add --yes to send." in result.stdout
    assert read(embedded_broker, "stallwatch.steps") == []


def test_a_redrive_is_byte_for_byte_and_stamped(embedded_broker: str) -> None:
    dead(embedded_broker, (b"r-1", VALUE, [*OWN, *said("invalid_json")]))
    result = run(embedded_broker, "redrive", "--yes")
    assert result.exit_code == 0, result.stderr
    assert result.stdout == "1 dead letter sent and acknowledged.\n"
    (record,) = read(embedded_broker, "stallwatch.steps")
    assert (record.key, record.value) == (b"r-1", VALUE)
    assert record.partition == partition_for(b"r-1", 4)
    assert unstamped(record) == OWN
    assert [name for name, _ in record.headers][-1] == "dlq.redriven"


def test_what_has_no_key_goes_back_to_its_partition(embedded_broker: str) -> None:
    dead(embedded_broker, (None, None, said("missing_key", partition=3)))
    assert run(embedded_broker, "redrive", "--yes").exit_code == 0
    (record,) = read(embedded_broker, "stallwatch.steps")
    assert (record.partition, record.key, record.value) == (3, None, None)


def test_stamps_add_up_over_redrives(embedded_broker: str) -> None:
    dead(embedded_broker, (b"r-1", VALUE, said("invalid_json")))
    run(embedded_broker, "redrive", "--yes")
    (once,) = read(embedded_broker, "stallwatch.steps")
    dead(embedded_broker, (once.key, once.value, [*once.headers, *said("invalid_json")]))
    listed = [json.loads(line) for line in run(embedded_broker, "list", "--json").stdout.splitlines()]
    assert [letter["redriven"] for letter in listed] == [0, 1]
    assert run(embedded_broker, "redrive", "--yes", "--partition", "2", "--offset", "2").exit_code == 0
    _, twice = read(embedded_broker, "stallwatch.steps")
    assert [name for name, _ in twice.headers] == ["dlq.redriven", "dlq.redriven"]


def keys_sent(broker: str) -> list[bytes | None]:
    return sorted((record.key or b"") for record in read(broker, "stallwatch.steps"))


def test_what_was_redriven_before_is_left_out_and_counted(embedded_broker: str) -> None:
    dead(embedded_broker, (b"a", b"{", said("invalid_json")), (b"b", b"{", said("invalid_json")))
    assert run(embedded_broker, "redrive", "--yes", "--partition", "2", "--offset", "0").exit_code == 0
    dry = run(embedded_broker, "redrive")
    assert "Dry run: 1 dead letter would be sent, 1 dead letter left out since redriven before" in dry.stdout
    second = run(embedded_broker, "redrive", "--yes")
    assert second.stdout == (
        "1 dead letter sent and acknowledged, 1 dead letter left out since redriven before (--again sends those too).\n"
    )
    assert keys_sent(embedded_broker) == [b"a", b"b"]
    third = run(embedded_broker, "redrive", "--yes")
    assert third.exit_code == 1
    assert third.stderr.startswith(
        "stallwatch: nothing to send, 2 dead letters left out since redriven before"
    )
    assert keys_sent(embedded_broker) == [b"a", b"b"]
    assert run(embedded_broker, "redrive", "--yes", "--again").exit_code == 0
    assert keys_sent(embedded_broker) == [b"a", b"a", b"b", b"b"]


def test_what_failed_again_is_sent_only_if_asked_and_once(embedded_broker: str) -> None:
    dead(embedded_broker, (b"a", b"{", said("invalid_json")))
    run(embedded_broker, "redrive", "--yes")
    (once,) = read(embedded_broker, "stallwatch.steps")
    dead(embedded_broker, (once.key, once.value, [*once.headers, *said("invalid_json")]), partition=3)
    unasked = run(embedded_broker, "redrive", "--yes")
    assert (unasked.exit_code, len(keys_sent(embedded_broker))) == (1, 1)
    again = run(embedded_broker, "redrive", "--yes", "--again")
    assert again.stdout.startswith("1 dead letter sent and acknowledged, 1 dead letter left out")
    _, twice = read(embedded_broker, "stallwatch.steps")
    assert [name for name, _ in twice.headers] == ["dlq.redriven", "dlq.redriven"]


def test_what_a_worker_told_twice_is_sent_once(embedded_broker: str) -> None:
    twice = (b"a", b"{", said("invalid_json", offset=7))
    dead(embedded_broker, twice, twice)
    run(embedded_broker, "redrive", "--yes")
    assert keys_sent(embedded_broker) == [b"a"]


def test_marks_are_no_dead_letters_and_show_in_the_list(embedded_broker: str) -> None:
    dead(embedded_broker, (b"a", b"{", said("invalid_json")), (b"b", b"{", said("empty")))
    run(embedded_broker, "redrive", "--yes", "--reason", "empty")
    listed = [json.loads(line) for line in run(embedded_broker, "list", "--json").stdout.splitlines()]
    assert [(letter["key"], letter["sent_again"]) for letter in listed] == [("a", False), ("b", True)]
    table = run(embedded_broker, "list").stdout
    assert "2 dead letters." in table
    assert "(sent again)" in table


def test_only_the_selected_ones_are_sent(embedded_broker: str) -> None:
    dead(embedded_broker, *[(b"%d" % n, b"%d" % n, said("empty" if n % 2 else "too_deep")) for n in range(6)])
    assert run(embedded_broker, "redrive", "--yes", "--reason", "empty", "--rate", "1000").exit_code == 0
    assert {record.value for record in read(embedded_broker, "stallwatch.steps")} == {b"1", b"3", b"5"}


@pytest.mark.parametrize("topic", ["stallwatch.control", "elsewhere", ""])
def test_nothing_is_ever_written_to_what_is_no_input_topic(embedded_broker: str, topic: str) -> None:
    dead(embedded_broker, (b"r-1", b"{}", said("empty", topic=topic)))
    result = run(embedded_broker, "redrive", "--yes")
    assert result.exit_code == 1
    assert "no input topic" in result.stdout
    assert result.stderr.startswith("stallwatch: nothing to send, 1 dead letter left")
    assert read(embedded_broker, "stallwatch.control") == []


def test_nothing_to_send_is_no(embedded_broker: str) -> None:
    result = run(embedded_broker, "redrive", "--yes")
    assert result.exit_code == 1
    assert result.stderr == "stallwatch: no dead letter is selected; see stallwatch dlq list\n"
    assert run(embedded_broker, "list").stdout == "0 dead letters.\n"


def test_the_rate_holds_records_back(embedded_broker: str, monkeypatch: pytest.MonkeyPatch) -> None:
    waits: list[float] = []
    real = asyncio.sleep

    async def sleep(seconds: float) -> None:
        waits.append(seconds)
        await real(0)

    dead(embedded_broker, *[(b"k", b"%d" % n, said("empty")) for n in range(4)])
    monkeypatch.setattr("stallwatch.deadletters.redrive.asyncio.sleep", sleep)
    assert run(embedded_broker, "redrive", "--yes", "--rate", "0.1").exit_code == 0
    # Time hardly passes while the waiting is skipped, so each record is due 10 s after the one before.
    long = [seconds for seconds in waits if seconds > 5]
    assert len(long) >= 3
    assert max(long) > 25
