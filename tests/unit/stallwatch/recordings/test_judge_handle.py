"""A process that cannot start, or ends too early, is told in one sentence that names the way out."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from detectors.rules import Rules
from stallwatch.recordings.judge_handle import JudgeHandle, JudgeLostError, exchange
from stallwatch.recordings.judge_messages import Answer, Judged, Lines, Setup

SETUP = Setup(Rules(), {}, skip_bad=False)


@contextmanager
def handle() -> Iterator[JudgeHandle]:
    judge = JudgeHandle()
    try:
        yield judge
    finally:
        judge.kill()
        judge.close()


def answers(judge: JudgeHandle, count: int) -> list[Answer]:
    found: list[Answer] = []
    while len(found) < count:
        found += exchange([judge])
    return found


def test_more_than_a_pipe_holds_goes_through_and_comes_back() -> None:
    line = b'{"run_id":"r","seq":%d,"tool":"t","result":"' + b"x" * 50_000 + b'"}'
    with handle() as judge:
        judge.queue(SETUP)
        for seq in range(40):
            judge.queue(Lines(seq, [seq], [line % seq]))
        found = answers(judge, 40)
        assert [answer.block for answer in found if isinstance(answer, Judged)] == list(range(40))
        assert not judge.has_unsent


@pytest.mark.parametrize(
    ("interpreter", "sentence"),
    [
        ("/nowhere/python", r"no process could be started to judge in \(No such file"),
        ("", "names no interpreter to start processes with"),
    ],
)
def test_where_no_process_can_be_started_it_is_said(
    monkeypatch: pytest.MonkeyPatch, interpreter: str, sentence: str
) -> None:
    monkeypatch.setattr("sys.executable", interpreter)
    with pytest.raises(JudgeLostError, match=sentence) as lost:
        JudgeHandle()
    assert str(lost.value).endswith("use --jobs 1")
    assert lost.value.exit_code == 70


def test_a_process_that_ends_too_early_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with handle() as judge:
        judge.queue(SETUP)
        with pytest.raises(JudgeLostError, match="a process that judged ended with 1; "):
            answers(judge, 1)
