"""Healthy work on data."""

from collections.abc import Callable

from bench.worlds.acts import Act, failed
from bench.worlds.data import Trainer
from bench.worlds.data_stalls import Data

_SQL_ERRORS = (
    'ERROR: column "{w}" does not exist',
    'ERROR: relation "{w}_{v}" does not exist',
    'ERROR: syntax error at or near "{w}"',
    "ERROR: division by zero",
    'ERROR: column "{w}.{v}" must appear in the GROUP BY clause',
    "ERROR: invalid input syntax for type date: '{w}'",
    "ERROR: function {w}(text) does not exist",
    "ERROR: canceling statement due to statement timeout",
    'ERROR: duplicate key value violates unique constraint "{w}_pkey"',
)


def import_in_blocks(w: Data) -> None:
    """Rows inserted block by block; each answer is the same count."""
    table, size = w.base.names[3], w.rng.choice((10, 20))
    for i in range(w.rng.randint(8, 22)):
        w.tape.do(w.base.insert(table, size))
        if i % 9 == 8:
            w.tape.do(w.base.answer(f"SELECT count(*) FROM {table}", ["count"], [(len(w.base.rows(table)),)]))


def sql_exploration(w: Data) -> None:
    """Schemas, samples, groups: another question each time."""
    base, rng = w.base, w.rng
    for table in rng.sample(base.names, rng.randint(5, 9)):
        w.tape.do(base.schema(table), base.select(table, 0, 5))
        if rng.random() < 0.6:
            w.tape.do(base.group(table))
        if rng.random() < 0.5:
            w.tape.do(base.above(table, rng.uniform(700, 995)))


def training_monitor(w: Data) -> None:
    """A look every few minutes at a model that learns."""
    trainer, epoch = Trainer(w.tape), 0
    w.tape.do(
        Act(
            "run.model",
            {"config": f"{w.topic[0]}.yaml"},
            f"started, pid {w.rng.randrange(900, 60000)}",
            took=2,
        )
    )
    for _ in range(w.rng.randint(8, 20)):
        pause = w.rng.choice((120, 180, 300))
        w.tape.do(Act("wait.time", {"seconds": pause}, w.words.say("ok"), f"sleep {pause}", 0, took=pause))
        epoch += w.rng.choice((0, 1, 1, 2, 2))
        w.tape.do(
            Act("read.logs", {"path": "train.log", "limit": 1}, trainer.line(epoch), "tail -1 train.log", 0)
        )
    w.tape.milestone("trained")


def repeated_measurement(w: Data) -> None:
    """The same query timed again and again, before and after an index."""
    sql = f"EXPLAIN ANALYZE SELECT * FROM {w.base.names[1]} WHERE amount > 10"
    for scan in ("Seq Scan", "Index Scan"):
        mid = w.rng.uniform(20, 900) / (1 if scan == "Seq Scan" else 15)
        for _ in range(w.rng.randint(5, 8)):
            text = (
                f"{scan} on {w.base.names[1]}\nPlanning Time: {w.rng.uniform(0.1, 0.4):.3f} ms\n"
                f"Execution Time: {w.rng.gauss(mid, mid / 15):.3f} ms"
            )
            w.tape.do(Act("query.sql", {"query": sql}, text, f'psql -c "{sql}"', 0, took=mid / 1000))
        if scan == "Seq Scan":
            create = f"CREATE INDEX ON {w.base.names[1]} (amount)"
            w.tape.do(Act("query.sql", {"query": create}, "CREATE INDEX", f'psql -c "{create}"', 0, took=4))


def reconciliation(w: Data) -> None:
    """Account after account compared; most of them match."""
    for _ in range(w.rng.randint(9, 20)):
        account = w.words.id("ACC-")
        ours = w.rng.uniform(10, 9000)
        theirs = ours if w.rng.random() < 0.85 else ours + w.rng.uniform(1, 50)
        w.tape.do(
            Act(
                "read.table", {"id": account, "book": "ours"}, {"account": account, "balance": round(ours, 2)}
            )
        )
        w.tape.do(
            Act(
                "read.table",
                {"id": account, "book": "bank"},
                {"account": account, "balance": round(theirs, 2)},
            )
        )
        state = "match" if ours == theirs else f"difference {theirs - ours:.2f}"
        w.tape.do(Act("update.table", {"id": account, "state": state}, w.words.say("saved")))


