"""A person's word on a run: release, answer, halt. It waits for the command that it answers."""

import msgspec
import xxhash
from msgspec.structs import replace

from detectors.commands import publish
from detectors.events import Answer, HaltOrder, OperatorEvent, Release
from detectors.judge import fresh_baseline
from detectors.occasion import Occasion, finite
from detectors.outcome import Status
from detectors.rungs import cleared, halt
from detectors.runs import RunState, Word

MAX_WAITING = 8
MAX_ANSWERED = 16
MAX_BY = 64
"""Characters kept of a person's name."""
COMMAND_ID_LENGTH = 32

_encoder = msgspec.msgpack.Encoder(order="deterministic")


def hear(occasion: Occasion, event: OperatorEvent) -> Status:
    """The word is applied, waits (bounded: the oldest gives way), or has nothing to change.

    A word for another attempt than the current one is ignored; one for an attempt or a command that the
    state has not reached waits. The same word again is a duplicate: known by the command it answers or else
    by its time.
    """
    word = _word(event)
    if word.command_id is not None and len(word.command_id) != COMMAND_ID_LENGTH:
        return "ignored"
    return _apply_or_wait(occasion, word)


def reached(occasion: Occasion) -> None:
    """The words that waited for what has just been reached are applied, in order of their arrival."""
    run = occasion.run
    waiting, run.words = run.words, []
    for word in waiting:
        _apply_or_wait(occasion, word)


def _apply_or_wait(occasion: Occasion, word: Word) -> Status:
    run = occasion.run
    if _waits(run, word):
        if word in run.words:
            return "duplicate"
        run.words.append(word)
        del run.words[:-MAX_WAITING]
        return "waiting"
    key = _key(word)
    if key in run.answered:
        return "duplicate"
    if key:
        # Heard once, also if there is nothing to change: a copy that comes later must not find that there is.
        run.answered.append(key)
        del run.answered[:-MAX_ANSWERED]
    return "applied" if _obey(occasion, word) else "ignored"


def _waits(run: RunState, word: Word) -> bool:
    if run.attempt < 0 or (word.attempt is not None and word.attempt > run.attempt):
        return True
    if run.life is None or word.command_id is None or word.attempt not in (None, run.attempt):
        return False
    return word.command_id not in run.issued


def _key(word: Word) -> int:
    """0 for a word that names neither a command nor a time: two of the same are two."""
    if word.command_id is None and word.at is None:
        return 0
    identity = word if word.command_id is None else (word.command_id, word.kind)
    return xxhash.xxh3_64_intdigest(_encoder.encode(identity))


def _obey(occasion: Occasion, word: Word) -> bool:
    life = occasion.run.life
    if life is None or word.attempt not in (None, occasion.run.attempt):
        return False
    who = f" by {word.by}" if word.by else ""
    occasion = replace(occasion, when=word.at if word.at is not None else occasion.when)
    if word.kind in ("release", "go"):
        if not life.halted and life.ladder.rung == 0:
            return False
        _release(occasion, f"released{who}")
        return True
    if life.halted:
        return False
    halt(
        occasion,
        reason=life.stall.reason if life.stall is not None else "operator",
        people=f"halted{who}",
        model="a person halted this run; stop here",
        evidence=None,
        mode="immediate" if word.mode == "immediate" else "graceful",
    )
    return True


def _release(occasion: Occasion, text: str) -> None:
    """A fresh baseline: what is known stays known, everything else counts from here."""
    life = occasion.life
    reason = life.stall.reason if life.stall is not None else ""
    evidence = life.stall.evidence if life.stall is not None else None
    publish(
        occasion,
        "release",
        rung=0,
        reason=reason,
        people=text,
        model="a person let you go on; what you know stays, the counters start again",
        evidence=evidence,
    )
    fresh_baseline(life.memory)
    life.guard, life.turn = None, None
    cleared(occasion, why=text)


def _word(event: OperatorEvent) -> Word:
    kind, mode = "release", "graceful"
    if isinstance(event, Answer):
        kind = "go" if event.go else "stop"
    elif isinstance(event, HaltOrder):
        kind, mode = "halt", event.mode
    else:
        assert isinstance(event, Release)
    by = (event.by or "")[:MAX_BY]
    return Word(kind, event.attempt, event.command_id, mode, finite(event.at), by)
