"""Every metric as data: what alerts, dashboards and docs may name, and every label value that can occur."""

from typing import Literal, get_args

import msgspec

from detectors.catalog import CODES
from detectors.classic import ClassicReason
from streams.badrecord import Reason

PREFIX = "stallwatch_"

OUTCOME_MEANINGS = {
    "applied": "in the run's state, judged",
    "duplicate": "known already, by `seq` or event id: dropped",
    "late": "came after later ones of its run: learnt from, not judged",
    "malformed": "could not be read, or judging it failed: dead-lettered",
    "misrouted": "judged, but its key does not belong on its partition: the publisher uses another partitioner",
    "closed": "of an attempt that has ended, or was replaced by a higher one: counted, nothing else",
    "waiting": "a person's word on a command that the run's state has not reached: kept until it has",
    "ignored": "nothing to change: an answer that nobody asked for, an acknowledgement of an older command",
    "refused": "the engine does not take it: dead-lettered",
    "replayed": "read again after a restart or rebalance, and in the state already: skipped",
}
OUTCOMES = tuple(OUTCOME_MEANINGS)
STALL_REASONS: tuple[str, ...] = tuple(dict.fromkeys((*CODES, *get_args(ClassicReason), "operator", "other")))
"""Reason codes of the catalogue, those of the classic guard, a person's word, and whatever else comes."""
ACTIONS = ("clear", "notice", "replan", "ask", "halt")
RUNGS = ("0", "1", "2", "3", "4")
MODES = ("graceful", "immediate")
DLQ_REASONS = tuple(reason.value for reason in Reason)
RESET_REASONS = ("unreadable", "oversized", "other")

FAST = (1e-5, 2e-5, 4e-5, 6e-5, 1e-4, 2e-4, 5e-4, 1e-3, 5e-3, 2e-2, 1e-1)
LATENCY = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0)
WAITING = (0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0, 900.0)
STEPS = (0, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 500)
BYTES = (1024, 2048, 4096, 8192, 12288, 16384, 24576, 32768, 49152, 65536)

Kind = Literal["counter", "gauge", "histogram"]


class Metric(msgspec.Struct, frozen=True):
    """One metric family."""

    name: str
    """Without the prefix; also the attribute of `streams.metrics.Metrics`."""
    kind: Kind
    help: str
    labels: dict[str, tuple[str, ...]] = {}
    """Label name → every value it takes; empty for what the installation decides (partitions, versions)."""
    buckets: tuple[float, ...] = ()

    @property
    def full_name(self) -> str:
        """As it is exposed."""
        return PREFIX + self.name


METRICS: tuple[Metric, ...] = (
    Metric("events_total", "counter", "Input records by what became of them.", {"outcome": OUTCOMES}),
    Metric("sequence_gaps_total", "counter", "Events that never arrived, by the publishers' numbering."),
    Metric("detect_duration_seconds", "histogram", "Judging one event, decoding included.", buckets=FAST),
    Metric("event_age_seconds", "histogram", "From an event's publication to its decision.", buckets=LATENCY),
    Metric("signals_total", "counter", "Signals that fired, by reason code.", {"reason": STALL_REASONS}),
    Metric("rung_changes_total", "counter", "Changes of rung, by the new rung.", {"action": ACTIONS}),
    Metric("halts_total", "counter", "Halts decided.", {"reason": STALL_REASONS, "mode": MODES}),
    Metric(
        "halt_publish_duration_seconds",
        "histogram",
        "From the arrival of the event that caused a halt to the broker's acknowledgement of the halt.",
        buckets=LATENCY,
    ),
    Metric("halt_publish_retries_total", "counter", "Attempts to publish a command that had to be repeated."),
    Metric(
        "halt_ack_duration_seconds",
        "histogram",
        "From a halt's decision to its first acknowledgement by an orchestrator.",
        buckets=WAITING,
    ),
    Metric("halts_unacknowledged", "gauge", "Halts that no orchestrator has acknowledged yet."),
    Metric("commands_withheld_total", "counter", "Halts that the open breaker held back."),
    Metric("breaker_open", "gauge", "1 while the halt breaker withholds halts."),
    Metric("dlq_total", "counter", "Records sent to the dead-letter topic.", {"reason": DLQ_REASONS}),
    Metric("runs_active", "gauge", "Live runs of this worker."),
    Metric(
        "runs", "gauge", "Live runs by rung: 0 clear, 1 notice, 2 replan, 3 ask, 4 halt.", {"rung": RUNGS}
    ),
    Metric("steps_since_news", "histogram", "At each step: steps since the run's last news.", buckets=STEPS),
    Metric(
        "steps_since_milestone",
        "histogram",
        "At each step: steps since the run's last verified milestone.",
        buckets=STEPS,
    ),
    Metric("tokens_total", "counter", "Tokens of closed segments (milestone to milestone, or to the end)."),
    Metric("tokens_without_milestone_total", "counter", "Those of segments that no milestone closed."),
    Metric(
        "state_bytes", "histogram", "Encoded state of a root run, each time it is written.", buckets=BYTES
    ),
    Metric("state_resets_total", "counter", "States that had to be given up.", {"reason": RESET_REASONS}),
    Metric(
        "consumer_lag_records",
        "gauge",
        "Records not yet handled, by partition.",
        {"topic": (), "partition": ()},
    ),
    Metric(
        "commit_age_seconds", "gauge", "Since offsets were last committed, or nothing was left to commit."
    ),
    Metric("partitions_assigned", "gauge", "Partitions of the steps topic that this worker owns."),
    Metric("recovery_in_progress", "gauge", "1 while state is read back from the changelog."),
    Metric(
        "recovery_duration_seconds", "histogram", "Reading state back after an assignment.", buckets=WAITING
    ),
    Metric("rebalances_total", "counter", "Assignments received."),
    Metric(
        "retention_lost_records_total", "counter", "Records that retention removed before they were read."
    ),
    Metric("producer_buffer_records", "gauge", "Records handed to the producer and not yet acknowledged."),
    Metric("event_loop_lag_seconds", "gauge", "Largest delay of the event loop in the last seconds."),
    Metric("build_info", "gauge", "1, with the version in the label.", {"version": ()}),
)
BY_NAME: dict[str, Metric] = {metric.name: metric for metric in METRICS}
