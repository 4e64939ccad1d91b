"""Stuck: the job it waits for died at once; the log's last line will never change."""

from pathlib import Path

from stallwatch.demo.agents.behaviour import Behaviour, Milestone, green
from stallwatch.demo.calls import Answer, Call, Script, read, shell, start_job
from stallwatch.demo.workbench import test_command


def script() -> Script:
    """Issue 33 of the scratch project; the supplier's list was never delivered."""
    yield from read("docs/issues/33-import.md")
    yield from shell("ls data jobs")
    yield from read("jobs/import_prices.py")
    yield from shell(test_command())
    yield from start_job("python jobs/import_prices.py")
    while True:
        last = yield from shell("tail -n 1 logs/import.log")
        if last.text.startswith("done"):
            return


def prices_imported(root: Path, _call: Call, _answer: Answer) -> bool:
    """The job's own last line says that it is through."""
    log = root / "logs" / "import.log"
    return log.exists() and "done" in log.read_text(encoding="utf-8")


BEHAVIOUR = Behaviour(
    name="poll-dead-job",
    task="import-prices",
    about="polls a job that has died",
    healthy=False,
    script=script,
    milestones=(Milestone("baseline_green", green), Milestone("prices_imported", prices_imported)),
)
