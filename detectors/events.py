"""Every event, command and verdict of the wire as a msgspec value.

Unknown fields are ignored and a field never changes its meaning. `kind` is msgspec's tag: always written, and a
step may leave it out. `schema` is 1 in all of them. Limits on text lengths keep one record from filling the state
of a run; they are generous (an id of 512 characters, a name of 256).
"""

from typing import Annotated, Any, Literal

import msgspec

from detectors.feature_types import Features

Id = Annotated[str, msgspec.Meta(min_length=1, max_length=512)]
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=256)]
Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]
"""A count, a sequence number or an attempt: 0 … 2⁵³, so that every JSON reader keeps it exact."""
Time = float | str | None
"""When something happened: seconds since the epoch, or RFC 3339 text that the codec turns into seconds."""
Amount = Annotated[float, msgspec.Meta(ge=0)]
Schema = Literal[1]
Action = Literal["notice", "replan", "ask", "halt", "release"]
Outcome = Literal["completed", "failed", "cancelled"]
AckStatus = Literal["accepted", "done", "refused", "failed"]
HaltMode = Literal["graceful", "immediate"]


class Wire(msgspec.Struct, kw_only=True, omit_defaults=True, tag_field="kind"):
    """Base of every record on an input topic."""


class AgentEvent(Wire, kw_only=True, omit_defaults=True):
    """What the agent's side sends: `seq` counts its events from 0 within (`run_id`, `attempt`), without gaps."""

    run_id: Id
    seq: Count
    schema: Schema = 1
    attempt: Count = 0
    ts: Time = None
    task: Name | None = None
    agent: Name | None = None
    tenant: Name | None = None
    parent_run_id: Id | None = None
    root_run_id: Id | None = None


class Step(AgentEvent, kw_only=True, omit_defaults=True, tag="step"):
    """One finished tool call, paired with its result. `ts` is when the call was issued."""

    tool: Name
    turn: int | str | None = None
    """The model answer that the call came from; equal for the parallel calls of one round."""
    call_id: Id | None = None
    duration_s: Amount | None = None
    args: Any = None
    result: Any = None
    """Any JSON; `null` is "no data"."""
    exit_code: int | None = None
    error: str | bool | None = None
    """The error's text, or true."""
    effect: str | None = None
    """Declared by the host: read, write, run, wait, plan, message; anything else counts as unknown."""
    target: str | None = None
    before_hash: str | None = None
    after_hash: str | None = None
    score: float | None = None
    milestone: Name | None = None
    """An id that the host verified; never the model's claim."""
    compaction: bool = False
    """The context was compacted just before this step."""
    tokens: Count | None = None
    cost_usd: Amount | None = None
    features: Features | None = None
    """Instead of `args` and `result`: computed at the edge, so that no content leaves the agent's machine."""


