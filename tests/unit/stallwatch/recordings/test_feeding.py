"""Lines are fed with their places; what cannot be used ends it or is counted."""

import pytest

from detectors.events import Event
from detectors.outcome import Outcome
from stallwatch.recordings.feeding import BadLineError, feed_lines

GOOD = b'{"run_id":"r","seq":0,"tool":"t"}'


class Fed:
    """Takes what is fed; refuses the tool `refused`."""

    def __init__(self) -> None:
        self.places: list[int] = []

    def __call__(self, event: Event, place: int) -> Outcome:
        if getattr(event, "tool", "") == "refused":
            return Outcome(status="refused", problem="no room")
        self.places.append(place)
        return Outcome()


def test_every_event_is_fed_with_its_place_and_empty_lines_are_none() -> None:
    fed = Fed()
    assert feed_lines([3, 5, 8, 9], [GOOD, b"", b" \r", GOOD], fed, skip_bad=False) == 0
    assert fed.places == [3, 9]


@pytest.mark.parametrize(
    ("line", "problem"),
    [(b"rubbish", "correct the line"), (b"[", "jq -c"), (GOOD.replace(b'"t"', b'"refused"'), "no room")],
)
def test_what_cannot_be_used_ends_it_or_is_counted(line: bytes, problem: str) -> None:
    fed = Fed()
    with pytest.raises(BadLineError, match=problem) as bad:
        feed_lines([0, 4, 5], [GOOD, line, GOOD], fed, skip_bad=False)
    assert (bad.value.place, fed.places) == (4, [0])
    assert feed_lines([6, 7, 8], [line, GOOD, line], fed, skip_bad=True) == 2
    assert fed.places == [0, 7]
