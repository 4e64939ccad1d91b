"""The words of a command: one plain sentence of what was seen, one of what would count as progress."""

from collections.abc import Callable
from functools import lru_cache
from typing import Literal

from detectors.canonical import short, text_bytes
from detectors.events import Evidence
from detectors.volatile import scrub, shape

Remedy = Literal["amnesia", "no_gradient", "unclear"]


def sentences(
    reason: str, evidence: Evidence, remedy: Remedy, *, since: int, one_call: bool = False
) -> tuple[str, str]:
    """(for people, for the model). Counters and tool names only, never content. O(1).

    `since`: step of the run, counted from 1, at which the dry stretch began; it ends at `evidence.steps`.
    `one_call`: all failures of the present cause came of the same call.
    """
    span = f"steps {since}–{evidence.steps}" if since < evidence.steps else f"step {evidence.steps}"
    if reason == "same_error" and one_call:
        return f"{_one_error(evidence)} ({span})", _SAME_CALL_FAILS
    people = f"{_seen(reason, evidence)} ({span})"
    if remedy == "amnesia" and reason in {"rereading", "exact_repeat", "oscillation"}:
        return people, _AMNESIA
    return people, _ADVICE.get(reason, _ADVICE["no_news"])


def own_lines(*texts: str) -> list[int]:
    """Hashes of our own sentences as an answer would show them: a notice that comes back is no news. O(length)."""
    out: list[int] = []
    for text in texts:
        exact = scrub(text_bytes(text))
        out += _lines(shape(exact))
        out += map(short, _parts(exact))
    return out


@lru_cache(maxsize=256)
def _lines(text: bytes) -> tuple[int, ...]:
    return tuple(map(short, _parts(text)))


def _parts(text: bytes) -> list[bytes]:
    """The whole, and its sentences: long lines of an answer are cut at them."""
    return [text, *(part.strip() for part in text.replace(b". ", b".\n").split(b"\n"))]


def _seen(reason: str, e: Evidence) -> str:
    say = _SEEN.get(reason)
    return say(e, " and ".join(e.tools[:2]) or "calls") if say is not None else _NOTHING_NEW


def _repeat(e: Evidence, tools: str) -> str:
    return f"the same call of {tools} gave the same answer {max(2, e.repeats)} times"


def _cycle(e: Evidence, tools: str) -> str:
    return f"a cycle of {max(2, e.period)} calls ({tools}) comes round with the same answers"


def _no_news(e: Evidence, tools: str) -> str:
    return f"varied calls of {tools} bring nothing new, the last news is {e.steps_since_news} steps old"


def _error(e: Evidence, tools: str) -> str:
    return f"{e.errors} failures of {tools} have one cause: {_cause(e)}"


def _one_error(e: Evidence) -> str:
    tool = e.tools[0] if e.tools else "a tool"
    return f"the same call of {tool} failed {e.errors} times in the same way: {_cause(e)}"


def _cause(e: Evidence) -> str:
    return _CAUSES.get((e.cause or "").split(":")[0], _CAUSES["error"])


def _churn(e: Evidence, tools: str) -> str:
    return f"writes of {tools} leave their targets as they were or bring them back to an older state"


def _reread(e: Evidence, tools: str) -> str:
    return f"{tools} read again what was read before, and nothing was written in between"


def _wait(e: Evidence, tools: str) -> str:
    waited = f" for {e.waited_s:.0f} s" if e.waited_s else ""
    return f"{tools} waits{waited} and the answer stays the same"


def _score(e: Evidence, tools: str) -> str:
    best = f" of {e.best_score:g}" if e.best_score is not None else ""
    return f"the best score{best} has not risen for {e.rounds_since_best} samples"


def _gap(e: Evidence, tools: str) -> str:
    return f"no verified milestone for {e.steps_since_milestone} steps, and little news"


def _budget(e: Evidence, tools: str) -> str:
    return f"the run's limits are nearly used up after {e.rounds} rounds"


_CAUSES = {
    "dns": "a host name that does not resolve",
    "rate": "a limit on requests",
    "denied": "access is denied",
    "unavailable": "a service that is not available",
    "refused": "no connection",
    "timeout": "time runs out",
    "disk": "the disk is full",
    "memory": "memory runs out",
    "locked": "something is locked or busy",
    "missing": "something that is not there",
    "uncallable": "something that cannot be called",
    "malformed": "the form of the call is wrong",
    "report": "the same lines fail in the report each time",
    "error": "the same error",
}
_NOTHING_NEW = "the run stopped bringing anything new"
_SEEN: dict[str, Callable[[Evidence, str], str]] = {
    "exact_repeat": _repeat,
    "oscillation": _cycle,
    "no_news": _no_news,
    "same_error": _error,
    "write_churn": _churn,
    "rereading": _reread,
    "idle_wait": _wait,
    "no_progress": _score,
    "milestone_gap": _gap,
    "budget": _budget,
}
_AMNESIA = (
    "You have read these facts before your context was shortened. Take them from the summary or from the list that "
    "comes with this message, write down what you need, and act on it now instead of reading again."
)
_SAME_CALL_FAILS = (
    "This call fails in the same way each time it is sent. Do not send it again as it is: change what it depends on, "
    "reach the goal another way, or report what blocks you."
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
