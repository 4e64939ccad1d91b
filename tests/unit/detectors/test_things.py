"""New things, handles and items in work."""

import pytest

from detectors.feature_types import Features
from detectors.memory import ISSUED, RECENT, THINGS, Memory
from detectors.things import (
    any_recent,
    handles_and_things,
    just_issued,
    names_only,
    pair,
    remember_issued,
    remember_items,
)

TOOL, OTHER = 0x5A5A, 0x1234
ORDER, BOX = 1001, 1002


def for_tool(*ids: int, tool: int = TOOL) -> set[int]:
    return {token ^ tool for token in ids}


@pytest.mark.parametrize(
    ("ids", "leaves", "command", "point"),
    [
        ([1, 2], 2, False, True),
        ([1, 2, 3], 2, False, True),
        ([1], 2, False, False),
        ([1], 1, False, False),
        ([1, 2], 2, True, False),
    ],
)
def test_a_point_of_a_grid_is_named_by_two_values_and_more(
    ids: list[int], leaves: int, *, command: bool, point: bool
) -> None:
    assert names_only(Features(ids=ids, leaves=leaves, command=command)) == point


def test_a_pair_is_the_same_in_any_order_and_another_for_another_tool() -> None:
    there, back, other = (Features(ids=ids) for ids in ([1, 2], [2, 1], [1, 3]))
    assert pair(there, TOOL) == pair(back, TOOL)
    assert len({pair(there, TOOL), pair(other, TOOL), pair(there, OTHER)}) == 3
    assert pair(Features(ids=[2**32 - 1] * 3), TOOL) < 2**32


@pytest.mark.parametrize(("steps_later", "handle"), [(0, True), (4, True), (5, False), (90, False)])
def test_what_an_answer_issued_is_a_handle_for_a_few_steps(steps_later: int, *, handle: bool) -> None:
    memory = Memory(steps=7)
    remember_issued(memory, Features(issued=[ORDER]))
    memory.steps += steps_later
    assert just_issued(memory, ORDER) == handle
    assert not just_issued(memory, BOX)
    found = handles_and_things(memory, for_tool(ORDER, BOX), TOOL)
    assert found == ((1, for_tool(BOX)) if handle else (0, for_tool(ORDER, BOX)))


def test_an_entry_of_a_list_and_what_was_issued_before_are_no_handles_of_now() -> None:
    memory = Memory(steps=7)
    memory.heads.add(64, [BOX])
    remember_issued(memory, Features(issued=[ORDER, BOX]))
    memory.steps = 20
    remember_issued(memory, Features(issued=[ORDER]))
    assert memory.issued == {ORDER: 7}


def test_what_some_calls_have_named_is_no_new_thing_for_another_tool() -> None:
    memory = Memory()
    seen = []
    for _ in range(4):
        seen.append(handles_and_things(memory, for_tool(ORDER, tool=OTHER), OTHER))
        remember_items(memory, Features(ids=[ORDER]), TOOL, set())
    assert seen == [(0, for_tool(ORDER, tool=OTHER))] * 3 + [(0, set())]
    assert handles_and_things(memory, set(), TOOL) == (0, set())


@pytest.mark.parametrize(
    ("steps_later", "further_calls", "recent"), [(5, 0, True), (6, 0, False), (5, 1, True), (5, 2, False)]
)
def test_an_item_in_work_takes_a_few_calls_and_steps(
    steps_later: int, further_calls: int, *, recent: bool
) -> None:
    memory = Memory(steps=3)
    asked = Features(ids=[ORDER])
    remember_items(memory, asked, TOOL, for_tool(ORDER))
    for _ in range(further_calls):
        remember_items(memory, asked, TOOL, set())
    memory.steps += steps_later
    assert any_recent(memory, [BOX, ORDER]) == recent
    assert not any_recent(memory, [BOX])


@pytest.mark.parametrize(
    ("new", "words"), [(set[int](), list[int]()), (for_tool(ORDER), [ORDER])], ids=["known", "a plain word"]
)
def test_a_known_id_and_a_plain_word_are_no_items(new: set[int], words: list[int]) -> None:
    memory = Memory(steps=3)
    remember_items(memory, Features(ids=[ORDER], words=words), TOOL, new)
    assert not any_recent(memory, [ORDER])
    assert memory.things == {ORDER: 1}


def test_uses_never_run_over_into_the_steps() -> None:
    memory = Memory(steps=3)
    for _ in range(300):
        remember_items(memory, Features(ids=[ORDER]), TOOL, for_tool(ORDER))
    assert memory.recent[ORDER] // 8 == 3
    assert memory.things[ORDER] == 255


def test_bounded() -> None:
    memory = Memory()
    for i in range(500):
        remember_items(memory, Features(ids=[i]), TOOL, for_tool(i))
        remember_issued(memory, Features(issued=[i]))
    assert (len(memory.things), len(memory.recent), len(memory.issued)) == (THINGS, RECENT, ISSUED)
