"""The process of one scripted agent: `python -m stallwatch.demo.agent`.

It publishes its steps to the broker of its environment's settings as any agent would, and is led by its host over
standard input. When its host is gone, it ends.
"""

import argparse
import contextlib
import os
import queue
import signal
import sys
import threading
from pathlib import Path

import msgspec

from stallwatch.clients.publisher import StepPublisher
from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.clocks import WallClock
from stallwatch.demo.life import Life, StepSeen
from stallwatch.demo.messages import FromAgent, Over, Show, Shown, Stepped, line, read_by_agent
from stallwatch.demo.workbench import Workbench
from streams.settings import Settings

FLUSH_S = 3.0


class Host:
    """The other end of standard input and output."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._shown: queue.SimpleQueue[Show] = queue.SimpleQueue()

    def listen(self) -> None:
        """What the host says is kept for the next turn; a stop, or its silence for ever, sets `stop`."""
        threading.Thread(target=self._read, name="host", daemon=True).start()

    def say(self, message: FromAgent) -> None:
        """The host has been told; if it is gone, `stop` is set."""
        try:
            sys.stdout.buffer.write(line(message))
            sys.stdout.buffer.flush()
        except OSError:
            self._stop.set()

    def before_turn(self) -> None:
        """What the host wanted to be seen is before the model. These agents take no notice of it."""
        while not self._shown.empty():
            self.say(Shown(command_id=self._shown.get().command_id))

    def stepped(self, seen: StepSeen) -> None:
        """The host knows of the step."""
        self.say(Stepped(step=seen.step, call=seen.call, tokens=seen.tokens, milestone=seen.milestone))

    def _read(self) -> None:
        # Not through `sys.stdin`: its lock, held by a thread that waits for ever, would break the interpreter's end.
        waiting = b""
        with contextlib.suppress(OSError, msgspec.DecodeError):
            while data := os.read(sys.stdin.fileno(), 65536):
                *lines, waiting = (waiting + data).split(b"\n")
                for said in lines:
                    message = read_by_agent(said)
                    if isinstance(message, Show):
                        self._shown.put(message)
                    else:
                        self._stop.set()
        self._stop.set()


def main() -> int:
    """The run is over, its events are at the broker, its background jobs have ended."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("behaviour", choices=BEHAVIOURS)
    parser.add_argument("--run-id", required=True)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--attempt", type=int, default=0)
    chosen = parser.parse_args()
    behaviour = BEHAVIOURS[chosen.behaviour]

    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    host = Host(stop)
    host.listen()
    publisher = StepPublisher(
        settings=Settings.load(os.environ),
        run_id=chosen.run_id,
        attempt=chosen.attempt,
        task=behaviour.task,
        agent=behaviour.name,
    )
    try:
        with Workbench(chosen.folder, sleep=stop.wait) as bench:
            life = Life(
                behaviour,
                bench,
                publisher,
                WallClock(),
                stop=stop,
                on_step=host.stepped,
                before_turn=host.before_turn,
            )
            ending = life.live()
    finally:
        publisher.close(FLUSH_S)
    host.say(Over(ending=ending, undelivered=sum(publisher.dropped.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
