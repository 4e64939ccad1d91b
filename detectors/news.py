"""What a call brought that the run had not seen: the comparison with the memory, and the memory after it.

The index of lines is shared by all tools, so the same bytes by another way are no news; and it survives a
compaction of the agent's context, so a second reading is known for one.
"""

from detectors.canonical import name_hash, short, text_bytes
from detectors.counting import numeric, remember_numbers
from detectors.events import Step
from detectors.feature_types import Features
from detectors.look import Look, Patience
from detectors.memory import (
    AGENTS,
    CALLS,
    CAUSES,
    HEADS,
    LINES,
    RECENT,
    STATES,
    TARGETS,
    TOKENS,
    WINDOWS,
    Call,
    Fault,
    Memory,
    Target,
    put,
)
from detectors.writes import is_act, write_of

_MASK = 0xFFFFFFFF
SCREEN = 1
"""Key of the state that tools without a named resource act on: a page, a screen. Going back there is navigation."""
_NEVER = 2**31
_NONE: set[int] = set()
"""Nothing new; never written to."""
_USES = 8
_ITEM = 6
"""Steps within which calls with a new id are taken as work on one item."""


def look(memory: Memory, step: Step, f: Features) -> Look:
    """The facts of this call against the memory, which stays as it was. O(lines + tokens of the call)."""
    tool = name_hash(step.tool)
    call = short(text_bytes(f.call)) if f.call else tool
    if step.agent:
        call ^= name_hash(step.agent)
    failed, ids, after_hash = f.failed, f.ids, step.after_hash
    answer = (sum(f.lines) + f.total * 0x9E3779B1 + failed) & _MASK
    before = memory.calls.get(call)
    unseen = len(memory.lines.unseen(f.shapes)) if f.shapes else 0
    # Where a line has a new shape, its form is new as well: only known shapes need the second look.
    # A text without digits has one list for both.
    forms = len(memory.lines.unseen(f.lines)) if f.lines and not unseen and f.lines is not f.shapes else 0
    silent = f.empty and not failed and f.tone != "negative"
    act = is_act(step, f, silent=silent)
    words, id_tokens, numbers = len(f.words), len(ids), len(f.steps)
    tokens = [token ^ tool for token in (*f.words, *ids, *f.steps)]
    new = memory.tokens.unseen(tokens) if tokens else _NONE
    new_words = new.intersection(tokens[:words]) if new and words else _NONE
    new_ids = new.intersection(tokens[words : words + id_tokens]) if new and id_tokens else _NONE
    new_numbers = new.intersection(tokens[words + id_tokens :]) if new and numbers else _NONE
    recent = before is None and _any_recent(memory, ids)
    # As the lines of answers have them, without the tool.
    asked = [token ^ tool for token in new]
    target = memory.targets.get(f.target or (SCREEN if after_hash is not None else 0))
    new_window = f.region is not None and _is_new_window(target, f)
    ts = None if memory.no_clock else memory.ts  # of this step: its round was entered
    fault = memory.faults.get(short(f.cause.encode())) if failed else None
    last = fault.ts if fault is not None else before.ts if before is not None else None
    lost = before is not None and before.context < memory.context and before.answer == answer
    # By position: so many names in a call cost more than the facts.
    return Look(
        f,
        call,
        answer,
        before,
        unseen,
        forms,  # unseen_forms
        numeric(memory, f, forms) if unseen == 0 and forms else "",
        act,
        act and not f.body and not f.prose and f.leaves <= 2,  # bare
        memory.last_call == call,  # in_row
        silent,
        len(new_words) / words if words else 0.0,  # novelty
        len(new_ids) or int(recent),  # new_ids
        memory.planned,
        memory.since_news if memory.steps else _NEVER,
        _pair(f, tool) not in memory.tokens if _names_only(f) else False,  # new_pair
        len(new_numbers),  # new_numbers
        bool(asked) and (memory.heads.knows_any(asked) or memory.lines.knows_any(asked)),  # worklist
        f.target != 0 and target is None,  # new_target
        new_window,
        target is not None and target.world < memory.world,  # stale
        target is not None and f.region is not None and not new_window,  # covered
        after_hash is not None and _is_known_state(target, after_hash),  # known_place
        write_of(target, step, f, act=act) if act or after_hash is not None else "",
        fault,
        ts - last if ts is not None and last is not None and ts >= last else None,  # gap_s
        memory.pause,
        ""
        if before is None or (act and not f.wait and f.tone != "underway")
        else _patience(memory, before, f),
        lost and memory.passes > 0,  # excused
        lost,
        memory.world,
        tokens,
        new_ids,  # unmet
    )


