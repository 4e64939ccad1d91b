"""One generated run as a person reads it, with its labels and what is said of it: `python -m bench.show_run g1-13`."""

import argparse
import json

from bench.detection import Rise, rises
from bench.generate import Run, one_run
from detectors.events import RunEvent, Step
from detectors.rules import RuleBook, Rules


def shown(run: Run, said: list[Rise], width: int = 120) -> list[str]:
    """A line for each event; a stretch begins with its label, a climbed rung stands behind its step."""
    begins = {stretch.first: f"--- {stretch.label} {stretch.kind}" for stretch in run.stretches}
    spoken: dict[int, str] = {}
    for rise in said:
        spoken[rise.step] = spoken.get(rise.step, "") + f"  <<< rung {rise.rung}: {rise.reason}"
    out, step = [f"{run.id}: {run.plan}, {run.domain}, {run.language}"], 0
    for event in run.events:
        if isinstance(event, Step):
            step += 1
            out += [begins[step]] if step in begins else []
            out.append(f"{step:4d} {_step(event, width)}{spoken.get(step, '')}")
        else:
            out.append(f"     ({_name(event)})")
    return out


def _step(step: Step, width: int) -> str:
    marks = [f"exit {step.exit_code}"] if step.exit_code is not None else []
    marks += ["error"] if step.error else []
    marks += [f"score {step.score}"] if step.score is not None else []
    if step.after_hash:
        marks.append("same state" if step.before_hash == step.after_hash else f"state {step.after_hash[:4]}")
    at = f"{step.ts:.1f} " if isinstance(step.ts, float) else ""
    who = f"[{step.agent}] " if step.agent else ""
    return f"{at}{who}{step.tool} {_cut(step.args, width)} => {_cut(step.result, width)} {', '.join(marks)}"


def _cut(value: object, width: int) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= width else text[: width - 1] + "…"


def _name(event: RunEvent) -> str:
    return type(event).__name__


def main() -> None:
    parser = argparse.ArgumentParser(description="One generated run with its labels and what is said of it.")
    parser.add_argument("run", help="such as g1-13: seed 1, run 13")
    parser.add_argument("--width", type=int, default=120, help="characters of arguments and of results")
    asked = parser.parse_args()
    seed, _, number = asked.run.removeprefix("g").partition("-")
    if not (seed.isdigit() and number.isdigit()):
        parser.error(f"run {asked.run!r} is not of the form gSEED-NUMBER, such as g1-13")
    run = one_run(int(seed), int(number))
    print("\n".join(shown(run, rises(run.id, run.events, RuleBook(Rules())), asked.width)))


if __name__ == "__main__":
    main()
