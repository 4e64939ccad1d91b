"""The story of a run's stalls, from verdicts and commands: what was seen, when, and what followed."""

from collections.abc import Iterable

import msgspec

from detectors.events import Command, Evidence, Reached, Resume, Verdict


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
    """What would count as progress, as the run's model was told."""
    rules: str = ""

    @property
    def known(self) -> bool:
        """Whether anything was found at all."""
        return bool(self.episodes or self.commands)


def tell(run_id: str, verdicts: Iterable[Verdict], commands: Iterable[Command]) -> Story:
    """The story of `run_id`; records of other runs are passed over and repeats counted once. O(records)."""
    story = Story(run_id=run_id)
    for verdict in _once(v for v in verdicts if v.run_id == run_id):
        _add_verdict(story, verdict)
    mine = {(c.attempt, c.version): c for c in commands if c.run_id == run_id}
    story.commands = [mine[key] for key in sorted(mine)]
    for command in story.commands:
        _add_command(story, command)
    return story


def _once(verdicts: Iterable[Verdict]) -> Iterable[Verdict]:
    """After a crash the worker may publish a verdict again, byte for byte."""
    seen: set[bytes] = set()
    for verdict in verdicts:
        key = msgspec.msgpack.encode(verdict)
        if key not in seen:
            seen.add(key)
            yield verdict


def _add_verdict(story: Story, verdict: Verdict) -> None:
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
        episode.shares, episode.evidence = verdict.shares, verdict.evidence
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
