"""Other guards on the same steps: what they do for one finished tool call, for `bench.detector`.

They are not dependencies: both bring top-level modules with general names (`agent`, `utils`, …), and one brings
dozens of packages that its guard does not need. So they live in a folder of their own:

    pip install --no-deps --target .peers hermes-agent==0.19.0 agentguard47==2.0.0

which `make peers` does. `STALLWATCH_PEERS` names another folder.
"""

import importlib
import os
import sys
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any, NamedTuple

from detectors.events import Step

FOLDER = Path(os.environ.get("STALLWATCH_PEERS", Path(__file__).resolve().parent.parent / ".peers"))

Feed = Callable[[Step], object]
"""Takes one finished tool call."""


class Peer(NamedTuple):
    """A guard that has seen a run's beginning."""

    name: str
    fresh: Callable[[], Feed]
    """The guard as it is after that beginning, apart from all others: what each pass is timed with."""


def peers(history: list[Step]) -> tuple[list[Peer], list[str]]:
    """(those that are installed, one sentence for each of the others). Each was fed the history."""
    found: list[Peer] = []
    missing: list[str] = []
    for name, begin in (("hermes-agent", _hermes), ("agentguard47", _agentguard)):
        try:
            found.append(Peer(name, begin(history)))
        except ImportError as error:
            missing.append(
                f"{name} is not in {FOLDER} ({error}): `make peers` installs it, STALLWATCH_PEERS names another folder"
            )
    return found, missing


def _hermes(history: list[Step]) -> Callable[[], Feed]:
    """Its guardrail module: the call's signature before it, again with the answer's digest after it."""
    guardrails = _module("agent.tool_guardrails")
    seen = guardrails.ToolCallGuardrailController()

    def feed(guard: Any, step: Step) -> None:
        guard.before_call(step.tool, step.args)
        guard.after_call(step.tool, step.args, step.result)

    def fresh() -> Feed:
        guard = deepcopy(seen)
        return lambda step: feed(guard, step)

    for step in history:
        feed(seen, step)
    return fresh


def _agentguard(history: list[Step]) -> Callable[[], Feed]:
    """Its loop guard: the call alone, against a window of six; it sees no answers."""
    guards = _module("agentguard.guards")

    def fresh() -> Feed:
        guard = guards.LoopGuard()
        for step in history[-guard.window :]:
            guard.check(step.tool, step.args)

        def feed(step: Step) -> None:
            guard.check(step.tool, step.args)

        return feed

    return fresh


def _module(name: str) -> Any:
    """Looked for behind everything else, so that none of their modules stands in for one of ours."""
    sys.path.append(str(FOLDER))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(FOLDER))
