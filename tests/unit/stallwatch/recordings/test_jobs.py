"""How many processes: as many as asked for; unasked, none is started for a short input."""

import pytest

from stallwatch.recordings import jobs
from stallwatch.recordings.jobs import LONE_LINES, MAX_JOBS, MAX_UNASKED, Jobs, jobs_for, usable_cores


def test_what_is_asked_for_holds_from_the_first_line() -> None:
    assert jobs_for(1) == Jobs(1, 0)
    assert jobs_for(3) == Jobs(3, 0)
    assert jobs_for(MAX_JOBS + 1) == Jobs(MAX_JOBS, 0)


@pytest.mark.parametrize(("cores", "processes"), [(1, 1), (2, 2), (MAX_UNASKED + 56, MAX_UNASKED)])
def test_unasked_it_is_one_per_core_once_the_input_is_long(
    monkeypatch: pytest.MonkeyPatch, cores: int, processes: int
) -> None:
    monkeypatch.setattr(jobs, "usable_cores", lambda: cores)
    assert jobs_for(None) == Jobs(processes, LONE_LINES)


def test_there_is_a_core_to_run_on() -> None:
    assert usable_cores() >= 1
