"""A process that judges, as its reader holds it: pipes that never block the reader, and a certain end."""

import contextlib
import os
import select
import signal
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from typing import Final

from stallwatch.mistakes import Mistake
from stallwatch.recordings.judge_messages import HEADER, Answer, Order, framed, read_answer

# A new interpreter, not a fork: the reader may have threads (a progress bar, whoever calls it as a library), and
# what they hold at a fork stays held in the child. It costs about 0.15 s, once, on a core that was idle.
BOOT: Final = (
    "import sys; sys.path[:] = sys.argv[1:]; from stallwatch.recordings.judge_process import main; main()"
)
READ_BYTES = 1 << 16


class JudgeLostError(Mistake):
    """A process that judged ended before its work was done: what it knew of its runs is gone."""

    exit_code = 70


class JudgeHandle:
    """One process. After `kill` and `close` nothing of it is left, whatever happened before."""

    def __init__(self) -> None:
        # Whoever interrupts the reader interrupts its group; the process is told its end by the reader alone.
        if not sys.executable:
            raise JudgeLostError("this Python names no interpreter to start processes with; use --jobs 1")
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._process = subprocess.Popen(  # noqa: S603 - our own code, by the interpreter that runs
                [sys.executable, "-P", "-c", BOOT, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                bufsize=0,
            )
        except OSError as error:
            raise JudgeLostError(
                f"no process could be started to judge in ({error.strerror}); use --jobs 1"
            ) from None
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.orders: Final = self._process.stdin.fileno()
        self.answers: Final = self._process.stdout.fileno()
        os.set_blocking(self.orders, False)
        os.set_blocking(self.answers, False)
        self._unsent: deque[memoryview] = deque()
        self._unread = bytearray()

    @property
    def has_unsent(self) -> bool:
        """Whether `send` has something to do."""
        return bool(self._unsent)

    def queue(self, order: Order) -> None:
        """The order is sent by and by. The caller bounds how much waits."""
        self._unsent.append(memoryview(framed(order)))

    def send(self) -> None:
        """As much is sent as the pipe takes now. Raises `JudgeLostError`."""
        while self._unsent:
            head = self._unsent[0]
            try:
                sent = os.write(self.orders, head)
            except BlockingIOError:
                return
            except BrokenPipeError:
                raise self._lost() from None
            if sent == len(head):
                self._unsent.popleft()
            else:
                self._unsent[0] = head[sent:]

    def receive(self) -> list[Answer]:
        """The answers that are there in full. Raises `JudgeLostError` where no more can come."""
        try:
            data = os.read(self.answers, READ_BYTES)
        except BlockingIOError:
            return []
        if not data:
            raise self._lost()
        self._unread += data
        found: list[Answer] = []
        start = 0
        while len(self._unread) - start >= HEADER.size:
            (size,) = HEADER.unpack_from(self._unread, start)
            end = start + HEADER.size + size
            if len(self._unread) < end:
                break
            found.append(read_answer(memoryview(self._unread)[start + HEADER.size : end]))
            start = end
        del self._unread[:start]
        return found

    def kill(self) -> None:
        """The process ends now. Nothing that it still did is missed."""
        self._unsent.clear()
        self._process.kill()

    def close(self) -> None:
        """The process, killed before, is reaped, and its pipes are closed."""
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout):
            if stream is not None:
                stream.close()

    def _lost(self) -> JudgeLostError:
        code = self._process.wait()
        how = f"ended with {code}"
        if code < 0:
            with contextlib.suppress(ValueError):
                how = f"was killed ({signal.Signals(-code).name})"
        return JudgeLostError(
            f"a process that judged {how}; what was printed is right but not all: replay again, "
            "with --jobs 1 if memory is short"
        )


def exchange(judges: Sequence[JudgeHandle]) -> list[Answer]:
    """Waits until some process takes what is queued for it or answers; the answers. Raises `JudgeLostError`."""
    poll = select.poll()
    for judge in judges:
        poll.register(judge.answers, select.POLLIN)
        if judge.has_unsent:
            poll.register(judge.orders, select.POLLOUT)
    ready = {descriptor for descriptor, _ in poll.poll()}
    answers: list[Answer] = []
    for judge in judges:
        if judge.answers in ready:
            answers += judge.receive()
        if judge.orders in ready:
            judge.send()
    return answers
