"""The pipeline on a real broker: throughput beside the floor, and the delay from a step to its halt.

    python -m bench.pipeline [--events 240000] [--rounds 3] [--seconds 30] [--json FILE] [--quick]
                             [--bootstrap HOST:PORT]

Without a broker to go to, one is started on loopback (Java 17). Throughput: one topic is filled once; floor
and worker work it off in turn, each round in a fresh group with an empty changelog, on one core, with
broker and load on the others. Medians are compared. A round whose states do not count every event of the
topic is an error, not a number.
"""

import argparse
import asyncio
import json
import socket
import statistics
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
from aiokafka.admin import AIOKafkaAdminClient

from bench.floor import Plan
from bench.latency import Delays, Fleet, measure
from bench.load import fleet
from bench.process import Measured, leave, measured_core
from bench.throughput import Round, fill, work_off
from deploy.kafka.cluster import Cluster
from streams import topics
from streams.admin import create
from streams.settings import Settings

RUNS = 480


class Result(msgspec.Struct):
    """What `--json` writes."""

    rounds: list[Round]
    ratio: float
    """Median events per second, worker over floor."""
    cpu_ratio: float
    """Median CPU per event, floor over worker."""
    delays: Delays | None
    core: int | None


class Bench:
    """One broker, one topic of steps, many groups."""

    def __init__(self, bootstrap: str, home: Path, *, rules: str, partitions: int, core: int | None) -> None:
        self.bootstrap, self.home, self.rules, self.partitions = bootstrap, home, rules, partitions
        self.prefix = f"bench-{uuid.uuid4().hex[:8]}-"
        self.core = core

    async def delete(self) -> None:
        """Its topics are gone."""
        admin = AIOKafkaAdminClient(bootstrap_servers=self.bootstrap)
        await admin.start()
        try:
            mine = [name for name in await admin.list_topics() if name.startswith(self.prefix)]
            if mine:
                await admin.delete_topics(mine)
        finally:
            await admin.close()

    def topic(self, name: str) -> str:
        """Its full name."""
        return topics.topic(self.prefix, name)

    async def create_topics(self, group: str) -> None:
        """Every topic of that group exists."""
        await create(Settings.load(self._env(group, 0)))

    def _env(self, group: str, port: int) -> dict[str, str]:
        return {
            "STALLWATCH_BOOTSTRAP_SERVERS": self.bootstrap,
            "STALLWATCH_TOPIC_PREFIX": self.prefix,
            "STALLWATCH_GROUP_ID": group,
            "STALLWATCH_RULES": self.rules,
            "STALLWATCH_PARTITIONS": str(self.partitions),
            "STALLWATCH_REPLICATION": "1",
            "STALLWATCH_METRICS_PORT": str(port),
            # The load halts more of its runs than a real fleet would: a halt that is withheld has no delay.
            "STALLWATCH_BREAKER_SHARE": "1",
        }

    def floor(self, group: str) -> Measured:
        """The floor, at work in that group."""
        plan = Plan(
            bootstrap=self.bootstrap,
            group=group,
            steps=self.topic("steps"),
            control=self.topic("control"),
            verdicts=self.topic("verdicts"),
            changelog=topics.changelog(group),
            rules=self.rules,
        )
        command = [sys.executable, "-m", "bench.floor", msgspec.json.encode(plan).decode()]
        return Measured(command, {}, self.home / f"{group}.log", self.core)

    def worker(self, group: str, port: int = 0) -> Measured:
        """The product's worker, at work in that group, as it comes."""
        return Measured(
            [str(Path(sys.executable).with_name("stallwatch")), "worker"],
            self._env(group, port),
            self.home / f"{group}.log",
            self.core,
        )

    async def round(self, who: str, number: int, timeout_s: float) -> Round:
        """One round of one of the two."""
        group = f"{self.prefix}{who}-{number}"
        await self.create_topics(group)
        process = self.worker(group) if who == "worker" else self.floor(group)
        try:
            return await work_off(
                process,
                who=who,
                bootstrap=self.bootstrap,
                group=group,
                topic=self.topic("steps"),
                changelog=topics.changelog(group),
                timeout_s=timeout_s,
            )
        finally:
            process.stop()

    async def throughput(self, events: int, rounds: int) -> list[Round]:
        """The rounds, worker and floor in turn."""
        await self.create_topics(f"{self.prefix}load")
        steps = max(20, events // RUNS)
        begin = time.monotonic()
        count = await fill(self.bootstrap, self.topic("steps"), fleet(RUNS, steps))
        _say(f"{count:,} steps written in {time.monotonic() - begin:.1f} s")
        done = []
        for number in range(rounds):
            for who in ("floor", "worker"):
                done.append(await self.round(who, number, timeout_s=60 + count / 1000))
                _say(_line(done[-1]))
        return done

    async def latency(self, seconds: float, rate: float, warm_up_s: float, runs: int) -> Delays:
        """Delays against a worker that has nothing else to do; the topic must be empty."""
        group = f"{self.prefix}delay"
        await self.create_topics(group)
        port = _free_port()
        process = self.worker(group, port)
        try:
            await _ready(process, port)
            return await measure(
                self.bootstrap,
                self.topic("steps"),
                self.topic("control"),
                self.topic("acks"),
                fleet=Fleet(runs=runs, stuck=max(1, runs // 10), rate=rate, seed=int(time.time())),
                warm_up_s=warm_up_s,
                seconds=seconds,
            )
        finally:
            process.stop()


async def _ready(process: Measured, port: int, timeout_s: float = 120.0) -> None:
    until = time.monotonic() + timeout_s
    while True:
        process.check()
        if await asyncio.to_thread(_answers, f"http://127.0.0.1:{port}/readyz"):
            return
        if time.monotonic() > until:
            raise RuntimeError(f"worker not ready: {process.log.read_text()[-2000:]}")
        await asyncio.sleep(0.1)


def _answers(url: str) -> bool:
    try:
        with urllib.request.urlopen(url, timeout=2):  # noqa: S310 - our own, on loopback
            return True
    except (urllib.error.URLError, OSError):
        return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _line(done: Round) -> str:
    return (
        f"{done.who:>7}  {done.events_per_s:>9,.0f} events/s  {done.cpu_us_per_event:>6.1f} µs CPU/event  "
        f"{done.changelog_records / done.events:>5.2f} states/event  "
        f"{done.changelog_mib:>7.1f} MiB changelog  {done.peak_mib:>5.0f} MiB peak"
    )


def _say(text: str) -> None:
    print(text, flush=True)


def _medians(rounds: list[Round], who: str) -> tuple[float, float]:
    mine = [r for r in rounds if r.who == who]
    return statistics.median(r.events_per_s for r in mine), statistics.median(
        r.cpu_us_per_event for r in mine
    )


def _summary(rounds: list[Round], delays: Delays | None, core: int | None) -> Result:
    floor_rate, floor_cpu = _medians(rounds, "floor")
    worker_rate, worker_cpu = _medians(rounds, "worker")
    result = Result(rounds, worker_rate / floor_rate, floor_cpu / worker_cpu, delays, core)
    _say(
        f"medians: floor {floor_rate:,.0f} events/s and {floor_cpu:.1f} µs, "
        f"worker {worker_rate:,.0f} events/s and {worker_cpu:.1f} µs"
    )
    _say(f"worker/floor: {result.ratio:.2f} by events per second, {result.cpu_ratio:.2f} by CPU per event")
    if delays is not None:
        _say(
            f"step to halt at {delays.rate:,.0f} events/s: p50 {delays.p50_ms:.1f} ms, "
            f"p99 {delays.p99_ms:.1f} ms, max {delays.max_ms:.1f} ms "
            f"({delays.halts} halts in {delays.seconds:.0f} s; "
            f"all {delays.commands} commands p99 {delays.commands_p99_ms:.1f} ms)"
        )
    return result


async def _main(chosen: argparse.Namespace, bootstrap: str, home: Path, core: int | None) -> Result:
    bench, beside = (
        Bench(bootstrap, home, rules=chosen.rules, partitions=chosen.partitions, core=core) for _ in range(2)
    )
    _say(f"worker and floor on core {bench.core}, rules {chosen.rules}, {chosen.partitions} partitions")
    try:
        delays = (
            await beside.latency(chosen.seconds, chosen.rate, chosen.warm_up, chosen.runs)
            if chosen.seconds
            else None
        )
        return _summary(await bench.throughput(chosen.events, chosen.rounds), delays, core)
    finally:
        await bench.delete()
        await beside.delete()


@contextmanager
def _broker(given: str | None, home: Path) -> Iterator[str]:
    if given:
        yield given
        return
    cluster = Cluster(home / "kafka", nodes=1)
    try:
        cluster.start()
        yield cluster.bootstrap_servers
    finally:
        cluster.stop(hard=True)


def main() -> int:
    """Exit code 0."""
    parser = argparse.ArgumentParser(prog="python -m bench.pipeline", description=__doc__.split("\n")[0])
    parser.add_argument(
        "--events", type=int, default=240_000, help="steps on the topic (default %(default)s)"
    )
    parser.add_argument("--rounds", type=int, default=3, help="of each of the two (default %(default)s)")
    parser.add_argument(
        "--seconds", type=float, default=30.0, help="of the delay measurement; 0 leaves it out"
    )
    parser.add_argument(
        "--warm-up", type=float, default=10.0, help="seconds before it counts (default %(default)s)"
    )
    parser.add_argument(
        "--rate", type=float, default=1000.0, help="events per second of it (default %(default)s)"
    )
    parser.add_argument("--runs", type=int, default=200, help="live at a time in it, a tenth of them stuck")
    parser.add_argument("--rules", default="default", help="profile (default %(default)s)")
    parser.add_argument("--partitions", type=int, default=8, help="of the inputs (default %(default)s)")
    parser.add_argument("--bootstrap", help="a broker that runs already")
    parser.add_argument("--json", type=Path, help="write the numbers here as well")
    parser.add_argument("--quick", action="store_true", help="a smoke test: few events, one round, no claim")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.events, chosen.rounds = 10_000, 1
        chosen.seconds, chosen.warm_up, chosen.runs = 5.0, 2.0, 40
    core = measured_core()
    leave(core)
    with tempfile.TemporaryDirectory(prefix="stallwatch-bench-") as folder:
        home = Path(folder)
        with _broker(chosen.bootstrap, home) as bootstrap:
            result = asyncio.run(_main(chosen, bootstrap, home, core))
    if chosen.json is not None:
        chosen.json.write_text(json.dumps(msgspec.to_builtins(result), indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
