"""Healthy work in a repository."""

from collections.abc import Callable

from bench.worlds.acts import Act, failed
from bench.worlds.coding_stalls import Coding

_BUILD = (
    "error: cannot find module '{w}'",
    "error[E0{n}]: mismatched types: expected `{w}`, found `{v}`",
    "SyntaxError: unexpected token '{w}' at line {n}",
    "undefined reference to `{w}_{v}`",
    "ImportError: cannot import name '{w}' from '{v}'",
    "TypeError: {w}() takes {n} arguments",
    "linker: library {w} not found for -l{v}",
    "fatal: {w}.h: No such file or directory",
    "config: key {w}.{v} has wrong type",
)


def exploration(w: Coding) -> None:
    """Reading through a code base before a change."""
    repo, rng = w.repo, w.rng
    for path in [repo.fresh() for _ in range(rng.randint(10, 24))]:
        if rng.random() < 0.35:
            w.tape.do(repo.grep(rng.choice(repo.lines(path)).strip()[:12]))
        w.tape.do(repo.read(path))


def test_edit_loop(w: Coding) -> None:
    """Fix, test, fix: the failing set moves with nearly each edit."""
    repo, rng = w.repo, w.rng
    repo.break_tests(rng.randint(3, 7), 3)
    w.tape.do(repo.run_tests())
    while any(repo.bugs.values()):
        name = rng.choice([name for name, bugs in repo.bugs.items() if bugs])
        path, line, _ = repo.bugs[name][0]
        if rng.random() < 0.5:
            w.tape.do(repo.read(path, max(0, line - 10), 20))
        if rng.random() < 0.2:
            w.tape.do(repo.edit(path, line + 1, repo.new_line()), repo.run_tests())
        w.tape.do(repo.fix(name), repo.run_tests())
    w.tape.milestone("tests-green")


def batch_edits(w: Coding) -> None:
    """The same change in file after file; every answer is the same short word."""
    repo, rng = w.repo, w.rng
    repo.acks = rng.choice((1, 2))
    for path in repo.paths[: rng.randint(9, 19)]:
        w.tape.do(repo.edit(path, 0, f"# {w.topic[0]}: {repo.new_line().strip()}"))
    w.tape.do(repo.run_tests())


def long_file_in_chunks(w: Coding) -> None:
    """One pass over a long file."""
    repo, size = w.repo, w.rng.choice((15, 20, 25))
    path = repo.fresh()
    while len(repo.lines(path)) < 150:
        repo.lines(path).append(repo.new_line())
    for first in range(0, len(repo.lines(path)), size):
        w.tape.do(repo.read(path, first, size))


def changing_build_errors(w: Coding) -> None:
    """The build fails for another reason after each fix."""
    repo, rng = w.repo, w.rng
    for text in rng.sample(_BUILD, rng.randint(5, 9)):
        message = text.format(n=rng.randrange(100, 999), w=w.words.word(), v=w.words.word())
        w.tape.do(
            failed("run.command", {"command": "make build"}, message, shell="make build", exit_code=2, took=8)
        )
        w.tape.do(repo.edit(rng.choice(repo.paths), rng.randrange(40), repo.new_line()))
    w.tape.do(Act("run.command", {"command": "make build"}, "build finished", "make build", 0, took=20))


def lint_walk(w: Coding) -> None:
    """Edit, read the region again, lint: the count of complaints goes down."""
    repo, rng = w.repo, w.rng
    path = repo.fresh()
    left = [
        f"{path}:{line}: {w.words.word()} shadows {w.words.word()}"
        for line in rng.sample(range(1, len(repo.lines(path))), rng.randint(6, 12))
    ]
    while left:
        w.tape.do(_lint(path, left))
        line = int(left.pop(0).split(":")[1])
        w.tape.do(repo.edit(path, line, repo.new_line()))
        if rng.random() < 0.6:
            w.tape.do(repo.read(path, max(0, line % len(repo.lines(path)) - 5), 10))
    w.tape.do(_lint(path, left))


def _lint(path: str, left: list[str]) -> Act:
    text = "\n".join([*left, f"{len(left)} problems"])
    return Act("check.code", {"path": path}, text, f"lint {path}", 1 if left else 0, took=1.5)


def reread_after_compaction(w: Coding) -> None:
    """The context is compacted; the working set is read once more, then the work goes on."""
    repo, rng = w.repo, w.rng
    working = [repo.fresh() for _ in range(rng.randint(4, 7))]
    w.tape.do(*(repo.read(path) for path in working))
    w.tape.do(repo.edit(working[0], 3, repo.new_line()))
    w.tape.compaction()
    w.tape.do(*(repo.read(path) for path in working))
    for path in working:
        w.tape.do(repo.edit(path, rng.randrange(18), repo.new_line()))
    w.tape.do(repo.run_tests())


