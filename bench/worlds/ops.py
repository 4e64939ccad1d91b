"""Hosts, services, logs and deployments that go on by themselves as time passes."""

from bench.worlds.acts import Act
from bench.worlds.tape import Tape

_EVENTS = (
    "GET /{a}/{n} 200 {m}ms",
    "worker {n} finished {a} in {m}ms",
    "cache miss key={a}:{n}",
    "WARN pool {a} at {n} of 1000",
    "retry {n} for {a}",
    "ERROR {a}: upstream {b} answered 502 after {m}ms",
    "accepted connection from 10.0.{k}.{j}",
    "committed offset {n}{m} of {a}",
)


class Fleet:
    """Hosts and services; logs are a function of the host and grow."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.rng = tape.rng
        self.words = tape.words
        names = self.words.words(16)
        self.hosts = [f"{name}-{i:02d}" for i, name in enumerate(names, 1)]
        self.services = self.words.words(10)
        self._logs: dict[str, list[str]] = {}
        self.json_logs = self.rng.random() < 0.3

    def log(self, name: str) -> list[str]:
        """The log of a host up to a fixed moment."""
        known = self._logs.get(name)
        if known is None:
            known = self._logs[name] = self.entries(self.rng.randrange(90, 160))
        return known

    def entries(self, n: int) -> list[str]:
        """N new log entries."""
        rng = self.rng
        out = []
        for i in range(n):
            text = rng.choice(_EVENTS).format(
                a=self.words.word(),
                b=self.words.word(),
                n=rng.randrange(1000),
                m=rng.randrange(2000),
                k=rng.randrange(255),
                j=rng.randrange(255),
            )
            stamp = f"2025-11-24T{6 + i // 60:02d}:{i % 60:02d}:{rng.randrange(60):02d}Z"
            out.append(f'{{"ts": "{stamp}", "msg": "{text}"}}' if self.json_logs else f"{stamp} {text}")
        return out

    def tail(self, host: str, lines: list[str], query: str) -> Act:
        body = "\n".join(lines) or self.words.say("none")
        return Act(
            "search.logs",
            {"host": host, "query": query, "limit": 50},
            body,
            f"ssh {host} journalctl -g '{query}'",
            0 if lines else 1,
            took=0.8,
        )

    def metric(self, name: str, value: float) -> Act:
        return Act(
            "query.metric",
            {"query": f"rate({name}[5m])"},
            {"metric": name, "value": round(value, 3), "at": self.tape.clock()},
            f"promq 'rate({name}[5m])'",
            0,
        )
