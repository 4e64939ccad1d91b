"""Every reason code as data: tests, docs, metrics and runbooks walk this table."""

from typing import Literal

import msgspec

Right = Literal["warn", "ask", "halt"]
Family = Literal["calls", "answers", "effects", "errors", "time", "milestones", "limits"]
Severity = Literal["info", "warning", "critical"]

FAMILIES: tuple[Family, ...] = ("calls", "answers", "effects", "errors", "time", "milestones", "limits")
OUTPUT_SIDE = frozenset[Family](("answers", "effects", "errors"))
"""Evidence out of what calls brought; a halt needs some."""


class Reason(msgspec.Struct, frozen=True, kw_only=True):
    """One reason code."""

    code: str
    title: str
    """What a person reads in a list, no full stop."""
    severity: Severity
    family: Family
    right: Right
    """How far it may lead on its own evidence; a halt needs a second family besides."""
    runbook: str
    """File name of the runbook, without suffix."""
    on: bool = True
    """Whether the default profile computes it."""


REASONS: tuple[Reason, ...] = (
    Reason(
        code="exact_repeat",
        title="The same call with the same answer",
        severity="warning",
        family="answers",
        right="halt",
        runbook="exact-repeat",
    ),
    Reason(
        code="oscillation",
        title="A cycle of calls with the same answers each lap",
        severity="warning",
        family="calls",
        right="halt",
        runbook="oscillation",
    ),
    Reason(
        code="no_news",
        title="Varied calls that bring nothing new",
        severity="warning",
        family="answers",
        right="halt",
        runbook="no-news",
    ),
    Reason(
        code="same_error",
        title="One cause behind many failures",
        severity="warning",
        family="errors",
        right="halt",
        runbook="same-error",
    ),
    Reason(
        code="write_churn",
        title="Writes that change nothing or are undone",
        severity="warning",
        family="effects",
        right="halt",
        runbook="write-churn",
    ),
    Reason(
        code="rereading",
        title="What was read is read again",
        severity="warning",
        family="answers",
        right="halt",
        runbook="rereading",
    ),
    Reason(
        code="idle_wait",
        title="Waiting that cannot bring news",
        severity="info",
        family="time",
        right="halt",
        runbook="idle-wait",
    ),
    Reason(
        code="no_progress",
        title="The best score stays where it is",
        severity="warning",
        family="milestones",
        right="ask",
        runbook="no-progress",
    ),
    Reason(
        code="milestone_gap",
        title="No verified milestone for longer than this scenario needs",
        severity="info",
        family="milestones",
        right="ask",
        runbook="milestone-gap",
    ),
    Reason(
        code="budget",
        title="A limit of the run is used up",
        severity="info",
        family="limits",
        right="warn",
        runbook="budget",
    ),
    Reason(
        code="silence",
        title="No event for long",
        severity="info",
        family="time",
        right="warn",
        runbook="silence",
    ),
)
BY_CODE: dict[str, Reason] = {reason.code: reason for reason in REASONS}
CODES: tuple[str, ...] = tuple(BY_CODE)
INDEX: dict[str, int] = {code: i for i, code in enumerate(CODES)}
