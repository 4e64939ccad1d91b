"""The facts of a call against what the run knows."""

from typing import Any

from detectors.events import Step
from detectors.features import features
from detectors.judge import note_compaction
from detectors.look import Look
from detectors.memory import Memory
from detectors.news import learn, look
from detectors.rules import Rules


class Run:
    """A memory and a counter."""

    def __init__(self) -> None:
        self.memory = Memory()
        self.seq = 0

    def __call__(self, tool: str, args: Any, result: Any, **more: Any) -> Look:
        step = Step(run_id="r", seq=self.seq, tool=tool, args=args, result=result, **more)
        self.seq += 1
        self.memory.steps += 1
        seen = look(self.memory, step, features(step, Rules()))
        learn(self.memory, step, seen)
        return seen


def test_a_line_is_known_whatever_tool_brought_it() -> None:
    run = Run()
    assert run("read", {"path": "a"}, "alpha is here\nbeta is there").unseen == 2
    seen = run("sh", {"cmd": "cat a"}, "beta is there\ngamma is new")
    assert (seen.unseen, seen.fresh, seen.same) == (1, True, False)


def test_the_same_call_with_the_same_answer_in_any_order() -> None:
    run = Run()
    run("search", {"q": "x"}, ["alpha", "beta"])
    assert run("search", {"q": "x"}, ["beta", "alpha"]).same
    assert not run("search", {"q": "x"}, ["beta", "gamma"]).same


def test_a_number_that_counts_the_calls_is_a_counter_another_is_movement() -> None:
    run = Run()
    kinds = [run("poll", {}, f"notice {i}: asked before").numeric for i in range(1, 6)]
    assert kinds == ["", "moved", "counter", "counter", "counter"]
    other = Run()
    kinds = [other("poll", {}, f"done {n} of 90").numeric for n in (3, 9, 10, 11, 40)]
    assert set(kinds[1:]) == {"moved"}
    stood = Run()
    kinds = [stood("poll", {}, f"layer {n} of 9").numeric for n in (1, 1, 2, 3, 4)]
    assert kinds[2:] == ["moved", "moved", "moved"]


def test_writes_by_hash() -> None:
    run = Run()
    writes = [
        run("w", {"path": "f", "content": "x"}, "ok", before_hash=a, after_hash=b).write
        for a, b in (("0", "1"), ("1", "2"), ("2", "2"), ("2", "1"), ("1", "3"))
    ]
    assert writes == ["new", "new", "same", "returned", "new"]


def test_writes_without_hashes_by_content() -> None:
    run = Run()
    texts = ["a = 1\nb = x", "a = 1\nb = x", "c = 1\nd = y", "a = 1\nb = x", "c = 2\nd = y"]
    assert [run("write", {"path": "f", "content": t}, "saved").write for t in texts] == [
        "new",
        "rewritten",
        "new",
        "returned",
        "cosmetic",
    ]


def test_going_back_on_a_screen_is_navigation() -> None:
    run = Run()
    writes = [
        run("tap", {"x": i}, "ok", before_hash=a, after_hash=b).write
        for i, (a, b) in enumerate([("l", "i1"), ("i1", "l"), ("l", "i2"), ("i2", "l"), ("l", "l")])
    ]
    assert writes[1] == writes[3] == ""
    assert writes[4] == "same"


def test_an_effective_write_makes_a_repeat_a_recheck() -> None:
    run = Run()
    run("check", {}, "all 9 fit")
    run("w", {"path": "f", "content": "x"}, "ok", before_hash="0", after_hash="1")
    assert run("check", {}, "all 9 fit").changed_world
    assert not run("check", {}, "all 9 fit").changed_world


def test_values_from_earlier_answers_are_a_worklist() -> None:
    run = Run()
    run("list", {}, "maple\nbirch\ncedar")
    assert run("probe", {"name": "birch"}, "fine").worklist
    assert not run("probe", {"name": "walnut"}, "fine").worklist
    assert not run("probe", {"name": "birch"}, "fine").worklist


def test_windows_are_covered_with_shifted_borders_too() -> None:
    run = Run()
    assert run("read", {"path": "f", "offset": 1, "limit": 40}, "one\ntwo").new_window
    assert run("read", {"path": "f", "offset": 41, "limit": 40}, "three\nfour").new_window
    seen = run("read", {"path": "f", "offset": 20, "limit": 40}, "two\nthree")
    assert (seen.new_window, seen.covered) == (False, True)


