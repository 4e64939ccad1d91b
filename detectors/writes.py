"""Acts and writes: whether a call changed something, and what it did to its target."""

from detectors.canonical import short, text_bytes
from detectors.events import Step
from detectors.feature_types import Features
from detectors.look import Write
from detectors.memory import Target

_TELLS = 3
"""Lines from which an answer is what was asked for, not word of what was done."""


def is_act(step: Step, f: Features, *, silent: bool) -> bool:
    """Whether the call changed something, as far as its answer, hashes and name tell. O(1)."""
    if f.failed or f.wait or f.mere_echo:
        return False
    if f.declared:
        return f.effect in {"write", "message"} or (f.effect == "run" and (silent or f.tone == "ack"))
    score = 0.0
    if step.after_hash is not None and step.after_hash != step.before_hash:
        score += 2
    if f.effect in {"write", "message"}:
        score += 0.5
    elif f.effect in {"read", "wait", "plan"}:
        score -= 0.5
    if f.tone == "ack":
        score += 1
    elif f.tone == "negative":
        score -= 1
    if silent:
        score += 0.7
    if f.body:
        score += 0.3
    if f.total >= 3:
        score -= 0.7
    return score >= 0.6


def write_of(target: Target | None, step: Step, f: Features, *, act: bool, known: bool) -> Write:
    """What the call did to its target: by hashes where the host gives them, else by the content it carried. O(1)."""
    if step.after_hash is not None and step.before_hash is not None:
        if step.before_hash != step.after_hash:
            return _by_hash(target, step.after_hash, f)
        return "same" if _meant(f, act=act, known=known) else ""
    return _by_content(target, f) if act and f.body else ""


def _by_content(target: Target | None, f: Features) -> Write:
    if target is None:
        return "new" if f.effect == "write" else ""
    if f.body == target.body:
        return "rewritten"
    if f.body in target.states:
        return "returned"
    return "cosmetic" if f.body_shape in target.shapes else "new"


def _meant(f: Features, *, act: bool, known: bool) -> bool:
    """The call was meant to change its target, which stayed as it was: some hosts hash what is read as well."""
    if act or f.effect in {"write", "message"}:
        return True
    if f.effect == "read" or f.failed:
        return False
    return known and (f.total < _TELLS or f.target == 0)


def _by_hash(target: Target | None, after_hash: str, f: Features) -> Write:
    """A state that the target had is a return; on a screen it is navigation."""
    if target is None:
        return "new"
    if short(text_bytes(after_hash)) in target.states:
        return "returned" if f.target else ""
    return "cosmetic" if f.body_shape and f.body_shape in target.shapes else "new"
