"""Metrics: the set, its labels, and what a batch adds."""

import re
from typing import get_args

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.openmetrics.exposition import generate_latest as openmetrics
from prometheus_client.parser import text_string_to_metric_families

from detectors import ladder
from detectors.events import Change, Command, Evidence, HaltMode
from detectors.outcome import Outcome, Segment, Status
from streams.badrecord import Reason
from streams.metric_catalog import ACTIONS, BY_NAME, METRICS, MODES, OUTCOMES, PREFIX, RUNGS, STALL_REASONS
from streams.metrics import BatchHistogram, Metrics, exemplar, registry

UNITS = ("_total", "_seconds", "_bytes", "_records", "_info")
COUNTS = {
    "halts_unacknowledged",
    "breaker_open",
    "runs_active",
    "runs",
    "steps_since_news",
    "steps_since_milestone",
    "partitions_assigned",
    "recovery_in_progress",
}


@pytest.fixture
def own() -> CollectorRegistry:
    return CollectorRegistry()


@pytest.fixture
def metrics(own: CollectorRegistry) -> Metrics:
    return Metrics(own, version="1.2.3")


def value(own: CollectorRegistry, name: str, **labels: str) -> float | None:
    return own.get_sample_value(PREFIX + name, labels)


def test_every_metric_is_an_attribute_and_exposed(own: CollectorRegistry, metrics: Metrics) -> None:
    text = generate_latest(own).decode()
    for metric in METRICS:
        assert hasattr(metrics, metric.name)
        assert f"# TYPE {metric.full_name} {metric.kind}" in text
        assert f"# HELP {metric.full_name} {metric.help}" in text
    assert set(Metrics.__annotations__) == set(BY_NAME)


def test_names_follow_the_conventions() -> None:
    for metric in METRICS:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", metric.name)
        assert metric.name.endswith(UNITS) or metric.name in COUNTS, metric.name
        assert metric.name.endswith("_total") == (metric.kind == "counter")
        assert (metric.kind == "histogram") == bool(metric.buckets)
        assert metric.help.endswith(".") or metric.name == "build_info"


def test_labels_are_closed_sets_that_name_no_run() -> None:
    open_labels = {"topic", "partition", "version"}
    for metric in METRICS:
        assert set(metric.labels) <= {"outcome", "reason", "action", "mode", "rung"} | open_labels
        for label, values in metric.labels.items():
            assert bool(values) == (label not in open_labels)
    assert BY_NAME["dlq_total"].labels["reason"] == tuple(Reason)


def test_every_label_combination_is_there_before_the_first_event(
    own: CollectorRegistry, metrics: Metrics
) -> None:
    for outcome in OUTCOMES:
        assert value(own, "events_total", outcome=outcome) == 0
    for reason in STALL_REASONS:
        assert value(own, "signals_total", reason=reason) == 0
        for mode in ("graceful", "immediate"):
            assert value(own, "halts_total", reason=reason, mode=mode) == 0
    for rung in "01234":
        assert value(own, "runs", rung=rung) == 0
    assert value(own, "build_info", version="1.2.3") == 1


def test_label_sets_cover_everything_that_the_engine_can_say() -> None:
    assert set(get_args(Status)) | {"malformed", "misrouted", "replayed"} == set(OUTCOMES)
    assert set(get_args(Change.__annotations__["action"])) == set(ACTIONS)
    assert set(get_args(HaltMode)) == set(MODES)
    assert {str(i) for i in range(len(ladder.RUNGS))} == set(RUNGS)


def test_two_workers_in_one_process_do_not_share(metrics: Metrics) -> None:
    other = CollectorRegistry()
    Metrics(other, version="2").add_outcomes({"applied": 1})
    metrics.add_outcomes({"applied": 5})
    assert value(other, "events_total", outcome="applied") == 1


def test_a_batch_counts_what_became_of_its_records(own: CollectorRegistry, metrics: Metrics) -> None:
    metrics.add_outcomes({"applied": 40, "duplicate": 2, "late": 0})
    metrics.add_outcomes({"applied": 2})
    assert value(own, "events_total", outcome="applied") == 42
    assert value(own, "events_total", outcome="duplicate") == 2


