"""Order of events: what is new, late, known, and how far back that is remembered."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.sequence import WINDOW, Sequence


def test_numbers_in_order_are_new_and_skip_nothing() -> None:
    seen = Sequence()
    assert [seen.admit(n) for n in range(100)] == [("new", 0)] * 100
    assert (seen.next, seen.missing, seen.gaps) == (100, 0, 0)


def test_a_gap_is_counted_and_its_numbers_are_late_once() -> None:
    seen = Sequence()
    seen.admit(0)
    assert seen.admit(4) == ("new", 3)
    assert seen.gaps == 3
    assert [seen.admit(n) for n in (2, 2, 1, 3, 0, 4)] == [
        ("late", 0),
        ("duplicate", 0),
        ("late", 0),
        ("late", 0),
        ("duplicate", 0),
        ("duplicate", 0),
    ]
    assert (seen.gaps, seen.missing) == (0, 0)


def test_a_run_that_begins_in_the_middle_has_a_gap_before_it() -> None:
    seen = Sequence()
    assert seen.admit(5) == ("new", 5)
    assert seen.admit(0) == ("late", 0)


@pytest.mark.parametrize("far", [WINDOW, WINDOW + 1, 10**6, 2**53])
def test_a_huge_jump_is_bounded_and_the_last_numbers_before_it_may_still_come(far: int) -> None:
    seen = Sequence()
    seen.admit(0)
    assert seen.admit(far) == ("new", far - 1)
    assert seen.missing.bit_length() <= WINDOW
    assert seen.admit(far - 1) == ("late", 0)
    assert seen.admit(far - WINDOW + 1) == ("late", 0)
    assert seen.admit(far - WINDOW) == ("duplicate", 0)


@given(st.lists(st.integers(0, 90), max_size=200))
def test_it_agrees_with_a_set_of_everything_seen(numbers: list[int]) -> None:
    seen, known, top = Sequence(), set[int](), 0
    for number in numbers:
        place, gap = seen.admit(number)
        if number >= top:
            assert (place, gap) == ("new", number - top)
        elif number in known or top - number > WINDOW:
            assert place == "duplicate"
        else:
            assert place == "late"
        if place != "duplicate":
            known.add(number)
        top = max(top, number + 1)
        assert seen.gaps == top - len(known)
        assert seen.next == top
        assert 0 <= seen.missing < 2**WINDOW
