"""A repository: files with contents, tests whose failing set follows the edits, a build."""

from bench.worlds.acts import Act, digest
from bench.worlds.tape import Tape

_LANGS = {
    "py": (
        "def {f}({a}, limit={n}):",
        "    {a} = {g}({a}, {n})",
        "    if {a} > {n}:",
        "        return {a} - {n}",
        "    return {a}",
        "import {m}",
    ),
    "ts": (
        "export function {f}({a}: number) {{",
        "  const {a} = {g}({n})",
        "  if ({a} > {n}) {{",
        "    return {a} * {n}",
        "}}",
        "import {{ {m} }} from './{m}'",
    ),
    "go": (
        "func {f}({a} int) int {{",
        "\t{a} := {g}({n})",
        "\tif {a} > {n} {{",
        "\t\treturn {a} + {n}",
        "}}",
        'import "{m}/{a}"',
    ),
    "rs": (
        "pub fn {f}({a}: u64) -> u64 {{",
        "    let {a} = {g}({n});",
        "    if {a} > {n} {{",
        "        return {a} / {n};",
        "}}",
        "use crate::{m}::{a};",
    ),
}
_RUNNERS = {"py": "pytest -q", "ts": "npx jest", "go": "go test ./...", "rs": "cargo test"}
_VERBS = "load merge trim fold scan pack bind join split drain emit parse route score".split()
_MESSAGES = (
    "expected {n}, got {m}",
    "missing key '{w}'",
    "{w} is not sorted",
    "timeout after {n} ms in {w}",
    "left: {n} right: {m}",
    "'{w}' object has no member '{v}'",
    "index {n} out of range for {w}",
)


