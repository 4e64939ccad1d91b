"""Harmless changes of a recorded run: none of them may change what is said of it."""

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

Case = dict[str, Any]
Change = Callable[[Case], None]


def changed(case: Case, change: Change) -> Case:
    """A changed copy; the expectation's step numbers are moved along with inserted steps."""
    case = copy.deepcopy(case)
    change(case)
    foreign = [bool(step.pop("_inserted", False)) for step in case["steps"]]
    for key in ("by_step", "never_before"):
        if case["expect"][key] is not None:
            case["expect"][key] = _moved(foreign, case["expect"][key])
    return case


def _moved(foreign: list[bool], step: int) -> int:
    own = [i for i, inserted in enumerate(foreign, 1) if not inserted]
    return own[step - 1] if step <= len(own) else len(foreign) + 1


def opaque_tools(case: Case) -> None:
    names: dict[str, str] = {}
    for step in case["steps"]:
        step["tool"] = names.setdefault(step["tool"], f"x{len(names)}")


def opaque_keys(case: Case) -> None:
    for step in case["steps"]:
        step["args"] = _renamed(step.get("args"))


def _renamed(value: Any) -> Any:
    if isinstance(value, dict):
        return {f"k{sum(map(ord, key)) % 97}": _renamed(item) for key, item in value.items()}
    return [_renamed(item) for item in value] if isinstance(value, list) else value


def without(*fields: str) -> Change:
    def drop(case: Case) -> None:
        for step in case["steps"]:
            for field in fields:
                step.pop(field, None)

    drop.__name__ = "without_" + "_and_".join(fields)
    return drop


def wrapped_as_content(case: Case) -> None:
    for step in _texts(case):
        step["result"] = {"content": [{"type": "text", "text": step["result"]}], "isError": False}


def wrapped_as_json_text(case: Case) -> None:
    rng = random.Random(3)
    for step in _texts(case):
        body = {"output": step["result"], "metadata": {"duration_seconds": round(rng.random(), 2)}}
        step["result"] = json.dumps(body)


def volatile_footer(case: Case) -> None:
    rng = random.Random(1)
    for step in _texts(case):
        clock = f"{rng.randint(0, 23):02d}:{rng.randint(0, 59):02d}:{rng.randint(0, 59):02d}"
        step["result"] += (
            f"\n[finished at 2026-05-{rng.randint(1, 28):02d}T{clock}Z in {rng.random() * 9:.2f}s, "
            f"request {rng.getrandbits(32):08x}, pid {rng.randint(100, 9999)}]"
        )


def todo_between(case: Case) -> None:
    steps = []
    for i, step in enumerate(case["steps"]):
        steps.append(step)
        if i % 3 == 2:
            todos = [{"t": f"part {k}", "done": k < i} for k in range(6)]
            steps.append(_inserted("todo_update", {"todos": todos}, "todo list updated", step))
    case["steps"] = steps


def stray_news_between(case: Case) -> None:
    steps = []
    for i, step in enumerate(case["steps"]):
        steps.append(step)
        if i % 5 == 4:
            word = chr(97 + i % 26) * 5
            text = f"fact {word} is noted by {word[::-1].upper()}"
            steps.append(_inserted("peek", {"path": f"misc/{word}.txt"}, text, step))
    case["steps"] = steps


def healthy_prefix(case: Case) -> None:
    prefix = []
    for i in range(12):
        name = chr(97 + i) * 4
        step = _inserted(
            "scan", {"path": f"pre/{name}.c"}, f"int {name}_init(void);\nint {name}_stop(int how);", {}
        )
        prefix.append(step | {"ts": -100 + 5.0 * i})
    case["steps"] = [*prefix, *case["steps"]]


def shifted_clock(case: Case) -> None:
    for step in case["steps"]:
        if "ts" in step:
            step["ts"] += 1_764_000_000.5


def cut_results(case: Case) -> None:
    for step in _texts(case):
        step["result"] = step["result"][:1500]


def named_agent(case: Case) -> None:
    for step in case["steps"]:
        step["agent"] = "main"


def _texts(case: Case) -> Iterator[Case]:
    return (step for step in case["steps"] if isinstance(step.get("result"), str))


def _inserted(tool: str, args: Any, result: str, after: Case) -> Case:
    return {"tool": tool, "args": args, "result": result, "ts": after.get("ts", 0) + 0.5, "_inserted": True}


CHANGES: tuple[Change, ...] = (
    opaque_tools,
    opaque_keys,
    without("exit_code"),
    without("error"),
    without("ts"),
    without("before_hash", "after_hash"),
    wrapped_as_content,
    wrapped_as_json_text,
    volatile_footer,
    todo_between,
    stray_news_between,
    healthy_prefix,
    shifted_clock,
    cut_results,
    named_agent,
)

LEGITIMATE: dict[tuple[str, str], str] = {
    (
        "without_ts",
        "001-busy-poll-no-output",
    ): "waiting is judged in time: without a clock a poll is no claim",
    (
        "without_before_hash_and_after_hash",
        "032-scroll-at-page-bottom",
    ): "equal acts with an equal ok are no data",
    ("without_exit_code", "015-ssh-flag-roulette"): "a step late: the refusal is read off the words alone",
}
"""Where a change may change the answer, and why. It may only get shorter."""
