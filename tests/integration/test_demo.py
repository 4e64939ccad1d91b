"""The demo as a person starts it: it does what it says, and nothing of it outlives it."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest
from demo_process import COMMAND, DemoProcess

from stallwatch.demo.agents import BEHAVIOURS

HEALTHY = {behaviour.name for behaviour in BEHAVIOURS.values() if behaviour.healthy}
STUCK = set(BEHAVIOURS) - HEALTHY


@pytest.mark.timeout(300)
def test_healthy_agents_finish_stuck_ones_are_halted_and_all_is_cleaned_up(tmp_path: Path) -> None:
    with DemoProcess(tmp_path, "--keep", "--json", str(tmp_path / "result.json")) as demo:
        demo.line_with("docs/detection.md", within_s=200)
        assert any("stay up" in line for line in demo.lines)
        result = json.loads((tmp_path / "result.json").read_text())
        assert result["ok"] is True, demo.said()
        assert {run["run_id"] for run in result["runs"] if run["ending"] == "finished"} == HEALTHY
        halted = {run["run_id"]: run for run in result["runs"] if run["ending"] == "halted"}
        assert set(halted) == STUCK
        for run in halted.values():
            assert run["steps"] < run["limit"]
            assert run["milestones"] == ["baseline_green"]
            assert run["why"]
            assert run["stopped_how"] == "when told"
            assert run["undelivered"] == 0
        assert result["steps_saved"] == sum(run["limit"] - run["steps"] for run in halted.values())
        assert result["milestones_kept"] == len(STUCK)

        # The worker is still there, and its own count of steps is that of the agents.
        with urllib.request.urlopen(result["metrics_url"], timeout=10) as answer:
            metrics = answer.read().decode()
        counted = re.findall(r"^stallwatch_halts_total\{[^}]*\} (\S+)$", metrics, re.MULTILINE)
        assert sum(map(float, counted)) == len(STUCK), metrics

        # What to try is tried.
        (export,) = [line for line in demo.lines if line.startswith("  export ")]
        told = subprocess.run(
            [*COMMAND[:-1], "explain", "flip-flop"],
            env={**os.environ, **dict([export.split()[1].split("=", 1)])},
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
        assert told.stdout.startswith("Run flip-flop: "), told.stderr

        demo.process.send_signal(signal.SIGINT)
        assert demo.end() == 0
        demo.assert_nothing_is_left()
        assert list(demo.temporary.iterdir()) == []
        assert "\x1b" not in demo.said()
        assert demo.errors.read_text() == ""


@pytest.mark.parametrize(
    ("number", "code", "after"),
    [(signal.SIGINT, 130, "replan (idle_wait)"), (signal.SIGTERM, 143, "starts: polls")],
)
def test_interrupted_it_ends_in_order(tmp_path: Path, number: signal.Signals, code: int, after: str) -> None:
    with DemoProcess(tmp_path) as demo:
        demo.line_with(after)
        assert len(demo.descendants()) >= 4
        demo.process.send_signal(number)
        assert demo.end() == code, demo.said()
        assert "clear again" not in demo.said()
        demo.assert_nothing_is_left()
        assert list(demo.temporary.iterdir()) == []
        assert "Traceback" not in demo.said()


def test_interrupted_before_the_worker_is_ready_it_ends_in_order(tmp_path: Path) -> None:
    with DemoProcess(tmp_path) as demo:
        demo.line_with("worker starts")
        demo.process.send_signal(signal.SIGINT)
        assert demo.end() == 130, demo.said()
        demo.assert_nothing_is_left()
        assert list(demo.temporary.iterdir()) == []


def test_killed_outright_it_takes_its_processes_along(tmp_path: Path) -> None:
    with DemoProcess(tmp_path) as demo:
        demo.line_with("starts:", times=9)
        assert any("worker" in command for command in demo.descendants().values())
        demo.process.kill()
        demo.process.wait()
        demo.assert_nothing_is_left()


def test_a_worker_that_dies_is_told_in_one_sentence(tmp_path: Path) -> None:
    with DemoProcess(tmp_path) as demo:
        demo.line_with("starts:", times=3)
        (worker,) = [pid for pid, command in demo.descendants().items() if command.endswith("worker ")]
        subprocess.run(["kill", "-9", str(worker)], check=True)
        assert demo.end() == 1, demo.said()
        said = demo.errors.read_text()
        assert said.startswith("stallwatch: the worker ended with exit code -9")
        assert said.count("\n") == 1
        demo.assert_nothing_is_left()
        assert list(demo.temporary.iterdir()) == []


def test_a_taken_port_is_told_in_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with DemoProcess(tmp_path, "--metrics-port", str(port)) as demo:
            assert demo.end() == 2
            said = demo.errors.read_text()
            assert said.startswith(f"stallwatch: metrics cannot be served on 127.0.0.1:{port}: ")
            assert "--metrics-port" in said
            assert said.count("\n") == 1
            demo.assert_nothing_is_left()


def test_without_the_extra_it_says_what_to_install() -> None:
    hidden = "import sys; sys.modules['confluent_kafka'] = None; " + COMMAND[2]
    done = subprocess.run(
        [sys.executable, "-c", hidden, "demo"], capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 2
    assert "pip install 'stallwatch[demo]'" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["--seconds", "1"], "--seconds 1"), (["--json", "/no/such/folder/result.json"], "--json /no/such")],
)
def test_options_that_cannot_work_are_refused_first(arguments: list[str], named: str) -> None:
    done = subprocess.run([*COMMAND, *arguments], capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 2
    assert named in done.stderr
    assert done.stdout == ""


def test_with_nobody_left_to_read_it_ends(tmp_path: Path) -> None:
    with DemoProcess(tmp_path) as demo:
        demo.line_with("starts:")
        demo.hang_up()
        assert demo.end() == 141, demo.errors.read_text()
        demo.assert_nothing_is_left()
        assert list(demo.temporary.iterdir()) == []
        assert demo.errors.read_text() == ""
