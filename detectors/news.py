"""What a call brought that the run had not seen: the comparison with the memory, and the memory after it.

The index of lines is shared by all tools, so the same bytes by another way are no news; and it survives a
compaction of the agent's context, so a second reading is known for one.
"""

from detectors.canonical import name_hash, short, text_bytes
from detectors.counting import numeric, remember_numbers
from detectors.coverage import SCREEN, cover, is_known_state, is_new_window
from detectors.events import Step
from detectors.feature_types import Features
from detectors.look import Look, Patience
from detectors.memory import (
    AGENTS,
    CALLS,
    CAUSES,
    HEADS,
    LINES,
    TOKENS,
    VOCAB,
    Call,
    Fault,
    Memory,
    fault_of,
    last_fault,
    put,
)
from detectors.things import (
    any_recent,
    handles_and_things,
    just_issued,
    names_only,
    pair,
    remember_issued,
    remember_items,
)
from detectors.writes import is_act, write_of

_MASK = 0xFFFFFFFF
NEVER = 2**31
_NONE: set[int] = set()
"""Nothing new; never written to."""


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
    whole = bool(unseen and f.answer) and _whole(f) in memory.lines
    if whole:
        unseen = 0  # byte for byte an earlier answer, whose lines were masked in another way or are forgotten
    # Where a line has a new shape, its form is new as well: only known shapes need the second look.
    # A text without digits has one list for both.
    forms = (
        len(memory.lines.unseen(f.lines))
        if f.lines and not (unseen or whole) and f.lines is not f.shapes
        else 0
    )
    measures = len(memory.lines.unseen(f.cores)) if f.cores and forms else forms
    silent = f.empty and not failed and f.tone != "negative"
    act = is_act(step, f, silent=silent)
    words, id_tokens, numbers = len(f.words), len(ids), len(f.steps)
    tokens = [token ^ tool for token in (*f.words, *ids, *f.steps)]
    new = memory.tokens.unseen(tokens) if tokens else _NONE
    new_words = new.intersection(tokens[:words]) if new and words else _NONE
    new_ids = new.intersection(tokens[words : words + id_tokens]) if new and id_tokens else _NONE
    new_numbers = new.intersection(tokens[words + id_tokens :]) if new and numbers else _NONE
    handles, new_ids = handles_and_things(memory, new_ids, tool)
    if new_numbers and memory.issued:
        new_numbers = {token for token in new_numbers if not just_issued(memory, token ^ tool)}
    recent = before is None and any_recent(memory, ids)
    # As the lines of answers have them, without the tool.
    asked = [
        token
        for token in (token ^ tool for token in (*new_ids, *new_words, *new_numbers))
        if not just_issued(memory, token)
    ]
    target = memory.targets.get(f.target or (SCREEN if after_hash is not None else 0))
    new_window = f.region is not None and is_new_window(target, f)
    ts = None if memory.no_clock else memory.ts  # of this step: its round was entered
    unknown_words = memory.vocab.unseen(f.vocab) if f.vocab else _NONE
    named = bool(unknown_words) and not unknown_words.isdisjoint(f.words)
    fault = fault_of(memory, f.cause) if failed else None
    if failed and fault is None and f.vocab and len(unknown_words) * 10 <= len(f.vocab) and not named:
        fault = _reworded(memory, tool)
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
        numeric(memory, f, measures, varied=before is None) if unseen == 0 and forms else "",
        act,
        act and not f.body and not f.prose and f.leaves <= 2,  # bare
        memory.last_call == call,  # in_row
        silent,
        len(new_words) / words if words else 0.0,  # novelty
        len(new_ids) or int(recent),  # new_ids
        memory.planned,
        memory.since_news if memory.steps else NEVER,
        pair(f, tool) not in memory.tokens if names_only(f) else False,  # new_pair
        len(new_numbers),  # new_numbers
        bool(asked) and (memory.heads.knows_any(asked) or memory.lines.knows_any(asked)),  # worklist
        f.target != 0 and target is None,  # new_target
        new_window,
        target is not None and target.world < memory.world,  # stale
        target is not None and f.region is not None and not new_window,  # covered
        after_hash is not None and is_known_state(target, after_hash),  # known_place
        write_of(target, step, f, act=act, known=unseen == 0 and forms == 0)
        if act or after_hash is not None
        else "",
        fault,
        ts - last if ts is not None and last is not None and ts >= last else None,  # gap_s
        memory.pause,
        ""
        if before is None or (act and not f.wait and f.tone != "underway")
        else _patience(memory, before, f),
        (lost and memory.passes > 0) or (before is None and _by_another(memory, step, f, call)),  # excused
        lost,
        memory.world,
        tokens,
        new_ids,  # unmet
        handles > 0,
        len(unknown_words),  # unworded
        after_hash is not None
        and memory.changed_by not in {0, tool}
        and memory.last_tool != tool
        and short(text_bytes(after_hash)) in memory.lines,  # unmoved_state
        memory.steps - fault.step if fault is not None else 0,
        fault is not None and fault.step + memory.since_news < memory.steps - 1,  # news_since
        named,
        bool(f.cores) and not unseen and forms > 0 and not measures,  # serial
    )


