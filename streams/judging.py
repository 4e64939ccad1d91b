"""From raw records to work: decode, judge, decide. Synchronous, so that nothing interleaves within a batch."""

from collections.abc import Callable
from typing import Any

from detectors.engine import Engine
from detectors.events import Ack, Event, Source
from detectors.outcome import Outcome
from detectors.rules import UnknownRulesError
from detectors.state import RootState
from streams import codec
from streams.badrecord import MAX_DETAIL, BadRecord, Reason
from streams.batches import Batch
from streams.breaker import Breaker
from streams.census import Census
from streams.partition import Live, Partition
from streams.record import PROGRESS_KEY, TIMER, Entry
from streams.topics import INPUTS
from streams.work import DeadLetter, Decided, Work

MAX_TICKS = 500
"""Roots that one tick of a partition looks at; the rest follow at the next tick."""
_EMPTY_AGAIN_S = 1.0

Decoder = Callable[[bytes | None, bytes | None, Any], Event]
_DECODERS: tuple[Decoder, ...] = (codec.decode_steps, codec.decode_operator, codec.decode_ack)


class Judge:
    """Applies records to a partition's states. Holds no state of its own."""

    def __init__(
        self,
        engine: Engine,
        input_topics: tuple[str, ...],
        partitions: int,
        clock: Callable[[], float],
        census: Census,
        breaker: Breaker,
        *,
        embedded: bool,
    ) -> None:
        assert len(input_topics) == len(INPUTS)
        self._engine = engine
        self._index = {topic: i for i, topic in enumerate(input_topics)}
        self._partitions = partitions
        self._clock = clock
        self._census = census
        self._breaker = breaker
        self._embedded = embedded

    def batch(self, partition: Partition, batch: Batch) -> Work:
        """Everything the batch leads to. O(records); the partition's memory includes it, nothing is durable."""
        index = self._index[batch.tp.topic]
        decode = _DECODERS[index]
        work = Work(partition.number, index, batch.next, batch)
        judged = partition.judged[index]
        touched: dict[bytes, Live] = {}
        earlier: dict[bytes, list[tuple[int, Event, float | None]]] = {}
        for record in batch.records:
            offset, key = record.offset, record.key
            if offset < judged:  # durable with the states, and its dead letters were out before those
                work.counts["replayed"] += 1
                continue
            at = self._clock() if self._embedded else record.timestamp / 1000
            partition.stream_time[index] = at
            if work.oldest is None or at < work.oldest:
                work.oldest = at
            try:
                event = decode(key, record.value, record.headers)
                if key.startswith(PROGRESS_KEY[:1]):
                    raise BadRecord(Reason.WRONG_KEY, "a key must not begin with a NUL character")
            except BadRecord as bad:
                work.dead.append(DeadLetter(record, bad.reason, bad.detail))
                work.counts["malformed"] += 1
                continue
            live = touched.get(key) or self._load(partition, key)
            if offset <= live.applied[index]:
                work.counts["replayed"] += 1
                continue
            source = Source(topic=batch.tp.topic, partition=partition.number, offset=offset)
            try:
                outcome = self._engine.apply(live.root, event, at=at, source=source)
            except UnknownRulesError:
                raise
            except Exception as error:  # noqa: BLE001 - a fault in a rule must not stop the partition or lose the record
                live.root = self._rebuild(partition, live, earlier.get(key, ()))
                work.dead.append(
                    DeadLetter(record, Reason.DETECTOR_ERROR, f"{type(error).__name__}: {error}"[:MAX_DETAIL])
                )
                work.counts["malformed"] += 1
                live.applied[index] = offset
                touched[key] = live
                continue
            live.applied[index] = offset
            touched[key] = live
            if outcome.status == "refused":
                work.dead.append(DeadLetter(record, Reason.REFUSED, (outcome.problem or "")[:MAX_DETAIL]))
                work.counts["refused"] += 1
                continue
            earlier.setdefault(key, []).append((offset, event, at))
            self._collect(partition, work, live, outcome, event, at, index, offset)
        partition.judged[index] = max(judged, batch.next)
        self._finish(partition, work, touched, moved=batch.next > judged)
        return work

    def tick(self, partition: Partition, now: float) -> Work | None:
        """What the time alone leads to: silence, unanswered questions, expiry. None if nothing was due."""
        keys = partition.due(now, MAX_TICKS)
        if not keys:
            return None
        number = partition.ticks
        work = Work(partition.number, TIMER, number + 1)
        touched: dict[bytes, Live] = {}
        for key in keys:
            live = partition.load(key)
            outcome = self._engine.tick(live.root, now=now)
            if not live.root.runs and not any(
                e.held or e.offset >= partition.settled[e.input] for e in live.outbox
            ):
                partition.forget(key)
                self._census.update(partition.number, key, live.root)
                work.states.append((key, None))
                continue
            touched[key] = live
            self._collect(partition, work, live, outcome, None, now, TIMER, number)
        partition.ticks = number + 1
        self._finish(partition, work, touched, moved=True)
        return work

    def reopen(self, partition: Partition) -> Work:
        """After recovery: every root is scheduled, and what may not have been sent is to be sent again."""
        for key in partition.root_keys():
            live = partition.load(key)
            self._check_rules(live.root)
            partition.schedule(key, self._due(live.root))
            self._census.update(partition.number, key, live.root)
            if any(entry.held for entry in live.outbox):
                partition.held.add(key)
            partition.trim()
        work = Work(partition.number, TIMER, partition.ticks)
        work.entries = partition.unsettled()
        work.resets.update(partition.resets)
        partition.resets.clear()
        return work

    def unhold(self, partition: Partition) -> Work | None:
        """The breaker has closed: commands that it held and that still say what should be true go out."""
        if not partition.held:
            return None
        number = partition.ticks
        work = Work(partition.number, TIMER, number + 1)
        touched: dict[bytes, Live] = {}
        for key in sorted(partition.held):
            live = touched[key] = partition.load(key)
            kept = []
            for entry in live.outbox:
                if entry.held:
                    if not self._still_meant(live.root, entry):
                        continue
                    entry.held, entry.input, entry.offset = False, TIMER, number
                    work.entries.append(entry)
                kept.append(entry)
            live.outbox = kept
        partition.held.clear()
        partition.ticks = number + 1
        self._finish(partition, work, touched, moved=True)
        return work

    @staticmethod
    def _still_meant(root: RootState, entry: Entry) -> bool:
        command = codec.decode_command(entry.value)
        run = root.runs.get(command.run_id)
        return (
            run is not None
            and run.life is not None
            and (run.attempt, run.version) == (command.attempt, command.version)
        )

    def _load(self, partition: Partition, key: bytes) -> Live:
        known = key in partition.live
        live = partition.load(key)
        if not known:
            live.misrouted = codec.partition_for(key, self._partitions) != partition.number
        return live

    def _check_rules(self, root: RootState) -> None:
        for digest in root.rules():
            self._engine.book.get(digest)

    def _rebuild(self, partition: Partition, live: Live, earlier: Any) -> RootState:
        """The root as it was before the event that failed: from the store, plus this batch's events."""
        value = partition.values.get(live.key)
        root = (partition.fresh(live.key) if value is None else partition.thaw(live.key, value)).root
        for _, event, at in earlier:
            self._engine.apply(root, event, at=at)
        return root

    def _collect(
        self,
        partition: Partition,
        work: Work,
        live: Live,
        outcome: Outcome,
        event: Event | None,
        at: float | None,
        index: int,
        offset: int,
    ) -> None:
        if event is not None:
            work.counts["misrouted" if live.misrouted else outcome.status] += 1
        work.gaps += outcome.gap
        if outcome.since_news is not None:
            work.since_news.append(outcome.since_news)
        if outcome.since_milestone is not None:
            work.since_milestone.append(outcome.since_milestone)
        for command in outcome.commands:
            entry = Entry("control", command.run_id.encode(), codec.encode(command), index, offset)
            if command.action == "halt" and not self._breaker.decide(self._clock(), self._census.runs):
                entry.held = True
                partition.held.add(live.key)
                work.withheld.add(command.command_id)
            live.outbox.append(entry)
            if not entry.held:
                work.entries.append(entry)
        entries = [Entry("verdicts", live.key, codec.encode(v), index, offset) for v in outcome.verdicts]
        entries += [Entry("control", run_id.encode(), None, index, offset) for run_id, _ in outcome.expired]
        work.entries += entries
        live.outbox += entries
        if (
            outcome.changes
            or outcome.commands
            or outcome.segments
            or outcome.signals
            or isinstance(event, Ack)
        ):
            work.decided.append(Decided(outcome, at, event if isinstance(event, Ack) else None))

    def _finish(self, partition: Partition, work: Work, touched: dict[bytes, Live], *, moved: bool) -> None:
        """States and progress are in the work, each root once."""
        for key, live in touched.items():
            value = partition.freeze(live)
            work.states.append((key, value))
            work.state_bytes.append(len(value))
            self._census.update(partition.number, key, live.root)
            partition.schedule(key, self._due(live.root))
        if work.states or moved:  # a commit must never be ahead of the durable progress
            work.states.append((PROGRESS_KEY, partition.progress()))
        work.resets.update(partition.resets)
        partition.resets.clear()
        partition.trim()

    def _due(self, root: RootState) -> float | None:
        if not root.runs:  # looked at once more, to leave the changelog when its last effects are settled
            return self._clock() + _EMPTY_AGAIN_S
        return self._engine.due(root)
