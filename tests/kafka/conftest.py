"""Fixtures of the tier on real Apache Kafka: one broker for the session, and brokers that a test may break.

`STALLWATCH_TEST_BOOTSTRAP=host:port` takes a given broker for the session's; `KAFKA_LIBS` says where the jars
are (fetched with Maven into `.kafka/libs` when they are nowhere).
"""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "deploy" / "kafka" / "broker.sh"
UP_TIMEOUT_S = 90.0
DOWN_TIMEOUT_S = 30.0


class KafkaNode:
    """A broker process on its own data: may be stopped, killed, frozen, and started again at its address."""

    def __init__(self, directory: Path, libs: Path) -> None:
        self.directory = directory
        self._libs = libs
        self.port, self._controller_port = _free_ports(2)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def bootstrap_servers(self) -> str:
        """The address that clients use."""
        return f"127.0.0.1:{self.port}"

    def start(self) -> None:
        """The broker accepts connections."""
        self.directory.mkdir(parents=True, exist_ok=True)
        settings = {
            **os.environ,
            "KAFKA_LIBS": str(self._libs),
            "KAFKA_CONTROLLER_PORT": str(self._controller_port),
            "KAFKA_DIE_WITH_PARENT": "1",
        }
        log = self.directory / "broker.log"
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                [str(SCRIPT), "run", str(self.directory), str(self.port)],
                env=settings,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )
        deadline = time.monotonic() + UP_TIMEOUT_S
        while not _accepts(self.port):
            if self.process.poll() is not None or time.monotonic() > deadline:
                self.kill()
                raise AssertionError(
                    f"the broker did not come up:\n{log.read_text(errors='replace')[-4000:]}"
                )
            time.sleep(0.1)

    def stop(self) -> None:
        """The broker has shut down in order; its data stays."""
        if self.process is None:
            return
        self.process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(DOWN_TIMEOUT_S)
        self.kill()

    def kill(self) -> None:
        """The broker is gone at once, as after a power cut of its process; its data stays."""
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None

    def freeze(self) -> None:
        """The process stands still until `thaw`."""
        assert self.process is not None
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """The process goes on."""
        assert self.process is not None
        self.process.send_signal(signal.SIGCONT)


def _accepts(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=1).close()
    except OSError:
        return False
    return True


def _free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


@pytest.fixture(scope="session")
def kafka_libs() -> Path:
    """Folder of Kafka's jars; skips where Java or Maven is missing, except in CI, where that is a failure."""
    libs = Path(os.environ.get("KAFKA_LIBS") or ROOT / ".kafka" / "libs")
    have_jars = any(libs.glob("kafka_*.jar"))
    missing = [name for name in ("java", *([] if have_jars else ["mvn"])) if shutil.which(name) is None]
    if missing:
        because = f"real Kafka needs {' and '.join(missing)}: apt-get install openjdk-17-jre-headless maven"
        if os.environ.get("CI") == "true":
            pytest.fail(because)
        pytest.skip(because)
    if not have_jars:
        subprocess.run([str(SCRIPT), "fetch"], env={**os.environ, "KAFKA_LIBS": str(libs)}, check=True)
    return libs


@pytest.fixture(scope="session")
def kafka_broker(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Bootstrap address of the session's broker. No topics: each test makes its own, under its own prefix."""
    given = os.environ.get("STALLWATCH_TEST_BOOTSTRAP")
    if given:
        yield given
        return
    node = KafkaNode(tmp_path_factory.mktemp("kafka"), request.getfixturevalue("kafka_libs"))
    node.start()
    yield node.bootstrap_servers
    node.stop()


@pytest.fixture
def kafka_node(kafka_libs: Path, tmp_path: Path) -> Iterator[Callable[[], KafkaNode]]:
    """Makes brokers of the test's own, running and free to be broken; they are gone afterwards."""
    nodes: list[KafkaNode] = []

    def make() -> KafkaNode:
        node = KafkaNode(tmp_path / f"kafka-{len(nodes)}", kafka_libs)
        nodes.append(node)
        node.start()
        return node

    yield make
    for node in nodes:
        if node.process is not None:
            node.thaw()
        node.stop()
