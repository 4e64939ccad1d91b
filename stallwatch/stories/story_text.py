"""A run's story in plain sentences."""

from collections.abc import Iterator

from detectors.events import Command, Evidence, Verdict
from detectors.ladder import RUNGS
from stallwatch.stories.story import Episode, Story
from stallwatch.terminal_text import counted, printable

STATES = {
    "clear": "it is on its way",
    "notice": "it was shown its counters",
    "replan": "it was told to change its plan",
    "ask": "a person was asked whether it may go on",
    "halt": "it must not go on",
    "release": "a person let it go on",
}
"""What the latest command means for the run."""


def paragraphs(story: Story) -> Iterator[list[str]]:
    """The story from its headline to what would count as progress; every line is printable."""
    yield [_headline(story)]
    for number, episode in enumerate(story.episodes, 1):
        yield [printable(line) for line in _episode(number, episode)]
    if not story.episodes:
        yield [printable(_command(command)) for command in story.commands]
    yield [printable(line) for line in _ending(story)]


def _headline(story: Story) -> str:
    name = f"Run {story.run_id}"
    if story.root_run_id and story.root_run_id != story.run_id:
        name += f", part of {story.root_run_id}"
    if story.attempt:
        name += f", attempt {story.attempt}"
    rules = f" Judged by {story.rules}." if story.rules else ""
    stalls = counted(len(story.episodes), "stall") if story.episodes else "no stall"
    return printable(f"{name}: {stalls} on record; {STATES.get(story.state, story.state)}.{rules}")


def _episode(number: int, episode: Episode) -> Iterator[str]:
    end = "over" if episode.closed else "still open"
    yield (
        f"Stall {number}: {episode.reason}, seq {episode.seq_from} to {episode.seq_to}, "
        f"up to {RUNGS[episode.highest_rung]}, {end}."
    )
    for verdict in episode.verdicts:
        yield "  " + _verdict(verdict)
    shares = _shares(episode.shares)
    if shares:
        yield f"  Why: {shares}.{_remedy(episode.remedy)}"
    if episode.evidence is not None:
        yield f"  Seen: {_seen(episode.evidence)}."
    if episode.tokens or episode.cost_usd:
        yield f"  It cost {_spent(episode.tokens, episode.cost_usd)}."


def _verdict(verdict: Verdict) -> str:
    if verdict.event == "closed":
        return f"seq {verdict.seq_to}: the stall was over{_because(verdict.text)}"
    return f"seq {verdict.seq_to}: {RUNGS[verdict.rung]}{_because(verdict.text)}"


def _command(command: Command) -> str:
    text = command.text.people if command.text is not None else ""
    reason = command.reason or "no reason given"
    return f"Version {command.version}: {command.action} for {reason}{_because(text)}"


def _because(text: str) -> str:
    text = text.strip().rstrip(".")
    return f": {text}." if text else "."


def _shares(shares: dict[str, float]) -> str:
    ranked = sorted(shares.items(), key=lambda item: (-item[1], item[0]))
    return ", ".join(f"{reason} {share:.0%}" for reason, share in ranked if share >= 0.005)


def _remedy(remedy: str) -> str:
    if remedy == "amnesia":
        return " It looked again for what a compaction had taken away: give those facts back."
    if remedy == "no_gradient":
        return " Its calls were new and brought nothing: it needs another plan."
    return ""


def _seen(evidence: Evidence) -> str:
    parts = [f"{counted(evidence.steps, 'step')} in {counted(evidence.rounds, 'round')}"]
    parts.append(f"the last news {counted(evidence.steps_since_news, 'step')} ago")
    parts.append(f"{counted(evidence.steps_since_milestone, 'step')} since a verified milestone")
    if evidence.tools:
        parts.append(f"tools {', '.join(evidence.tools)}")
    if evidence.repeats > 1:
        parts.append(f"the leading call gave the same answer {evidence.repeats} times")
    if evidence.period:
        parts.append(f"a cycle of {evidence.period} calls")
    if evidence.cause:
        parts.append(f"{counted(evidence.errors, 'failure')} with the cause {evidence.cause}")
    if evidence.waited_s:
        parts.append(f"{evidence.waited_s:.0f} s of waiting")
    if evidence.best_score is not None and evidence.rounds_since_best:
        parts.append(
            f"the best score {evidence.best_score:g}, {counted(evidence.rounds_since_best, 'round')} ago"
        )
    if evidence.gaps:
        parts.append(f"{counted(evidence.gaps, 'event')} never arrived, so this is weaker than it looks")
    return "; ".join(parts)


def _spent(tokens: int, cost_usd: float) -> str:
    cost = f" (USD {cost_usd:.2f})" if cost_usd else ""
    return f"{counted(tokens, 'token')}{cost} since the last verified milestone"


def _ending(story: Story) -> Iterator[str]:
    if story.milestones:
        names = ", ".join(f"{reached.id} (seq {reached.seq})" for reached in story.milestones)
        yield f"Kept: {names}."
    elif story.episodes or story.commands:
        yield "Kept: no milestone was verified before."
    if story.resume is not None and story.state == "halt":
        yield f"It can be taken up again from seq {story.resume.from_seq}."
    if story.resume is not None and story.resume.lost:
        targets = ", ".join(lost.target or lost.answer or "?" for lost in story.resume.lost)
        yield f"Lost to a compaction and worth giving back: {targets}."
    if story.progress:
        yield f"What would count as progress: {story.progress.strip()}"
