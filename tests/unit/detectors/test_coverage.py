"""Windows that were read and states that targets had."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.canonical import short
from detectors.coverage import SCREEN, cover, is_known_state, is_new_window
from detectors.events import Step
from detectors.feature_types import Features, Tone
from detectors.look import Write
from detectors.memory import STATES, TARGETS, WINDOWS, Memory, Target
from detectors.news import look

FILE = 77


def read(memory: Memory, low: int, high: int, *, target: int = FILE, tone: Tone = "", total: int = 4) -> None:
    step = Step(run_id="r", seq=0, tool="read")
    cover(
        memory, step, look(memory, step, Features(target=target, region=(low, high), tone=tone, total=total))
    )


def wrote(
    memory: Memory,
    before: str | None,
    after: str | None,
    *,
    write: Write = "new",
    target: int = FILE,
    body: int = 0,
) -> None:
    step = Step(run_id="r", seq=0, tool="write", before_hash=before, after_hash=after)
    seen = look(memory, step, Features(target=target, body=body, body_shape=body // 10))
    seen.write = write
    cover(memory, step, seen)


def is_new(memory: Memory, low: int, high: int, *, target: int = FILE) -> bool:
    return is_new_window(memory.targets.get(target), Features(target=target, region=(low, high)))


@pytest.mark.parametrize(
    ("low", "high", "new"),
    [(0, 100, False), (10, 60, False), (10, 110, False), (11, 111, True), (100, 200, True), (-50, 50, True)],
)
def test_a_window_is_new_where_more_than_a_tenth_of_it_was_not_read(
    low: int, high: int, *, new: bool
) -> None:
    memory = Memory()
    read(memory, 0, 100)
    assert is_new(memory, low, high) == new


def test_windows_grow_together() -> None:
    memory = Memory()
    for low, high in ((0, 40), (80, 120), (40, 80)):
        read(memory, low, high)
    assert memory.targets[FILE].windows == [(0, 120)]
    assert not is_new(memory, 20, 110)


@given(st.lists(st.tuples(st.integers(0, 200), st.integers(1, 60)), min_size=1, max_size=WINDOWS))
def test_what_was_read_is_covered_and_windows_never_overlap(parts: list[tuple[int, int]]) -> None:
    memory = Memory()
    for low, size in parts:
        read(memory, low, low + size)
    assert not any(is_new(memory, low, low + size) for low, size in parts)
    windows = sorted(memory.targets[FILE].windows)
    assert all(one[1] < other[0] for one, other in pairwise(windows))


@pytest.mark.parametrize(("tone", "total", "new"), [("negative", 4, True), ("", 0, True), ("", 1, False)])
def test_where_nothing_was_found_nothing_is_covered(tone: Tone, total: int, *, new: bool) -> None:
    memory = Memory()
    read(memory, 0, 100, tone=tone, total=total)
    assert is_new(memory, 0, 100) == new


def test_without_a_resource_or_a_window_there_is_no_new_one() -> None:
    assert is_new_window(None, Features(target=FILE, region=(0, 9)))
    assert not is_new_window(None, Features(target=0, region=(0, 9)))
    assert not is_new_window(None, Features(target=FILE))


def test_states_before_and_after_are_known_of_the_target_and_of_no_other() -> None:
    memory = Memory()
    wrote(memory, "a", "b")
    target = memory.targets[FILE]
    assert is_known_state(target, "a")
    assert is_known_state(target, "b")
    assert not is_known_state(target, "c")
    assert not is_known_state(None, "a")
    assert [short(state) in memory.lines for state in (b"a", b"b", b"c")] == [True, True, False]


def test_what_acts_on_no_named_resource_acts_on_the_screen() -> None:
    memory = Memory()
    wrote(memory, "start", "item", target=0)
    assert is_known_state(memory.targets[SCREEN], "start")


def test_contents_are_states_where_the_host_gives_no_hashes() -> None:
    memory = Memory()
    wrote(memory, None, None, body=120)
    wrote(memory, None, None, body=121)
    target = memory.targets[FILE]
    assert (target.states, target.shapes, target.body) == ([120, 121], [12], 121)
    hashed = Memory()
    wrote(hashed, "a", "b", body=120)
    assert len(hashed.targets[FILE].states) == 2
    assert 120 not in hashed.targets[FILE].states


def test_only_returns_are_counted_as_returns() -> None:
    memory = Memory()
    kinds: list[Write] = ["new", "returned", "same", "returned"]
    for kind in kinds:
        wrote(memory, "a", "b", write=kind)
    assert memory.targets[FILE].returns == 2


def test_a_read_without_hashes_leaves_the_states_as_they_are() -> None:
    memory = Memory()
    wrote(memory, None, None, body=120)
    wrote(memory, None, None, body=130, write="")
    read(memory, 0, 9)
    assert memory.targets[FILE].states == [120]


def test_it_is_known_when_the_target_was_looked_at_last() -> None:
    memory = Memory(world=5)
    read(memory, 0, 9)
    assert memory.targets[FILE].world == 5


def test_bounded() -> None:
    memory = Memory()
    for i in range(40):
        wrote(memory, f"a{i}", f"b{i}", body=10 * i)
        read(memory, 100 * i, 100 * i + 10)
    target: Target = memory.targets[FILE]
    assert (len(target.states), len(target.shapes), len(target.windows)) == (STATES, STATES, WINDOWS)
    for i in range(200):
        read(memory, 0, 9, target=1000 + i)
    assert len(memory.targets) == TARGETS
