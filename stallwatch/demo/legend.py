"""What a person must know to read the demo: said once before it, and under its table."""

from collections.abc import Sequence

from detectors.catalog import BY_CODE
from stallwatch.demo.agents.behaviour import Behaviour
from stallwatch.demo.rules_file import rules_place

CAPTION = "news, milestone: steps since. rung: clear → notice → replan → ask → halt. bold: gets stuck"
"""Under the live table."""
_EXAMPLE = BY_CODE["same_error"]


def legend(behaviours: Sequence[Behaviour], *, visiting: bool) -> list[str]:
    """Plain lines, to be wrapped. `visiting`: the worker is not the demo's own."""
    healthy = sum(behaviour.healthy for behaviour in behaviours)
    example = f"{_EXAMPLE.code}: {_lowered(_EXAMPLE.title)}"
    fleet = (
        f"{len(behaviours)} agents work, each on a small project of its own: {healthy} get on, "
        f"{len(behaviours) - healthy} get stuck, each in another way."
    )
    steps = (
        "news, milestone: how many steps ago a call last brought something that the run had not seen, and when it "
        "last reached something that was verified."
    )
    rungs = (
        "rung: how far stallwatch has gone with a run that brings nothing: clear (not at all), notice and replan "
        "(its model is told), ask (a person is; nobody answers here), halt (its process is ended, its milestones "
        "are kept). The drier its calls, which is to say the less news they bring, the higher it goes."
    )
    lines = [fleet, steps, rungs, f"reason: what kind of nothing it is, such as {example}."]
    if visiting:
        lines.append(
            "The worker there should judge by the demo's rules, or some stuck agents need more steps than their "
            f"limit: --rules {rules_place()} (stallwatch demo --print-rules prints them)."
        )
    return lines


def _lowered(title: str) -> str:
    return title[0].lower() + title[1:]
