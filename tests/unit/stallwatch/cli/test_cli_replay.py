"""`stallwatch replay`: files in, findings out, a sentence for every input that is no recording."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner, Result

from stallwatch.cli import app
from stallwatch.cli.reference import reference
from stallwatch.recordings.jobs import LONE_LINES, MAX_JOBS, MAX_UNASKED

STUCK = b"".join(
    b'{"run_id":"r","seq":%d,"tool":"bash","args":{"command":"make"},"result":"failed"}\n' % seq
    for seq in range(50)
)
CLEAR = b'{"run_id":"c","seq":0,"tool":"bash","result":"once"}\n'


def replay(*words: str, data: bytes | None = None) -> Result:
    return CliRunner().invoke(app, ["replay", *words], input=data)


def written(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return str(path)


def test_json_is_one_object_per_change_and_readable_input_is_0(tmp_path: Path) -> None:
    result = replay("--json", written(tmp_path / "a.jsonl", STUCK + CLEAR))
    assert result.exit_code == 0
    found = [json.loads(line) for line in result.stdout.splitlines()]
    assert [change["action"] for change in found] == ["notice", "replan", "ask", "halt"]
    assert result.stderr == ""


def test_nothing_is_printed_for_runs_that_stay_clear() -> None:
    result = replay("--json", "-", data=CLEAR)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")


def test_empty_input_is_readable() -> None:
    assert replay("--json", "-", data=b"").exit_code == 0
    assert replay("-", data=b"\n \n").stdout == "0 steps of 0 runs: none was warned.\n"


def test_the_same_is_found_in_gzip_in_pieces_and_on_standard_input(tmp_path: Path) -> None:
    whole = replay("--json", "--summary", "-", data=STUCK + CLEAR).stdout
    packed = written(tmp_path / "a", gzip.compress(STUCK + CLEAR))
    assert replay("--json", "--summary", packed).stdout == whole
    lines = (STUCK + CLEAR).splitlines(keepends=True)
    pieces = [written(tmp_path / str(n), b"".join(lines[n : n + 20])) for n in range(0, len(lines), 20)]
    assert replay("--json", "--summary", *pieces).stdout == whole


def test_the_summary_has_every_run(tmp_path: Path) -> None:
    result = replay("--json", "--summary", "-", data=STUCK + CLEAR)
    closing = [found for line in result.stdout.splitlines() if (found := json.loads(line)).get("summary")]
    assert [(run["run_id"], run["steps"], run["action"]) for run in closing] == [
        ("r", 50, "halt"),
        ("c", 1, "clear"),
    ]


def test_people_get_a_table_a_sentence_and_the_runs() -> None:
    result = replay("--summary", "-", data=STUCK + CLEAR)
    assert result.exit_code == 0
    for part in ("what was seen", "halt", "highest rung", "51 steps of 2 runs: 1 halted, 1 clear."):
        assert part in result.stdout


def test_a_line_that_cannot_be_read_is_named_and_ends_it(tmp_path: Path) -> None:
    good = written(tmp_path / "good.jsonl", STUCK)
    bad = written(tmp_path / "bad.jsonl", CLEAR + b'\n{"run_id":"c","seq":"two","tool":"t"}\n' + CLEAR)
    result = replay("--json", good, bad)
    assert result.exit_code == 2
    assert result.stderr == (
        f"stallwatch: {bad}:3: seq: expected int, got str; "
        "correct the line, or leave such lines out with --skip-bad\n"
    )
    assert len(result.stdout.splitlines()) == 4


@pytest.mark.parametrize("data", [b'[{"run_id":"r","seq":0,"tool":"t"}]', b"[\n", b'{\n  "run_id": "r"\n}\n'])
def test_json_that_is_not_one_event_per_line_is_told_how_to_become_it(data: bytes) -> None:
    result = replay("-", data=data)
    assert result.exit_code == 2
    assert result.stderr.startswith("stallwatch: <stdin>:1: ")
    assert "one event per line" in result.stderr


def test_bad_lines_can_be_left_out_and_are_counted(tmp_path: Path) -> None:
    result = replay("--skip-bad", "-", data=b"rubbish\n" + CLEAR + b"[]\n")
    assert result.exit_code == 0
    assert "1 step of 1 run: it was not warned (2 unreadable lines)." in result.stdout


def test_a_persons_word_may_stand_among_the_steps() -> None:
    halted = replay("--json", "-", data=STUCK)
    released = replay("--json", "-", data=STUCK + b'{"kind":"release","run_id":"r"}\n' + CLEAR)
    assert released.exit_code == 0
    assert released.stdout.startswith(halted.stdout)
    assert json.loads(released.stdout.splitlines()[-1])["action"] == "clear"


def test_the_classic_profile_judges_too() -> None:
    result = replay("--json", "--rules", "classic", "-", data=STUCK)
    assert result.exit_code == 0
    assert json.loads(result.stdout.splitlines()[-1])["action"] == "halt"


def test_what_the_engine_refuses_is_named() -> None:
    features = b'{"run_id":"r","seq":0,"tool":"t","features":{"call":"%016x","answer":"%016x"}}\n' % (1, 2)
    result = replay("--rules", "classic", "-", data=features)
    assert result.exit_code == 2
    assert result.stderr.startswith("stallwatch: <stdin>:1: ")


def test_rules_of_a_file_are_used_and_their_problems_told(tmp_path: Path) -> None:
    observe = written(tmp_path / "observe.toml", b'base = "default"\nmode = "observe"\n')
    assert replay("--json", "--rules", observe, "-", data=STUCK).exit_code == 0
    broken = written(tmp_path / "broken.toml", b"[ladder.ask]\nlevel = 9\nlevle = 1\n")
    result = replay("--rules", broken, "-", data=STUCK)
    assert result.exit_code == 2
    assert "ladder.ask.level" in result.stderr
    assert "ladder.ask.levle" in result.stderr
    assert "nowhere: No such file" in replay("--rules", "nowhere", "-", data=STUCK).stderr


def test_the_number_of_processes_is_checked_and_its_rule_told() -> None:
    for number in ("0", str(MAX_JOBS + 1), "many"):
        result = replay("--jobs", number, "-", data=CLEAR)
        assert result.exit_code == 2
        assert "--jobs" in result.stderr
    told = " ".join(reference().split())
    assert f"one process judges the first {LONE_LINES:,} lines" in told
    assert f"one per usable core (at most {MAX_UNASKED})" in told


def test_several_processes_say_the_same_of_a_line_that_ends_it(tmp_path: Path) -> None:
    bad = written(tmp_path / "bad.jsonl", STUCK + b"[\n" + CLEAR)
    alone, shared = replay("--json", "--jobs", "1", bad), replay("--json", "--jobs", "2", bad)
    assert (alone.exit_code, shared.exit_code) == (2, 2)
    assert alone.stdout.count("\n") == 4
    assert (shared.stdout, shared.stderr) == (alone.stdout, alone.stderr)


@pytest.mark.parametrize("name", ["none.jsonl", "."])
def test_a_file_that_cannot_be_read_is_named(name: str) -> None:
    result = replay(name)
    assert result.exit_code == 2
    assert result.stderr.startswith(f"stallwatch: {name}: ")


RUBBISH = st.one_of(
    st.binary(min_size=1, max_size=200),
    st.binary(max_size=60).map(lambda data: gzip.compress(data)[:-4] + data),
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.integers() | st.text(st.characters(codec=None)),
        lambda inner: (
            st.lists(inner) | st.dictionaries(st.sampled_from(["run_id", "seq", "tool", "kind", "ts"]), inner)
        ),
        max_leaves=12,
    ).map(lambda value: json.dumps(value).encode()),
    st.integers(50, 100_000).map(lambda depth: b"[" * depth),
)


@settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow], deadline=None)
@given(RUBBISH)
def test_rubbish_is_refused_in_one_sentence(data: bytes) -> None:
    result = replay("--json", "-", data=data)
    assert result.exit_code in (0, 2), result.exception
    assert isinstance(result.exception, SystemExit | None)
    if result.exit_code == 2:
        assert result.stderr.startswith("stallwatch: <stdin>")
        assert result.stderr.count("\n") == 1
    else:
        assert result.stderr == ""
    assert replay("--json", "--skip-bad", "-", data=data).exit_code in (0, 2)
