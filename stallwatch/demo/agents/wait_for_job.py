"""Healthy: starts a real background job and waits for it, patiently and to some purpose."""

from pathlib import Path

from stallwatch.demo.agents.behaviour import Behaviour, Milestone, green
from stallwatch.demo.calls import Answer, Call, Script, read, search, shell, start_job, wait, write
from stallwatch.demo.workbench import test_command

PATIENCE_POLLS = 30
"""After so many looks it would give up; the job takes about ten."""

PAGE = """\
# Search

`index.json` names, for every word, the files of docs and data that hold it;
`python jobs/reindex.py` rebuilds it.
"""


def script() -> Script:
    """Rebuilds the search index and documents it."""
    yield from read("README.md")
    yield from read("jobs/reindex.py")
    yield from shell(test_command())
    yield from start_job("python jobs/reindex.py")
    for _ in range(PATIENCE_POLLS):
        yield from wait(1.5)
        last = yield from shell("tail -n 1 logs/reindex.log")
        if last.text.startswith("done"):
            break
    yield from shell("ls -l index.json")
    yield from read("index.json", 1, 12)
    yield from search("index", "docs")
    yield from write("docs/search.md", PAGE)


def index_built(root: Path, _call: Call, _answer: Answer) -> bool:
    """The index is there (the job writes it whole, at its end)."""
    return (root / "index.json").exists()


BEHAVIOUR = Behaviour(
    name="wait-for-job",
    task="rebuild-index",
    about="waits for a real background job",
    healthy=True,
    script=script,
    milestones=(Milestone("baseline_green", green), Milestone("index_built", index_built)),
    pace_s=0.2,
)