def bisect(w: Coding) -> None:
    """The same check on other commits: good or bad."""
    rng = w.rng
    low, high, guilty = 0, 2 ** rng.randint(6, 9), rng.randrange(1, 64)
    while high - low > 1:
        middle = (low + high) // 2
        bad = middle >= guilty
        low, high = (low, middle) if bad else (middle, high)
        sha, next_sha = w.words.hex(10), w.words.hex(10)
        word = "bad" if bad else "good"
        left = f"Bisecting: {high - low} revisions left to test after this\n[{next_sha}] {w.words.sentence()}"
        w.tape.do(
            Act(
                "run.command",
                {"command": "make check"},
                "FAIL" if bad else "PASS",
                "make check",
                int(bad),
                took=15,
            )
        )
        w.tape.do(Act("run.command", {"command": f"git bisect {word} {sha}"}, left, f"git bisect {word}", 0))


def new_files(w: Coding) -> None:
    """Many new files; the answers are silent or one short word."""
    repo, rng = w.repo, w.rng
    folder = f"gen/{w.words.word()}"
    w.tape.do(Act("run.command", {"command": f"mkdir -p {folder}"}, "", f"mkdir -p {folder}", 0))
    repo.acks = 1
    for name in w.words.words(rng.randint(8, 18)):
        w.tape.do(
            repo.write(f"{folder}/{name}.{repo.lang}", [repo.new_line() for _ in range(rng.randint(4, 14))])
        )


def repeated_benchmark(w: Coding) -> None:
    """The same measurement some ten times: the spread is what is wanted."""
    base = w.rng.uniform(80, 900)
    for i in range(w.rng.randint(7, 12)):
        text = (
            f"run {i + 1}: {w.rng.gauss(base, base / 30):.1f} ms per call, {w.rng.gauss(9e5, 2e4):.0f} calls"
        )
        w.tape.do(Act("run.command", {"command": "make bench"}, text, "make bench", 0, took=20))


def parallel_probes(w: Coding) -> None:
    """Bursts of guesses in one turn, most of them not there."""
    repo, rng = w.repo, w.rng
    for _ in range(rng.randint(3, 6)):
        miss = w.words.say("missing")
        probes = [
            f"{name}/{rng.choice(('conf', 'README', 'setup'))}" for name in w.words.words(rng.randint(4, 9))
        ]
        w.tape.together(
            *(failed("read.file", {"path": path}, f"{path}: {miss}", shell=f"cat {path}") for path in probes)
        )
        w.tape.together(*(repo.read(repo.fresh()) for _ in range(2)))
        w.tape.do(repo.edit(rng.choice(repo.paths), 2, repo.new_line()))


def review_by_sub_agents(w: Coding) -> None:
    """Two or three agents of one run read the same files, each for itself."""
    paths = [w.repo.fresh() for _ in range(w.rng.randint(5, 8))]
    for agent in ("lead", "reviewer", "tester")[: w.rng.randint(2, 3)]:
        w.tape.agent = agent
        for path in w.rng.sample(paths, len(paths)):
            w.tape.do(w.repo.read(path))
        w.tape.do(Act("send.article", {"content": w.words.sentence()}, w.words.say("sent")))
    w.tape.agent = None


def delegation(w: Coding) -> None:
    """Other tasks to sub-agents, other answers."""
    for name in w.words.words(w.rng.randint(6, 12)):
        task = f"Write the chapter on {name}: {w.words.sentence()}"
        w.tape.do(Act("ask.agent", {"task": task}, " ".join(w.words.prose(3)), took=40))
        w.tape.do(
            Act(
                "write.file", {"path": f"book/{name}.md", "content": w.words.sentence()}, w.words.say("saved")
            )
        )


def flaky_count(w: Coding) -> None:
    """One test run ten times and more: how often it fails is what is wanted."""
    name, fails = f"test_{w.topic[0]}_race", 0
    for i in range(w.rng.randint(9, 14)):
        bad = w.rng.random() < 0.35
        fails += bad
        text = (
            f"run {i + 1}: {'FAILED' if bad else 'passed'} ({fails} of {i + 1} failed) in {w.tape.took(2, 5)}"
        )
        w.tape.do(
            Act(
                "run.tests",
                {"command": f"make once T={name}"},
                text,
                f"make once T={name}",
                int(bad),
                took=3.5,
            )
        )


WORK: dict[str, Callable[[Coding], None]] = {
    "coding/exploration": exploration,
    "coding/test_edit_loop": test_edit_loop,
    "coding/batch_edits": batch_edits,
    "coding/long_file_in_chunks": long_file_in_chunks,
    "coding/changing_build_errors": changing_build_errors,
    "coding/lint_walk": lint_walk,
    "coding/reread_after_compaction": reread_after_compaction,
    "coding/bisect": bisect,
    "coding/new_files": new_files,
    "coding/repeated_benchmark": repeated_benchmark,
    "coding/parallel_probes": parallel_probes,
    "coding/review_by_sub_agents": review_by_sub_agents,
    "coding/delegation": delegation,
    "coding/flaky_count": flaky_count,
}
