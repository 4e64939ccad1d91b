"""The story of a run's stalls, from verdicts and commands: what was seen, when, and what followed."""

from collections.abc import Iterable

import msgspec

from detectors.episodes import RUN_ENDED
from detectors.events import Command, Evidence, OperatorEvent, Reached, Resume, Verdict
from stallwatch.stories.spoken import Spoken, led_to, spoken

UNJUDGED = ("halted", "nobody answered", "no event for")
"""How the sentences of verdicts begin that no step led to."""


class Episode(msgspec.Struct, kw_only=True):
    """One stall, from its opening to its close."""

    episode_id: str
    attempt: int
    reason: str
    """The primary reason of the latest verdict."""
    remedy: str
    highest_rung: int = 0
    seq_from: int = 0
    seq_to: int = 0
    closed: bool = False
    tokens: int = 0
    cost_usd: float = 0.0
    shares: dict[str, float] = {}
    evidence: Evidence | None = None
    evidence_seq: int = 0
    """The numbers of the evidence are those of this seq."""
    verdicts: list[Verdict] = []
    """Opened, updated …, closed; each once."""


class Story(msgspec.Struct, kw_only=True):
    """Everything that is known of a run's stalls."""

    run_id: str
    root_run_id: str | None = None
    attempt: int = 0
    """The latest attempt that anything is known of."""
    state: str = "clear"
    """What should be true of the run now: the action of its latest command."""
    episodes: list[Episode] = []
    commands: list[Command] = []
    """By (attempt, version). A compacted topic may hold only the latest."""
    milestones: list[Reached] = []
    resume: Resume | None = None
    progress: str | None = None
    """The latest command's text for the run's model."""
    ended: str | None = None
    """completed, failed or cancelled, where the run's end is on record."""
    words: list[Spoken] = []
    """What people said of the run, by time."""
    words_read: bool = True
    """Whether the operator topic could be read."""
    rules: str = ""

    @property
    def known(self) -> bool:
        """Whether anything was found at all."""
        return bool(self.episodes or self.commands or self.words)


def tell(
    run_id: str,
    verdicts: Iterable[Verdict],
    commands: Iterable[Command],
    words: Iterable[OperatorEvent] = (),
) -> Story:
    """The story of `run_id`; records of other runs are passed over and repeats counted once. O(records)."""
    story = Story(run_id=run_id, words=spoken(word for word in words if word.run_id == run_id))
    for verdict in _once(v for v in verdicts if v.run_id == run_id):
        word = led_to(story.words, verdict)
        if word is not None:
            word.seq = verdict.seq_to
        _add_verdict(story, verdict, judged=word is None and not verdict.text.startswith(UNJUDGED))
    mine = {(c.attempt, c.version): c for c in commands if c.run_id == run_id}
    story.commands = [mine[key] for key in sorted(mine)]
    for command in story.commands:
        _add_command(story, command)
    story.ended = _end(story)
    return story


def _end(story: Story) -> str | None:
    """How the latest attempt ended, if its end closed a stall: no other end is on the topics read here."""
    last = story.episodes[-1].verdicts[-1] if story.episodes else None
    if last is None or last.attempt != story.attempt or last.event != "closed":
        return None
    return last.text.removeprefix(RUN_ENDED).strip(": ") if last.text.startswith(RUN_ENDED) else None


def _once(verdicts: Iterable[Verdict]) -> Iterable[Verdict]:
    """After a crash the worker may publish a verdict again, byte for byte."""
    seen: set[bytes] = set()
    for verdict in verdicts:
        key = msgspec.msgpack.encode(verdict)
        if key not in seen:
            seen.add(key)
            yield verdict


def _add_verdict(story: Story, verdict: Verdict, *, judged: bool) -> None:
    episode = next((e for e in reversed(story.episodes) if e.episode_id == verdict.episode_id), None)
    if episode is None:
        episode = Episode(
            episode_id=verdict.episode_id,
            attempt=verdict.attempt,
            reason=verdict.reason,
            remedy=verdict.remedy,
            seq_from=verdict.seq_from,
        )
        story.episodes.append(episode)
    episode.verdicts.append(verdict)
    episode.highest_rung = max(episode.highest_rung, verdict.rung)
    episode.seq_to = max(episode.seq_to, verdict.seq_to)
    episode.tokens, episode.cost_usd = verdict.tokens, verdict.cost_usd
    if verdict.event == "closed":
        episode.closed = True
    else:
        # A closing verdict says how it ended; what the stall was stands in the ones before.
        episode.reason, episode.remedy = verdict.reason, verdict.remedy
        episode.shares = verdict.shares
        if judged or episode.evidence is None:
            # A halt that no step led to carries the counters of the step before it.
            episode.evidence, episode.evidence_seq = verdict.evidence, verdict.seq_to
    story.root_run_id = verdict.root_run_id or story.root_run_id
    story.attempt = max(story.attempt, verdict.attempt)
    story.rules = verdict.rules or story.rules


def _add_command(story: Story, command: Command) -> None:
    story.root_run_id = command.root_run_id or story.root_run_id
    story.attempt = max(story.attempt, command.attempt)
    story.state = command.action
    story.milestones = command.milestones
    story.resume = command.resume
    story.rules = command.rules or story.rules
    if command.text is not None and command.text.model:
        story.progress = command.text.model
