"""One line of a recording as its event, under the checks of the pipeline."""

import re

import msgspec

from detectors.events import Event
from streams.badrecord import BadRecord, Reason
from streams.codec import decode_event, decode_operator


class _Names(msgspec.Struct, gc=False):
    run_id: str = ""
    root_run_id: str | None = None


_names = msgspec.json.Decoder(_Names)
_AT = re.compile(r"^(?P<what>.*) - at `\$(?P<path>.*)`$", re.DOTALL)


def decode_line(line: bytes) -> Event:
    """What the steps topic carries, or a person's word. O(len(line)). Raises `BadRecord`."""
    try:
        return decode_event(line)
    except BadRecord as bad:
        if bad.reason is not Reason.UNKNOWN_KIND:
            raise
        word = _persons_word(line)
        if word is None:
            raise
        return word


def root_of(line: bytes) -> str:
    """The root that the line's event belongs to, else its run, at a fraction of the cost of decoding it.

    Empty where the line does not say: then it is no event. O(len(line)).
    """
    try:
        names = _names.decode(line)
    except (msgspec.DecodeError, RecursionError, OverflowError, ValueError):
        return ""
    return names.root_run_id or names.run_id


def _persons_word(line: bytes) -> Event | None:
    """A line has no key, so it is given the one that its record must have had."""
    try:
        names = _names.decode(line)
        return decode_operator((names.root_run_id or names.run_id).encode("utf-8", "replace"), line)
    except BadRecord as bad:
        if bad.reason is Reason.UNKNOWN_KIND:
            return None
        raise
    except msgspec.DecodeError:
        return None


def described(bad: BadRecord) -> str:
    """The reason with the field's path in front: `seq: expected int, got str`."""
    found = _AT.match(bad.detail)
    what, path = (bad.detail, "") if found is None else (found["what"], found["path"])
    where = f"{path.removeprefix('.')}: " if path else ""
    if what[1:2].islower():
        what = what[0].lower() + what[1:]
    return where + what.replace("`", "")
