"""One stallwatch installation on a broker: its own prefix, group, topics and workers."""

import shutil
import uuid
from collections.abc import Awaitable, Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import topic_log
from aiokafka.admin import AIOKafkaAdminClient
from straight_replay import Expected, final_states, sent_commands, straight_replay
from topic_log import Found, Outgoing, Record
from worker_process import Worker

from streams import admin, topics
from streams.settings import Settings

PARTITIONS = 4
STEPS_ALONE = str(Path(__file__).with_name("steps_alone.toml"))
"""Rules by which everything follows from the steps topic."""
SESSION_S = 6
"""The least the broker allows: what a killed worker costs."""


class Installation:
    """Everything under one prefix. Workers that still run at the end are killed by the fixture."""

    def __init__(
        self, bootstrap: str, home: Path, *, rules: str, partitions: int = PARTITIONS, replication: int = 1
    ) -> None:
        name = uuid.uuid4().hex[:8]
        self.bootstrap = bootstrap
        self.prefix = f"t{name}."
        self.group = f"g{name}"
        self.rules = rules
        self.partitions = partitions
        self.replication = replication
        self.home = home
        self.workers: list[Worker] = []

    @property
    def env(self) -> dict[str, str]:
        """The worker's settings."""
        return {
            "STALLWATCH_BOOTSTRAP_SERVERS": self.bootstrap,
            "STALLWATCH_TOPIC_PREFIX": self.prefix,
            "STALLWATCH_GROUP_ID": self.group,
            "STALLWATCH_RULES": self.rules,
            "STALLWATCH_PARTITIONS": str(self.partitions),
            "STALLWATCH_REPLICATION": str(self.replication),
            "STALLWATCH_SESSION_TIMEOUT_S": str(SESSION_S),
            "STALLWATCH_HEARTBEAT_S": "1.5",
            # Tests halt a large share of their few runs within seconds.
            "STALLWATCH_BREAKER_SHARE": "1",
        }

    def topic(self, role: str) -> str:
        """Its full name."""
        return topics.changelog(self.group) if role == topics.CHANGELOG else topics.topic(self.prefix, role)

    async def create_topics(self) -> None:
        """Its topics are there, as `stallwatch topics create` makes them."""
        await admin.create(Settings.load(self.env))

    def worker(self, name: str = "a", **settings: str) -> Worker:
        """One of its workers, not started; `settings` without the prefix, in lower case."""
        extra = {f"STALLWATCH_{key.upper()}": value for key, value in settings.items()}
        worker = Worker(name, {**self.env, **extra}, self.home / f"worker-{name}.log")
        self.workers.append(worker)
        return worker

    async def write(self, role: str, records: Iterable[Outgoing], **options: Any) -> list[tuple[int, int]]:
        """The records stand on the topic; (partition, offset) of each."""
        return await topic_log.write(self.bootstrap, self.topic(role), records, **options)

    async def read(self, role: str) -> list[Record]:
        """The whole topic."""
        return await topic_log.read(self.bootstrap, self.topic(role))

    async def lag(self) -> int:
        """Records of the three inputs that are not committed."""
        return sum(
            [await topic_log.lag(self.bootstrap, self.group, self.topic(role)) for role in topics.INPUTS]
        )

    async def caught_up(self, timeout_s: float = 60.0) -> None:
        """Every record of the inputs is committed."""
        await self.until(self.lag, lambda behind: behind == 0, timeout_s=timeout_s)

    async def until(
        self, look: Callable[[], Awaitable[Found]], good: Callable[[Found], bool], *, timeout_s: float = 60.0
    ) -> Found:
        """What `look` saw once it was good. Fails at once if a worker ends by itself."""
        return await topic_log.until(look, good, timeout_s=timeout_s, check=self.check, told=self.told)

    async def commands(self, run_id: str | None = None) -> Mapping[str, bytes]:
        """What stands on control by command id, each id with one value."""
        found = [r for r in await self.read("control") if run_id is None or r.key == run_id.encode()]
        return sent_commands(found)

    async def commands_when(
        self,
        good: Callable[[Mapping[str, bytes]], bool],
        *,
        run_id: str | None = None,
        timeout_s: float = 60.0,
    ) -> Mapping[str, bytes]:
        """The commands once they are as wanted."""
        return await self.until(lambda: self.commands(run_id), good, timeout_s=timeout_s)

    async def expected(self) -> Expected:
        """The reference over what stands on the steps topic now."""
        return straight_replay(self.topic("steps"), await self.read("steps"), self.rules)

    async def assert_exact(self, *, recovered: bool = False) -> Expected:
        """States, commands, verdicts and dead letters are what a straight replay gives; that reference.

        Only for input that stands on the steps topic alone: acknowledgements and people's words come from
        other topics, whose order against the steps is free. `recovered`: states as the next owner would
        read them.
        """
        expected = await self.expected()
        roots, applied = final_states(await self.read(topics.CHANGELOG), recovered=recovered)
        wrong = [key for key in expected.roots if roots.get(key) != expected.roots[key]]
        assert not wrong, f"{len(wrong)} of {len(expected.roots)} roots differ, such as {wrong[:3]}"
        assert roots.keys() == expected.roots.keys()
        assert applied == expected.applied
        commands = await self.commands()
        missing, extra = (
            expected.commands.keys() - commands.keys(),
            commands.keys() - expected.commands.keys(),
        )
        assert not missing, (
            f"{len(missing)} commands are missing, such as {expected.commands[min(missing)]!r}"
        )
        assert not extra, f"{len(extra)} commands are there for no reason, such as {commands[min(extra)]!r}"
        assert commands == expected.commands
        verdicts = [r.value for r in await self.read("verdicts")]
        assert set(verdicts) == set(expected.verdicts)
        return expected

    async def delete(self) -> None:
        """Its topics are gone, so that the session's broker stays light."""
        client = AIOKafkaAdminClient(bootstrap_servers=self.bootstrap)
        await client.start()
        try:
            mine = [t for t in await client.list_topics() if t.startswith((self.prefix, self.group))]
            if mine:
                await client.delete_topics(mine)
        finally:
            await client.close()

    def end(self) -> None:
        """No worker of it runs; its logs stay only where something failed."""
        for worker in self.workers:
            if worker.alive():
                worker.kill()
        shutil.rmtree(self.home / "faust", ignore_errors=True)

    def check(self) -> None:
        """No worker of it has ended by itself."""
        for worker in self.workers:
            worker.check()

    def told(self) -> str:
        """The ends of the workers' logs, for a failure's message."""
        return "\n".join(f"--- {w.name}:\n{w.tail(2500)}" for w in self.workers)