def learn(memory: Memory, step: Step, seen: Look) -> None:
    """The memory includes the call. O(lines + tokens of the call)."""
    f = seen.features
    tool = name_hash(step.tool)
    ts = None if memory.no_clock else memory.ts
    memory.lines.add(
        LINES, f.shapes, f.lines, f.said, f.cores, (_whole(f),) if f.answer and f.total else _NONE
    )
    memory.vocab.add(VOCAB, f.vocab, f.words)
    remember_issued(memory, f)
    if f.heads and not f.failed:
        memory.heads.add(HEADS, f.heads)
    if f.ids:
        remember_items(memory, f, tool, seen.unmet)
    memory.tokens.add(TOKENS, seen.tokens)
    if names_only(f):
        memory.tokens.add(TOKENS, (pair(f, tool),))
    if f.failed:
        _remember_fault(memory, seen, tool, ts)
    else:
        _relieve(memory, seen.call)
        if f.target or step.after_hash is not None:
            cover(memory, step, seen)
    changed = seen.write in {"new", "returned"} or (
        seen.act
        and seen.write == ""
        and seen.before is None
        and not f.failed
        and not f.mere_echo
        and not seen.known_place
        and not seen.musing
        and f.effect != "plan"
    )
    if changed:
        memory.world += 1
        memory.changed_by = tool
        memory.acted = min(memory.acted + 1, 255)
        memory.wrote = True
        if tool not in memory.actors:
            memory.actors = [*memory.actors, tool][-AGENTS:]
    elif f.tone == "underway" and seen.before is None:
        memory.acted = min(memory.acted + 1, 255)  # something was started
    _remember_call(memory, seen, ts)
    memory.last_call = seen.call
    memory.last_tool = tool
    if f.effect == "plan":
        memory.planned = min(memory.planned + 1, 255)
    elif memory.planned and not (seen.musing or _is_idle(seen)):
        memory.planned = 0


def _is_idle(seen: Look) -> bool:
    """A command about nothing that says nothing: it ends no thinking."""
    f = seen.features
    return f.command and not (f.total and not f.mere_echo) and not (seen.new_target or f.ids or f.failed)


def _whole(f: Features) -> int:
    return int(f.answer[:8], 16)


def _by_another(memory: Memory, step: Step, f: Features, call: int) -> bool:
    """Another agent of the run made this call: what this one sees is new to it."""
    if len(memory.agents) < 2 or not f.call:
        return False
    bare = call ^ name_hash(step.agent) if step.agent else call
    return any(bare ^ other in memory.calls for other in (0, *memory.agents))


def _reworded(memory: Memory, tool: int) -> Fault | None:
    """The last failure, if it was this tool's and nothing was written since: told in words that are all known."""
    last = last_fault(memory)
    if last is None or not last.count or last.world != memory.world or last.tool != tool:
        return None
    return last


def _remember_fault(memory: Memory, seen: Look, tool: int, ts: float | None) -> None:
    old = seen.fault
    if tool in memory.actors:
        memory.acted = 0  # what failed to start is not waited for
    fault = Fault(
        old.count + 1 if old is not None else 1,
        memory.world,
        seen.call,
        ts,
        old.returns + (old.count == 0) if old is not None else 0,
        old is None or old.count == 0 or (old.one_call and old.call == seen.call),
        tool,
        memory.steps,
    )
    put(memory.faults, short(seen.features.cause.encode()), fault, CAUSES)


def _remember_call(memory: Memory, seen: Look, ts: float | None) -> None:
    before = seen.before
    f = seen.features
    entry = Call(seen.answer, memory.world, 0, 0, 0, ts, ts, memory.context, f.total, f.failed)
    if before is not None:
        if before.world == seen.world:
            entry.flips = min(before.flips + (before.failed != f.failed), 255)
        entry.moves = 0 if seen.counter else before.moves  # what seemed to move only counts
        if seen.same or (seen.serial and seen.changed_world):
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
            memory.faults[key] = Fault(
                0, fault.world, 0, fault.ts, fault.returns, tool=fault.tool, step=fault.step
            )


def _patience(memory: Memory, before: Call, f: Features) -> Patience:
    if (f.failed and not f.transient) or (f.body and not f.command):
        return ""  # who hands in a text again is not waiting
    if f.wait or f.tone == "underway" or (before.moves and f.tone != "over"):
        return "strong"
    return "weak" if before.moves or (memory.acted and f.tone != "over") else ""
