"""Second sweeps."""

from looks import again, look

from detectors.parameters import Rereading
from detectors.signals.rereading import weigh

RULES = Rereading()


def weight(**facts: object) -> float | None:
    mark = weigh(look(**facts), RULES)  # type: ignore[arg-type]
    return None if mark is None else mark.weight


def test_covered_ground_and_content_lost_to_a_compaction() -> None:
    assert weight(covered=True) == 1.0
    assert weight(lost=True, before=again()) == 1.0


def test_after_a_write_it_is_a_check() -> None:
    assert weight(covered=True, stale=True) == 0.3
    assert weight(lost=True, before=again(world=1)) is None


def test_what_it_ignores() -> None:
    assert weight() is None
    assert weight(covered=True, excused=True) is None
    assert weight(covered=True, unseen=1) is None
    assert weight(covered=True, act=True) is None
    assert weight(covered=True, features={"failed": True}) is None
    assert weight(covered=True, before=again()) is None
