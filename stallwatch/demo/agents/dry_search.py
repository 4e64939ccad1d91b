"""Stuck: looks for something that is not there, in ever new words."""

from collections.abc import Iterator
from itertools import product
from pathlib import Path

from stallwatch.demo.agents.behaviour import Behaviour, Milestone, green
from stallwatch.demo.calls import Answer, Call, Script, read, search, shell
from stallwatch.demo.workbench import test_command

PHRASES = (
    *("Retry", "retrying", "retried", "try again", "attempt", "backoff", "back off", "back_off"),
    *("exponential", "sleep", "delay", "postpone", "repeat", "reconnect", "resend", "resubmit"),
    *("gateway", "charge", "timeout", "unavailable", "unreachable", "offline", "except", "fallback"),
    *("circuit", "queue", "requeue", "throttle", "jitter", "max_tries"),
)
PLACES = (None, "shop", "docs", "jobs", "tests")


def script() -> Script:
    """Issue 29 of the scratch project; nothing in it retries a payment."""
    yield from read("docs/issues/29-outage.md")
    yield from shell("ls shop docs jobs")
    yield from shell(test_command())
    for word in ("payment", "provider", "retry|retries", "pause"):
        yield from search(word)
    yield from read("shop/orders.py")
    yield from read("docs/pricing.md")
    for pattern, place in questions():
        yield from search(pattern, place)


def questions() -> Iterator[tuple[str, str | None]]:
    """The same question in 30 wordings, first of everything and then of one folder after the other."""
    for place, phrase in product(PLACES, PHRASES):
        yield phrase, place


def outage_documented(root: Path, _call: Call, _answer: Answer) -> bool:
    """The answer is written down."""
    return (root / "docs" / "outage.md").exists()


BEHAVIOUR = Behaviour(
    name="dry-search",
    task="answer-question",
    about="varies a search that has run dry",
    healthy=False,
    script=script,
    milestones=(Milestone("baseline_green", green), Milestone("outage_documented", outage_documented)),
)
