"""The board as a table, for a terminal of any width."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rich.table import Table
from rich.text import Text

from stallwatch.demo.board import Board, Row, rung_name
from stallwatch.demo.legend import CAPTION
from stallwatch.terminal_text import shortened

STYLES = {
    "clear": "green",
    "notice": "yellow",
    "replan": "dark_orange",
    "ask": "magenta",
    "halt": "bold red",
    "halted": "bold red",
    "finished": "bold green",
    "waiting": "dim",
    "at its limit": "bold red",
    "failed": "bold red",
    "stopped": "dim",
}


@dataclass(frozen=True, slots=True)
class Column:
    """One column of the table."""

    header: str
    cell: Callable[[Row], Text | str]
    least: int = 0
    """Columns of the terminal that it needs, or more where its cells do."""
    right: bool = False
    stretches: bool = False
    """Takes what is left over, and may cut its cells down to `least`."""


COLUMNS = (
    Column("run", lambda row: Text(row.run_id, style="" if row.behaviour.healthy else "bold")),
    Column("step", lambda row: str(row.steps or ""), least=4, right=True),
    Column("last call", lambda row: Text(shortened(row.call, 120), style="dim"), least=13, stretches=True),
    Column("news", lambda row: _ago(row.since_news), right=True),
    Column("milestone", lambda row: _ago(row.since_milestone), right=True),
    Column("rung", lambda row: Text(rung_name(row), style=STYLES.get(rung_name(row), "")), least=8),
    Column("reason", lambda row: row.reason, least=13),
)
FIRST = ("run", "rung", "reason", "step", "news", "milestone", "last call")
"""What a narrow terminal shows first: a column that has no room is left out, not crushed."""
GAP = 2


def table(board: Board, width: int) -> Table:
    """The board as a table for a terminal of so many columns."""
    shown = Table(
        box=None,
        expand=True,
        pad_edge=False,
        padding=(0, GAP, 0, 0),
        header_style="bold",
        caption=CAPTION,
        caption_justify="left",
    )
    rows = list(board.rows.values())
    chosen = _fitting(rows, width)
    for column in chosen:
        shown.add_column(
            column.header,
            justify="right" if column.right else "left",
            min_width=column.least or None,
            ratio=1 if column.stretches else None,
            no_wrap=True,
            overflow="ellipsis",
        )
    for row in rows:
        shown.add_row(*(column.cell(row) for column in chosen))
    return shown


def _fitting(rows: Sequence[Row], width: int) -> list[Column]:
    left = width + GAP
    chosen = []
    for column in sorted(COLUMNS, key=lambda column: FIRST.index(column.header)):
        left -= _needed(column, rows) + GAP
        if left < 0:
            break
        chosen.append(column)
    return [column for column in COLUMNS if column in chosen]


def _needed(column: Column, rows: Sequence[Row]) -> int:
    cells = [] if column.stretches else [len(column.cell(row)) for row in rows]
    return max(len(column.header), column.least, *cells, 0)


def _ago(steps: int | None) -> str:
    if steps is None:
        return ""
    return "now" if steps == 0 else str(steps)
