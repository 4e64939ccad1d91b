"""Stuck: reads everything, loses its context to a compaction, reads everything again, and never writes."""

from pathlib import Path

from stallwatch.demo.agents.behaviour import Behaviour, Milestone, green
from stallwatch.demo.calls import Answer, Call, Script, compacted, read, search, shell
from stallwatch.demo.workbench import test_command

MODULES = ("money", "cart", "discounts", "shipping", "orders", "report", "catalog")


def script() -> Script:
    """Issue 35 of the scratch project; the review would have to be written down as it goes."""
    yield from read("docs/issues/35-audit.md")
    yield from shell(test_command())
    sweep = 0
    while True:
        yield from search("round|share", "shop")
        for module in MODULES:
            # Later sweeps take smaller bites of the same files.
            if sweep % 2:
                yield from read(f"shop/{module}.py", 1, 15)
            else:
                yield from read(f"shop/{module}.py")
        yield from compacted()
        sweep += 1


def reviewed(root: Path, _call: Call, _answer: Answer) -> bool:
    """The review is written down."""
    return (root / "docs" / "rounding.md").exists()


BEHAVIOUR = Behaviour(
    name="reread",
    task="review",
    about="reads everything again after each compaction",
    healthy=False,
    script=script,
    milestones=(Milestone("baseline_green", green), Milestone("review_written", reviewed)),
)
