"""A database and a trainer: tables with rows that queries really count, a model whose loss follows a curve."""

import math

from bench.worlds.acts import Act
from bench.worlds.tape import Tape

Row = tuple[str | int | float, ...]


class Base:
    """Tables by name. The first column is an id, the last a number."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.rng = tape.rng
        self.words = tape.words
        self.names = [f"{a}_{b}" for a, b in zip(self.words.words(12), self.words.words(12), strict=True)]
        self.columns: dict[str, list[str]] = {}
        self._rows: dict[str, list[Row]] = {}
        self.json_rows = self.rng.random() < 0.4

    def rows(self, table: str) -> list[Row]:
        """A table's rows; made at the first look."""
        known = self._rows.get(table)
        if known is None:
            rng = self.rng
            self.columns[table] = ["id", *self.words.words(2), "amount"]
            kinds = [self.words.noun() for _ in range(5)]
            known = self._rows[table] = [
                (1000 + i, rng.choice(kinds), self.words.person(), round(rng.uniform(1, 999), 2))
                for i in range(rng.randrange(90, 160))
            ]
        return known

    def answer(self, sql: str, columns: list[str], rows: list[Row], *, took: float = 0.3) -> Act:
        """The rows as the client prints them."""
        result: object
        if self.json_rows:
            result = [dict(zip(columns, row, strict=False)) for row in rows]
        else:
            lines = [" | ".join(columns), *(" | ".join(map(str, row)) for row in rows), f"({len(rows)} rows)"]
            result = "\n".join(lines)
        return Act("query.sql", {"query": sql}, result, f'psql -c "{sql}"', 0, took=took)

    def select(self, table: str, first: int, count: int) -> Act:
        """Rows by offset and limit."""
        rows = self.rows(table)[first : first + count]
        return self.answer(
            f"SELECT * FROM {table} ORDER BY id LIMIT {count} OFFSET {first}", self.columns[table], rows
        )

    def group(self, table: str) -> Act:
        """Count and sum by the second column."""
        sums: dict[object, list[float]] = {}
        for row in self.rows(table):
            sums.setdefault(row[1], []).append(float(row[3]))
        column = self.columns[table][1]
        rows: list[Row] = [(str(key), len(values), round(sum(values), 2)) for key, values in sums.items()]
        return self.answer(
            f"SELECT {column}, count(*), sum(amount) FROM {table} GROUP BY 1", [column, "count", "sum"], rows
        )

    def above(self, table: str, limit: float) -> Act:
        """Rows whose amount is higher."""
        rows = [row for row in self.rows(table) if float(row[3]) > limit][:20]
        return self.answer(f"SELECT * FROM {table} WHERE amount > {limit:.2f}", self.columns[table], rows)

    def schema(self, table: str) -> Act:
        self.rows(table)
        return self.answer(
            f"\\d {table}", ["column", "type"], [(name, "text") for name in self.columns[table]]
        )

    def insert(self, table: str, count: int) -> Act:
        """A block of rows added; the acknowledgement counts them."""
        rows = self.rows(table)
        new: list[Row] = [
            (1000 + len(rows) + i, self.words.noun(), self.words.person(), round(self.rng.uniform(1, 99), 2))
            for i in range(count)
        ]
        rows.extend(new)
        args = {"table": table, "rows": [list(row) for row in new]}
        return Act("create.table", args, f"INSERT 0 {count}", took=1.0)


class Trainer:
    """Loss over time: it falls, flattens, jitters."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.rng = tape.rng
        self.start = self.rng.uniform(1.5, 4)
        self.pace = self.rng.uniform(4, 14)

    def line(self, epoch: int) -> str:
        loss = self.start * math.exp(-epoch / self.pace) + 0.2 + self.rng.gauss(0, 0.01)
        val = loss * 1.1 + self.rng.gauss(0, 0.01)
        return f"epoch {epoch} loss {loss:.4f} val {val:.4f} lr {0.01 * 0.97**epoch:.5f}"
