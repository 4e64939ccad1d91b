"""A worker as a process of its own: started as an operator starts it, killed as the world kills it."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path

from prometheus_client.openmetrics.parser import text_string_to_metric_families

CHECKOUT = Path(__file__).resolve().parents[2]
COMMAND = str(Path(sys.executable).with_name("stallwatch"))


class Worker:
    """One `stallwatch worker`. Every start is a new process; the log collects all of them."""

    def __init__(self, name: str, env: Mapping[str, str], log: Path) -> None:
        self.name = name
        self.log = log
        self.metrics_port = _free_port()
        self._env = {
            **{key: value for key, value in os.environ.items() if not key.startswith("STALLWATCH_")},
            "PYTHONUNBUFFERED": "1",
            **env,
            "STALLWATCH_METRICS_PORT": str(self.metrics_port),
        }
        self.process: subprocess.Popen[bytes] | None = None
        self._wanted = False

    def start(self) -> "Worker":
        """The process runs; `ready` waits until it works."""
        assert self.process is None or self.process.poll() is not None, f"{self.name} still runs"
        self._wanted = True
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [COMMAND, "worker"],
                cwd=CHECKOUT,
                env=self._env,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        return self

    def ready(self, timeout_s: float = 60.0) -> "Worker":
        """The worker says that it takes part: partitions assigned, state recovered."""
        until = time.monotonic() + timeout_s
        while not self._answers("/readyz"):
            assert self.process is not None
            code = self.process.poll()
            assert code is None, f"{self.name} ended with {code} before it was ready:\n{self.tail()}"
            assert time.monotonic() < until, f"{self.name} not ready in {timeout_s} s:\n{self.tail()}"
            time.sleep(0.05)
        return self

    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def check(self) -> None:
        """It runs, unless it was never started or was told to end."""
        assert not self._wanted or self.alive(), f"{self.name} ended by itself:\n{self.tail()}"

    def live(self) -> bool:
        """Whether the worker's own liveness answer is yes."""
        return self._answers("/healthz")

    def send(self, number: signal.Signals) -> None:
        """The signal is sent."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """Gone without a chance to say anything."""
        self.check()
        self.send(signal.SIGKILL)
        self.wait()

    def terminate(self, timeout_s: float = 40.0) -> int:
        """Asked to end, and ended; the exit code."""
        self.send(signal.SIGTERM)
        return self.wait(timeout_s)

    def wait(self, timeout_s: float = 40.0) -> int:
        """The exit code, once it has ended."""
        assert self.process is not None
        self._wanted = False
        try:
            return self.process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"{self.name} did not end in {timeout_s} s:\n{self.tail()}") from None

    def tail(self, size: int = 4000) -> str:
        """The end of the log."""
        return self.log.read_text(errors="replace")[-size:] if self.log.exists() else ""

    def metric(self, name: str, **labels: str) -> float:
        """The sum of the samples of that name and those labels, as `/metrics` has them now; 0 without any."""
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.metrics_port}/metrics",
            headers={"Accept": "application/openmetrics-text; version=1.0.0"},
        )
        with urllib.request.urlopen(request, timeout=5) as answer:
            text = answer.read().decode()
        return sum(
            sample.value
            for family in text_string_to_metric_families(text)
            for sample in family.samples
            if sample.name == name and labels.items() <= sample.labels.items()
        )

    def _answers(self, path: str) -> bool:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}{path}", timeout=2) as answer:
                return bool(answer.status == 200)
        except (urllib.error.URLError, OSError):
            return False


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