class Repo:
    """Files by path, tests with the bugs behind them."""

    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.rng = rng = tape.rng
        self.words = tape.words
        self.lang = rng.choice(list(_LANGS))
        names = self.words.words(24)
        root = rng.choice(("src", "lib", "pkg", "app"))
        self.paths = [f"{root}/{names[i % 5]}/{names[i]}.{self.lang}" for i in range(5, 24)]
        self.big = f"{root}/{names[0]}/{names[1]}_{names[2]}.{self.lang}"
        self._files: dict[str, list[str]] = {}
        self.passed = rng.randrange(20, 400)
        self.bugs: dict[str, list[tuple[str, int, str]]] = {}
        self.acks = rng.randrange(4)
        self._unread = list(self.paths)

    def lines(self, path: str) -> list[str]:
        """The file's lines; made at the first look."""
        known = self._files.get(path)
        if known is None:
            known = self._files[path] = self._new_file(
                self.rng.randrange(110, 240) if path == self.big else self.rng.randrange(18, 70)
            )
        return known

    def _new_file(self, n: int) -> list[str]:
        rng, shapes = self.rng, _LANGS[self.lang]
        nouns = self.words.words(12)
        return [
            rng.choice(shapes).format(
                f=f"{rng.choice(_VERBS)}_{rng.choice(nouns)}",
                g=f"{rng.choice(_VERBS)}_{rng.choice(nouns)}",
                a=rng.choice(nouns),
                m=rng.choice(nouns),
                n=rng.randrange(900),
            )
            for _ in range(n)
        ]

    def fresh(self) -> str:
        """A path that nobody was given yet; the tree grows where all are taken."""
        if not self._unread:
            self._unread.append(
                f"{self.paths[0].rsplit('/', 1)[0]}/{self.words.word()}_{self.words.id()}.{self.lang}"
            )
            self.paths.append(self._unread[0])
        return self._unread.pop(self.rng.randrange(len(self._unread)))

    def hash(self, path: str) -> str:
        return digest(self.lines(path))

    def read(self, path: str, first: int = 0, count: int = 400) -> Act:
        """Lines of a file, numbered."""
        body = "\n".join(
            f"{first + i + 1:5d}  {line}" for i, line in enumerate(self.lines(path)[first : first + count])
        )
        args: dict[str, object] = {"path": path}
        shell = f"cat -n {path}"
        if first or count < 400:
            args |= {"offset": first + 1, "limit": count}
            shell = f"cat -n {path} | sed -n '{first + 1},{first + count}p'"
        state = self.hash(path)
        return Act("read.file", args, body, shell, 0, before=state, after=state, took=0.1)

    def grep(self, pattern: str, paths: list[str] | None = None) -> Act:
        """Lines of known files with the text."""
        found = [
            f"{path}:{i}:{line}"
            for path in paths or self.paths
            for i, line in enumerate(self.lines(path), 1)
            if pattern in line
        ][:30]
        where = paths[0] if paths and len(paths) == 1 else "."
        return Act(
            "search.code",
            {"query": pattern, "path": where},
            "\n".join(found) or self.words.say("none"),
            f"grep -rn '{pattern}' {where}",
            0 if found else 1,
            took=0.3,
        )

    def ls(self, folder: str) -> Act:
        names = sorted(
            {
                path.removeprefix(folder + "/").split("/")[0]
                for path in self.paths
                if path.startswith(folder + "/")
            }
        )
        return Act("list.tree", {"path": folder}, "\n".join(names), f"ls {folder}", 0, took=0.1)

    def edit(self, path: str, line: int, new: str) -> Act:
        """One line of a file replaced; the content and its hash move."""
        lines = self.lines(path)
        line %= len(lines)
        before, old = self.hash(path), lines[line]
        new = f"{new}  # {self.rng.randrange(99)}" if new == old else new
        lines[line] = new
        ack = (
            f"Edited {path}",
            self.words.say("ok"),
            "1 replacement",
            f"--- {path}\n+++ {path}\n-{old}\n+{new}",
        )[self.acks]
        return Act(
            "edit.file",
            {"path": path, "old_text": old, "new_text": new},
            ack,
            f"python3 edit.py {path} <<'EOF'\n-{old}\n+{new}\nEOF",
            0,
            before=before,
            after=self.hash(path),
            took=0.2,
        )

    def new_line(self) -> str:
        return self._new_file(1)[0]

    def write(self, path: str, body: list[str]) -> Act:
        """A whole file written; its content is what was given."""
        before = self.hash(path) if path in self._files else ""
        self._files[path] = body
        return Act(
            "write.file",
            {"path": path, "content": "\n".join(body)},
            f"{len(body)} lines written" if self.acks == 0 else self.words.say("ok"),
            f"cat > {path} <<'EOF'\n" + "\n".join(body) + "\nEOF",
            0,
            before=before,
            after=self.hash(path),
            took=0.2,
        )

    def break_tests(self, tests: int, depth: int) -> None:
        """Some tests fail, each with up to `depth` bugs behind one another."""
        rng = self.rng
        for _ in range(tests):
            name = f"test_{rng.choice(_VERBS)}_{self.words.word()}_{self.words.word()}"
            self.bugs[name] = [self.bug() for _ in range(rng.randint(1, depth))]

    def bug(self) -> tuple[str, int, str]:
        """Where a test fails and what it says."""
        rng = self.rng
        message = rng.choice(_MESSAGES).format(
            n=rng.randrange(1000), m=rng.randrange(1000), w=self.words.word(), v=self.words.word()
        )
        path = rng.choice(self.paths)
        return path, rng.randrange(1, len(self.lines(path))), message

    def run_tests(self, only: str = "") -> Act:
        """The failing set as the state has it."""
        bugs = {name: where for name, where in self.bugs.items() if where and only in name}
        out = [f"FAILED {name} - {where[0][0]}:{where[0][1]}: {where[0][2]}" for name, where in bugs.items()]
        green = self.passed + sum(not where for where in self.bugs.values())
        took = self.rng.uniform(2, 30)
        out.append(
            f"{len(bugs)} failed, {green} passed in {took:.2f}s" if bugs else f"{green} passed in {took:.2f}s"
        )
        command = f"{_RUNNERS[self.lang]} {only}".strip()
        return Act(
            "run.tests",
            {"command": command},
            "\n".join(out),
            command,
            1 if bugs else 0,
            took=took,
        )

    def fix(self, test: str) -> Act:
        """The first bug behind a test repaired by a real edit."""
        path, line, _ = self.bugs[test].pop(0)
        return self.edit(path, line, self.new_line())
