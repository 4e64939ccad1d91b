"""The metrics of one worker, on a registry of its own. One call a batch, not one an event."""

from collections.abc import Iterable, Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from prometheus_client.process_collector import ProcessCollector

from detectors.outcome import Outcome
from streams.metric_catalog import (
    BY_NAME,
    DLQ_REASONS,
    METRICS,
    RESET_REASONS,
    RUNGS,
    STALL_REASONS,
    Metric,
)

__all__ = ["BY_NAME", "METRICS", "Metric", "Metrics", "exemplar", "registry"]

_EXEMPLAR_CHARACTERS = 128 - len("run_id")


class BatchHistogram(Histogram):
    """A histogram that takes many observations in one go."""

    def observe_many(self, values: Iterable[float]) -> None:
        """Every value is counted. O(values), without a lock for each."""
        bounds = self._upper_bounds
        counts = [0] * len(bounds)
        total = 0.0
        for value in values:
            total += value
            for i, bound in enumerate(bounds):
                if value <= bound:
                    counts[i] += 1
                    break
        self._add(total, counts)

    def observe_times(self, value: float, times: int) -> None:
        """The same value is counted `times` times. O(buckets)."""
        counts = [0] * len(self._upper_bounds)
        for i, bound in enumerate(self._upper_bounds):
            if value <= bound:
                counts[i] = times
                break
        self._add(value * times, counts)

    def _add(self, total: float, counts: list[int]) -> None:
        if any(counts):
            self._sum.inc(total)
            for bucket, count in zip(self._buckets, counts, strict=True):
                if count:
                    bucket.inc(count)


class Metrics:
    """Every metric of the catalogue as an attribute of that name, with all its label combinations.

    Gauges by partition are the exception: the installation decides which partitions there are.
    """

    events_total: Counter
    sequence_gaps_total: Counter
    detect_duration_seconds: BatchHistogram
    event_age_seconds: BatchHistogram
    signals_total: Counter
    rung_changes_total: Counter
    halts_total: Counter
    halt_publish_duration_seconds: BatchHistogram
    halt_publish_retries_total: Counter
    halt_ack_duration_seconds: BatchHistogram
    halts_unacknowledged: Gauge
    commands_withheld_total: Counter
    breaker_open: Gauge
    dlq_total: Counter
    runs_active: Gauge
    runs: Gauge
    steps_since_news: BatchHistogram
    steps_since_milestone: BatchHistogram
    tokens_total: Counter
    tokens_without_milestone_total: Counter
    state_bytes: BatchHistogram
    state_resets_total: Counter
    consumer_lag_records: Gauge
    commit_age_seconds: Gauge
    partitions_assigned: Gauge
    recovery_in_progress: Gauge
    recovery_duration_seconds: BatchHistogram
    rebalances_total: Counter
    retention_lost_records_total: Counter
    producer_buffer_records: Gauge
    event_loop_lag_seconds: Gauge
    build_info: Gauge

    def __init__(self, registry: CollectorRegistry, *, version: str) -> None:
        kinds = {"counter": Counter, "gauge": Gauge}
        for metric in METRICS:
            labels = tuple(metric.labels)
            if metric.kind == "histogram":
                family = BatchHistogram(
                    metric.full_name, metric.help, labels, registry=registry, buckets=metric.buckets
                )
            else:
                family = kinds[metric.kind](metric.full_name, metric.help, labels, registry=registry)
            for values in _combinations(metric):
                family.labels(*values)
            setattr(self, metric.name, family)
        self.build_info.labels(version).set(1)
        self._lag_shown: dict[str, set[int]] = {}

    def add_outcomes(self, counts: Mapping[str, int]) -> None:
        """Records by what became of them, as one batch counted them."""
        for outcome, n in counts.items():
            if n:
                self.events_total.labels(outcome).inc(n)

    def add_decision(self, outcome: Outcome, run_id: str | None = None) -> None:
        """Signals, rungs, halts and tokens of one engine outcome; `run_id` becomes the exemplar."""
        example = exemplar(run_id) if run_id else None
        for reason in outcome.signals:
            self.signals_total.labels(_known(reason, STALL_REASONS)).inc(1, example)
        for change in outcome.changes:
            self.rung_changes_total.labels(change.action).inc(1, exemplar(change.run_id))
        for command in outcome.commands:
            if command.action == "halt":
                self.halts_total.labels(_known(command.reason, STALL_REASONS), command.mode).inc(
                    1, exemplar(command.run_id)
                )
        for segment in outcome.segments:
            self.tokens_total.inc(segment.tokens)
            if not segment.milestone:
                self.tokens_without_milestone_total.inc(segment.tokens)

    def add_dead_letters(self, reasons: Iterable[str]) -> None:
        """Dead letters of one batch, by reason."""
        for reason in reasons:
            self.dlq_total.labels(_known(reason, DLQ_REASONS)).inc()

    def add_resets(self, counts: Mapping[str, int]) -> None:
        """States given up, by reason."""
        for reason, n in counts.items():
            self.state_resets_total.labels(_known(reason, RESET_REASONS)).inc(n)

    def set_runs(self, by_rung: Mapping[int, int]) -> None:
        """How many live runs stand on each rung."""
        for rung in RUNGS:
            self.runs.labels(rung).set(by_rung.get(int(rung), 0))
        self.runs_active.set(sum(by_rung.values()))

    def set_lag(self, topic: str, lags: Mapping[int, int]) -> None:
        """Records not yet handled by partition; partitions that are no longer listed disappear."""
        for partition in self._lag_shown.get(topic, set()) - lags.keys():
            self.consumer_lag_records.remove(topic, str(partition))
        self._lag_shown[topic] = set(lags)
        for partition, lag in lags.items():
            self.consumer_lag_records.labels(topic, str(partition)).set(lag)


def registry() -> CollectorRegistry:
    """A registry with the process's own metrics (CPU, memory, open files), and nothing else."""
    own = CollectorRegistry()
    ProcessCollector(registry=own)
    return own


def exemplar(run_id: str) -> dict[str, str]:
    """The exemplar of a run: OpenMetrics allows 128 characters for name and value together."""
    return {"run_id": run_id[:_EXEMPLAR_CHARACTERS]}


def _known(value: str, allowed: tuple[str, ...]) -> str:
    """A label value out of the closed set; what is not in it counts as its last member."""
    return value if value in allowed else allowed[-1]


def _combinations(metric: Metric) -> list[tuple[str, ...]]:
    combinations: list[tuple[str, ...]] = [()]
    for values in metric.labels.values():
        combinations = [(*c, v) for c in combinations for v in values]
    return combinations if metric.labels else []
