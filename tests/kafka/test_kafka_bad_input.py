"""Whatever stands on an input topic, the worker goes on, and what it could not use is kept byte for byte."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from aiokafka.admin import AIOKafkaAdminClient
from aiokafka.admin.config_resource import ConfigResource, ConfigResourceType
from installation import STEPS_ALONE, Installation
from topic_log import Outgoing, Record
from wire_steps import outgoing, step, working

from streams.codec import partition_for

pytestmark = pytest.mark.kafka
Install = Callable[..., Awaitable[Installation]]

GOOD = step("r", 0)


def without(name: str) -> dict[str, Any]:
    """A step with one field missing."""
    return {key: value for key, value in GOOD.items() if key != name}


def value(data: bytes | None) -> Outgoing:
    """The bytes under a right key, with a header of the publisher's own."""
    return Outgoing(b"r", data, (("traceparent", b"00-1-2-01"), ("odd", b"\x00\xff")))


BAD: dict[str, tuple[Outgoing, str]] = {
    "not json": (value(b'{"run_id": "r", "seq": 1,'), "invalid_json"),
    "json and more": (value(json.dumps(GOOD).encode() + b"}"), "invalid_json"),
    "empty value": (value(b""), "empty"),
    "null value": (value(None), "empty"),
    "json null": (value(b"null"), "empty"),
    "a list": (value(b"[1, 2]"), "wrong_type"),
    "wrong type": (value(json.dumps({**GOOD, "seq": "twelve"}).encode()), "wrong_type"),
    "missing run": (value(json.dumps(without("run_id")).encode()), "missing_field"),
    "missing seq": (value(json.dumps(without("seq")).encode()), "missing_field"),
    "missing tool": (value(json.dumps(without("tool")).encode()), "missing_field"),
    "negative seq": (value(json.dumps({**GOOD, "seq": -1}).encode()), "out_of_range"),
    "other schema": (value(json.dumps({**GOOD, "schema": 2}).encode()), "unknown_schema"),
    "unknown kind": (value(json.dumps({**GOOD, "kind": "stepp"}).encode()), "unknown_kind"),
    "another topic's kind": (value(b'{"kind": "release", "run_id": "r"}'), "unknown_kind"),
    "NaN": (value(json.dumps({**GOOD, "score": float("nan")}).encode()), "not_finite"),
    "Infinity": (value(json.dumps({**GOOD, "cost_usd": float("inf")}).encode()), "not_finite"),
    "invalid utf-8": (value(b'{"run_id": "r", "seq": 1, "tool": "\xff\xfe"}'), "invalid_utf8"),
    "lone surrogate": (value(json.dumps({**GOOD, "result": "\ud800"}).encode()), "lone_surrogate"),
    "100,000 levels": (
        value(b'{"run_id":"r","seq":1,"tool":"t","args":' + b"[" * 100_000 + b"]" * 100_000 + b"}"),
        "too_deep",
    ),
    "no key": (Outgoing(None, json.dumps(GOOD).encode()), "missing_key"),
    "another's key": (Outgoing(b"someone-else", json.dumps(GOOD).encode()), "wrong_key"),
    "time out of range": (value(json.dumps({**GOOD, "ts": 1e15}).encode()), "bad_time"),
}


@dataclass
class Seen:
    """What was on the topics in the end."""

    sent: dict[str, tuple[int, int]]
    """Kind of bad input → (partition, offset) on the steps topic."""
    dead: list[Record]
    steps: list[Record]
    installation: Installation