def sql_debugging(w: Data) -> None:
    """A query that fails for another reason after each repair."""
    rng, base = w.rng, w.base
    for text in rng.sample(_SQL_ERRORS, rng.randint(4, 8)):
        a, b = rng.sample(base.names, 2)
        sql = f"WITH {w.words.word()} AS (SELECT * FROM {a}) SELECT {w.words.word()}, sum(amount) FROM {b}"
        w.tape.do(
            failed(
                "query.sql",
                {"query": sql},
                text.format(w=w.words.word(), v=w.words.word()),
                shell=f'psql -c "{sql}"',
            )
        )
        if rng.random() < 0.4:
            w.tape.do(base.schema(rng.choice(base.names)))
    w.tape.do(base.group(base.names[0]))


def tuning(w: Data) -> None:
    """Trials with other parameters; the best value rises every few of them."""
    rng, best = w.rng, rng_start(w)
    for i in range(rng.randint(10, 22)):
        value = best + rng.uniform(0.002, 0.03) if i % 4 in (0, 2) else best - rng.uniform(0.002, 0.05)
        best = max(best, value)
        args = {
            "lr": round(10 ** rng.uniform(-4, -1), 6),
            "depth": rng.randint(2, 12),
            "drop": round(rng.random() / 2, 2),
        }
        text = f"trial {i} value {value:.4f} best {best:.4f} in {w.tape.took(20, 90)}"
        w.tape.do(Act("run.model", args, text, took=60, score=value))


def rng_start(w: Data) -> float:
    """Where tuning begins."""
    return w.rng.uniform(0.4, 0.7)


def backfill(w: Data) -> None:
    """Day by day, the same short answer; at the end the counts are read."""
    table = w.base.names[2]
    w.base.rows(table)
    for day in range(1, w.rng.randint(12, 28)):
        date = f"2025-10-{day:02d}"
        shell = f"backfill --table {table} --date {date}"
        w.tape.do(Act("run.job", {"table": table, "date": date}, w.words.say("done"), shell, 0, took=9))
    w.tape.do(w.base.group(table))


def cursor_paging(w: Data) -> None:
    """An interface read page by page with a cursor."""
    cursor = ""
    for _ in range(w.rng.randint(8, 18)):
        following = w.words.hex(12)
        items = [
            {"id": w.words.id(), "name": w.words.person(), "total": w.rng.randrange(5000)}
            for _ in range(w.rng.randint(4, 8))
        ]
        w.tape.do(
            Act("list.item", {"cursor": cursor, "limit": 50}, {"items": items, "next": following}, took=0.7)
        )
        cursor = following


def rows_by_offset(w: Data) -> None:
    """A table read once in slices."""
    table, size = w.base.names[4], w.rng.choice((8, 12))
    for first in range(0, len(w.base.rows(table)), size):
        w.tape.do(w.base.select(table, first, size))


def cell_writing(w: Data) -> None:
    """A sheet filled cell by cell."""
    for row in range(2, w.rng.randint(12, 26)):
        args = {"cell": f"{w.rng.choice('CDE')}{row}", "value": round(w.rng.uniform(1, 900), 2)}
        w.tape.do(Act("update.table", args, w.words.say("ok"), took=0.2))


def file_validation(w: Data) -> None:
    """File after file checked; nearly all are valid."""
    for _ in range(w.rng.randint(10, 22)):
        path = f"in/{w.words.word()}-{w.words.id()}.csv"
        ok = w.rng.random() < 0.9
        text = (
            "valid, 0 errors"
            if ok
            else f"line {w.rng.randrange(2, 900)}: {w.words.noun()} {w.words.say('required')}"
        )
        w.tape.do(Act("check.file", {"path": path}, text, f"validate {path}", int(not ok), took=1))


WORK: dict[str, Callable[[Data], None]] = {
    "data/import_in_blocks": import_in_blocks,
    "data/sql_exploration": sql_exploration,
    "data/training_monitor": training_monitor,
    "data/repeated_measurement": repeated_measurement,
    "data/reconciliation": reconciliation,
    "data/sql_debugging": sql_debugging,
    "data/tuning": tuning,
    "data/backfill": backfill,
    "data/cursor_paging": cursor_paging,
    "data/rows_by_offset": rows_by_offset,
    "data/cell_writing": cell_writing,
    "data/file_validation": file_validation,
}
