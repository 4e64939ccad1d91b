"""Apache Kafka on loopback, one node or three, for tests and measurements; no Docker.

    python -m deploy.kafka.cluster start DIR [--nodes 3]    prints the bootstrap servers
    python -m deploy.kafka.cluster run   DIR NODE           a stopped node again, on its old data
    python -m deploy.kafka.cluster stop  DIR [NODE]

Ports are free ones, chosen at `start` and kept in DIR.
"""

import argparse
import base64
import os
import random
import signal
import socket
import sys
from pathlib import Path

from deploy.kafka.jars import KafkaUnavailableError, jars
from deploy.kafka.node import BrokerError, Node


class Cluster:
    """Nodes in one directory. A cluster that another process started is taken up by naming its directory."""

    def __init__(self, directory: Path, *, nodes: int | None = None) -> None:
        self.directory = directory.resolve()
        if nodes is None:
            nodes = len(list(self.directory.glob("n[0-9]")))
        self.nodes = [Node(self.directory, index) for index in range(nodes)]

    @property
    def bootstrap_servers(self) -> str:
        """`host:port` of every node, comma-separated."""
        return ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def start(self) -> None:
        """A new cluster serves. Raises `KafkaUnavailableError`, `BrokerError`."""
        folder = jars()
        ports = _free_ports(2 * len(self.nodes))
        controllers = ",".join(f"127.0.0.1:{port}" for port in ports[1::2])
        members = ",".join(
            f"{node.index}@127.0.0.1:{ports[2 * node.index + 1]}:{_identity()}" for node in self.nodes
        )
        cluster_id = _identity()
        alone = len(self.nodes) == 1
        for node in self.nodes:
            port, controller_port = ports[2 * node.index : 2 * node.index + 2]
            node.configure(
                port=port, controller_port=controller_port, controllers=controllers, nodes=len(self.nodes)
            )
            node.format(folder, cluster_id, ["--standalone"] if alone else ["--initial-controllers", members])
        for node in self.nodes:
            node.launch(folder)
        for node in self.nodes:
            node.await_port()

    def run(self, index: int) -> None:
        """A stopped node serves again on its old data and its old ports."""
        self.nodes[index].launch(jars())
        self.nodes[index].await_port()

    def stop(self, index: int | None = None, *, hard: bool = False) -> None:
        """The node, or every node, has ended. `hard`: by SIGKILL."""
        chosen = self.nodes if index is None else [self.nodes[index]]
        # All at once first: the last node of a quorum that goes one by one waits for the others in vain.
        for node in chosen:
            node.send(signal.SIGKILL if hard else signal.SIGTERM)
        for node in chosen:
            node.stop(hard=hard)


def _identity() -> str:
    # 16 bytes in base64url; Kafka refuses one that begins with a dash.
    return "A" + base64.urlsafe_b64encode(os.urandom(16)).decode().rstrip("=")[1:]


def _free_ports(count: int) -> list[int]:
    # Below the range for outgoing connections: a client that keeps knocking at a stopped node from the node's
    # own port number would connect to itself, and the node could not come back.
    lowest_outgoing = int(Path("/proc/sys/net/ipv4/ip_local_port_range").read_text().split()[0])
    found: list[int] = []
    while len(found) < count:
        port = random.randrange(lowest_outgoing // 2, lowest_outgoing)  # noqa: S311
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        if port not in found:
            found.append(port)
    return found


def main() -> int:
    """Exit code 0, or 2 with one sentence on stderr."""
    parser = argparse.ArgumentParser(
        prog="python -m deploy.kafka.cluster", description=__doc__.split("\n")[0]
    )
    commands = parser.add_subparsers(dest="command", required=True)
    start = commands.add_parser("start", help="a new cluster; prints its bootstrap servers")
    start.add_argument("directory", type=Path)
    start.add_argument("--nodes", type=int, choices=(1, 3), default=1)
    run = commands.add_parser("run", help="a stopped node again, on its old data")
    run.add_argument("directory", type=Path)
    run.add_argument("node", type=int)
    stop = commands.add_parser("stop", help="one node, or all")
    stop.add_argument("directory", type=Path)
    stop.add_argument("node", type=int, nargs="?")
    chosen = parser.parse_args()
    cluster = Cluster(chosen.directory, nodes=getattr(chosen, "nodes", None))
    try:
        if chosen.command == "start":
            cluster.start()
            sys.stdout.write(cluster.bootstrap_servers + "\n")
        elif chosen.command == "run":
            cluster.run(chosen.node)
        else:
            cluster.stop(chosen.node)
    except (KafkaUnavailableError, BrokerError) as error:
        sys.stderr.write(f"{error}\n")
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
