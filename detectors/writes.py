"""Acts and writes: whether a call changed something, and what it did to its target."""

from detectors.canonical import short, text_bytes
from detectors.events import Step
from detectors.feature_types import Features
from detectors.look import Write
from detectors.memory import Target


def is_act(step: Step, f: Features, *, silent: bool) -> bool:
    """Whether the call changed something, as far as its answer, hashes and name tell. O(1)."""
    if f.failed or f.wait or f.mere_echo:
        return False
    if f.declared:
        return f.effect in {"write", "message"} or (f.effect == "run" and (silent or f.tone == "ack"))
    score = 0.0
    if step.after_hash is not None:
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


def write_of(target: Target | None, step: Step, f: Features, *, act: bool) -> Write:
    """What the call did to its target: by hashes where the host gives them, else by the content it carried. O(1)."""
    if step.after_hash is not None and step.before_hash is not None:
        return "same" if step.before_hash == step.after_hash else _by_hash(target, step.after_hash, f)
    if not act or not f.body:
        return ""
    if target is None:
        return "new" if f.effect == "write" else ""
    if f.body == target.body:
        return "rewritten"
    if f.body in target.states:
        return "returned"
    return "cosmetic" if f.body_shape in target.shapes else "new"


def _by_hash(target: Target | None, after_hash: str, f: Features) -> Write:
    """A state that the target had is a return; on a screen it is navigation."""
    if target is None:
        return "new"
    if short(text_bytes(after_hash)) in target.states:
        return "returned" if f.target else ""
    return "cosmetic" if f.body_shape and f.body_shape in target.shapes else "new"
