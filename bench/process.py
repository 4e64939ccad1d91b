"""A measured process: pinned to one core where there are two, CPU time and memory read from the kernel."""

import os
import signal
import subprocess
from collections.abc import Mapping
from pathlib import Path

_TICKS_PER_S = os.sysconf("SC_CLK_TCK")


def measured_core() -> int | None:
    """The core of the measured process; broker and load take the others. None on a machine with one core."""
    cores = sorted(os.sched_getaffinity(0))
    return cores[-1] if len(cores) > 1 else None


def leave(core: int | None) -> None:
    """This process and what it starts from now on (broker, load) stay off the measured core."""
    if core is not None:
        os.sched_setaffinity(0, os.sched_getaffinity(0) - {core})


class Measured:
    """A process on the measured core."""

    def __init__(self, command: list[str], env: Mapping[str, str], log: Path, core: int | None) -> None:
        self.log = log
        with log.open("ab") as out:
            self._process = subprocess.Popen(
                command,
                env={**os.environ, **env},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
            )
        if core is not None:
            os.sched_setaffinity(self._process.pid, {core})

    @property
    def pid(self) -> int:
        """Its process id."""
        return self._process.pid

    def cpu_s(self) -> float:
        """CPU seconds of all its threads so far, user and system."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_S

    def peak_mib(self) -> float:
        """Largest resident size so far."""
        lines = Path(f"/proc/{self.pid}/status").read_text().splitlines()
        return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024

    def check(self) -> None:
        """It still runs. Raises `RuntimeError` with the end of its log."""
        code = self._process.poll()
        if code is not None:
            raise RuntimeError(f"the measured process ended with {code}: {self.log.read_text()[-2000:]}")

    def stop(self) -> int:
        """Asked to end, and ended; the exit code. Killed after 30 s."""
        self._process.send_signal(signal.SIGTERM)
        try:
            return self._process.wait(30)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()
