"""A recording of a fleet: some hundred runs of every kind, interleaved, with everything that a real one has."""

import random
from typing import Any

from detectors.events import (
    Answer,
    Compaction,
    Event,
    HaltOrder,
    Milestone,
    Release,
    RunEnded,
    RunStarted,
    Score,
    Step,
    UserInput,
)
from streams.codec import encode

BAD = (
    b"rubbish",
    b"[1, 2]",
    b'{"run_id":"r1","seq":"two","tool":"t"}',
    b'{"run_id":7,"seq":1,"tool":"t"}',
    b'{"kind":"nonsense","run_id":"r2","seq":1}',
    b'{"run_id":"r3","seq":1,"tool":"t","ts":"yesterday"}',
    b'{"run_id":"r4","seq":1,"tool":"t","result":"\xff"}',
    b'{"kind":"answer","run_id":"r5"}',
    b"[" * 5000,
)


def fleet(seed: int, events: int, runs: int) -> list[bytes]:
    """The lines. Every third run is stuck; runs end, are restarted, have sub-agents; events repeat, are late, lack."""
    chance = random.Random(seed)
    seqs: dict[str, int] = {}
    attempts: dict[str, int] = {}
    held: list[Event] = []
    found: list[Event] = []
    while len(found) < events:
        number = chance.randrange(runs)
        run = f"r{number}"
        seq = seqs.get(run, 0)
        seqs[run] = seq + 1 + (chance.random() < 0.02)
        who: dict[str, Any] = {
            "run_id": run,
            "root_run_id": f"r{number // 7 * 7}" if number % 7 == 3 else None,
            "attempt": attempts.get(run, 0),
        }
        found.append(_event(chance, who, number, seq))
        if isinstance(found[-1], RunEnded) and chance.random() < 0.3:
            attempts[run] = who["attempt"] + 1
            seqs[run] = 0
        if chance.random() < 0.02:
            found.append(found[-1])
        if chance.random() < 0.02:
            held.append(found.pop())
        if held and chance.random() < 0.01:
            found.append(held.pop(0))
    return [encode(event) for event in found]


def _event(chance: random.Random, who: dict[str, Any], number: int, seq: int) -> Event:
    kind = chance.random()
    host = {"event_id": f"e{chance.randrange(10**9)}", "at_seq": seq} | who
    if seq == 0 and number % 2:
        return RunStarted(**who, seq=seq, task=f"task-{number % 5}")
    if kind < 0.012:
        return RunEnded(**who, seq=seq, outcome=chance.choice(["completed", "failed", "cancelled"]))
    if kind < 0.02:
        return Compaction(**who, seq=seq)
    if kind < 0.025:
        return UserInput(**who, seq=seq)
    if kind < 0.03:
        return Milestone(**host, id=f"m{seq}")
    if kind < 0.035:
        return Score(**host, value=chance.random())
    if kind < 0.045:
        word = chance.choice([Release, HaltOrder, Answer])
        return word(**who, **({"go": chance.random() < 0.5} if word is Answer else {}))
    stuck = number % 3 == 0
    return Step(
        **who,
        seq=seq,
        turn=seq,
        ts=1.7e9 + 3 * seq if number % 4 else None,
        tool="bash" if stuck else "read",
        args={"command": "make"} if stuck else {"path": f"{number}/{seq}.py"},
        result="failed" if stuck else "\n".join(f"{number} {seq} {chance.random()}" for _ in range(3)),
        exit_code=int(stuck),
        tokens=chance.randrange(2000),
        cost_usd=chance.random() / 100,
        milestone=f"s{seq}" if kind > 0.997 else None,
    )
