"""The detector in the agent's own process: no Kafka, no clock, the same judgement as the worker's."""

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from threading import Lock
from typing import Any

from detectors.engine import Engine
from detectors.events import Change, Event
from detectors.outcome import Outcome
from detectors.rulefile import PROFILES, Problem, RuleFileError, parse, profile
from detectors.rules import RuleBook, Rules
from detectors.state import RootState
from streams.codec import event_from_mapping

MAX_ROOTS = 1024
"""Roots (a run with its sub-agents) whose state is kept unless said otherwise, 64 KiB each at most."""


class Detector:
    """Judges many runs at once. Feedback counts as delivered when a run's next round begins.

    Memory: the `max_roots` roots that were used last; an older one that speaks again starts anew. Costs O(1)
    in the length of a run. Threads may share one.

        detector = Detector()
        for change in detector.observe({"run_id": "r-81", "seq": 0, "tool": "bash", "result": ""}):
            print(change.action, change.text)
    """

    def __init__(
        self, rules: str | PathLike[str] | RuleBook | Rules = "default", *, max_roots: int = MAX_ROOTS
    ) -> None:
        """`rules`: a profile's name, a rule file, or rules. Raises `RuleFileError` (a `ValueError`)."""
        if max_roots < 1:
            raise ValueError(f"max_roots: {max_roots} keeps nothing; use 1 or more")
        self._engine = Engine(_book(rules), assume_delivery=True)
        self._max_roots = max_roots
        self._roots: dict[str, RootState] = {}
        self._lock = Lock()

    def observe(self, event: Event | Mapping[str, Any]) -> list[Change]:
        """The event is judged; returns the changes of rung it led to, as `replay --json` prints them.

        Takes a `Step`, any other event of a run, a person's word, or a run's event as a mapping in wire form.
        Duplicates and late events change nothing. Raises `ValueError` with the path of what is wrong.
        """
        outcome = self.apply(event)
        if outcome.status == "refused":
            raise ValueError(outcome.problem)
        return outcome.changes

    def apply(self, event: Event | Mapping[str, Any]) -> Outcome:
        """As `observe`; returns all that followed: commands, verdicts, signals, what became of the event."""
        known: Event = event_from_mapping(event) if isinstance(event, Mapping) else event
        key = known.root_run_id or known.run_id
        with self._lock:
            root = self._roots.pop(key, None)
            if root is None:
                root = RootState(key)
                if len(self._roots) >= self._max_roots:
                    del self._roots[next(iter(self._roots))]
            self._roots[key] = root
            return self._engine.apply(root, known)

    def forget(self, run_id: str) -> None:
        """The root's state is gone, before it is the oldest. Nothing happens if there is none."""
        with self._lock:
            self._roots.pop(run_id, None)


def _book(rules: str | PathLike[str] | RuleBook | Rules) -> RuleBook:
    if isinstance(rules, RuleBook):
        return rules
    if isinstance(rules, Rules):
        return RuleBook(rules)
    if isinstance(rules, str) and rules in PROFILES:
        return profile(rules)
    path = Path(rules)
    try:
        text = path.read_text("utf-8")
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not UTF-8"
        what = f"neither a profile ({', '.join(PROFILES)}) nor a file that can be read ({reason})"
        raise RuleFileError(str(path), [Problem("", what, "give the path of a rule file")]) from None
    return parse(text, str(path))
