"""The sections of a rule set: every parameter of detection with its range, unit and meaning.

One frozen struct for each signal, plus the ladder, the dryness and the baseline profile. Rule files mirror
them as tables; ranges and descriptions are read from the annotations, so only this file states them.
"""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Weight = Annotated[float, Meta(ge=0.0, le=1.5)]
Share = Annotated[float, Meta(ge=0.0, le=1.0)]


class Section(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of every table of a rule file."""


class Dryness(Section, frozen=True, kw_only=True):
    """How the weights of single rounds become one number for the run."""

    rate: Annotated[
        float, Meta(ge=0.02, le=0.5, description="Share of a round in the exponential mean of the weights.")
    ] = 0.1
    patience: Annotated[
        int, Meta(ge=0, le=1000, description="Calls without any news from which their weights grow.")
    ] = 4
    growth: Annotated[Share, Meta(description="What each further call without news adds to the weights.")] = (
        0.05
    )
    most: Annotated[float, Meta(ge=1.0, le=3.0, description="Times a weight grows at most.")] = 1.5


class Rung(Section, frozen=True, kw_only=True):
    """One step of the ladder."""

    level: Annotated[float, Meta(gt=0.0, le=1.5, description="Dryness at which the rung may be taken.")]
    dwell_rounds: Annotated[
        int, Meta(ge=0, le=1000, description="Rounds on the rung below before this one may be taken.")
    ]
    lower: Annotated[
        float, Meta(ge=0.0, le=1.5, description="Dryness below which the run leaves the rung downward.")
    ]


class Ladder(Section, frozen=True, kw_only=True):
    """The four rungs, from the cheapest to the dearest."""

    notice: Rung = Rung(level=0.34, dwell_rounds=0, lower=0.2)
    replan: Rung = Rung(level=0.45, dwell_rounds=3, lower=0.25)
    ask: Rung = Rung(level=0.55, dwell_rounds=4, lower=0.3)
    halt: Rung = Rung(level=0.82, dwell_rounds=5, lower=0.35)
    evidence_rounds: Annotated[
        int,
        Meta(
            ge=1,
            le=1000,
            description="Dry rounds with output-side evidence after delivered feedback that a halt needs.",
        ),
    ] = 6
    easing: Annotated[
        Share,
        Meta(description="What a call without news beyond four times as many takes off the halt's level."),
    ] = 0.1


class Limits(Section, frozen=True, kw_only=True):
    """Budgets of a run; 0 means none. A backstop, never called a stall. A run's own limits replace these."""

    rounds: Annotated[int, Meta(ge=0, le=10**9, description="Rounds a run may take.")] = 0
    tokens: Annotated[int, Meta(ge=0, le=10**15, description="Tokens a run may spend.")] = 0
    cost_usd: Annotated[float, Meta(ge=0.0, le=1e12, description="US dollars a run may spend.")] = 0.0
    warn_at: Annotated[Share, Meta(description="Share of a budget at which a notice is given.")] = 0.9


class ExactRepeat(Section, frozen=True, kw_only=True):
    """The same call with the same essential answer, the world unchanged."""

    weight: Annotated[Weight, Meta(description="Weight of a round of such calls.")] = 1.0
    free: Annotated[int, Meta(ge=0, le=100, description="Repeats of one call and answer that cost half.")] = 1
    recheck: Annotated[Weight, Meta(description="Weight of a repeat after an effective write.")] = 0.25
    unmoved: Annotated[
        Weight, Meta(description="Weight of the third and later repeats across effective writes.")
    ] = 0.4
    stuck: Annotated[
        Weight, Meta(description="Weight of the fifth and later ones, where the answer is no mere ok.")
    ] = 0.7
    no_data: Annotated[
        Weight, Meta(description="Weight of an equal bare act with an equal acknowledgement and no hashes.")
    ] = 0.3


class Oscillation(Section, frozen=True, kw_only=True):
    """A cycle of calls with the same answers each lap."""

    max_period: Annotated[int, Meta(ge=2, le=6, description="Longest cycle looked for, in rounds.")] = 6
    laps: Annotated[int, Meta(ge=2, le=8, description="Full laps before it is called a cycle.")] = 2


class NoNews(Section, frozen=True, kw_only=True):
    """Varied calls that bring nothing the run had not seen."""

    weight: Annotated[Weight, Meta(description="Weight of a round of known answers.")] = 1.0
    new_target: Annotated[
        Weight, Meta(description="Weight of a known answer to a target never asked about.")
    ] = 0.1
    worklist: Annotated[
        Weight, Meta(description="Weight of a known answer to arguments that came from earlier answers.")
    ] = 0.1
    copy: Annotated[
        Weight, Meta(description="Weight of a long known answer from a target never asked about.")
    ] = 0.7
    walk: Annotated[
        Weight, Meta(description="Weight of a known short answer while a number or an id is counted through.")
    ] = 0.3
    known_place: Annotated[
        Weight, Meta(description="Weight of an act that leads to a state of its screen known from before.")
    ] = 0.5
    negative: Annotated[Weight, Meta(description='Weight of a known "nothing there".')] = 0.8
    after_write: Annotated[
        Weight, Meta(description="Weight of a known long answer after something was written.")
    ] = 0.3
    jitter: Annotated[Weight, Meta(description="Weight of an equal call whose numbers alone moved.")] = 0.2
    recombined: Annotated[
        Share, Meta(description="Share of the weight where known things are named in a way not met before.")
    ] = 0.6
    restated: Annotated[
        Share, Meta(description="Share of the weight of a text in another arrangement of known words.")
    ] = 0.7
    rearranged: Annotated[
        Share, Meta(description="Share of the weight of a few known words in another arrangement.")
    ] = 0.4
    serial: Annotated[
        Share, Meta(description="Share of the weight of an answer that is new in its serial numbers only.")
    ] = 0.8


class SameError(Section, frozen=True, kw_only=True):
    """One cause behind many calls."""

    weight: Annotated[Weight, Meta(description="Weight of a failure whose cause is known.")] = 1.0
    free: Annotated[int, Meta(ge=0, le=100, description="Failures of one cause that cost half.")] = 1
    with_news_share: Annotated[
        Share, Meta(description="Share of the weight where the failure brought new lines as well.")
    ] = 0.6
    other_thing_share: Annotated[
        Share, Meta(description="Share of the weight where each failure is about another thing.")
    ] = 0.5
    worklist_share: Annotated[
        Share, Meta(description="Share of the weight where the thing came from an earlier answer.")
    ] = 0.3


class WriteChurn(Section, frozen=True, kw_only=True):
    """Writes that leave the world as it was or bring it back to where it was."""

    no_effect: Annotated[
        Weight, Meta(description="Weight of a write with equal hashes before and after.")
    ] = 1.5
    one_of_many: Annotated[
        Weight, Meta(description="Weight of the same where each write is to another target.")
    ] = 0.3
    returned: Annotated[Weight, Meta(description="Weight of a write back to an older state.")] = 1.0
    cosmetic: Annotated[
        Weight, Meta(description="Weight of a write of a text that differs from a known one in digits only.")
    ] = 0.7


class Rereading(Section, frozen=True, kw_only=True):
    """Second sweeps over what was read before; after a compaction: amnesia."""

    weight: Annotated[Weight, Meta(description="Weight of a read of covered ground.")] = 1.0
    after_write: Annotated[
        Weight, Meta(description="Weight of a re-read after something was written since the last look.")
    ] = 0.3
    free_passes: Annotated[
        int, Meta(ge=0, le=10, description="Passes over the working set that a compaction excuses.")
    ] = 1


class IdleWait(Section, frozen=True, kw_only=True):
    """Polls that cannot bring news, judged in time."""

    pace_s: Annotated[
        float,
        Meta(
            ge=0.0,
            le=3600.0,
            description="Gap in seconds at which a poll weighs in full; slower ones weigh less.",
        ),
    ] = 6.0
    weak_pace_s: Annotated[
        float,
        Meta(
            ge=0.0, le=3600.0, description="The same where only an earlier act speaks for waiting, seconds."
        ),
    ] = 20.0
    fade_after_s: Annotated[
        float, Meta(ge=1.0, le=86400.0, description="An idle gap in seconds beyond this fades the dryness.")
    ] = 120.0
    half_life_s: Annotated[
        float, Meta(ge=1.0, le=86400.0, description="Half-life in seconds of the dryness in an idle gap.")
    ] = 150.0
    limit_s: Annotated[
        float,
        Meta(
            ge=60.0, le=31536000.0, description="Seconds of unchanged waiting after which a person is told."
        ),
    ] = 14400.0


class MilestoneGap(Section, frozen=True, kw_only=True):
    """Steps since the last verified milestone beyond what the scenario needs, and dryness."""

    steps: Annotated[
        int, Meta(ge=0, le=10**6, description="Steps between milestones that are normal here; 0: off.")
    ] = 60
    dryness: Annotated[float, Meta(ge=0.0, le=1.5, description="Dryness that has to come with the gap.")] = (
        0.25
    )


class NoProgress(Section, frozen=True, kw_only=True):
    """The oracle's best score stays where it is."""

    patience: Annotated[
        int, Meta(ge=1, le=10**6, description="Scored rounds without a new best that are free.")
    ] = 6
    min_delta: Annotated[
        float, Meta(ge=0.0, le=1e9, description="Smallest rise of the best score that counts.")
    ] = 1e-9
    weight: Annotated[Weight, Meta(description="Weight of a scored round without a new best beyond it.")] = (
        1.0
    )


class Signals(Section, frozen=True, kw_only=True):
    """One table for each signal."""

    exact_repeat: ExactRepeat = ExactRepeat()
    oscillation: Oscillation = Oscillation()
    no_news: NoNews = NoNews()
    same_error: SameError = SameError()
    write_churn: WriteChurn = WriteChurn()
    rereading: Rereading = Rereading()
    idle_wait: IdleWait = IdleWait()
    milestone_gap: MilestoneGap = MilestoneGap()
    no_progress: NoProgress = NoProgress()


class Fingerprints(Section, frozen=True, kw_only=True):
    """How a step becomes digests."""

    volatile_keys: Annotated[
        tuple[str, ...],
        Meta(
            max_length=64,
            description="Further keys dropped from arguments and results, case and underscores ignored.",
        ),
    ] = ()
    keep_keys: Annotated[
        tuple[str, ...], Meta(max_length=64, description="Keys of the built-in list that are kept after all.")
    ] = ()
    max_lines: Annotated[
        int,
        Meta(
            ge=16,
            le=512,
            description="Lines of one answer that are kept as hashes; beyond it the smallest hashes.",
        ),
    ] = 256


class Classic(Section, frozen=True, kw_only=True):
    """The published StagnationGuard (engine = "classic")."""

    history: Annotated[int, Meta(ge=2, le=256, description="Calls remembered.")] = 64
    window: Annotated[int, Meta(ge=2, le=64, description="Calls for novelty, cycles and evidence.")] = 8
    repeats: Annotated[int, Meta(ge=2, le=256, description="Equal call-and-answer pairs in the history.")] = 3
    novelty_floor: Annotated[Share, Meta(description="Smallest share of distinct calls in the window.")] = (
        0.34
    )
    patience: Annotated[int, Meta(ge=1, le=10**6, description="Observations since the best score rose.")] = 6
    epsilon: Annotated[float, Meta(ge=0.0, le=1e9, description="Smallest rise that counts.")] = 1e-9
    max_turns: Annotated[int, Meta(ge=1, le=10**6, description="Turns of a run.")] = 50


OnTimeout = Literal["halt", "wait"]