def learn(memory: Memory, step: Step, seen: Look) -> None:
    """The memory includes the call. O(lines + tokens of the call)."""
    f = seen.features
    tool = name_hash(step.tool)
    ts = None if memory.no_clock else memory.ts
    memory.lines.add(LINES, f.shapes, f.lines, f.said)
    if f.heads and not f.failed:
        memory.heads.add(HEADS, f.heads)
    if f.ids:
        _remember_items(memory, f, tool, seen.unmet)
    memory.tokens.add(TOKENS, seen.tokens)
    if _names_only(f):
        memory.tokens.add(TOKENS, (_pair(f, tool),))
    if f.failed:
        key = short(f.cause.encode())
        old = seen.fault
        if tool in memory.actors:
            memory.acted = 0  # what failed to start is not waited for
        put(
            memory.faults,
            key,
            Fault(
                old.count + 1 if old is not None else 1,
                memory.world,
                seen.call,
                ts,
                old.returns + (old.count == 0) if old is not None else 0,
                old is None or old.count == 0 or (old.one_call and old.call == seen.call),
            ),
            CAUSES,
        )
    else:
        _relieve(memory, seen.call)
        if f.target or step.after_hash is not None:
            _cover(memory, step, seen)
    changed = seen.write in {"new", "returned"} or (
        seen.act
        and seen.write == ""
        and seen.before is None
        and not f.failed
        and not f.mere_echo
        and not seen.known_place
        and not seen.musing
    )
    if changed:
        memory.world += 1
        memory.acted = min(memory.acted + 1, 255)
        memory.wrote = True
        if tool not in memory.actors:
            memory.actors = [*memory.actors, tool][-AGENTS:]
    elif f.tone == "underway" and seen.before is None:
        memory.acted = min(memory.acted + 1, 255)  # something was started
    _remember_call(memory, seen, ts)
    memory.last_call = seen.call
    if f.effect == "plan":
        memory.planned = min(memory.planned + 1, 255)
    elif memory.planned and not seen.musing:
        memory.planned = 0


def _is_known_state(target: Target | None, after_hash: str) -> bool:
    """The act led back to where its screen or target was before."""
    return target is not None and short(text_bytes(after_hash)) in target.states


def _names_only(f: Features) -> bool:
    """The arguments are names of things, two or more: a point of a grid."""
    return f.leaves >= 2 and len(f.ids) >= f.leaves and not f.command


def _pair(f: Features, tool: int) -> int:
    return (sum(f.ids) ^ tool) & _MASK


def _any_recent(memory: Memory, ids: list[int]) -> bool:
    """One of the ids came up a few steps ago and was asked about once or twice."""
    recent = memory.recent
    for token in ids:
        if token in recent:
            step, uses = divmod(recent[token], _USES)
            if memory.steps - step < _ITEM and uses <= 2:
                return True
    return False


def _remember_items(memory: Memory, f: Features, tool: int, new: set[int]) -> None:
    recent = memory.recent
    for token in f.ids:
        if token in recent:
            recent[token] = min(recent[token] + 1, recent[token] // _USES * _USES + _USES - 1)
        elif token ^ tool in new and token not in f.words:
            put(recent, token, memory.steps * _USES + 1, RECENT)


def _remember_call(memory: Memory, seen: Look, ts: float | None) -> None:
    before = seen.before
    entry = Call(seen.answer, memory.world, 0, 0, 0, ts, ts, memory.context)
    if before is not None:
        entry.moves = 0 if seen.counter else before.moves  # what seemed to move only counts
        if seen.same:
            entry.since = before.since
            if before.world == seen.world:
                entry.repeats = before.repeats + 1
                entry.rechecks = before.rechecks
            else:
                entry.rechecks = before.rechecks + 1
        else:
            entry.moves = min(before.moves + 1, 255)
    put(memory.calls, seen.call, entry, CALLS)
    if seen.features.numbers:
        remember_numbers(memory, seen.features)


def _relieve(memory: Memory, call: int) -> None:
    """A call that failed before and went well now has got over its causes."""
    for key, fault in memory.faults.items():
        if fault.call == call:
            memory.faults[key] = Fault(0, fault.world, 0, fault.ts, fault.returns)


def _cover(memory: Memory, step: Step, seen: Look) -> None:
    f = seen.features
    key = f.target or SCREEN
    target = memory.targets.get(key) or Target()
    if f.region is not None and f.total and f.tone != "negative":
        target.windows = _merged(target.windows, f.region)
    if seen.write or step.after_hash is not None:
        for value in (step.before_hash, step.after_hash):
            if value is not None:
                state = short(text_bytes(value))
                if state not in target.states:
                    target.states = [*target.states, state][-STATES:]
        if f.body:
            target.body = f.body
            if step.after_hash is None and f.body not in target.states:
                target.states = [*target.states, f.body][-STATES:]
            if f.body_shape not in target.shapes:
                target.shapes = [*target.shapes, f.body_shape][-STATES:]
        target.returns = target.returns + 1 if seen.write == "returned" else target.returns
    target.world = memory.world
    put(memory.targets, key, target, TARGETS)


def _is_new_window(target: Target | None, f: Features) -> bool:
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


def _patience(memory: Memory, before: Call, f: Features) -> Patience:
    if f.failed and not f.transient:
        return ""
    if f.wait or f.tone == "underway" or (before.moves and f.tone != "over"):
        return "strong"
    return "weak" if before.moves or (memory.acted and f.tone != "over") else ""