def test_a_decision_counts_signals_rungs_halts_and_tokens(own: CollectorRegistry, metrics: Metrics) -> None:
    outcome = Outcome(
        signals=["no_news", "made_up"],
        changes=[
            Change(
                run_id="r" * 500,
                attempt=0,
                seq=1,
                step=2,
                rung=4,
                action="halt",
                reason="no_news",
                kind="unclear",
                text="",
                evidence=Evidence(),
            )
        ],
        commands=[
            Command(command_id="a", run_id="r", action="halt", version=2, reason="no_news", mode="immediate"),
            Command(command_id="b", run_id="r", action="notice", version=1, reason="no_news"),
        ],
        segments=[
            Segment(steps=3, tokens=70, cost_usd=0, milestone=True),
            Segment(steps=3, tokens=30, cost_usd=0, milestone=False),
        ],
    )
    metrics.add_decision(outcome, "r")
    assert value(own, "signals_total", reason="no_news") == 1
    assert value(own, "signals_total", reason="other") == 1
    assert value(own, "rung_changes_total", action="halt") == 1
    assert value(own, "halts_total", reason="no_news", mode="immediate") == 1
    assert value(own, "tokens_total") == 100
    assert value(own, "tokens_without_milestone_total") == 30


def test_exemplars_name_the_run_and_fit_the_format(own: CollectorRegistry, metrics: Metrics) -> None:
    command = Command(command_id="a", run_id='r"\\\n' + "x" * 500, action="halt", version=1, reason="no_news")
    metrics.add_decision(Outcome(commands=[command]))
    (line,) = [ln for ln in openmetrics(own).decode().splitlines() if "halts_total" in ln and " # " in ln]
    assert line.startswith(
        'stallwatch_halts_total{mode="graceful",reason="no_news"} 1.0 # {run_id="r\\"\\\\\\nxxx'
    )
    assert sum(len(name) + len(text) for name, text in exemplar("é" * 500).items()) == 128


def test_dead_letters_and_resets(own: CollectorRegistry, metrics: Metrics) -> None:
    metrics.add_dead_letters([Reason.TOO_DEEP, "too_deep"])
    metrics.add_resets({"oversized": 2, "unheard_of": 1})
    assert value(own, "dlq_total", reason="too_deep") == 2
    assert value(own, "state_resets_total", reason="oversized") == 2
    assert value(own, "state_resets_total", reason="other") == 1


def test_runs_by_rung(own: CollectorRegistry, metrics: Metrics) -> None:
    metrics.set_runs({0: 7, 4: 1})
    metrics.set_runs({0: 6, 3: 2})
    assert [value(own, "runs", rung=r) for r in "01234"] == [6, 0, 0, 2, 0]
    assert value(own, "runs_active") == 8


def test_lag_of_a_lost_partition_disappears(own: CollectorRegistry, metrics: Metrics) -> None:
    metrics.set_lag("steps", {0: 10, 1: 20})
    metrics.set_lag("acks", {0: 1})
    metrics.set_lag("steps", {1: 21})
    assert value(own, "consumer_lag_records", topic="steps", partition="0") is None
    assert value(own, "consumer_lag_records", topic="steps", partition="1") == 21
    assert value(own, "consumer_lag_records", topic="acks", partition="0") == 1


def test_many_observations_in_one_go_are_the_same_as_one_by_one() -> None:
    values = [0, 0.5, 1, 1, 2, 3, 99, 1000]
    texts = []
    for how in ("each", "many", "times"):
        own = CollectorRegistry()
        histogram = BatchHistogram("h", "h", registry=own, buckets=(1, 2, 100))
        for v in values:
            if how == "each":
                histogram.observe(v)
            elif how == "times":
                histogram.observe_times(v, 1)
        if how == "many":
            histogram.observe_many(values)
        texts.append([ln for ln in generate_latest(own).decode().splitlines() if "_created" not in ln])
    assert texts[0] == texts[1] == texts[2]


def test_one_value_many_times(own: CollectorRegistry) -> None:
    histogram = BatchHistogram("h", "h", registry=own, buckets=(1, 2))
    histogram.observe_times(0.5, 1000)
    histogram.observe_times(5, 0)
    assert own.get_sample_value("h_bucket", {"le": "1.0"}) == 1000
    assert own.get_sample_value("h_sum") == 500


def test_the_registry_has_the_process_and_nothing_else() -> None:
    names = {family.name for family in text_string_to_metric_families(generate_latest(registry()).decode())}
    assert "process_resident_memory_bytes" in names
    assert all(name.startswith("process_") for name in names)
