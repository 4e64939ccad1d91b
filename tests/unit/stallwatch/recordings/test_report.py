"""What people read of a replay: tables in bounded pieces and one closing sentence."""

import io

import pytest
from rich.console import Console

from detectors.events import Change, Evidence
from stallwatch.console import BLOCK_ROWS
from stallwatch.recordings.replay import Totals
from stallwatch.recordings.replay_output import HELD_LINES, JsonOutput
from stallwatch.recordings.report import ChangeTable, closing_sentence, run_name, summary_table
from stallwatch.recordings.tally import Tally


def change(step: int, run_id: str = "r", text: str = "the same answer again") -> Change:
    return Change(
        run_id=run_id,
        attempt=0,
        seq=step - 1,
        step=step,
        rung=1,
        action="notice",
        reason="no_news",
        kind="unclear",
        text=text,
        evidence=Evidence(),
    )


def console() -> tuple[Console, io.StringIO]:
    stream = io.StringIO()
    return Console(file=stream, width=120), stream


def test_a_long_table_is_printed_in_pieces() -> None:
    out, stream = console()
    table = ChangeTable(out)
    for step in range(1, BLOCK_ROWS + 3):
        table.add(change(step))
    assert stream.getvalue().count("what was seen") == 1
    table.flush()
    table.flush()
    assert stream.getvalue().count("what was seen") == 2
    assert stream.getvalue().count("the same answer again") == BLOCK_ROWS + 2


def test_markup_and_control_characters_of_a_run_are_shown_as_they_are() -> None:
    out, stream = console()
    table = ChangeTable(out)
    table.add(change(1, run_id="[red]r[/red]\x1b[2J", text="[bold]x"))
    table.flush()
    assert "[red]r[/red]\\x1b[2J" in stream.getvalue()
    assert "[bold]x" in stream.getvalue()


def test_the_attempt_is_shown_where_it_is_not_the_first() -> None:
    assert run_name("r", 0) == "r"
    assert run_name("r", 3) == "r (3)"


def test_the_summary_has_a_row_per_run() -> None:
    out, stream = console()
    out.print(
        summary_table(
            [
                Tally(run_id="a", attempt=0, steps=1200, tokens=5000),
                Tally(run_id="b", attempt=1, highest_rung=4, reason="no_news", first_warning_step=9),
            ]
        )
    )
    assert "1,200" in stream.getvalue()
    assert "step 9" in stream.getvalue()
    assert "halt" in stream.getvalue()


@pytest.mark.parametrize(
    ("totals", "skipped", "sentence"),
    [
        (Totals(), 0, "0 steps of 0 runs: none was warned."),
        (Totals(steps=1, runs=1, by_rung=[1, 0, 0, 0, 0]), 0, "1 step of 1 run: it was not warned."),
        (
            Totals(steps=2000, runs=9, by_rung=[4, 1, 0, 2, 2], duplicates=1, late=2, missing=3),
            4,
            (
                "2,000 steps of 9 runs: 2 halted, 2 up to ask, 1 up to notice, 4 clear "
                "(1 duplicate, 4 unreadable lines, 2 late, 3 missing)."
            ),
        ),
    ],
)
def test_the_closing_sentence(totals: Totals, skipped: int, sentence: str) -> None:
    assert closing_sentence(totals, skipped) == sentence


def test_closing_objects_do_not_pile_up_until_the_end() -> None:
    stream = io.BytesIO()
    output = JsonOutput(summary=True, stream=stream)
    for number in range(HELD_LINES + 5):
        output.close(Tally(run_id=f"r{number}", attempt=0))
    assert stream.getvalue().count(b"\n") == HELD_LINES
    output.finish(Totals(), 0)
    assert stream.getvalue().count(b"\n") == HELD_LINES + 5
