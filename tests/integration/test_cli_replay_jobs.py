"""Any number of processes prints what one prints: the same bytes, the same sentence where it ends."""

import gzip
import io
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from recorded_fleet import BAD, fleet

from bench.convert import case_events, cases
from detectors.rulefile import profile
from stallwatch.mistakes import Mistake
from stallwatch.recordings import recording, shared_judging
from stallwatch.recordings.jobs import ALONE, Jobs
from stallwatch.recordings.reading_progress import ReadingProgress
from stallwatch.recordings.replay_output import JsonOutput, ReplayOutput, TableOutput
from stallwatch.recordings.replay_run import replay_files
from streams.codec import encode

DATA = Path(__file__).parent.parent / "data"
MANY = (Jobs(2, 0), Jobs(3, 0), Jobs(2, 700))
"""From the first line, and after the first 700 were judged by one process."""


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks of about 60 lines, few of them ahead: what a long input has, a short one has too."""
    monkeypatch.setattr(recording, "CHUNK_BYTES", 20_000)
    monkeypatch.setattr(shared_judging, "AHEAD_BLOCKS", 4)


def shown(
    files: Sequence[str], jobs: Jobs, *, skip_bad: bool = False, rules: str = "default", table: bool = False
) -> tuple[bytes, str]:
    """(what was printed, the sentence it ended with)."""
    text, stream = io.StringIO(), io.BytesIO()
    output: ReplayOutput = (
        TableOutput(summary=True, stream=text) if table else JsonOutput(summary=True, stream=stream)
    )
    sentence = ""
    try:
        replay_files(files, profile(rules), output, skip_bad=skip_bad, jobs=jobs)
    except Mistake as mistake:
        sentence = f"{mistake.exit_code}: {mistake}"
    return text.getvalue().encode() if table else stream.getvalue(), sentence


def written(path: Path, lines: Sequence[bytes], pack: Callable[[bytes], bytes] = bytes) -> str:
    path.write_bytes(pack(b"\n".join(lines) + b"\n"))
    return str(path)


@pytest.mark.parametrize("rules", ["default", "classic"])
def test_the_recorded_runs_are_judged_alike(rules: str) -> None:
    files = [str(DATA / "recorded_runs.jsonl")]
    alone = shown(files, ALONE, rules=rules)
    assert alone[0]
    for jobs in (Jobs(2, 0), Jobs(5, 0)):
        assert shown(files, jobs, rules=rules) == alone


def test_every_case_is_judged_alike(tmp_path: Path) -> None:
    files = [written(tmp_path / "cases", [encode(e) for case in cases() for e in case_events(case)])]
    alone = shown(files, ALONE)
    assert alone[0].count(b'"summary":true') == len(cases())
    for jobs in MANY:
        assert shown(files, jobs) == alone


def test_a_fleet_in_several_files_is_judged_alike(tmp_path: Path) -> None:
    lines = fleet(1, events=3600, runs=300)
    files = [
        written(tmp_path / "a", lines[:1500]),
        written(tmp_path / "b.gz", lines[1500:3000], gzip.compress),
        written(tmp_path / "c", lines[3000:]),
    ]
    alone = shown(files, ALONE)
    assert alone[0].count(b"\n") > 400
    assert alone[0].count(b'"action":"halt"') > 5
    for jobs in MANY:
        assert shown(files, jobs) == alone
    table = shown(files, ALONE, table=True)
    assert b"duplicates" in table[0]
    assert b"late" in table[0]
    assert shown(files, MANY[2], table=True) == table


def test_the_progress_is_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = [written(tmp_path / "a", fleet(2, events=600, runs=60))]
    seen: list[tuple[int, int]] = []
    monkeypatch.setattr(
        ReadingProgress, "update", lambda self, read_bytes, events: seen.append((read_bytes, events))
    )
    shown(files, ALONE)
    alone = seen.copy()
    assert len(alone) > 5
    assert alone[-1] == (Path(files[0]).stat().st_size, 600)
    for jobs in MANY[1:]:
        seen.clear()
        shown(files, jobs)
        assert seen == alone


def test_bad_lines_are_counted_alike(tmp_path: Path) -> None:
    chance = random.Random(3)
    lines = fleet(3, events=1500, runs=150)
    for _ in range(60):
        lines.insert(chance.randrange(len(lines)), chance.choice(BAD))
    files = [written(tmp_path / "a", lines)]
    alone = shown(files, ALONE, skip_bad=True, table=True)
    assert b"60 unreadable lines" in alone[0]
    for jobs in MANY[1:]:
        assert shown(files, jobs, skip_bad=True, table=True) == alone


@pytest.mark.parametrize("seed", range(3))
def test_the_first_bad_line_in_input_order_ends_it_alike(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    lines = fleet(4, events=1500, runs=150)
    first = chance.randrange(300, 1300)
    # Several close together, so that more than one process meets one.
    for offset in (0, 1, 2, 3, 40):
        lines.insert(first + offset, chance.choice(BAD))
    files = [written(tmp_path / "a", lines[:900]), written(tmp_path / "b", lines[900:])]
    alone = shown(files, ALONE)
    place = f"a:{first + 1}: " if first < 900 else f"b:{first + 1 - 900}: "
    assert alone[1].startswith("2: ")
    assert place in alone[1]
    assert alone[0]
    for jobs in MANY[1:]:
        assert shown(files, jobs) == alone


@pytest.mark.parametrize("bad_first", [False, True])
def test_a_bad_line_before_a_file_that_cannot_be_read_is_what_is_said(
    tmp_path: Path, *, bad_first: bool
) -> None:
    lines = fleet(5, events=900, runs=90)
    if bad_first:
        lines.insert(850, b"rubbish")
    broken = gzip.compress(b"\n".join(fleet(6, events=200, runs=9)))[:-300]
    (tmp_path / "b").write_bytes(broken)
    files = [written(tmp_path / "a", lines), str(tmp_path / "b")]
    alone = shown(files, ALONE)
    assert ("a:851:" if bad_first else "the gzip data ends too early") in alone[1]
    for jobs in MANY:
        assert shown(files, jobs) == alone


def test_late_events_of_many_ended_runs_are_late_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More runs end than markers are kept: which are forgotten does not depend on the number of processes."""
    lines: list[bytes] = []
    for number in range(12_000):
        run = b"r%d" % number
        lines.append(b'{"kind":"run_ended","run_id":"%s","seq":0,"outcome":"completed"}' % run)
    lines += [b'{"run_id":"r%d","seq":1,"tool":"t"}' % number for number in range(0, 12_000, 7)]
    files = [written(tmp_path / "a", lines)]
    monkeypatch.setattr(recording, "CHUNK_BYTES", 1 << 18)
    alone = shown(files, ALONE)
    begun_anew = alone[0].count(b'"steps":1')
    assert 200 < begun_anew < 600
    for jobs in (Jobs(2, 0), Jobs(3, 8000)):
        assert shown(files, jobs) == alone