@pytest.fixture(scope="module")
def seen(kafka_broker: str, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """One worker that met every kind of bad record, a good one after each."""
    home: Path = tmp_path_factory.mktemp("bad-input")
    installation = Installation(kafka_broker, home, rules=STEPS_ALONE)

    async def run() -> Seen:
        await installation.create_topics()
        worker = installation.worker().start().ready()
        pid = worker.process.pid if worker.process else 0
        records: list[Outgoing] = []
        for number, (bad, _) in enumerate(BAD.values()):
            # All on one partition, so that each bad record stands right before a good one.
            records.append(Outgoing(bad.key, bad.value, bad.headers, partition_for(b"r", 4)))
            records += [
                Outgoing(good.key, good.value, (), partition_for(b"r", 4))
                for good in working("r", 1, start=number)
            ]
        placed = await installation.write("steps", records)
        await installation.caught_up(timeout_s=30)
        assert worker.alive()
        assert worker.process is not None
        assert worker.process.pid == pid
        assert worker.live()
        sent = dict(zip(BAD, placed[::2], strict=True))
        return Seen(sent, await installation.read("dlq"), await installation.read("steps"), installation)

    try:
        yield asyncio.run(run())
    finally:
        installation.end()
        asyncio.run(installation.delete())


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_record_is_a_dead_letter_byte_for_byte_with_reason_and_origin(seen: Seen, kind: str) -> None:
    bad, reason = BAD[kind]
    partition, offset = seen.sent[kind]
    found = [
        r
        for r in seen.dead
        if (b"%d" % partition, b"%d" % offset) == origin(r, "dlq.partition", "dlq.offset")
    ]
    assert len(found) == 1
    dead = found[0]
    assert (dead.key, dead.value) == (bad.key, bad.value)
    assert dead.headers[: len(bad.headers)] == bad.headers, "the publisher's headers come first, as they were"
    assert origin(dead, "dlq.reason", "dlq.topic") == (
        reason.encode(),
        seen.installation.topic("steps").encode(),
    )


def test_nothing_else_is_a_dead_letter(seen: Seen) -> None:
    assert len(seen.dead) == len(BAD)


def origin(record: Record, *names: str) -> tuple[bytes, ...]:
    """The values of these headers."""
    headers = dict(record.headers)
    return tuple(headers.get(name, b"?") for name in names)


async def test_good_records_among_bad_ones_are_all_applied(seen: Seen) -> None:
    expected = await seen.installation.assert_exact()
    assert expected.applied[b"r"] == max(offset for _, offset in seen.sent.values()) + 1
    assert expected.statuses["applied"] == len(BAD)
    assert {(r.partition, r.offset): reason for r, reason in expected.dead} == {
        seen.sent[kind]: reason for kind, (_, reason) in BAD.items()
    }


async def test_bad_records_on_the_other_inputs_are_dead_letters_too(install: Install) -> None:
    installation = await install()
    worker = installation.worker().start().ready()
    bad = [Outgoing(b"r", b"{"), Outgoing(b"r", b'{"kind": "step", "run_id": "r", "seq": 0, "tool": "t"}')]
    await installation.write("operator", bad)
    await installation.write("acks", [Outgoing(b"r", b'{"command_id": "x"}'), Outgoing(None, b"{}")])
    await installation.write("steps", working("r", 3))
    await installation.caught_up()
    dead = await installation.read("dlq")
    operator, acks = (installation.topic(role).encode() for role in ("operator", "acks"))
    assert {(*origin(r, "dlq.topic", "dlq.reason"), r.key, r.value) for r in dead} == {
        (operator, b"invalid_json", b"r", bad[0].value),
        (operator, b"unknown_kind", b"r", bad[1].value),
        (acks, b"missing_field", b"r", b'{"command_id": "x"}'),
        (acks, b"missing_field", None, b"{}"),
    }
    assert len(dead) == 4
    assert worker.alive()


async def test_a_ten_megabyte_result_has_a_defined_end(install: Install) -> None:
    installation = await install()
    await raise_limits(installation, 12 * 2**20)
    worker = installation.worker().start().ready()
    huge = outgoing(step("r", 1, result="x" * (10 * 2**20)))
    await installation.write(
        "steps", [*working("r", 1), huge, *working("r", 3, start=2)], max_request_size=2**24
    )
    await installation.caught_up()
    expected = await installation.assert_exact()
    assert [reason for _, reason in expected.dead] == ["too_large"]
    assert [(r.key, r.value) for r in await installation.read("dlq")] == [(huge.key, huge.value)]
    assert worker.alive()


async def test_a_small_record_that_unpacks_to_ten_megabytes_holds_nothing_up(install: Install) -> None:
    installation = await install()
    worker = installation.worker().start().ready()
    huge = outgoing(step("r", 1, result="x" * (10 * 2**20)))
    await installation.write("steps", working("r", 1))
    await installation.write("steps", [huge], compression="zstd", max_request_size=2**24)
    await installation.write("steps", working("r", 3, start=2))
    await installation.caught_up()
    assert [(r.key, r.value) for r in await installation.read("dlq")] == [(huge.key, huge.value)]
    await installation.assert_exact()
    assert worker.alive()


async def test_a_run_of_publishers_with_another_partitioner_is_counted_as_misrouted(install: Install) -> None:
    installation = await install()
    worker = installation.worker().start().ready()
    right = partition_for(b"r", 4)
    elsewhere = [
        Outgoing(r.key, r.value, (), (right + 1) % 4) for r in working("r", 10) + working("r", 5, start=10)
    ]
    await installation.write("steps", [*elsewhere, *working("well-placed", 5)])
    await installation.caught_up()
    assert worker.metric("stallwatch_events_total", outcome="misrouted") == len(elsewhere)
    assert worker.metric("stallwatch_events_total", outcome="applied") == 5
    assert worker.alive()


async def raise_limits(installation: Installation, size: int) -> None:
    """The steps topic takes records of `size`, and the dead-letter topic those and their headers."""
    admin = AIOKafkaAdminClient(bootstrap_servers=installation.bootstrap)
    await admin.start()
    try:
        await admin.alter_configs(
            [
                ConfigResource(
                    ConfigResourceType.TOPIC,
                    installation.topic(role),
                    configs={"max.message.bytes": str(limit), "cleanup.policy": "delete"},
                )
                for role, limit in (("steps", size), ("dlq", size + 65536))
            ]
        )
    finally:
        await admin.close()
