"""A generated run is shown with its labels, its other events and what was said."""

from bench.detection import Rise
from bench.generate import generate
from bench.show_run import shown


def test_every_step_every_label_and_every_rung_is_shown() -> None:
    for run in generate(3, 10):
        lines = shown(run, [Rise(2, 1, "no_news"), Rise(2, 2, "no_news")])
        assert sum(line[:4].strip().isdigit() for line in lines) == len(run.rounds)
        assert [line for line in lines if line.startswith("--- ")] == [
            f"--- {s.label} {s.kind}" for s in run.stretches
        ]
        (said,) = (line for line in lines if "<<<" in line)
        assert said.startswith("   2 ")
        assert said.endswith("<<< rung 1: no_news  <<< rung 2: no_news")
        assert sum(line.startswith("     (") for line in lines) == len(run.events) - len(run.rounds)
