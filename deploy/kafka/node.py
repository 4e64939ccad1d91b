"""One broker process: its settings, its life. A node is broker and controller in one (KRaft)."""

import os
import signal
import socket
import subprocess
import time
from pathlib import Path

JAVA_OPTIONS = "-Xmx512m -Xms128m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xshare:auto"
STOP_AFTER_S = 20.0

LOGGING = """\
rootLogger.level=warn
rootLogger.appenderRef.c.ref=c
appender.c.type=Console
appender.c.name=c
appender.c.layout.type=PatternLayout
appender.c.layout.pattern=%d{HH:mm:ss.SSS} %p %c{1} %m%n
"""

PROPERTIES = """\
process.roles=broker,controller
node.id={index}
controller.quorum.bootstrap.servers={controllers}
listeners=CLIENT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}
listener.security.protocol.map=CLIENT:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=CLIENT
controller.listener.names=CONTROLLER
log.dirs={data}
offsets.topic.replication.factor={replicas}
offsets.topic.num.partitions=4
transaction.state.log.replication.factor={replicas}
transaction.state.log.min.isr={in_sync}
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor={replicas}
share.coordinator.state.topic.min.isr={in_sync}
default.replication.factor={replicas}
min.insync.replicas={in_sync}
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
num.network.threads=2
num.io.threads=2
background.threads=2
log.cleaner.dedupe.buffer.size=8388608
log.cleaner.threads=1
"""


class BrokerError(RuntimeError):
    """A node did not start or did not do as told; the message holds the end of its log."""


class Node:
    """Node `index` of a cluster in `directory`; its data and its pid file outlive this object."""

    def __init__(self, directory: Path, index: int) -> None:
        self.index = index
        self.home = directory / f"n{index}"
        self.log = self.home / "out.log"
        self._pid_file = self.home / "pid"
        self._settings = self.home / "server.properties"
        self._logging = directory / "log4j2.properties"
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def port(self) -> int:
        """The port for clients, read off the node's own settings."""
        listeners = next(
            line for line in self._settings.read_text().splitlines() if line.startswith("listeners=")
        )
        return int(listeners.split(",")[0].rsplit(":", 1)[1])

    def configure(self, *, port: int, controller_port: int, controllers: str, nodes: int) -> None:
        """The settings are written."""
        self.home.mkdir(parents=True, exist_ok=True)
        self._logging.write_text(LOGGING)
        self._settings.write_text(
            PROPERTIES.format(
                index=self.index,
                controllers=controllers,
                port=port,
                controller_port=controller_port,
                data=self.home / "data",
                replicas=min(nodes, 3),
                in_sync=2 if nodes >= 3 else 1,
            )
        )

    def format(self, jars: Path, cluster_id: str, quorum: list[str]) -> None:
        """The data folder belongs to the cluster. Raises `BrokerError`."""
        command = [*_java(self._logging, jars), "kafka.tools.StorageTool", "format", "-t", cluster_id]
        done = subprocess.run(  # noqa: S603 - the program and its arguments are ours
            [*command, "-c", str(self._settings), *quorum], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            raise BrokerError(f"node {self.index}: format failed: {(done.stdout + done.stderr)[-800:]}")

    def launch(self, jars: Path) -> None:
        """The process runs; `await_port` says when it serves."""
        with self.log.open("ab") as log:
            # A session of its own: an interrupt at the terminal goes to the tests, which then stop the node.
            self._child = subprocess.Popen(  # noqa: S603
                [*_java(self._logging, jars), "kafka.Kafka", str(self._settings)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self._pid_file.write_text(str(self._child.pid))

    def await_port(self, timeout_s: float = 120.0) -> None:
        """The node accepts connections. Raises `BrokerError` if it ended or took too long."""
        until = time.monotonic() + timeout_s
        while not _accepts(self.port):
            if not self.alive() or time.monotonic() > until:
                raise BrokerError(
                    f"node {self.index} is not up: {self.log.read_text(errors='replace')[-1500:]}"
                )
            time.sleep(0.05)

    def alive(self) -> bool:
        """Whether the process of the pid file is this node and runs."""
        if self._child is not None:
            return self._child.poll() is None
        try:
            pid = int(self._pid_file.read_text())
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
        except (OSError, ValueError):
            return False
        return str(self._settings).encode() in command  # a pid may have gone to another program since

    def send(self, number: signal.Signals) -> None:
        """The signal is sent, if the node runs."""
        if self.alive():
            os.kill(int(self._pid_file.read_text()), number)

    def stop(self, *, hard: bool = False) -> None:
        """The process is gone: SIGTERM, then SIGKILL after 20 s; `hard` kills at once."""
        self.send(signal.SIGKILL if hard else signal.SIGTERM)
        until = time.monotonic() + STOP_AFTER_S
        while self.alive():
            if time.monotonic() > until:
                self.send(signal.SIGKILL)
            time.sleep(0.05)


def _java(logging: Path, jars: Path) -> list[str]:
    options = os.environ.get("STALLWATCH_KAFKA_JAVA_OPTIONS", JAVA_OPTIONS).split()
    return ["java", *options, f"-Dlog4j2.configurationFile={logging}", "-cp", f"{jars}/*"]


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1.0)
        return probe.connect_ex(("127.0.0.1", port)) == 0
