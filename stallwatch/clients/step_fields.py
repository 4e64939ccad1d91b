"""The optional fields of a step, by name and type: for those who pass them on."""

from datetime import datetime
from typing import TypedDict

from detectors.feature_types import Features


class StepFields(TypedDict, total=False):
    """What `RunHandle.step` takes besides `tool`."""

    args: object
    result: object
    turn: int | str | None
    call_id: str | None
    ts: float | datetime | str | None
    duration_s: float | None
    exit_code: int | None
    error: str | bool | BaseException | None
    effect: str | None
    target: str | None
    before_hash: str | None
    after_hash: str | None
    score: float | None
    milestone: str | None
    compaction: bool
    tokens: int | None
    cost_usd: float | None
    features: Features | None
