"""Why a record could not be used: a closed set, for the reasons are metric labels and headers."""

from enum import StrEnum

MAX_DETAIL = 300
"""Characters of a detail; it travels in a header and in a log line."""


class Reason(StrEnum):
    """What was wrong with a record."""

    EMPTY = "empty"
    """No value, an empty one, or JSON `null`."""
    TOO_LARGE = "too_large"
    """More bytes than an input record may have."""
    INVALID_UTF8 = "invalid_utf8"
    INVALID_JSON = "invalid_json"
    NOT_FINITE = "not_finite"
    """NaN or an infinity, which JSON does not have."""
    LONE_SURROGATE = "lone_surrogate"
    """Half of a surrogate pair, which is no character."""
    TOO_DEEP = "too_deep"
    """Nested deeper than the codec's bound."""
    UNKNOWN_KIND = "unknown_kind"
    """A `kind` that this topic does not carry."""
    UNKNOWN_SCHEMA = "unknown_schema"
    """A `schema` other than 1."""
    MISSING_FIELD = "missing_field"
    WRONG_TYPE = "wrong_type"
    OUT_OF_RANGE = "out_of_range"
    """The right type, a value that is not allowed: a negative `seq`, an empty id, an unknown enum value."""
    BAD_TIME = "bad_time"
    """A time that is neither seconds since the epoch in range nor RFC 3339 with an offset."""
    MISSING_KEY = "missing_key"
    WRONG_KEY = "wrong_key"
    """A key that is neither the event's `root_run_id` nor its `run_id`."""
    CLOUD_EVENT = "cloud_event"
    """A CloudEvents envelope that cannot be opened."""
    REFUSED = "refused"
    """The record was read, and the engine will not take it: a root that has no room, content that the rules need."""
    DETECTOR_ERROR = "detector_error"
    """The record was read, and judging it failed: a defect of the detector, never of the worker's flow."""


class BadRecord(ValueError):  # noqa: N818 - a value of the pipeline's control flow, named for what it is
    """A record that cannot be used. `detail`: one sentence, no payload, at most `MAX_DETAIL` characters."""

    def __init__(self, reason: Reason | str, detail: str) -> None:
        detail = detail if len(detail) <= MAX_DETAIL else detail[: MAX_DETAIL - 1] + "…"
        self.reason = Reason(reason)
        super().__init__(f"{self.reason}: {detail}")
        self.detail = detail
