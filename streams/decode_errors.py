"""What a decoder's error means: msgspec's messages sorted into the closed set of reasons."""

import json

import msgspec

from streams.badrecord import BadRecord, Reason
from streams.plain import check_plain

_BEGINNINGS = (
    ("Object missing required field", Reason.MISSING_FIELD),
    ("Number out of range", Reason.OUT_OF_RANGE),
    ("Integer value out of range", Reason.OUT_OF_RANGE),
    ("Invalid enum value", Reason.OUT_OF_RANGE),
    ("Invalid value", Reason.OUT_OF_RANGE),
    ("Invalid UTF-8", Reason.INVALID_UTF8),
)


def bad_record(error: Exception, data: bytes) -> BadRecord:
    """The refusal that `error` stands for; `data` is what was decoded, read again only if it is no JSON."""
    if isinstance(error, RecursionError):
        return BadRecord(Reason.TOO_DEEP, "nested deeper than a decoder can follow")
    message = str(error)
    for beginning, reason in _BEGINNINGS:
        if message.startswith(beginning):
            return BadRecord(reason, _without_payload(message))
    if isinstance(error, msgspec.ValidationError):
        # "Expected `int`, got `str`" is a type, "Expected `int` >= 0" a range.
        reason = Reason.WRONG_TYPE if ", got " in message or not _has_bound(message) else Reason.OUT_OF_RANGE
        return BadRecord(reason, message)
    return _no_json(message, data)


def _has_bound(message: str) -> bool:
    return any(sign in message for sign in (">", "<", " of length ", " matching ", "multiple of"))


def _without_payload(message: str) -> str:
    """The message without the value that was found; only the path stays."""
    if message.startswith(("Invalid enum value", "Invalid value")):
        return (
            "Invalid value" + message[message.rfind(" - at ") :] if " - at " in message else "Invalid value"
        )
    return message


def _no_json(message: str, data: bytes) -> BadRecord:
    """NaN, infinities and lone surrogates are what Python's lenient parser takes and JSON does not have."""
    try:
        check_plain(json.loads(data))
    except BadRecord as refusal:
        return refusal
    except (ValueError, RecursionError):
        pass
    return BadRecord(Reason.INVALID_JSON, message)
