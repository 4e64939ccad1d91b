"""The detector on generated runs with ground truth: `python -m bench.detection [--runs N] [--seed N] [--json FILE]`.

A stall is hit if a rung is climbed within its stretch; what is said before the onset is no hit. A healthy stretch is
warned if a rung is climbed within it. What is said in a `mixed` stretch is listed and counts for nothing.
"""

import argparse
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from bench.generate import Run, generate
from bench.worlds.stalls import STALLS
from bench.worlds.tape import HEALTHY, Stretch
from detectors.engine import Engine
from detectors.events import Event, Step
from detectors.rules import RuleBook, Rules
from detectors.state import RootState

HALT_ROUNDS = 30
GRACE = 2
"""Steps after a recovery in which a warning still speaks of the stall."""
RECALL, FALSE_ALARMS, HALTED = 0.90, 0.01, 0.80


class Rise(msgspec.Struct, frozen=True):
    """A rung that was climbed; steps are counted from 1."""

    step: int
    rung: int
    reason: str
    rounds: int = 0
    """Since the onset of the stretch it falls into, that round being 0."""


class Seen(msgspec.Struct, frozen=True, kw_only=True):
    """One labelled stretch and what was said in it."""

    run: str
    domain: str = ""
    plan: str
    stretch: Stretch
    rises: list[Rise]
    late: list[Rise]
    """Of a stall that ended by itself: what was said after it, past the grace."""

    @property
    def highest(self) -> int:
        return max((rise.rung for rise in self.rises), default=0)

    @property
    def delay(self) -> int | None:
        """Steps from the onset to the first warning, 1 at the onset itself."""
        return self.rises[0].step - self.stretch.first + 1 if self.rises else None

    @property
    def halted_in_time(self) -> bool:
        return any(rise.rung == 4 and rise.rounds <= HALT_ROUNDS for rise in self.rises)


def rises(run_id: str, events: Iterable[Event], book: RuleBook) -> list[Rise]:
    """Every rung that the run climbs, feedback taken as delivered at the next round. O(events)."""
    engine, root = Engine(book, assume_delivery=True), RootState(run_id)
    out: list[Rise] = []
    step = rung = 0
    for event in events:
        outcome = engine.apply(root, event)
        step += isinstance(event, Step) and outcome.status not in {"duplicate", "late"}
        for change in outcome.changes:
            if change.rung > rung:
                out.append(Rise(step, change.rung, change.reason))
            rung = change.rung
    return out


def seen(run: Run, book: RuleBook) -> list[Seen]:
    """Each stretch of the run with what was said in it."""
    said = rises(run.id, run.events, book)
    last_stall = max((s.last for s in run.stretches if s.label == "stall"), default=None)
    out = []
    for stretch in run.stretches:
        end = stretch.last + (GRACE if stretch.label == "stall" else 0)
        late = (
            [r for r in said if r.step > end] if stretch.label == "stall" and run.plan == "recovery" else []
        )
        after = last_stall is not None and stretch.first > last_stall
        out.append(
            Seen(
                run=run.id,
                domain=run.domain,
                plan="after" if after else run.plan,
                stretch=stretch,
                rises=[
                    _placed(r, run.rounds, stretch) for r in said if stretch.first <= r.step <= stretch.last
                ],
                late=late,
            )
        )
    return out


def _placed(rise: Rise, rounds: list[int], stretch: Stretch) -> Rise:
    return msgspec.structs.replace(rise, rounds=rounds[rise.step - 1] - rounds[stretch.first - 1])


def report(runs: Iterable[Run], book: RuleBook | None = None) -> dict[str, Any]:
    """The tables by kind, and the totals."""
    book = book or RuleBook(Rules())
    healthy: dict[str, list[Seen]] = {}
    stalls: dict[str, list[Seen]] = {name: [] for name in STALLS}
    mixed: list[Seen] = []
    for run in runs:
        for part in seen(run, book):
            if part.stretch.label == "stall":
                stalls[part.stretch.kind].append(part)
            elif part.stretch.label == HEALTHY and part.plan != "after":
                healthy.setdefault(part.stretch.kind, []).append(part)
            elif part.stretch.label != HEALTHY:
                mixed.append(part)
    return {
        "healthy": {kind: _healthy(parts) for kind, parts in sorted(healthy.items())},
        "stalls": {kind: _stalls(kind, parts) for kind, parts in stalls.items() if parts},
        "mixed": _healthy(mixed) if mixed else None,
        "totals": _totals(healthy, stalls),
    }


def _healthy(parts: list[Seen]) -> dict[str, Any]:
    return {
        "stretches": len(parts),
        **{
            name: sum(part.highest >= rung for part in parts)
            for rung, name in enumerate(("notice", "replan", "ask", "halt"), 1)
        },
        "reasons": _counts(part.rises[0].reason for part in parts if part.rises),
        "warned_runs": [part.run for part in parts if part.rises],
    }


