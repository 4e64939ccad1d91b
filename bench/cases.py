"""The reported cases and those of later rounds as a table: `python -m bench.cases [--json FILE]`."""

import argparse
import json
from pathlib import Path

from bench.convert import case_events, case_folders, cases
from bench.verdict import Verdict, judge_case
from detectors.rules import RuleBook, Rules


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=Path)
    asked = parser.parse_args()
    book = RuleBook(Rules())
    verdicts = []
    for folder in case_folders():
        judged = [judge_case(case, case_events(case), book) for case in cases(folder)]
        for verdict in judged:
            print(_line(verdict))
        print(
            _sum(f"round {folder.name}" if folder.parent.name == "rounds" else "reported", judged), end="\n\n"
        )
        verdicts += judged
    if asked.json:
        rows = [
            {
                "case": v.case["id"],
                "kind": v.case["kind"],
                "right": v.right,
                "first": v.first,
                "halted": v.halted,
                "highest": v.highest,
                "reasons": v.reasons,
            }
            for v in verdicts
        ]
        asked.json.write_text(json.dumps(rows, indent=1) + "\n", "utf-8")


def _sum(name: str, verdicts: list[Verdict]) -> str:
    stalls = [v for v in verdicts if v.case["kind"] == "A"]
    healthy = [v for v in verdicts if v.case["kind"] == "B"]
    return (
        f"{name}: {sum(v.right for v in verdicts)} of {len(verdicts)} right; "
        f"stalls {sum(v.right for v in stalls)} of {len(stalls)}, {sum(v.halted is not None for v in stalls)} halted; "
        f"healthy {sum(v.right for v in healthy)} of {len(healthy)}, {sum(v.highest > 0 for v in healthy)} warned, "
        f"{sum(v.halted is not None for v in healthy)} halted; saying nothing: {len(healthy)}"
    )


def _line(verdict: Verdict) -> str:
    case = verdict.case
    due = case["expect"]["by_step"] or "-"
    first = verdict.first or "-"
    halted = verdict.halted or "-"
    text = verdict.texts[0] if verdict.texts else ""
    mark = "ok   " if verdict.right else "WRONG"
    name = f"{case['kind']} {case['id'][:36]:36s}"
    return f"{mark} {name} warned {first!s:>3} by {due!s:>3}  halted {halted!s:>3}  {text}"


if __name__ == "__main__":
    main()
