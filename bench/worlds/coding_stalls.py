"""What a stalled agent does in a repository."""

from bench.worlds.acts import Act, failed
from bench.worlds.coding import Repo
from bench.worlds.tape import Tape
from bench.worlds.world import World

_WAYS = (
    "npm install {p}",
    "npm install {p} --force",
    "yarn add {p}",
    "pip install {p}",
    "pip install --user {p}",
    "python3 -m pip install {p} --no-cache-dir",
    "sudo pip install {p}",
    "curl -O https://pkgs.example.test/{p}.tgz",
    "wget https://mirror.example.test/{p}.zip",
    "npm install {p} --legacy-peer-deps",
    "pnpm add {p}",
    "git clone https://git.example.test/{p}.git",
    "pip download {p}",
    "conda install -y {p}",
    "go get {p}@latest",
    "cargo add {p}",
    "poetry add {p}",
    "uv pip install {p}",
)
_WRAPPERS = (
    "npm ERR! network {c}",
    "error: failed to fetch {p}\nCaused by: {c}",
    "WARNING: Retrying after connection broken by '{c}'\nERROR: No matching distribution found for {p}",
    "curl: (6) {c}",
    "fatal: unable to access repository: {c}",
    'Traceback (most recent call last):\n  File "fetch.py", line {n}, in <module>\nOSError: {c}',
)


