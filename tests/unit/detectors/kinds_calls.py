"""Runs given as raw calls: what the engine says of one, and what each of its calls was judged to be."""

import random
from collections.abc import Iterable, Iterator, Sequence

from kinds import Raw, steps

from bench.verdict import Verdict, judge_case
from detectors.events import Event
from detectors.features import features
from detectors.judge import Judgement, judge_step
from detectors.memory import Memory
from detectors.rules import RuleBook, Rules

TREES = [
    "alder",
    "birch",
    "cedar",
    "dogwood",
    "elm",
    "fir",
    "ginkgo",
    "hazel",
    "ilex",
    "juniper",
    "kapok",
    "larch",
    "maple",
    "nutmeg",
    "oak",
]
"""Names that share no word."""


def verdict(calls: Iterable[Raw], rules: Rules | None = None) -> Verdict:
    """The rungs that the run reached."""
    events = list[Event](steps(_Given(calls)))
    return judge_case({"id": "calls"}, events, RuleBook(rules or Rules()))


def judged(calls: Iterable[Raw], rules: Rules | None = None) -> list[Judgement]:
    """One judgement for each call; `since_news` is 0 where the call brought something."""
    memory = Memory()
    rules = rules or Rules()
    return [judge_step(memory, step, features(step, rules), rules) for step in steps(_Given(calls))]


def arrangements(words: Sequence[str], *, seed: int, joint: str = " ") -> Iterator[str]:
    """The words in another order each time, without end and never the same twice."""
    chance = random.Random(seed)
    known = set()
    order = list(words)
    while True:
        chance.shuffle(order)
        text = joint.join(order)
        if text not in known:
            known.add(text)
            yield text


def wordings(words: Sequence[str], *, size: int, seed: int) -> Iterator[str]:
    """Questions of so many of the words, never the same twice."""
    chance = random.Random(seed)
    known = set()
    while True:
        text = " ".join(chance.sample(list(words), size))
        if text not in known:
            known.add(text)
            yield text


class _Given:
    """Calls as a kind of run."""

    __name__ = "calls"

    def __init__(self, calls: Iterable[Raw]) -> None:
        self._calls = calls

    def __call__(self) -> Iterator[Raw]:
        return iter(self._calls)
