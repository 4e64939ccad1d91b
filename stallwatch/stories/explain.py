"""Where a run's story is read from: the topics of an installation, or a file of recorded steps."""

from collections.abc import Sequence
from typing import Any

import msgspec

from detectors.events import Command, Event, Verdict
from detectors.outcome import Outcome
from detectors.rules import RuleBook
from stallwatch.clients.kafka_errors import ClientOptions
from stallwatch.mistakes import Mistake
from stallwatch.persons_word import latest_command
from stallwatch.recordings.replay import Replay
from stallwatch.recordings.replay_run import feed_files
from stallwatch.stories.story import Story, tell
from stallwatch.topic_reader import TopicReader
from streams.badrecord import BadRecord
from streams.codec import decode_verdict, partition_for
from streams.topics import topic


async def story_from_topics(
    options: ClientOptions, prefix: str, run_id: str, *, root: str | None, timeout_s: float
) -> Story:
    """What the verdicts and control topics hold of the run now. Commits nothing.

    O(records of the verdicts topic), or of one of its partitions if the root is known: from `root`, else from
    the run's latest command. Raises `Mistake`, `KafkaError`, `TimeoutError`.
    """
    written = msgspec.json.encode(run_id)
    async with TopicReader(options, timeout_s=timeout_s) as reader:
        command = await latest_command(reader, prefix, run_id)
        if root is None and command is not None:
            root = command.root_run_id
        name = topic(prefix, "verdicts")
        partitions = None
        if root is not None:
            partitions = [partition_for(root.encode(), len(reader.partitions(name)))]
        found: list[tuple[int, int, Verdict]] = []
        async for record in reader.read(name, partitions):
            verdict = _verdict(record, run_id, written)
            if verdict is not None:
                found.append((record.partition, record.offset, verdict))
    verdicts = [verdict for _, _, verdict in sorted(found, key=lambda item: item[:2])]
    return tell(run_id, verdicts, [] if command is None else [command])


def _verdict(record: Any, run_id: str, written: bytes) -> Verdict | None:
    """The run's verdict in this record. Most records are of other runs: those are not decoded."""
    if record.value is None or written not in record.value:
        return None
    try:
        verdict = decode_verdict(record.value)
    except BadRecord:
        return None
    return verdict if verdict.run_id == run_id else None


def story_from_files(files: Sequence[str], run_id: str, book: RuleBook, *, skip_bad: bool) -> Story:
    """What the run's recorded steps lead to under these rules. Raises `Mistake`, also without such a run."""
    verdicts: list[Verdict] = []
    commands: list[Command] = []
    replay = Replay(book, on_change=lambda change: None)
    seen = False

    def feed(event: Event) -> Outcome:
        nonlocal seen
        seen = seen or event.run_id == run_id
        outcome = replay.feed(event)
        verdicts.extend(v for v in outcome.verdicts if v.run_id == run_id)
        commands.extend(c for c in outcome.commands if c.run_id == run_id)
        return outcome

    feed_files(files, feed, skip_bad=skip_bad)
    if not seen:
        raise Mistake(f"no event of run {run_id} in {', '.join(files)}; check the run's id")
    return tell(run_id, verdicts, commands)
