"""Between two lives of a worker no record is left out, and what the broker deleted is counted."""

import pytest

from streams.continuity import Position, check


@pytest.mark.parametrize(
    ("committed", "durable", "log_start", "reads_from", "lost", "hole"),
    [
        (50, 50, 0, 50, 0, False),  # as it was left
        (40, 50, 0, 40, 0, False),  # a repeat: harmless
        (None, 0, 0, 0, 0, False),  # the first start
        (None, 0, 30, 30, 0, False),  # the first start on an old topic
        (None, 50, 0, 0, 0, False),  # the group's offsets have expired: a repeat
        (None, 50, 80, 80, 30, False),  # and so have the records
        (50, 50, 80, 80, 30, False),  # down longer than the retention
        (60, 50, 0, 60, 0, True),  # somebody moved the group forward
        (60, 0, 0, 60, 0, False),  # no progress was ever written
    ],
)
def test_where_reading_may_go_on(
    committed: int | None, durable: int, log_start: int, reads_from: int, lost: int, hole: bool
) -> None:
    verdict = check(Position("steps", 3, committed, durable, log_start))
    assert (verdict.reads_from, verdict.lost, verdict.hole is not None) == (reads_from, lost, hole)


def test_a_hole_names_the_remedy() -> None:
    hole = check(Position("steps", 3, 60, 50, 0)).hole
    assert hole is not None
    assert hole.startswith("steps[3]: the group's offset is 60")
    assert "Set the group's offset back to 50" in hole
