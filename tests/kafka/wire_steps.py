"""Steps in wire form, written out by hand: the tests do not lean on the publisher or codec that they try."""

import json
import random
import time
from collections.abc import Iterable, Sequence
from typing import Any

from topic_log import Outgoing


def step(run_id: str, seq: int, **fields: Any) -> dict[str, Any]:
    """One step; `fields` add to it or replace."""
    return {
        "kind": "step",
        "schema": 1,
        "run_id": run_id,
        "seq": seq,
        "turn": seq,
        "ts": round(time.time(), 3),
        "tool": "bash",
        "args": {"command": f"make part-{seq}"},
        "result": f"part {seq} of {run_id} is made\nsize {seq * 7919 % 1000} kB",
        "tokens": 100,
        **fields,
    }


def working(run_id: str, count: int, *, start: int = 0, **fields: Any) -> list[Outgoing]:
    """Steps that each bring something of their own."""
    return [
        outgoing(
            step(
                run_id,
                seq,
                tool="read_file",
                args={"path": f"src/{run_id}/module_{seq}.py"},
                result="\n".join(
                    f"def {run_id}_{seq}_{line}(): return {hash_of(run_id, seq, line)}" for line in range(4)
                ),
                **fields,
            )
        )
        for seq in range(start, start + count)
    ]


def stuck(run_id: str, count: int, *, start: int = 0, **fields: Any) -> list[Outgoing]:
    """The same call with the same answer, again and again."""
    return [
        outgoing(
            step(
                run_id,
                seq,
                args={"command": "cat /var/log/build.log"},
                result="error: target `all` is up to date but stale",
                **fields,
            )
        )
        for seq in range(start, start + count)
    ]


def hash_of(*parts: object) -> int:
    """A number that looks like content; the same for the same parts."""
    return random.Random(repr(parts)).randrange(10**9)


def outgoing(event: dict[str, Any], **changes: Any) -> Outgoing:
    """The event under its right key."""
    key = (event.get("root_run_id") or event["run_id"]).encode()
    return Outgoing(**{"key": key, "value": json.dumps(event).encode(), **changes})


def interleaved(runs: Iterable[Sequence[Outgoing]], seed: int) -> list[Outgoing]:
    """One stream, each run's own order kept."""
    chance = random.Random(seed)
    queues = [list(run) for run in runs if run]
    mixed: list[Outgoing] = []
    while queues:
        queue = chance.choice(queues)
        mixed.append(queue.pop(0))
        if not queue:
            queues.remove(queue)
    return mixed
