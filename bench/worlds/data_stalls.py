"""What a stalled agent does on data."""

from bench.worlds.acts import Act, digest, failed
from bench.worlds.data import Base
from bench.worlds.tape import Tape
from bench.worlds.world import World

_WHERE = (
    "{c} = '{v}'",
    "{c} LIKE '%{v}%'",
    "lower({c}) = '{v}'",
    "{c} ILIKE '{v}%'",
    "trim({c}) = '{v}'",
    "{c} ~ '{v}'",
    "{c} IN ('{v}')",
    "upper({c}) LIKE '%{u}%'",
    "{c} = '{u}'",
    "{c} SIMILAR TO '%{v}%'",
    "position('{v}' in {c}) > 0",
    "{c}::text = '{v}'",
    "coalesce({c}, '') = '{v}'",
    "{c} LIKE '{v}_'",
)
_CLIENTS = (
    "psql",
    "python db.py",
    "pgcli",
    "jdbc",
    "curl db-api",
    "node query.js",
    "odbc",
    "dbt debug",
    "sqlalchemy",
)


class Data(World):
    """The moves of an agent that works on data."""

    domain = "data"

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self.base = Base(tape)
        self._long = self.base.names[11]
        self.base.rows(self._long)
        a, b = self.topic
        self._cause = self.rng.choice(
            (
                f'password authentication failed for user "{a}"',
                f"connection to {b}-db.example.test refused",
                f"permission denied for table {a}_{b}",
            )
        )
        self._job = self.words.id("job-")
        self._pair = (round(self.rng.uniform(1, 90), 1), round(self.rng.uniform(100, 900), 1))
        self._config = {"rate": 0.01, "depth": 6, "seed": 7}
        self._gap = round(self.rng.uniform(3, 900), 2)

    def aside(self) -> Act:
        kind = self.rng.randrange(3)
        if kind == 0:
            return self.plan()
        if kind == 1:
            return self.base.answer("SELECT now()", ["now"], [(f"2025-11-24 {self.tape.clock()}",)])
        table = self.rng.choice(self.base.names)
        return self.base.answer(f"SELECT count(*) FROM {table}", ["count"], [(len(self.base.rows(table)),)])

    def place(self, i: int) -> Act:
        return self.base.select(self.base.names[i], 0, 14)

    def window(self, first: int, count: int) -> Act:
        return self.base.select(self._long, first, count)

    def length(self) -> int:
        return len(self.base.rows(self._long))

    def variant(self, k: int) -> Act:
        rng, rows = self.rng, self.base.rows(self._long)
        core = len(rows) * 2 // 3
        first, size = rng.randrange(core - 10), rng.randint(5, 10)
        shown = rows[first : first + size]
        low, high = shown[0][0], shown[-1][0]
        if rng.random() < 0.4:
            shown = [*shown, rows[rng.randrange(core, len(rows))]]
        columns = self.base.columns[self._long]
        extra = f" OR id = {shown[-1][0]}" if len(shown) > size else ""
        sql = (
            f"SELECT * FROM {self._long} WHERE id BETWEEN {low} AND {high}{extra}",
            f"SELECT {', '.join(columns)} FROM {self._long} WHERE id >= {low} AND id <= {high}{extra}",
            f"WITH t AS (TABLE {self._long}) SELECT * FROM t WHERE id > {int(low) - 1} AND id < {int(high) + 1}{extra}",
            f"SELECT * FROM {self._long} WHERE id IN ({', '.join(str(row[0]) for row in shown)})",
            f"SELECT t.* FROM {self._long} t WHERE (t.id >= {low} AND t.id <= {high}){extra} ORDER BY t.id",
        )[k % 5]
        return self.base.answer(sql, columns, shown)

    def reworded(self, k: int) -> Act:
        table = self.base.names[0]
        self.base.rows(table)
        column, value = self.base.columns[table][1 + k // len(_WHERE) % 2], self.topic[0]
        where = _WHERE[k % len(_WHERE)].format(c=column, v=value, u=value.upper())
        select = ("*", "id, amount", "DISTINCT id")[k % 3]
        return self.base.answer(f"SELECT {select} FROM {table} WHERE {where}", self.base.columns[table], [])

    def denied(self, k: int) -> Act:
        client = _CLIENTS[k % len(_CLIENTS)]
        option = f"--{self.words.word()}={k}"
        cause = self._cause
        text = (
            f"{client}: error: {cause}",
            f"FATAL: {cause}",
            f'Traceback:\n  File "db.py", line {self.rng.randrange(9, 300)}, in connect\nOperationalError: {cause}',
            f'{{"code": 500, "message": "{cause}"}}',
        )[k % 4]
        shell = f"{client} {option} -c 'SELECT 1'"
        return failed(
            "run.command", {"command": shell}, text, shell=shell, exit_code=(2, 1, 1, 22)[k % 4], took=1
        )

    def unchanged(self, k: int) -> Act:
        table, state = self.base.names[1], digest(self.base.names[1])
        sql = f"UPDATE {table} SET amount = {k + 3} WHERE id = {9_000_000 + k * 7 % 90}"
        return Act("update.sql", {"query": sql}, "UPDATE 0", f'psql -c "{sql}"', 0, before=state, after=state)

    def flip(self, k: int) -> Act:
        table, value = self.base.names[2], self._pair[k % 2]
        sql = f"UPDATE {table} SET amount = {value} WHERE id = 1004"
        states = [digest((table, v)) for v in self._pair]
        return Act(
            "update.sql",
            {"query": sql},
            "UPDATE 1",
            f'psql -c "{sql}"',
            0,
            before=states[1 - k % 2],
            after=states[k % 2],
        )

    def touch_up(self, k: int) -> Act:
        path = f"reports/{self.topic[0]}.json"
        body = {
            "report": self.topic[0],
            "rows": 412,
            "status": "draft",
            "revision": k + 1,
            "generated_at": self.tape.clock(),
        }
        return Act(
            "write.file",
            {"path": path, "content": body},
            self.words.say("saved"),
            before=digest((path, k)),
            after=digest((path, k + 1)),
        )

    def freeze(self) -> list[Act]:
        start = Act(
            "run.job",
            {"name": self.topic[0]},
            {"job": self._job, "state": "queued"},
            f"jobs start {self.topic[0]}",
            0,
        )
        parts = [
            Act(
                "check.job",
                {"id": self._job},
                {"job": self._job, "state": "running", "rows": n},
                f"jobs show {self._job}",
                0,
            )
            for n in (1200, 5400, 9100)
        ]
        return [start, *parts]

    def frozen(self) -> Act:
        result = {"job": self._job, "state": "failed", "rows": 9100, "message": "upstream table is locked"}
        return Act("check.job", {"id": self._job}, result, f"jobs show {self._job}", 0, took=0.3)

    def never(self) -> Act:
        shell = f"ls /data/{self.topic[0]}/_SUCCESS"
        return Act(
            "list.tree",
            {"path": f"/data/{self.topic[0]}/_SUCCESS"},
            self.words.say("none"),
            shell,
            2,
            took=0.2,
        )

    def attempt(self, k: int) -> list[Act]:
        table = self.base.names[3]
        value = self.rng.randrange(1, 900)
        sql = f"UPDATE {table} SET amount = {value} WHERE id = {1000 + k * 3 % 90}"
        change = Act(
            "update.sql",
            {"query": sql},
            "UPDATE 1",
            f'psql -c "{sql}"',
            0,
            before=digest((table, k)),
            after=digest((table, k + 1)),
        )
        took = self.tape.took()
        text = f"check totals: FAILED\n  difference {self._gap} in {self.topic[0]}\n1 of 14 checks failed ({took})"
        return [change, Act("run.tests", {"name": "totals"}, text, "dq run totals", 1, took=5)]

    def recreate(self, k: int) -> list[Act]:
        name = f"{self.topic[0]}_view"
        body = f"CREATE TABLE {name} AS SELECT {self.words.word()}, {self.words.word()} FROM {self.words.word()};"
        path = f"sql/{name}.sql"
        run = failed(
            "run.command",
            {"command": f"psql -f {path}"},
            f'ERROR: relation "{name}" {self.words.say("exists")}',
            shell=f"psql -f {path}",
        )
        remove = Act("delete.file", {"path": path}, "", f"rm {path}", 0)
        write = Act(
            "write.file",
            {"path": path, "content": body},
            self.words.say("ok"),
            f"cat > {path} <<< '{body}'",
            0,
        )
        return [remove, write, run]

    def scored(self, k: int, value: float, *, small: bool) -> list[Act]:
        if small:
            self._config["rate"] = round(self._config["rate"] + self.rng.uniform(-1e-5, 1e-5), 7)
        else:
            self._config = {
                "rate": round(self.rng.random() / 10, 5),
                "depth": self.rng.randint(2, 12),
                "seed": self.rng.randrange(99),
            }
        text = f"val {value:.4f}\ntrained in {self.tape.took(20, 80)}"
        return [Act("run.model", dict(self._config), text, took=50, score=value)]

    def dead(self) -> Act:
        state = digest(self.topic)
        return Act(
            "click.element",
            {"name": f"refresh {self.topic[0]}"},
            self.words.say("clicked"),
            before=state,
            after=state,
        )