def _stalls(kind: str, parts: list[Seen]) -> dict[str, Any]:
    full = [part for part in parts if part.plan != "recovery"]
    short = [part for part in parts if part.plan == "recovery"]
    ignoring = [part for part in parts if part.plan == "ignores_feedback"]
    hits = [part for part in full if part.rises]
    delays = sorted(part.delay or 0 for part in hits)
    return {
        "stretches": len(full),
        "hit": len(hits),
        "recall": _share(len(hits), len(full)),
        "delay_p50": _quantile(delays, 0.5),
        "delay_p90": _quantile(delays, 0.9),
        "rungs": [sum(part.highest == rung for part in full) for rung in range(5)],
        "ignoring": len(ignoring),
        "halted_in_time": sum(part.halted_in_time for part in ignoring),
        "asked_in_time": sum(part.highest >= 3 for part in ignoring),
        "asks_only": STALLS[kind].asks,
        "right_reason": sum(part.rises[-1].reason in STALLS[kind].accepts for part in hits),
        "reasons": _counts(part.rises[-1].reason for part in hits),
        "recovered": len(short),
        "recovered_warned": sum(bool(part.rises) for part in short),
        "warned_after_recovery": sum(bool(part.late) for part in short),
        "halted_after_recovery": sum(any(rise.rung == 4 for rise in part.late) for part in short),
        "missed_runs": [f"{part.run} {part.domain}" for part in full if not part.rises],
    }


def _totals(healthy: dict[str, list[Seen]], stalls: dict[str, list[Seen]]) -> dict[str, Any]:
    calm = [part for parts in healthy.values() for part in parts]
    by_run: dict[str, int] = {}
    for part in calm:
        if part.plan == "healthy":
            by_run[part.run] = max(by_run.get(part.run, 0), part.highest)
    full = [part for parts in stalls.values() for part in parts if part.plan != "recovery"]
    ignoring = [
        part
        for kind, parts in stalls.items()
        for part in parts
        if part.plan == "ignores_feedback" and not STALLS[kind].asks
    ]
    return {
        "healthy_runs": len(by_run),
        **{
            f"healthy_{name}": sum(top >= rung for top in by_run.values())
            for rung, name in enumerate(("notice", "replan", "ask", "halt"), 1)
        },
        "healthy_stretches": len(calm),
        "healthy_stretches_warned": sum(bool(part.rises) for part in calm),
        "stalls": len(full),
        "recall": _share(sum(bool(part.rises) for part in full), len(full)),
        "ignoring": len(ignoring),
        "halted_in_time": sum(part.halted_in_time for part in ignoring),
    }


def _share(part: int, whole: int) -> float | None:
    return round(part / whole, 3) if whole else None


def _quantile(values: list[int], q: float) -> int | None:
    return values[min(len(values) - 1, int(q * len(values)))] if values else None


def _counts(names: Iterable[str]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return dict(sorted(counts.items(), key=lambda item: (-item[1], item[0])))


def tables(found: dict[str, Any]) -> str:
    """The report as a person reads it."""
    out = ["healthy kind                        n  notice%  replan%  ask%  halt%  reasons"]
    for kind, row in found["healthy"].items():
        shares = "  ".join(
            f"{100 * row[name] / row['stretches']:6.1f}" for name in ("notice", "replan", "ask", "halt")
        )
        out.append(f"{kind:32s} {row['stretches']:4d}  {shares}  {_named(row['reasons'])}")
    if found["mixed"]:
        row = found["mixed"]
        out.append(
            f"(mixed, not scored)              {row['stretches']:4d}  notice {row['notice']}, halt {row['halt']}"
        )
    out += [
        "",
        "stall kind                  n  recall  p50  p90  rung 0/1/2/3/4     halted<=30  after end  right%  reasons",
    ]
    for kind, row in found["stalls"].items():
        out.append(_stall_line(kind, row))
    out += ["", *_verdict(found)]
    return "\n".join(out)


def _stall_line(kind: str, row: dict[str, Any]) -> str:
    rungs = "/".join(map(str, row["rungs"]))
    end = f"asked {row['asked_in_time']}" if row["asks_only"] else f"{row['halted_in_time']}"
    hit = row["hit"] or 1
    return (
        f"{kind:25s} {row['stretches']:3d}  {row['recall'] or 0:6.2f}"
        f" {row['delay_p50'] or '-':>4} {row['delay_p90'] or '-':>4}"
        f"  {rungs:17s} {end:>8s} of {row['ignoring']:<2d} {row['warned_after_recovery']:3d} of {row['recovered']:<2d}"
        f"  {100 * row['right_reason'] / hit:5.0f}  {_named(row['reasons'])}"
    )


def _verdict(found: dict[str, Any]) -> list[str]:
    total = found["totals"]
    short = [kind for kind, row in found["stalls"].items() if (row["recall"] or 0) < RECALL]
    warned = total["healthy_notice"] / max(1, total["healthy_runs"])
    halted = total["halted_in_time"] / max(1, total["ignoring"])
    rungs = f"replan {total['healthy_replan']}, ask {total['healthy_ask']}, halted {total['healthy_halt']} (target 0)"
    calm = f"{total['healthy_notice']} of {total['healthy_runs']} ({warned:.1%}, target {FALSE_ALARMS:.0%})"
    parts = f"{total['healthy_stretches_warned']} of {total['healthy_stretches']}"
    ended = f"{total['halted_in_time']} of {total['ignoring']} ({halted:.0%}, target {HALTED:.0%})"
    return [
        f"recall {total['recall']}; kinds below {RECALL:.2f}: {', '.join(short) or 'none'}",
        f"healthy runs warned {calm}: {rungs}",
        f"healthy stretches warned, those before a stall too: {parts}",
        f"stalls that ignore feedback halted within {HALT_ROUNDS} rounds of the onset: {ended}",
    ]


def _named(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in counts.items())


def main() -> None:
    parser = argparse.ArgumentParser(description="The detector on generated runs with ground truth.")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    found = report(generate(asked.seed, asked.runs))
    print(tables(found))
    if asked.json:
        asked.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
