"""The judgement does not depend on what the edge lets through: content, content cut short, or features alone."""

from copy import copy
from typing import Any

import pytest

from bench.convert import case_events, cases
from detectors.events import Change, Event, Step
from stallwatch.clients.edge import Edge, EdgeLimits
from stallwatch.detector import Detector
from streams.codec import decode_event, encode

SMALLEST = EdgeLimits(args_bytes=256, result_bytes=256, text_bytes=256)


def judged(events: list[Event], edge: Edge | None = None) -> list[Change]:
    """Every change of rung, with the events as the worker would decode them."""
    detector = Detector()
    changes: list[Change] = []
    for event in events:
        sent = copy(event)
        if edge is not None and isinstance(sent, Step):
            edge.finish(sent)
        changes += detector.observe(decode_event(encode(sent)))
    return changes


@pytest.mark.parametrize("case", cases(), ids=lambda case: case["id"])
def test_a_case_is_judged_the_same_whatever_the_edge_withholds(case: dict[str, Any]) -> None:
    events = list(case_events(case))
    whole = judged(events)
    assert judged(events, Edge(content=False, limits=EdgeLimits())) == whole
    assert judged(events, Edge(content=True, limits=SMALLEST)) == whole


def test_the_cases_hold_stalls_and_values_that_are_cut() -> None:
    """The comparison has something to compare: changes of rung, and steps over the smallest limits."""
    everything = [list(case_events(case)) for case in cases()]
    assert sum(bool(judged(events)) for events in everything) >= 20
    steps = [event for events in everything for event in events if isinstance(event, Step)]
    assert sum(len(encode(step)) > 600 for step in steps) >= 20