class Limits(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A run's budgets; None means no limit."""

    rounds: Annotated[int, msgspec.Meta(ge=1)] | None = None
    tokens: Annotated[int, msgspec.Meta(ge=1)] | None = None
    cost_usd: Annotated[float, msgspec.Meta(gt=0)] | None = None


class RunStarted(AgentEvent, kw_only=True, omit_defaults=True, tag="run_started"):
    """A run began."""

    limits: Limits | None = None


class RunEnded(AgentEvent, kw_only=True, omit_defaults=True, tag="run_ended"):
    """A run is over; the state of its last attempt becomes a closed marker."""

    outcome: Outcome
    claim: str | None = None
    """What the agent said of itself; kept apart, never believed."""


class Compaction(AgentEvent, kw_only=True, omit_defaults=True, tag="compaction"):
    """The agent's context was compacted between the step before and the step after."""

    lost: list[str] | None = None
    """Digests (16 hex) of the answers that were dropped, if the host knows them."""


class UserInput(AgentEvent, kw_only=True, omit_defaults=True, tag="user_input"):
    """A person spoke to the agent: a fresh episode begins. The text is never kept."""

    text: str | None = None


class HostEvent(Wire, kw_only=True, omit_defaults=True):
    """What the host's side sends: known by `event_id`, placed at the run's `at_seq`."""

    run_id: Id
    event_id: Id
    schema: Schema = 1
    attempt: Count = 0
    at_seq: Count | None = None
    ts: Time = None
    root_run_id: Id | None = None


class Milestone(HostEvent, kw_only=True, omit_defaults=True, tag="milestone"):
    """Something verified was reached."""

    id: Name
    evidence: str | None = None


class Score(HostEvent, kw_only=True, omit_defaults=True, tag="score"):
    """An oracle's value for the state at `at_seq`; None is no sample."""

    value: float | None = None
    oracle: Name | None = None
    oracle_version: Name | None = None


RunEvent = Step | RunStarted | RunEnded | Compaction | UserInput | Milestone | Score
"""What may stand on the steps topic."""


class PersonsWord(Wire, kw_only=True, omit_defaults=True):
    """A person's word on a run, on the operator topic."""

    run_id: Id
    schema: Schema = 1
    root_run_id: Id | None = None
    attempt: Count | None = None
    """None: whatever attempt is the current one."""
    command_id: Id | None = None
    """The command that is answered; the word waits until the run's state has reached it."""
    by: str | None = None
    at: Time = None
    note: str | None = None


class Release(PersonsWord, kw_only=True, omit_defaults=True, tag="release"):
    """Let the run go on with a fresh baseline."""


class Answer(PersonsWord, kw_only=True, omit_defaults=True, tag="answer"):
    """The answer to an `ask`: go on, or stop."""

    go: bool


class HaltOrder(PersonsWord, kw_only=True, omit_defaults=True, tag="halt"):
    """Halt the run whatever its rung is."""

    mode: HaltMode = "graceful"


OperatorEvent = Release | Answer | HaltOrder


class Ack(msgspec.Struct, kw_only=True, omit_defaults=True):
    """What an orchestrator did with a command."""

    command_id: Id
    run_id: Id
    status: AckStatus
    schema: Schema = 1
    root_run_id: Id | None = None
    attempt: Count = 0
    by: str | None = None
    at: Time = None
    detail: str | None = None


Event = RunEvent | OperatorEvent | Ack


class Evidence(msgspec.Struct, kw_only=True, omit_defaults=False):
    """What a decision rests on: the same fields for every reason, counters and digests, never content."""

    rules: str = ""
    """Parameter set, `name@version`."""
    seq_from: int = 0
    seq_to: int = 0
    steps: int = 0
    """Steps of the run so far."""
    rounds: int = 0
    steps_since_news: int = 0
    steps_since_milestone: int = 0
    dryness: float = 0.0
    """Exponential mean of the rounds' dryness weights, 0 … 1.5."""
    repeats: int = 0
    """How often the leading call with the same essential answer was seen."""
    period: int = 0
    """Length of the cycle, 0 without one."""
    shares: dict[str, float] = {}
    """Reason code → its share of the dryness; the largest share is the primary reason."""
    tools: list[str] = []
    calls: list[str] = []
    """Digests (16 hex) of the calls concerned, most frequent first."""
    answers: list[str] = []
    cause: str | None = None
    """The error cause that stands behind the failures."""
    errors: int = 0
    known_lines_ratio: float | None = None
    waited_s: float | None = None
    best_score: float | None = None
    scores: list[float | None] = []
    """The last scores; None where a sample was missing or not finite."""
    rounds_since_best: int = 0
    tokens: int = 0
    """Since the last verified milestone."""
    cost_usd: float = 0.0
    gaps: int = 0
    """Steps that never arrived: conclusions across them are weaker."""
    no_clock: bool = False
    novelty_ratio: float | None = None
    """Profile `classic` only."""


class Reached(msgspec.Struct, kw_only=True):
    """A verified milestone and where it was reached."""

    id: str
    seq: int


class Text(msgspec.Struct, kw_only=True):
    """One plain sentence each: what was seen for people, what to do next for the model."""

    people: str
    model: str


class Lost(msgspec.Struct, kw_only=True, omit_defaults=True):
    """A fact that a compaction took from the context: the host resolves it and gives it back."""

    target: str | None = None
    answer: str | None = None


class Resume(msgspec.Struct, kw_only=True, omit_defaults=True):
    """Where a halted or re-planned run can be taken up again."""

    from_seq: int = 0
    """First step after the last verified milestone."""
    token: str | None = None
    lost: list[Lost] = []


class Source(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The record that caused a decision."""

    topic: str | None = None
    partition: int | None = None
    offset: int | None = None


class Command(msgspec.Struct, kw_only=True):
    """The desired state of a run, on the control topic under the key `run_id`."""

    command_id: str
    """xxh3-128 of (run_id, attempt, version, action) as 32 hex: the same after any replay."""
    run_id: str
    action: Action
    version: int
    schema: Schema = 1
    attempt: int = 0
    mode: HaltMode = "graceful"
    root_run_id: str | None = None
    reason: str = ""
    rung: int = 0
    decided_at: float | None = None
    """Time of the event that caused it, never the clock of the worker."""
    text: Text | None = None
    evidence: Evidence | None = None
    milestones: list[Reached] = []
    resume: Resume | None = None
    source: Source | None = None
    rules: str = ""


class Verdict(msgspec.Struct, kw_only=True):
    """An episode opened, updated or closed, on the verdicts topic."""

    episode_id: str
    run_id: str
    event: Literal["opened", "updated", "closed"]
    reason: str
    schema: Schema = 1
    attempt: int = 0
    root_run_id: str | None = None
    shares: dict[str, float] = {}
    rung: int = 0
    evidence: Evidence | None = None
    seq_from: int = 0
    seq_to: int = 0
    tokens: int = 0
    cost_usd: float = 0.0
    remedy: Literal["amnesia", "no_gradient", "unclear"] = "unclear"
    text: str = ""
    at: float | None = None
    rules: str = ""


class Change(msgspec.Struct, kw_only=True):
    """A change of rung, as `replay --json` and the in-process `Detector` give it."""

    run_id: str
    attempt: int
    seq: int
    step: int
    """Counts the run's steps from 1."""
    rung: int
    action: Literal["clear", "notice", "replan", "ask", "halt"]
    reason: str
    kind: Literal["amnesia", "no_gradient", "unclear"]
    text: str
    evidence: Evidence