def test_a_failure_knows_its_cause_and_a_success_relieves_it() -> None:
    run = Run()
    assert run("sh", {"cmd": "get a"}, "connection refused", exit_code=7).fault is None
    fault = run("sh", {"cmd": "get b"}, "connect ECONNREFUSED", exit_code=1).fault
    assert fault is not None
    assert fault.count == 1
    run("sh", {"cmd": "get b"}, "12 rows", exit_code=0)
    fault = run("sh", {"cmd": "get b"}, "connection refused", exit_code=7).fault
    assert fault is not None
    assert (fault.count, fault.returns) == (0, 0)


def test_a_reread_after_a_compaction_is_excused_once() -> None:
    run = Run()
    run("read", {"path": "f"}, "alpha is here\nbeta is there")
    note_compaction(run.memory, None)
    seen = run("read", {"path": "f"}, "alpha is here\nbeta is there")
    assert (seen.lost, seen.excused) == (True, True)
    assert not run("read", {"path": "f"}, "alpha is here\nbeta is there").excused
    run.memory.steps += 1
    note_compaction(run.memory, None)
    seen = run("read", {"path": "f"}, "alpha is here\nbeta is there")
    assert (seen.lost, seen.excused) == (True, False)


def test_another_agent_has_its_own_calls() -> None:
    run = Run()
    run("read", {"path": "f"}, "alpha", agent="a")
    assert run("read", {"path": "f"}, "alpha", agent="a").same
    assert not run("read", {"path": "f"}, "alpha", agent="b").same


def test_own_words_that_come_back_are_no_news() -> None:
    run = Run()
    run("ask", {"text": "Which findings should the article have?"}, "tell me the angle first")
    assert not run("inbox", {}, "Which findings should the article have?").fresh


def test_an_answer_that_is_new_in_its_serial_numbers_only_is_serial() -> None:
    run = Run()
    run("book", {"seat": "aisle"}, "seat booked, reference K70031 was sent to you")
    seen = run("book", {"seat": "window"}, "seat booked, reference K70499 was sent to you")
    assert (seen.serial, seen.restated, seen.known) == (True, True, True)
    assert not run("book", {"seat": "table"}, "seat booked, row 12 was kept for you").serial


def test_an_id_that_an_answer_has_just_issued_is_a_handle_and_no_other_thing() -> None:
    run = Run()
    run("open", {"what": "session"}, "session K70031 is open")
    seen = run("send", {"session": "K70031", "line": "say hello"}, "sent")
    assert (seen.handle, seen.new_ids) == (True, 0)
    other = run("send", {"session": "K99", "line": "say hello"}, "sent")
    assert (other.handle, other.new_ids) == (False, 1)


def test_words_that_neither_answers_nor_arguments_had_are_counted() -> None:
    run = Run()
    assert run("ask", {"q": "is it open"}, "the gate is open").unworded == 4
    seen = run("ask", {"q": "which gate"}, "it is the open gate now")
    assert (seen.unworded, seen.named) == (1, False)
    assert run("ask", {"q": "north bridge"}, "the bridge in the north is open").named


def test_a_failure_told_in_words_that_are_all_known_is_the_last_one_again() -> None:
    for again, same in (("its key has lost the gate", True), ("the roof has no tiles", False)):
        run = Run()
        first = run("sh", {"cmd": "make one"}, "error: the gate has lost its key", exit_code=2)
        run.memory.cause = first.features.cause
        fault = run("sh", {"cmd": "make two"}, f"error: {again}", exit_code=2).fault
        assert (fault is not None) == same


def test_it_is_known_how_long_ago_a_cause_was_met_and_whether_anything_was_brought_since() -> None:
    run = Run()
    run("sh", {"cmd": "get a"}, "connection refused", exit_code=7)
    for _ in range(5):
        run("read", {"path": "f"}, "alpha")
        run.memory.since_news += 1
    seen = run("sh", {"cmd": "get b"}, "connection refused", exit_code=7)
    assert (seen.fault_age, seen.news_since) == (6, False)
    run("read", {"path": "g"}, "beta")
    run("read", {"path": "h"}, "gamma")
    run.memory.since_news = 0
    seen = run("sh", {"cmd": "get c"}, "connection refused", exit_code=7)
    assert (seen.fault_age, seen.news_since) == (3, True)
