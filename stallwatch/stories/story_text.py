"""A run's story in plain sentences."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from detectors.events import Command, Evidence, Verdict
from detectors.ladder import RUNGS
from stallwatch.stories.spoken import Spoken, led_to
from stallwatch.stories.story import Episode, Story
from stallwatch.terminal_text import counted, printable

STATES = {
    "clear": "no command stands for it",
    "notice": "it was shown its counters",
    "replan": "it was told to change its plan",
    "ask": "a person was asked whether it may go on",
    "halt": "it must not go on",
    "release": "a person let it go on",
}
"""What the latest command means for the run."""
REASONS = {"operator": "halted by a person", "silence": "silence"}
"""Reasons that are no finding about its steps."""


def paragraphs(story: Story) -> Iterator[list[str]]:
    """The story from its headline to what the agent was told; every line is printable.

    Places in the run are `seq`s throughout, and every number says for which of them it holds.
    """
    yield [_headline(story)]
    before: Episode | None = None
    for number, episode in enumerate(story.episodes, 1):
        if before is not None and before.attempt != episode.attempt:
            before = None
        yield [printable(line) for line in _episode(number, episode, before, story.words)]
        before = episode
    if not story.episodes:
        yield [printable(_command(command)) for command in story.commands]
    yield [printable(line) for line in _without_effect(story)]
    yield [printable(line) for line in _ending(story)]


def _headline(story: Story) -> str:
    name = f"Run {story.run_id}"
    if story.root_run_id and story.root_run_id != story.run_id:
        name += f", part of {story.root_run_id}"
    if story.attempt:
        name += f", attempt {story.attempt}"
    rules = f" Judged by {story.rules}." if story.rules else ""
    stalls = counted(len(story.episodes), "stall") if story.episodes else "no stall"
    return printable(f"{name}: {stalls} on record; {_state(story)}.{rules}")


def _state(story: Story) -> str:
    """What is true of the run now, as far as the record goes."""
    was = "it was halted and " if story.state == "halt" else "it "
    if story.ended is not None:
        return f"{was}has ended ({story.ended})" if story.ended else f"{was}has ended"
    last = story.episodes[-1] if story.episodes else None
    if story.state == "halt" and last is not None and last.closed and last.attempt == story.attempt:
        return f"it was halted; since then: {last.verdicts[-1].text.strip().rstrip('.')}"
    return STATES.get(story.state, story.state)


def _episode(number: int, episode: Episode, before: Episode | None, words: Sequence[Spoken]) -> Iterator[str]:
    end = "over" if episode.closed else "still open"
    start, since = _start(episode, before), ""
    if start != episode.seq_from:
        since = f" (its last news came before seq {episode.seq_from})"
    yield (
        f"Stall {number}: {REASONS.get(episode.reason, episode.reason)}, seq {start} to {episode.seq_to}{since}, "
        f"up to {RUNGS[episode.highest_rung]}, {end}."
    )
    told = ""
    for verdict in episode.verdicts:
        yield f"  seq {verdict.seq_to}: {_verdict(verdict, told)}{_note(led_to(words, verdict))}"
        told = verdict.text
    shares = _shares(episode.shares)
    if shares:
        yield f"  Why: {shares}.{_remedy(episode.remedy)}"
    if episode.evidence is not None:
        yield f"  Seen by seq {episode.evidence_seq}: {_seen(episode.evidence, again=before is not None)}."
    cost = _cost(episode, before, start)
    if cost:
        yield f"  {cost}"


def _start(episode: Episode, before: Episode | None) -> int:
    """An episode reaches back to the last news; what belongs to the one before it is not told twice."""
    return (
        episode.seq_from if before is None else min(max(episode.seq_from, before.seq_to + 1), episode.seq_to)
    )


def _verdict(verdict: Verdict, told: str) -> str:
    if verdict.event == "closed":
        # Older workers repeated the last finding, which is not what ended the stall.
        return f"the stall was over{_because('' if verdict.text == told else verdict.text)}"
    return f"{RUNGS[verdict.rung]}{_because(verdict.text)}"


def _note(word: Spoken | None) -> str:
    return f" The note: {word.note.strip()}" if word is not None and word.note else ""


def _command(command: Command) -> str:
    text = command.text.people if command.text is not None else ""
    reason = REASONS.get(command.reason, command.reason) or "no reason given"
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


def _seen(evidence: Evidence, *, again: bool) -> str:
    """The counters of one moment. `again`: there was a stall before it in this attempt."""
    if not evidence.rounds:
        return counted(evidence.steps, "step")
    parts = [f"{counted(evidence.steps, 'step')} in {counted(evidence.rounds, 'round')}"]
    without = [
        f"{counted(steps, 'step')} without {what}"
        for steps, what in (
            (evidence.steps_since_news, "news"),
            (evidence.steps_since_milestone, "a verified milestone"),
        )
        if steps
    ]
    if without:
        # After a stall the counts may have begun anew, and are then less than the run's own.
        parts.append(f"{'at least ' * again}the last {', '.join(without)}")
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
            f"the best score {evidence.best_score:g}, {counted(evidence.rounds_since_best, 'round')} before"
        )
    if evidence.gaps:
        parts.append(f"{counted(evidence.gaps, 'event')} never arrived, so this is weaker than it looks")
    return "; ".join(parts)


def _cost(episode: Episode, before: Episode | None, start: int) -> str:
    """What was spent since the last news; the part that the stall before has told already is not told again."""
    tokens, cost_usd, since = episode.tokens, episode.cost_usd, episode.seq_from
    if before is not None and before.seq_from == episode.seq_from and start != since:
        tokens, cost_usd, since = tokens - before.tokens, cost_usd - before.cost_usd, start
    if tokens <= 0 and cost_usd <= 0:
        return ""
    cost = f" (USD {cost_usd:.2f})" if cost_usd > 0 else ""
    return f"It cost {counted(tokens, 'token')}{cost} from seq {since} to {episode.seq_to}."


def _without_effect(story: Story) -> Iterator[str]:
    """Words that no verdict follows from: they changed nothing, wait, or are older than the verdicts on record."""
    for word in story.words:
        if word.seq is None:
            by = f" by {word.by}" if word.by else ""
            at = "" if word.at is None else f" at {_moment(word.at)}"
            yield f"Said: {word.what}{by}{at}; no verdict on record follows from it.{_note(word)}"
    if not story.words_read:
        yield "What people noted may not be read here: that needs READ on the operator topic."


def _moment(seconds: float) -> str:
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return f"{seconds:g} s"


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
    if story.progress and story.state == "ask":
        # A question is put to people; what the model would be told comes with it.
        yield f"Advice for the agent, if it may go on: {story.progress.strip()}"
    elif story.progress:
        yield f"The agent was told: {story.progress.strip()}"
