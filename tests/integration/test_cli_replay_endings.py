"""However a replay in several processes ends: its exit code, one sentence at most, and no process is left."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from recorded_fleet import fleet
from replay_process import COMMAND, ReplayProcess, all_gone

import stallwatch

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/stat").exists(), reason="finds processes by /proc, which this system does not have"
)
STUCK = [
    b'{"run_id":"r%d","seq":%d,"tool":"bash","args":{"command":"make"},"result":"failed"}' % (run, seq)
    for seq in range(30)
    for run in range(8)
]


def begun(replay: ReplayProcess, judges: int = 2) -> list[int]:
    """The pids of the judging processes, once they have judged."""
    replay.give(STUCK)
    # On a pipe whose writer waits, what was found so far is printed.
    for _ in range(8):
        assert b'"action":"notice"' in replay.stdout.readline()
    found = replay.judges()
    assert len(found) == judges
    return found


def test_findings_do_not_wait_for_the_end_of_a_pipe() -> None:
    with ReplayProcess("--jobs", "2") as replay:
        judges = begun(replay)
        replay.stdin.close()
        actions = replay.stdout.read()
        assert actions.count(b'"action":"halt"') == 8
        assert (replay.wait(), replay.stderr.read()) == (0, b"")
        assert all_gone(judges)


def test_without_being_asked_a_short_input_starts_no_process() -> None:
    with ReplayProcess() as replay:
        begun(replay, judges=0)


def test_an_interrupt_from_the_terminal_ends_all_of_it_in_silence() -> None:
    with ReplayProcess("--jobs", "2") as replay:
        judges = begun(replay)
        os.killpg(replay.process.pid, signal.SIGINT)
        assert (replay.wait(), replay.stderr.read()) == (130, b"")
        assert all_gone(judges)


def test_an_interrupt_while_processes_start_is_as_silent() -> None:
    with ReplayProcess("--jobs", "2") as replay:
        replay.give(STUCK)
        while len(replay.judges()) < 2:
            assert replay.process.poll() is None
        os.killpg(replay.process.pid, signal.SIGINT)
        assert (replay.wait(), replay.stderr.read()) == (130, b"")


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL])
def test_processes_end_when_their_reader_is_gone(how: signal.Signals) -> None:
    with ReplayProcess("--jobs", "2") as replay:
        judges = begun(replay)
        replay.process.send_signal(how)
        assert replay.wait() == -how
        assert all_gone(judges)


def test_a_judging_process_that_is_killed_is_told_in_one_sentence() -> None:
    with ReplayProcess("--jobs", "2") as replay:
        judges = begun(replay)
        os.kill(judges[0], signal.SIGKILL)
        replay.give(STUCK)
        assert replay.wait() == 70
        errors = replay.stderr.read()
        assert errors.startswith(b"stallwatch: a process that judged was killed (SIGKILL); ")
        assert errors.count(b"\n") == 1
        assert all_gone(judges)


def test_a_reader_that_goes_away_ends_it() -> None:
    with ReplayProcess("--jobs", "2") as replay:
        judges = begun(replay)
        replay.stdout.close()
        replay.give([line.replace(b'"r', b'"other') for line in STUCK])
        assert (replay.wait(), replay.stderr.read()) == (141, b"")
        assert all_gone(judges)


def test_a_long_input_is_shared_without_being_asked_and_printed_alike() -> None:
    """From an endless-looking pipe: the first lines by one process, the others by as many as there are cores."""
    data = b"\n".join(fleet(8, events=6000, runs=300)) + b"\n"
    shown = []
    for words in ([], ["--jobs", "1"], ["--jobs", "2"]):
        done = subprocess.run(
            [*COMMAND, "--summary", *words, "-"],
            input=data,
            capture_output=True,
            check=True,
            cwd=Path(stallwatch.__file__).parents[1],
        )
        assert done.stderr == b""
        shown.append(done.stdout)
    assert shown[0] == shown[1] == shown[2]
    assert shown[0].count(b"\n") > 300


def test_as_a_library_it_needs_no_guarded_main_and_may_have_threads(tmp_path: Path) -> None:
    path = tmp_path / "steps.jsonl"
    path.write_bytes(b"\n".join(STUCK))
    script = tmp_path / "script.py"
    script.write_text(
        "import sys, threading\n"
        "from detectors.rulefile import profile\n"
        "from stallwatch.recordings.jobs import Jobs\n"
        "from stallwatch.recordings.replay_output import JsonOutput\n"
        "from stallwatch.recordings.replay_run import replay_files\n"
        "held = threading.Lock()\n"
        "held.acquire()\n"
        "threading.Thread(target=held.acquire, daemon=True).start()\n"
        "replay_files([sys.argv[1]], profile('default'), JsonOutput(summary=True), skip_bad=False, jobs=Jobs(2, 0))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script), str(path)],
        capture_output=True,
        check=True,
        env=os.environ | {"PYTHONPATH": str(Path(stallwatch.__file__).parents[1])},
        cwd=tmp_path,
    )
    assert done.stdout.count(b'"summary":true') == 8


def test_with_nobody_to_read_errors_or_to_type_it_works(tmp_path: Path) -> None:
    """No terminal, standard input closed, files only."""
    path = tmp_path / "steps.jsonl"
    path.write_bytes(b"\n".join(STUCK))
    done = subprocess.run(
        [*COMMAND, "--jobs", "2", str(path)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
        start_new_session=True,
        cwd=Path(stallwatch.__file__).parents[1],
    )
    assert done.stdout.count(b'"action":"halt"') == 8
