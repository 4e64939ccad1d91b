"""Output that cannot be written is one sentence and 2, whatever the command; nothing else gets its descriptor."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import stallwatch

ROOT = Path(stallwatch.__file__).parents[1]
RECORDED = ROOT / "tests" / "data" / "recorded_runs.jsonl"
COMMANDS = [
    ["replay", "--summary", str(RECORDED)],
    ["replay", "--json", "--summary", str(RECORDED)],
    ["rules", "show"],
    ["rules", "check", "default"],
    ["--version"],
    ["dlq", "--help"],
]
MAIN = [sys.executable, "-c", "from stallwatch.cli import main; main()"]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_full_disk_is_one_sentence(words: list[str]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*MAIN, *words], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"stallwatch: standard output cannot be written (No space left on device)")
    assert done.stderr.count(b"\n") == 1


def closing(*descriptors: int) -> list[str]:
    closes = "".join(f"os.close({number}); " for number in descriptors)
    return [sys.executable, "-c", f"import os, sys; {closes}os.execv(sys.argv[1], sys.argv[1:])", *MAIN]


@pytest.mark.parametrize("words", COMMANDS, ids=" ".join)
def test_a_closed_output_is_one_sentence(words: list[str]) -> None:
    done = subprocess.run([*closing(1), *words], cwd=ROOT, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith(b"stallwatch: standard output cannot be written (it is closed)")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("words", [["rules", "check", "/no/such/file"], ["reply"]], ids=" ".join)
def test_without_a_place_for_the_sentence_the_code_is_the_same(words: list[str]) -> None:
    assert subprocess.run([*closing(1, 2), *words], cwd=ROOT, check=False).returncode == 2
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*MAIN, *words], cwd=ROOT, stdout=subprocess.PIPE, stderr=full, check=False)
    assert (done.returncode, done.stdout) == (2, b"")


def test_what_the_encoding_cannot_show_is_printed_as_its_escape(tmp_path: Path) -> None:
    rules = tmp_path / "night.toml"
    rules.write_text('name = "夜"\n', "utf-8")
    done = subprocess.run(
        [*MAIN, "rules", "check", str(rules)],
        cwd=ROOT,
        env={**os.environ, "PYTHONIOENCODING": "latin-1"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b": \\u591c@1." in done.stdout
