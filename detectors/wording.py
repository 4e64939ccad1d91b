"""The words of a command: one plain sentence of what was seen, one of what would count as progress."""

from typing import Literal

from detectors.events import Evidence

Remedy = Literal["amnesia", "no_gradient", "unclear"]


def sentences(reason: str, evidence: Evidence, remedy: Remedy) -> tuple[str, str]:
    """(for people, for the model). Counters and tool names only, never content. O(1)."""
    people = f"{_seen(reason, evidence)} (steps {evidence.seq_from + 1}–{evidence.seq_to + 1})"
    if remedy == "amnesia" and reason in {"rereading", "exact_repeat", "oscillation"}:
        return people, _AMNESIA
    return people, _ADVICE.get(reason, _ADVICE["no_news"])


def _seen(reason: str, e: Evidence) -> str:
    tools = " and ".join(e.tools[:2]) or "calls"
    waited = f" for {e.waited_s:.0f} s" if e.waited_s else ""
    best = f" of {e.best_score:g}" if e.best_score is not None else ""
    cause = (e.cause or "unknown").split(":")[0]
    seen = {
        "exact_repeat": f"the same call of {tools} gave the same answer {max(2, e.repeats + 1)} times",
        "oscillation": f"a cycle of {max(2, e.period)} calls ({tools}) comes round with the same answers",
        "no_news": f"{len(e.calls)} different calls of {tools} brought nothing new, "
        f"the last news is {e.steps_since_news} steps old",
        "same_error": f"{e.errors} failures of {tools} have one cause ({cause})",
        "write_churn": f"writes of {tools} leave their targets as they were or bring them back to an older state",
        "rereading": f"{tools} read again what was read before, and nothing was written in between",
        "idle_wait": f"{tools} waits{waited} and the answer stays the same",
        "no_progress": f"the best score{best} has not risen for {e.rounds_since_best} samples",
        "milestone_gap": f"no verified milestone for {e.steps_since_milestone} steps, and little news",
        "budget": f"the run's limits are nearly used up after {e.rounds} rounds",
    }
    return seen.get(reason, "the run stopped bringing anything new")


_AMNESIA = (
    "You have read these facts before your context was shortened. Take them from the summary or from the list that "
    "comes with this message, write down what you need, and act on it now instead of reading again."
)
_ADVICE = {
    "exact_repeat": (
        "You have this answer already. Use it, or ask a different question; progress is an answer you have not seen, "
        "a change that has an effect, or finishing."
    ),
    "oscillation": (
        "These calls go round in a circle. Leave both halves of it: change something that the answers depend on, or "
        "say what blocks you."
    ),
    "no_news": (
        "Rewording this question brings nothing more: what can be found this way has been found. Decide with what "
        "you have, look in another place, or say that it is not there."
    ),
    "same_error": (
        "These failures have one cause that other options or wordings cannot remove. Deal with the cause first, or "
        "report that it blocks you."
    ),
    "write_churn": (
        "These writes have no lasting effect. Compare what you want with what is there, make one change that "
        "differs from all earlier ones, and check what it does."
    ),
    "rereading": (
        "You have read this already and it has not changed. Write down what you need from it and take the next step "
        "of the work."
    ),
    "idle_wait": (
        "Waiting is fine if something is running: look at longer intervals. If nothing was started, or it has ended, "
        "asking again cannot change the answer; go on or report it."
    ),
    "no_progress": (
        "The score has reached what this approach can give. Try a different approach to the weakest part, or hand in "
        "the best version."
    ),
    "milestone_gap": (
        "Nothing has been verified for a long time. Pick the next result that can be checked and take the shortest "
        "way to it."
    ),
    "budget": "The budget is nearly used up. Save what you have and finish the most valuable part.",
}
