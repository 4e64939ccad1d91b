"""What the pipeline does, told to metrics and logs. Called once a batch; nothing here fails or waits."""

import logging
import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence

from streams.batches import Batch
from streams.health import Health
from streams.metrics import Metrics
from streams.partition import Partition
from streams.record import TIMER, Entry
from streams.work import Decided, Work

_log = logging.getLogger("stallwatch.pipeline")
_MAX_UNHEARD = 10_000
"""Halts whose acknowledgement is timed; the oldest leave first."""


class WorkerObserver:
    """Implements `streams.pipeline.Observer` over one `Metrics`."""

    def __init__(self, metrics: Metrics, health: Health, clock: Callable[[], float] = time.time) -> None:
        self._metrics = metrics
        self._health = health
        self._clock = clock
        self._recovery_began: float | None = None
        self._unheard: OrderedDict[str, float] = OrderedDict()
        """Halts decided in this life of the worker, by id: an acknowledgement of an earlier one is not timed."""

    def judged(self, work: Work, seconds: float) -> None:
        """A batch or tick was judged in `seconds`."""
        metrics = self._metrics
        if work.batch is not None:
            records = len(work.batch.records)
            metrics.detect_duration_seconds.observe_times(seconds / records, records)
            if work.oldest is not None:
                metrics.event_age_seconds.observe_times(max(0.0, self._clock() - work.oldest), records)
        metrics.add_outcomes(work.counts)
        if work.gaps:
            metrics.sequence_gaps_total.inc(work.gaps)
        metrics.steps_since_news.observe_many(work.since_news)
        metrics.steps_since_milestone.observe_many(work.since_milestone)
        metrics.state_bytes.observe_many(work.state_bytes)
        metrics.add_resets(work.resets)
        metrics.add_dead_letters(letter.reason for letter in work.dead)
        if work.withheld:
            metrics.commands_withheld_total.inc(len(work.withheld))
            _log.error("halts withheld: the breaker is open", extra={"fields": {"halts": len(work.withheld)}})
        for reason, count in Counter(letter.reason for letter in work.dead).items():
            first = next(
                letter for letter in work.dead if letter.reason == reason
            )  # one line a batch, not one each
            where = {
                "topic": first.record.topic,
                "partition": first.record.partition,
                "offset": first.record.offset,
            }
            fields = {"reason": str(reason), "records": count, "first": where, "detail": first.detail}
            _log.warning("records dead-lettered", extra={"fields": fields})
        for decided in work.decided:
            self._decided(decided, work.withheld)

    def _decided(self, decided: Decided, withheld: set[str]) -> None:
        outcome = decided.outcome
        run_id = next((c.run_id for c in outcome.changes), None)
        self._metrics.add_decision(outcome, run_id)
        for change in outcome.changes:
            _log.info(
                "rung changed",
                extra={
                    "fields": {
                        "run_id": change.run_id,
                        "attempt": change.attempt,
                        "seq": change.seq,
                        "action": change.action,
                        "reason": change.reason,
                    },
                },
            )
        for command in outcome.commands:
            if command.action == "halt" and command.command_id not in withheld:
                self._unheard[command.command_id] = self._clock()
                if len(self._unheard) > _MAX_UNHEARD:
                    self._unheard.popitem(last=False)
        if decided.ack is not None:
            decided_at = self._unheard.pop(decided.ack.command_id, None)
            if decided_at is not None:
                self._metrics.halt_ack_duration_seconds.observe(max(0.0, self._clock() - decided_at))

    def settled(self, work: Work) -> None:
        """The work is durable and out."""
        self._health.progressed()
        if work.input == TIMER:  # no event arrived
            return
        for decided in work.decided:
            for command in decided.outcome.commands:
                if (
                    command.action == "halt"
                    and command.command_id not in work.withheld
                    and decided.at is not None
                ):
                    age = self._clock() - decided.at
                    self._metrics.halt_publish_duration_seconds.observe(max(0.0, age))

    def stale(self, batch: Batch) -> None:
        """A batch was dropped because a seek or rebalance overtook it; it is read again."""
        where = {
            "topic": batch.tp.topic,
            "partition": batch.tp.partition,
            "first": batch.first,
            "next": batch.next,
        }
        _log.info("batch overtaken by a rebalance", extra={"fields": where})

    def recovering(self) -> None:
        """Partitions were assigned; their states are being read back."""
        self._metrics.rebalances_total.inc()
        self._metrics.recovery_in_progress.set(1)
        self._health.recovering = True
        self._recovery_began = self._clock()

    def ready(self, partitions: frozenset[int]) -> None:
        """States are complete and reading goes on."""
        self._health.assigned = partitions
        self._health.recovering = False
        self._health.progressed()
        self._metrics.recovery_in_progress.set(0)
        if self._recovery_began is not None:
            seconds = self._clock() - self._recovery_began
            self._recovery_began = None
            self._metrics.recovery_duration_seconds.observe(seconds)
            _log.info(
                "ready", extra={"fields": {"partitions": sorted(partitions), "recovery_s": round(seconds, 3)}}
            )

    def opened(self, partition: Partition, resent: int) -> None:
        """A partition is ours and complete; `resent` effects of its states may not have been sent before."""
        if resent:
            _log.info(
                "effects sent again", extra={"fields": {"partition": partition.number, "effects": resent}}
            )

    def retention_loss(self, topic: str, partition: int, records: int) -> None:
        """Records were deleted by the broker before they were judged."""
        self._metrics.retention_lost_records_total.inc(records)
        _log.error(
            "records lost to retention",
            extra={"fields": {"topic": topic, "partition": partition, "records": records}},
        )

    def retry(self, what: str, error: BaseException) -> None:
        """A send failed and is tried again until it is through."""
        if what == "effects":
            self._metrics.halt_publish_retries_total.inc()
        _log.warning(
            "send failed, trying again", extra={"fields": {"what": what, "error": f"{error!r}"[:300]}}
        )

    def sent(self, entries: Sequence[Entry], seconds: float) -> None:
        """Effects were acknowledged."""
        commands = sum(entry.topic == "control" for entry in entries)
        if commands:
            _log.debug(
                "commands published", extra={"fields": {"commands": commands, "seconds": round(seconds, 4)}}
            )
