"""Recorded runs through the engine: who is warned and halted, when, why, and how that agrees with people.

`python -m bench.traces [SET…] [--json FILE] [--flagged]`. Reads `STALLWATCH_TRACES` (default ../shared/traces).
Outcomes and labels are for scoring only. Failure is not stall and success is not health: read the runs it lists.
"""

import argparse
import json
import sys
from collections import Counter
from pathlib import Path
from typing import Any

from bench.convert import trace_events, trace_runs, trace_sets
from bench.verdict import Verdict, judge_case
from detectors.events import Event, Step
from detectors.features import features
from detectors.rules import RuleBook, Rules

REPETITIONS = 3
"""Steps that people called a repetition, from which a run counts as repeating."""


MOST_WARNED = {"swebench_mini_gemini3": 1, "tau_retail": 5, "claude_code_tbench": 4, "knowagent_alfworld": 3}
"""Successful runs of a set that may be warned: some of them did stall for a while and got out."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--flagged", action="store_true", help="list every successful run that was warned")
    parser.add_argument("--check", action="store_true", help="end with 1 where a limit is passed")
    asked = parser.parse_args()
    report = {name: _set(name) for name in asked.sets or trace_sets()}
    for name, found in report.items():
        _print(name, found, flagged=asked.flagged)
    if asked.json:
        asked.json.write_text(json.dumps(report, indent=1) + "\n", "utf-8")
    problems = passed_limits(report) if asked.check else []
    for problem in problems:
        print(problem, file=sys.stderr)
    raise SystemExit(1 if problems else 0)


def passed_limits(report: dict[str, Any]) -> list[str]:
    """One sentence for each limit that the report passes: no success halted, few of them warned."""
    problems = []
    for name, found in report.items():
        successes = found.get("success") or {}
        if successes.get("halted"):
            problems.append(f"{name}: {successes['halted']} successful runs halted, none may be")
        limit = MOST_WARNED.get(name)
        if limit is not None and successes.get("warned", 0) > limit:
            problems.append(f"{name}: {successes['warned']} successful runs warned, at most {limit} may be")
    return problems


def _set(name: str) -> dict[str, Any]:
    runs = trace_runs(name)
    book = RuleBook(Rules())
    groups: dict[str, list[dict[str, Any]]] = {}
    for run_id, events, raw in trace_events(name):
        verdict = judge_case({"id": run_id}, events, book)
        outcome = _outcome(runs.get(run_id, {}))
        groups.setdefault(outcome, []).append(_row(run_id, verdict, events, raw))
    out: dict[str, Any] = {outcome: _summary(rows) for outcome, rows in sorted(groups.items())}
    people = _people([row for rows in groups.values() for row in rows])
    if people:
        out["people"] = people
    return out


def _outcome(run: dict[str, Any]) -> str:
    outcome = run.get("outcome")
    return outcome if isinstance(outcome, str) else "unknown" if outcome is None else str(outcome)


def _row(run_id: str, verdict: Verdict, events: list[Event], raw: list[dict[str, Any]]) -> dict[str, Any]:
    said = [(step.get("labels") or {}).get("to_prev_action") for step in raw]
    steps = [event for event in events if isinstance(event, Step)]
    return {
        "run": run_id,
        "steps": verdict.steps,
        "first": verdict.first,
        "halted": verdict.halted,
        "highest": verdict.highest,
        "reason": verdict.reasons[0] if verdict.reasons else "",
        "text": verdict.texts[0] if verdict.texts else "",
        "repeated": sum(label == "Repetition" for label in said) if any(said) else None,
        **_baselines(steps),
    }


def _baselines(steps: list[Step]) -> dict[str, bool]:
    """Two trivial rules: the same call and result three times in a row; five steps without a new result line."""
    rules = Rules()
    seen: set[int] = set()
    last, same, dry = "", 0, 0
    triple = silent = False
    for step in steps:
        f = features(step, rules)
        same = same + 1 if f.call + f.answer == last else 1
        last = f.call + f.answer
        dry = 0 if set(f.lines) - seen else dry + 1
        seen.update(f.lines)
        triple = triple or same >= 3
        silent = silent or dry >= 5
    return {"triple": triple, "silent": silent}


def _summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    judged = [row for row in rows if row["steps"]]
    warned = [row for row in judged if row["first"] is not None]
    firsts = sorted(row["first"] / row["steps"] for row in warned)
    return {
        "runs": len(judged),
        "warned": len(warned),
        "replan": sum(row["highest"] >= 2 for row in judged),
        "ask": sum(row["highest"] >= 3 for row in judged),
        "halted": sum(row["halted"] is not None for row in judged),
        "first_warning_median": round(firsts[len(firsts) // 2], 2) if firsts else None,
        "steps_after_warning": sum(row["steps"] - row["first"] for row in warned),
        "steps": sum(row["steps"] for row in judged),
        "reasons": dict(Counter(row["reason"] for row in warned).most_common()),
        "same_call_and_result_3": sum(row["triple"] for row in judged),
        "no_new_line_5": sum(row["silent"] for row in judged),
        "flagged": [
            {key: row[key] for key in ("run", "steps", "first", "highest", "halted", "reason", "text")}
            for row in warned
        ],
    }


def _people(rows: list[dict[str, Any]]) -> dict[str, Any] | None:
    labelled = [row for row in rows if row["repeated"] is not None and row["steps"]]
    if not labelled:
        return None
    many = [row for row in labelled if row["repeated"] >= REPETITIONS]
    none = [row for row in labelled if row["repeated"] == 0]
    return {
        "repeating_runs": len(many),
        "repeating_warned": sum(row["first"] is not None for row in many),
        "repeating_warned_early": sum(
            row["first"] is not None and row["first"] * 3 <= row["steps"] * 2 for row in many
        ),
        "clean_runs": len(none),
        "clean_warned": sum(row["first"] is not None for row in none),
        "clean_warned_runs": [row["run"] for row in none if row["first"] is not None],
        "missed": [row["run"] for row in many if row["first"] is None or row["first"] * 3 > row["steps"] * 2],
    }


def _print(name: str, found: dict[str, Any], *, flagged: bool) -> None:
    print(f"\n{name}")
    print("  outcome      runs  warned  replan  ask  halted  first at  after  3 equal  5 dry  reasons")
    for outcome, row in found.items():
        if outcome == "people":
            continue
        at = "" if row["first_warning_median"] is None else f"{row['first_warning_median']:.2f}"
        reasons = ", ".join(f"{code} {count}" for code, count in row["reasons"].items())
        print(
            f"  {outcome:11s} {row['runs']:5d} {row['warned']:7d} {row['replan']:7d} {row['ask']:4d} {row['halted']:7d}"
            f"  {at:>8s} {row['steps_after_warning']:6d} {row['same_call_and_result_3']:8d}"
            f" {row['no_new_line_5']:6d}  {reasons}"
        )
        if flagged and outcome == "success":
            for run in row["flagged"]:
                print(
                    f"    {run['run']} rung {run['highest']} at {run['first']}/{run['steps']}: {run['text']}"
                )
    people = found.get("people")
    if people:
        print(
            f"  people: {people['repeating_warned']} of {people['repeating_runs']} repeating runs warned, "
            f"{people['repeating_warned_early']} before the last third; "
            f"{people['clean_warned']} of {people['clean_runs']} without repetition"
        )


if __name__ == "__main__":
    main()
