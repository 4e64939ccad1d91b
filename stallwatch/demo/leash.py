"""Becomes another program that does not outlive its parent: `python -m stallwatch.demo.leash PARENT_PID COMMAND…`.

On Linux the kernel kills it when the parent is gone, however that came about. Elsewhere the parent's own cleaning up
has to do, which a SIGKILL skips.
"""

import contextlib
import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """This process is the command."""
    parent, command = int(sys.argv[1]), sys.argv[2:]
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:
            sys.exit(1)  # it was gone before the kernel was asked
    os.execv(command[0], command)  # noqa: S606 - becoming the given program is what this one is for


if __name__ == "__main__":
    main()