class Coding(World):
    """The moves of an agent that works in a repository."""

    domain = "coding"

    def __init__(self, tape: Tape) -> None:
        super().__init__(tape)
        self.repo = Repo(tape)
        repo = self.repo
        repo.lines(repo.big)
        self._shown: set[int] = set()
        a, b = self.topic
        self._gone = [
            f"{a}_{b}",
            f"{a}{b.title()}",
            f"{a.title()}{b.title()}",
            f"{b}_{a}",
            f"{a}-{b}",
            f"{a.upper()}_{b.upper()}",
            f"{a}.{b}",
            f"max_{a}",
            f"{a}_max",
            f"{a}s_{b}",
            f"get_{a}_{b}",
            f"set_{a}_{b}",
            f"{b}Of{a.title()}",
        ]
        self._host = f"registry.{a}.example.test"
        self._cause = self.rng.choice(
            (
                f"getaddrinfo ENOTFOUND {self._host}",
                f"Could not resolve host: {self._host}",
                f"Proxy {self._host} refused connection",
            )
        )
        self._bug = repo.bug()
        self._one_file = self.rng.random() < 0.5
        self._fixed = self.rng.choice(repo.paths)
        self._test = f"test_{a}_{b}"
        self._flips = (repo.new_line(), repo.new_line())
        self._job = self.words.hex(6)
        self._note = f"docs/{a}.md"
        self._prose = self.words.prose(5)

    def aside(self) -> Act:
        kind = self.rng.randrange(4)
        if kind == 0:
            return self.plan()
        if kind == 1:
            return Act("run.command", {"command": "git status -s"}, f" M {self._fixed}", "git status -s", 0)
        if kind == 2:
            path = self.rng.choice(self.repo.paths)
            return self.repo.read(path, self.rng.randrange(12), 3)
        return Act("run.command", {"command": "date"}, f"Mon 24 Nov {self.tape.clock()} UTC 2025", "date", 0)

    def place(self, i: int) -> Act:
        return self.repo.read(self.repo.paths[i])

    def window(self, first: int, count: int) -> Act:
        return self.repo.read(self.repo.big, first, count)

    def length(self) -> int:
        return len(self.repo.lines(self.repo.big))

    def variant(self, k: int) -> Act:
        repo, rng = self.repo, self.rng
        path, lines = repo.big, repo.lines(repo.big)
        core = len(lines) * 2 // 3
        first, size = rng.randrange(core - 12), rng.randint(5, 12)
        shown = list(range(first, first + size))
        extra = rng.randrange(core, len(lines)) if rng.random() < 0.4 else None
        shown += [extra] if extra is not None else []
        word = lines[first].strip().split(" ")[0].split("(")[0]
        shell = (
            f"sed -n '{first + 1},{first + size}p' {path}",
            f"awk 'NR>{first} && NR<={first + size}' {path}",
            f"head -{first + size} {path} | tail -{size}",
            f"grep -n -A{size} '{word}' {path} | head -{size + 1}",
            f"strings {path} | sed -n '{first + 1},{first + size}p'",
            f"perl -ne 'print if $. > {first} and $. <= {first + size}' {path}",
        )[k % 6]
        shell += f"; sed -n '{extra + 1}p' {path}" if extra is not None else ""
        numbered = k % 6 == 3
        body = "\n".join(f"{i + 1}:{lines[i]}" if numbered else lines[i] for i in shown)
        return Act("run.command", {"command": shell}, body, shell, 0, took=0.1)

    def reworded(self, k: int) -> Act:
        pattern = self._gone[k % len(self._gone)]
        flag = ("-rn", "-rni", "-rnE", "-rnw", "-rl")[k // len(self._gone) % 5]
        where = (".", "src", "lib", "app", "pkg")[k % 5]
        args = {"query": pattern, "path": where, "mode": flag}
        return Act(
            "search.code", args, self.words.say("none"), f"grep {flag} '{pattern}' {where}", 1, took=0.3
        )

    def denied(self, k: int) -> Act:
        package = "-".join(self.topic)
        shell = _WAYS[k % len(_WAYS)].format(p=package)
        shell += f" --retries {k}" if k >= len(_WAYS) else ""
        text = _WRAPPERS[k % len(_WRAPPERS)].format(c=self._cause, p=package, n=self.rng.randrange(9, 400))
        return failed(
            "run.command", {"command": shell}, text, shell=shell, exit_code=(1, 128, 6, 1)[k % 4], took=4
        )

    def unchanged(self, k: int) -> Act:
        path, repo = self._fixed, self.repo
        state = repo.hash(path)
        old = f"{self.topic[0]}_{k % 7} = {k * 7 % 90}"
        say = self.words.say("unchanged")
        if k % 2:
            shell = f"sed -i 's/{old}/{self.topic[1]}/' {path}"
            return Act("run.command", {"command": shell}, "", shell, 0, before=state, after=state)
        args = {"path": path, "old_text": old, "new_text": self.topic[1]}
        return Act(
            "edit.file", args, say, f"sed -i 's/{old}/{self.topic[1]} /' {path}", 0, before=state, after=state
        )

    def flip(self, k: int) -> Act:
        return self.repo.edit(self._fixed, 4, self._flips[k % 2])

    def touch_up(self, k: int) -> Act:
        body = [
            f"# {self.topic[0]}",
            f"attempt: {k + 1}",
            f"updated: {self.tape.clock()}",
            "status: in progress",
            *self._prose,
        ]
        return self.repo.write(self._note, body)

    def freeze(self) -> list[Act]:
        start = Act(
            "run.job",
            {"command": "make release", "background": True},
            f"started job {self._job}",
            "make release &",
            0,
        )
        moves = [
            Act(
                "check.job",
                {"id": self._job},
                f"{self._job}: stage {i} of 6 running",
                f"jobctl show {self._job}",
                0,
            )
            for i in (1, 2, 4)
        ]
        return [start, *moves]

    def frozen(self) -> Act:
        text = f"{self._job}: exited with signal 9 in stage 4 of 6"
        return Act("check.job", {"id": self._job}, text, f"jobctl show {self._job}", 0, took=0.2)

    def never(self) -> Act:
        shell = f"ci runs --branch {self.topic[0]} --limit 1"
        return Act("check.job", {"branch": self.topic[0]}, self.words.say("none"), shell, 0, took=0.6)

    def attempt(self, k: int) -> list[Act]:
        path, line, message = self._bug
        target = self._fixed if self._one_file else self.repo.paths[k % 3]
        edit = self.repo.edit(target, line + k, self.repo.new_line())
        green = self.repo.passed + len(self.repo.bugs)
        text = f"FAILED {self._test} - {path}:{line}: {message}\n1 failed, {green} passed in {self.tape.took(1, 9)}"
        test = Act(
            "run.tests",
            {"command": f"make test T={self._test}"},
            text,
            f"make test T={self._test}",
            1,
            took=6,
        )
        read = [self.repo.read(target, line % 10, 12)] if k % 4 == 3 else []
        return [*read, edit, test]

    def recreate(self, k: int) -> list[Act]:
        name, say = f"{self.topic[0]}-env", self.words.say("exists")
        path = f"ops/{self.topic[0]}.{self.repo.lang}"
        run = failed(
            "run.command", {"command": f"sh {path}"}, f"Error: {name} {say}", shell=f"sh {path}", took=3
        )
        remove = Act("delete.file", {"path": path}, "", f"rm -f {path}", 0)
        return [remove, self.repo.write(path, [self.repo.new_line() for _ in range(6)]), run]

    def scored(self, k: int, value: float, *, small: bool) -> list[Act]:
        path = f"solve/{self.topic[0]}.{self.repo.lang}"
        body = list(self.repo.lines(path))
        for _ in range(1 if small else 6):
            body[self.rng.randrange(len(body))] = self.repo.new_line()
        text = f"score {value:.4f}\ncases 50 in {self.tape.took(2, 9)}"
        check = Act(
            "run.command", {"command": f"judge {path}"}, text, f"judge {path}", 0, took=8, score=value
        )
        return [self.repo.write(path, body), check]

    def dead(self) -> Act:
        state = self.repo.hash(self._fixed)
        args = {"name": f"toggle-{self.topic[0]}"}
        return Act("click.element", args, self.words.say("clicked"), before=state, after=state)
