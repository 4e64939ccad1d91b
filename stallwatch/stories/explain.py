"""Where a run's story is read from: the topics of an installation, or a file of recorded steps."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
from aiokafka.errors import TopicAuthorizationFailedError

from detectors.events import Command, Event, OperatorEvent, PersonsWord, RunEnded, Verdict
from detectors.outcome import Outcome
from detectors.rules import RuleBook
from stallwatch.clients.kafka_errors import ClientOptions
from stallwatch.mistakes import MissingTopicError, Mistake
from stallwatch.persons_word import latest_command
from stallwatch.recordings.replay import Replay
from stallwatch.recordings.replay_run import feed_files
from stallwatch.stories.story import Story, tell
from stallwatch.topic_reader import TopicReader
from streams.badrecord import BadRecord
from streams.codec import decode_operator, decode_verdict, partition_for
from streams.topics import topic


async def story_from_topics(
    options: ClientOptions, prefix: str, run_id: str, *, root: str | None, timeout_s: float
) -> Story:
    """What the verdicts, control and operator topics hold of the run now. Commits nothing.

    O(records of the verdicts topic), or of one of its partitions if the root is known: from `root`, else from
    the run's latest command, which is believed as well if it says another. Raises `Mistake`, `KafkaError`,
    `TimeoutError`.
    """
    written = msgspec.json.encode(run_id)
    async with TopicReader(options, timeout_s=timeout_s) as reader:
        command = await latest_command(reader, prefix, run_id)
        roots = {root, command.root_run_id if command is not None else None} - {None}
        name = topic(prefix, "verdicts")
        found: list[tuple[int, int, Verdict]] = []
        async for record in reader.read(name, _partitions(reader, name, roots)):
            verdict = _verdict(record, run_id, written)
            if verdict is not None:
                found.append((record.partition, record.offset, verdict))
        roots |= {verdict.root_run_id for _, _, verdict in found} - {None}
        words = await _words(reader, topic(prefix, "operator"), run_id, roots or {run_id})
    verdicts = [verdict for _, _, verdict in sorted(found, key=lambda item: item[:2])]
    story = tell(run_id, verdicts, [] if command is None else [command], words or [])
    story.words_read = words is not None
    return story


def _partitions(reader: TopicReader, name: str, roots: Iterable[str | None]) -> list[int] | None:
    """The partitions of these roots; None, which means all, if no root is known."""
    count = len(reader.partitions(name))
    return sorted({partition_for(root.encode(), count) for root in roots if root is not None}) or None


async def _words(
    reader: TopicReader, name: str, run_id: str, roots: Iterable[str | None]
) -> list[OperatorEvent] | None:
    """What people said of the run; None if that may not be read: the story can be told without it."""
    found = []
    try:
        async for record in reader.read(name, _partitions(reader, name, roots)):
            try:
                word = decode_operator(record.key, record.value, record.headers)
            except BadRecord:
                continue
            if word.run_id == run_id:
                found.append(word)
    except (MissingTopicError, TopicAuthorizationFailedError):
        return None
    return found


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
    words: list[OperatorEvent] = []
    ended: tuple[int, str] | None = None
    replay = Replay(book, on_change=lambda change: None)
    seen = False

    def feed(event: Event) -> Outcome:
        nonlocal seen, ended
        outcome = replay.feed(event)
        if event.run_id == run_id:
            seen = True
            if isinstance(event, PersonsWord):
                words.append(event)
            elif isinstance(event, RunEnded) and outcome.status == "applied":
                ended = event.attempt, event.outcome
        verdicts.extend(v for v in outcome.verdicts if v.run_id == run_id)
        commands.extend(c for c in outcome.commands if c.run_id == run_id)
        return outcome

    feed_files(files, feed, skip_bad=skip_bad)
    if not seen:
        raise Mistake(f"no event of run {run_id} in {', '.join(files)}; check the run's id")
    story = tell(run_id, verdicts, commands, words)
    if ended is not None and ended[0] >= story.attempt:
        story.ended = ended[1]
    return story
