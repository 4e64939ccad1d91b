"""The commands against real Kafka: what the embedded broker has no answer to."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from aiokafka import AIOKafkaProducer
from installation import Installation
from topic_log import Outgoing
from wire_steps import working

import stallwatch
from detectors.events import Command, Verdict
from streams.codec import encode

pytestmark = pytest.mark.kafka
Install = Callable[..., Awaitable[Installation]]
LARGE = bytes(range(256)) * 3600
"""Most of what an input topic takes."""


async def cli(installation: Installation, *words: str) -> "subprocess.CompletedProcess[str]":
    """The command, as a process of its own."""
    return await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", "from stallwatch.cli import main; main()", *words],
        env={**os.environ, **installation.env},
        cwd=Path(stallwatch.__file__).parents[1],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )


def dead(
    installation: Installation, reason: str, key: bytes | None, value: bytes | None, offset: int
) -> Outgoing:
    facts = {
        "reason": reason,
        "detail": "d",
        "topic": installation.topic("steps"),
        "partition": 2,
        "offset": offset,
    }
    headers = [("trace", b"\x00\xff"), *((f"dlq.{name}", str(fact).encode()) for name, fact in facts.items())]
    return Outgoing(key, value, headers)


async def test_topics_are_created_once_verified_and_compared(install: Install) -> None:
    installation = await install(topics=False)
    before = await cli(installation, "topics", "verify")
    assert before.returncode == 1
    assert "run `stallwatch topics create`" in " ".join(before.stdout.split())
    first, second = [await cli(installation, "topics", "create") for _ in range(2)]
    assert (first.returncode, second.returncode) == (0, 0), first.stderr
    assert "9 topics created, 0 left as they were." in first.stdout
    assert "0 topics created, 9 left as they were." in second.stdout
    verified = await cli(installation, "topics", "verify")
    assert verified.returncode == 0, verified.stdout
    same = await cli(installation, "topics", "diff")
    assert (same.returncode, same.stdout) == (0, "The cluster is as the table says.\n")
    other = await cli(installation, "topics", "diff", "--partitions", "7")
    assert other.returncode == 1
    assert "partitions=7" in other.stdout


async def test_too_many_copies_are_refused_with_the_remedy(install: Install) -> None:
    installation = await install(topics=False)
    result = await cli(installation, "topics", "create", "--replication", "3")
    assert result.returncode == 2
    assert "STALLWATCH_REPLICATION" in result.stderr
    assert "Traceback" not in result.stderr


async def test_dead_letters_of_any_size_go_back_byte_for_byte(install: Install) -> None:
    installation = await install()
    letters = [
        dead(installation, "invalid_utf8", b"r-1", LARGE, 1),
        dead(installation, "missing_key", None, LARGE, 2),
    ]
    await installation.write("dlq", letters)
    listed = await cli(installation, "dlq", "list", "--json")
    assert [json.loads(line)["bytes"] for line in listed.stdout.splitlines()] == [len(LARGE)] * 2
    done = await cli(installation, "dlq", "redrive", "--yes")
    assert done.returncode == 0, done.stderr
    found = await installation.read("steps")
    assert {(record.key, record.value) for record in found} == {(b"r-1", LARGE), (None, LARGE)}
    assert all([name for name, _ in record.headers] == ["trace", "dlq.redriven"] for record in found)
    assert next(record.partition for record in found if record.key is None) == 2
    again = await cli(installation, "dlq", "redrive", "--yes")
    assert again.returncode == 1
    assert "2 dead letters left out since redriven before" in again.stderr
    assert len(await installation.read("steps")) == 2
    listed = await cli(installation, "dlq", "list", "--json")
    assert [json.loads(line)["sent_again"] for line in listed.stdout.splitlines()] == [True, True]


async def test_a_word_and_a_story_find_the_root_and_a_transaction_is_no_obstacle(install: Install) -> None:
    installation = await install()
    command = Command(
        command_id="c-1", run_id="r-1", root_run_id="root", version=1, action="halt", reason="no_news", rung=4
    )
    verdict = Verdict(
        episode_id="e",
        run_id="r-1",
        root_run_id="root",
        event="opened",
        reason="no_news",
        rung=1,
        text="nothing new",
    )
    await installation.write("control", [Outgoing(b"r-1", encode(command))])
    producer = AIOKafkaProducer(
        bootstrap_servers=installation.bootstrap, transactional_id=installation.topic("t")
    )
    await producer.start()
    try:
        # The marker that ends a transaction has an offset and is no record.
        async with producer.transaction():
            await producer.send_and_wait(installation.topic("verdicts"), encode(verdict), key=b"root")
    finally:
        await producer.stop()
    said = await cli(installation, "release", "r-1")
    assert said.returncode == 0, said.stderr
    assert "release of run r-1 (root root) is acknowledged" in said.stdout
    (word,) = await installation.read("operator")
    assert (word.key, json.loads(word.value or b"")["command_id"]) == (b"root", "c-1")
    told = await cli(installation, "explain", "r-1")
    assert told.returncode == 0, told.stderr
    assert "seq 0: notice: nothing new." in told.stdout


async def test_who_halted_and_released_a_run_is_told_with_the_notes(install: Install) -> None:
    installation = await install()
    installation.worker().start().ready()
    await installation.write("steps", working("r", 5))
    await installation.caught_up()
    halted = await cli(installation, "halt", "r", "--by", "ada", "--note", "enough")
    # The run is known by its steps, although it has no command yet.
    assert (halted.returncode, halted.stderr) == (0, "")
    await installation.commands_when(lambda found: len(found) == 1, run_id="r")
    assert (await cli(installation, "release", "r", "--by", "bob", "--note", "it may")).returncode == 0
    await installation.commands_when(lambda found: len(found) == 2, run_id="r")
    second = await cli(installation, "release", "r")
    assert "Nothing to lift: a person let it go on already" in second.stdout
    await installation.caught_up()
    told = (await cli(installation, "explain", "r")).stdout
    assert "Stall 1: halted by a person, " in told
    assert "halt: halted by ada. The note: enough\n" in told
    assert "the stall was over: released by bob. The note: it may\n" in told
    assert told.count("Said: release") == 1
