"""What is shown: plain lines without a terminal, else a table that fits it, whatever its size becomes."""

import io
import re

import pytest
from board_story import STUCK, as_wanted, board, stepped
from rich.console import Console

from stallwatch.demo.agents import BEHAVIOURS
from stallwatch.demo.board import Board
from stallwatch.demo.display import LiveTable, PlainLines, display
from stallwatch.demo.legend import CAPTION, legend
from stallwatch.demo.table import table

LEGEND = legend(list(BEHAVIOURS.values()), visiting=False)
LEAVE_OTHER_SCREEN = "\x1b[?1049l"


def full_board() -> Board:
    """Every run of the demo, with long names, calls and reasons."""
    seen = Board(BEHAVIOURS.values(), lambda who, sentence: None)
    for name in BEHAVIOURS:
        seen.started(name)
        seen.heard(name, stepped(100))
        seen.measured(name, 88, 99)
        seen.rows[name].reason = "milestone_gap"
    return seen


def drawn(seen: Board, width: int) -> list[str]:
    out = io.StringIO()
    Console(file=out, width=width).print(table(seen, width))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_the_table_shows_every_run() -> None:
    seen, _ = as_wanted()
    seen.measured(STUCK.name, 25, 29)
    seen.measured("fix-test-first", 0, 0)
    rows = [" ".join(line.split()) for line in drawn(seen, 120)[1:3]]
    assert rows == [
        "fix-test-first 1 shell python -m unittest now now finished",
        "flip-flop 30 shell python -m unittest 25 29 halted write_churn",
    ]


@pytest.mark.parametrize(
    ("width", "headers"),
    [
        (40, "run rung"),
        (60, "run step news rung reason"),
        (80, "run step last call news milestone rung reason"),
        (120, "run step last call news milestone rung reason"),
    ],
)
def test_a_column_is_whole_or_left_out(width: int, headers: str) -> None:
    lines = drawn(full_board(), width)
    assert " ".join(lines[0].split()) == headers
    for line, name in zip(lines[1:10], BEHAVIOURS, strict=True):
        assert line.startswith(name + " ")
        assert " clear" in line
        assert ("milestone_gap" in line) is ("reason" in headers)
        if "last call" in headers:
            call = line[lines[0].index("last call") :].split("  ")[0]
            assert len(call) >= 12
    assert all(len(line) <= width for line in lines)
    assert " ".join(" ".join(lines[10:]).split()) == CAPTION


def test_the_legend_explains_what_the_table_shows() -> None:
    text = " ".join(LEGEND)
    assert 3 <= len(LEGEND) <= 5
    for word in ("news", "milestone", "rung", "clear", "notice", "replan", "ask", "halt", "reason", "dr"):
        assert re.search(rf"\b{word}", text), word
    assert "same_error: one cause behind many failures" in text


def test_who_visits_is_told_before_it_starts_by_which_rules_the_worker_should_judge() -> None:
    *same, last = legend(list(BEHAVIOURS.values()), visiting=True)
    assert same == LEGEND
    assert "stallwatch/demo/rules.toml" in last
    assert "--print-rules" in last


def test_without_a_terminal_there_are_plain_lines_only() -> None:
    out = io.StringIO()
    shown = display(["what it means"], out)
    assert isinstance(shown, PlainLines)
    with shown:
        shown.say("flip-flop", "odd \x1b[31m name\n")
        shown.refresh(board()[0])
    first, second = out.getvalue().splitlines()
    assert first == "what it means"
    assert "\x1b" not in second
    assert "flip-flop" in second


class Deserted(io.StringIO):
    """A stream whose reader has gone, as its owner puts it."""

    class GoneError(Exception):
        pass

    def write(self, text: str) -> int:
        raise self.GoneError


def test_that_nobody_looks_on_is_told_at_the_next_refresh_whatever_the_stream_calls_it() -> None:
    shown = PlainLines(Deserted())
    shown.say("flip-flop", "starts")
    with pytest.raises(Deserted.GoneError):
        shown.refresh(board()[0])


def test_a_live_table_that_nobody_looks_at_closes_all_the_same() -> None:
    terminal = Terminal(100)
    seen, _ = as_wanted()
    with LiveTable(terminal.console) as shown:
        shown.refresh(seen)
        terminal.console.file = Deserted()
        with pytest.raises(Deserted.GoneError):
            shown.refresh(seen)


class Terminal:
    """A terminal of any size, and what was written to it."""

    def __init__(self, width: int, height: int = 40) -> None:
        self.out = io.StringIO()
        self.console = Console(
            file=self.out, force_terminal=True, width=width, height=height, color_system=None
        )

    def resize(self, width: int) -> None:
        self.console.size = (width, 40)  # type: ignore[assignment]

    def frames(self) -> list[str]:
        """Each redrawing of the other screen, without control codes."""
        other = self.out.getvalue().split(LEAVE_OTHER_SCREEN)[0]
        return [re.sub(r"\x1b\[[?0-9;]*[A-Za-z]", "", frame) for frame in other.split("\x1b[H")]

    def left(self) -> str:
        """What stands on the first screen in the end."""
        return self.out.getvalue().split(LEAVE_OTHER_SCREEN)[1]


def test_on_a_terminal_the_board_is_redrawn_with_the_last_lines_below() -> None:
    terminal = Terminal(100)
    seen, _ = as_wanted()
    with LiveTable(terminal.console, LEGEND) as shown:
        for number in range(5):
            shown.say("", f"line {number}")
        shown.refresh(seen)
    (frame,) = [frame for frame in terminal.frames() if "flip-flop" in frame]
    assert [f"line {number}" in frame for number in range(5)] == [False, False, True, True, True]
    assert LEGEND[0] in frame
    left = terminal.left()
    assert LEGEND[0] in left
    assert "flip-flop" in left
    assert "line 4" not in left


def test_a_terminal_that_shrinks_gets_whole_frames_of_its_new_width() -> None:
    terminal = Terminal(120)
    seen = full_board()
    with LiveTable(terminal.console, LEGEND) as shown:
        shown.refresh(seen)
        terminal.resize(60)
        shown.refresh(seen)
    wide, narrow = [frame.splitlines() for frame in terminal.frames() if "flip-flop" in frame]
    assert {len(line) for line in wide} == {120}
    assert {len(line) for line in narrow} == {60}
    assert len(narrow) == 40, "every line of the screen is drawn over"
    assert all(len(line) <= 60 for line in terminal.left().splitlines())


def test_on_a_low_terminal_the_legend_gives_way_to_the_table_once_there_is_something_in_it() -> None:
    terminal = Terminal(100, height=16)
    seen = Board(BEHAVIOURS.values(), lambda who, sentence: None)
    with LiveTable(terminal.console, LEGEND) as shown:
        shown.refresh(seen)
        assert LEGEND[0] in terminal.frames()[-1]
        seen.started("flip-flop")
        seen.heard("flip-flop", stepped(1))
        shown.refresh(seen)
        assert LEGEND[0] not in terminal.frames()[-1]
        assert "retry-one-cause" in terminal.frames()[-1]
        assert CAPTION in terminal.frames()[-1]
