"""The worker as a process on the embedded broker: steps in, a halt out, probes answered, a quiet end."""

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
from aiokafka import AIOKafkaConsumer, AIOKafkaProducer

from detectors.events import Command
from streams.codec import decode_command, partition_for

TIMEOUT_S = 60


class Process:
    """A worker process, its log and its port."""

    def __init__(self, child: "subprocess.Popen[bytes]", log: Path) -> None:
        self.child, self.log = child, log

    def wait_for(self, pattern: str) -> "re.Match[str]":
        deadline = time.monotonic() + TIMEOUT_S
        while time.monotonic() < deadline:
            found = re.search(pattern, self.log.read_text())
            if found:
                return found
            assert self.child.poll() is None, self.log.read_text()
            time.sleep(0.05)
        raise AssertionError(f"{pattern!r} never came:\n{self.log.read_text()}")

    def get(self, path: str) -> tuple[int, str]:
        port = self.wait_for(r"port=(\d+)").group(1)
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()


@contextmanager
def worker(bootstrap: str, tmp_path: Path, **settings: str) -> Iterator[Process]:
    log = tmp_path / "worker.log"
    env = {
        **os.environ,
        "STALLWATCH_BOOTSTRAP_SERVERS": bootstrap,
        "STALLWATCH_EMBEDDED": "1",
        "STALLWATCH_METRICS_PORT": "0",
        "STALLWATCH_LOG_FORMAT": "text",
        "STALLWATCH_TICK_INTERVAL_S": "0.5",
        **settings,
    }
    with log.open("wb") as sink:
        child = subprocess.Popen(
            [sys.executable, "-m", "stallwatch", "worker"], stdout=sink, stderr=sink, env=env, cwd=tmp_path
        )
        try:
            yield Process(child, log)
        finally:
            if child.poll() is None:
                child.kill()
            child.wait()


def step(run: str, seq: int, **more: object) -> bytes:
    fields = {
        "run_id": run,
        "seq": seq,
        "turn": seq,
        "tool": "status",
        "args": {},
        "result": "still the same answer",
    }
    return orjson.dumps({**fields, **more})


async def publish(bootstrap: str, records: list[tuple[bytes | None, bytes]]) -> None:
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all")
    await producer.start()
    try:
        for key, value in records:
            await producer.send_and_wait("stallwatch.steps", value=value, key=key)
    finally:
        await producer.stop()


async def commands_until_halt(bootstrap: str, run: str) -> list[Command]:
    consumer = AIOKafkaConsumer(
        "stallwatch.control", bootstrap_servers=bootstrap, group_id=None, auto_offset_reset="earliest"
    )
    await consumer.start()
    found: list[Command] = []
    try:
        async with asyncio.timeout(TIMEOUT_S):
            async for record in consumer:
                command = decode_command(record.value)
                assert record.key == command.run_id.encode()
                if command.run_id == run:
                    found.append(command)
                    if command.action == "halt":
                        break
    finally:
        await consumer.stop()
    return found


async def dead_letter(bootstrap: str) -> tuple[bytes | None, bytes | None, dict[str, bytes]]:
    consumer = AIOKafkaConsumer(
        "stallwatch.dlq", bootstrap_servers=bootstrap, group_id=None, auto_offset_reset="earliest"
    )
    await consumer.start()
    try:
        async with asyncio.timeout(TIMEOUT_S):
            record = await consumer.getone()
        return record.key, record.value, dict(record.headers)
    finally:
        await consumer.stop()


async def answer_everything(bootstrap: str) -> None:
    """Acknowledges every command as it comes."""
    consumer = AIOKafkaConsumer(
        "stallwatch.control", bootstrap_servers=bootstrap, group_id=None, auto_offset_reset="earliest"
    )
    producer = AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all")
    async with consumer, producer:
        async for record in consumer:
            command = decode_command(record.value)
            ack = {"command_id": command.command_id, "run_id": command.run_id, "status": "done"}
            await producer.send_and_wait("stallwatch.acks", orjson.dumps(ack), key=command.run_id.encode())


async def keep_going(bootstrap: str, run: str) -> None:
    """A run that does the same whatever it is told."""
    async with AIOKafkaProducer(bootstrap_servers=bootstrap, acks="all") as producer:
        for seq in range(2000):
            await producer.send_and_wait("stallwatch.steps", step(run, seq), key=run.encode())
            await asyncio.sleep(0.05)  # so that acknowledgements come between the steps, as they do in life


async def test_a_stuck_run_is_halted_and_a_rubbish_record_is_dead_lettered(
    embedded_broker: str, tmp_path: Path
) -> None:
    with worker(embedded_broker, tmp_path) as process:
        process.wait_for("ready")
        assert process.get("/readyz")[0] == 200
        assert process.get("/healthz")[0] == 200
        await publish(embedded_broker, [(b"stuck", b"\xff rubbish")])
        answering = asyncio.create_task(answer_everything(embedded_broker))
        going = asyncio.create_task(keep_going(embedded_broker, "stuck"))
        commands = await commands_until_halt(embedded_broker, "stuck")
        going.cancel()
        answering.cancel()
        assert [c.action for c in commands] == ["notice", "replan", "ask", "halt"]
        assert [c.version for c in commands] == [1, 2, 3, 4]
        halt = commands[-1]
        assert halt.reason == "exact_repeat"
        assert halt.source is not None
        assert halt.source.topic == "stallwatch.steps"
        assert halt.source.partition == partition_for(b"stuck", 4)
        key, value, headers = await dead_letter(embedded_broker)
        assert (key, value) == (b"stuck", b"\xff rubbish")
        assert headers["dlq.reason"] == b"invalid_utf8"
        assert headers["dlq.topic"] == b"stallwatch.steps"
        metrics = process.get("/metrics")[1]
        assert 'stallwatch_halts_total{mode="graceful",reason="exact_repeat"} 1.0' in metrics
        assert 'stallwatch_events_total{outcome="malformed"} 1.0' in metrics
        process.child.send_signal(signal.SIGTERM)
        assert process.child.wait(TIMEOUT_S) == 0


def test_state_is_served_to_nobody(embedded_broker: str, tmp_path: Path) -> None:
    """Faust's own web server would answer /table/runs/ to anyone, on all interfaces."""
    with socket.socket() as probe:
        taken = probe.connect_ex(("127.0.0.1", 6066)) == 0
    with worker(embedded_broker, tmp_path) as process:
        process.wait_for("ready")
        assert process.get("/table/runs/")[0] == 404
        with socket.socket() as probe:
            assert (probe.connect_ex(("127.0.0.1", 6066)) == 0) == taken


def test_a_worker_without_a_broker_waits_and_can_be_told_to_stop(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        nobody = f"127.0.0.1:{free.getsockname()[1]}"
    with worker(nobody, tmp_path) as process:
        process.wait_for("no broker yet")
        status, body = process.get("/readyz")
        assert status == 503
        assert "not started yet" in body
        assert process.get("/healthz")[0] == 200
        process.child.send_signal(signal.SIGTERM)
        assert process.child.wait(TIMEOUT_S) == 0


def test_rules_that_cannot_be_used_are_refused_in_sentences(embedded_broker: str, tmp_path: Path) -> None:
    rules = tmp_path / "rules.toml"
    rules.write_text('name = "x"\nsilence_s = -1\n[ladder]\nnonsense = 3\n')
    with worker(embedded_broker, tmp_path, STALLWATCH_RULES=str(rules)) as process:
        assert process.child.wait(TIMEOUT_S) == 2
        said = process.log.read_text()
        assert "silence_s" in said
        assert "ladder.nonsense" in said
        assert "Traceback" not in said
