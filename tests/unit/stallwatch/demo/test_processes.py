"""Small things about processes: the leash, last words, the port."""

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from stallwatch.demo import worker_process
from stallwatch.demo.last_words import last_words
from stallwatch.mistakes import Mistake

LEASH = [sys.executable, "-m", "stallwatch.demo.leash"]


def test_the_leash_becomes_the_command() -> None:
    done = subprocess.run(
        [*LEASH, str(os.getpid()), sys.executable, "-c", "import os; print(os.getppid())"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == f"{os.getpid()}\n"


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's help is Linux's")
def test_an_orphan_does_not_start() -> None:
    done = subprocess.run(
        [*LEASH, "1", sys.executable, "-c", "print('started')"], capture_output=True, check=False
    )
    assert (done.returncode, done.stdout) == (1, b"")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("", "it said nothing"),
        ("first\nlast\n\n", "last"),
        ('{"event": "no broker", "error": "refused", "time": "t"}\n', "no broker, refused"),
        ('{"other": 1}\n', '{"other": 1}'),
        ("x" * 900, "x" * 500),
    ],
)
def test_last_words(tmp_path: Path, written: str, told: str) -> None:
    (tmp_path / "log").write_text(written)
    assert last_words(tmp_path / "log") == told


def test_no_log_is_no_word(tmp_path: Path) -> None:
    assert last_words(tmp_path / "none") == "it said nothing"


async def test_a_taken_port_is_refused_before_anything_starts(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(Mistake, match=f"127.0.0.1:{port}"):
            await worker_process.launch(
                bootstrap_servers="127.0.0.1:1", rules=tmp_path / "r", port=port, folder=tmp_path
            )
    assert list(tmp_path.iterdir()) == []
