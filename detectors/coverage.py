"""Which parts of a resource were read, and in which states it was: windows and states of targets."""

from detectors.canonical import short, text_bytes
from detectors.events import Step
from detectors.feature_types import Features
from detectors.look import Look
from detectors.memory import LINES, STATES, TARGETS, WINDOWS, Memory, Target, put

SCREEN = 1
"""Key of the state that tools without a named resource act on: a page, a screen. Going back there is navigation."""


def is_known_state(target: Target | None, after_hash: str) -> bool:
    """The act led back to where its screen or target was before."""
    return target is not None and short(text_bytes(after_hash)) in target.states


def cover(memory: Memory, step: Step, seen: Look) -> None:
    """The window that was read and the states before and after are known of the target. O(windows + states)."""
    f = seen.features
    key = f.target or SCREEN
    target = memory.targets.get(key) or Target()
    if f.region is not None and f.total and f.tone != "negative":
        target.windows = _merged(target.windows, f.region)
    if seen.write or step.after_hash is not None:
        states: list[int] = []
        for value in (step.before_hash, step.after_hash):
            if value is not None:
                state = short(text_bytes(value))
                states.append(state)
                if state not in target.states:
                    target.states = [*target.states, state][-STATES:]
        memory.lines.add(LINES, states)
        if f.body:
            target.body = f.body
            if step.after_hash is None and f.body not in target.states:
                target.states = [*target.states, f.body][-STATES:]
            if f.body_shape not in target.shapes:
                target.shapes = [*target.shapes, f.body_shape][-STATES:]
        target.returns = target.returns + 1 if seen.write == "returned" else target.returns
    target.world = memory.world
    put(memory.targets, key, target, TARGETS)


def is_new_window(target: Target | None, f: Features) -> bool:
    """A tenth of the window and more was not read before. O(windows)."""
    if f.region is None or not f.target:
        return False
    if target is None:
        return True
    low, high = f.region
    covered = sum(max(0, min(high, b) - max(low, a)) for a, b in target.windows)
    return covered * 10 < (high - low) * 9


def _merged(windows: list[tuple[int, int]], new: tuple[int, int]) -> list[tuple[int, int]]:
    low, high = new
    out = []
    for a, b in windows:
        if b < low or a > high:
            out.append((a, b))
        else:
            low, high = min(a, low), max(b, high)
    return [*out, (low, high)][-WINDOWS:]
