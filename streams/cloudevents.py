"""CloudEvents on input: both modes of their Kafka protocol binding, opened to the plain value."""

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec

from streams.badrecord import BadRecord, Reason

Headers = Mapping[str, bytes | None] | Iterable[tuple[str, bytes | None]] | None


class _Envelope(msgspec.Struct):
    specversion: str
    type: str
    source: str
    id: str
    data: msgspec.Raw = msgspec.Raw()
    data_base64: bytes | None = None
    datacontenttype: str | None = None


_envelope = msgspec.json.Decoder(_Envelope)


def opened(value: bytes, headers: Headers) -> bytes:
    """The event's own bytes: `value` as it is, or what its CloudEvents envelope carries.

    A record is structured if its `content-type` is `application/cloudevents+json`, binary if it has a
    `ce_specversion` header. O(len(value)). Raises `BadRecord`.
    """
    if not headers:
        return value
    found: dict[str, Any] = {str(name).lower(): content for name, content in _pairs(headers)}
    media = _media_type(_text(found.get("content-type")))
    if media.startswith("application/cloudevents"):
        if media != "application/cloudevents+json":
            raise BadRecord(Reason.CLOUD_EVENT, "one event a record, as application/cloudevents+json")
        return _structured(value)
    if "ce_specversion" in found:
        _check_version(_text(found["ce_specversion"]))
        if media:
            _check_json(media)
    return value


def _pairs(headers: Mapping[str, bytes | None] | Iterable[tuple[str, bytes | None]]) -> list[tuple[str, Any]]:
    return list(headers.items() if isinstance(headers, Mapping) else headers)


def _text(content: object) -> str:
    if isinstance(content, (bytes, bytearray)):
        return bytes(content).decode("utf-8", "replace")
    return content if isinstance(content, str) else ""


def _media_type(content_type: str) -> str:
    return content_type.partition(";")[0].strip().lower()


def _check_version(version: str) -> None:
    if version != "1.0" and not version.startswith("1."):
        raise BadRecord(Reason.CLOUD_EVENT, "specversion is not 1.x")


def _check_json(media: str) -> None:
    if media not in ("application/json", "text/json") and not media.endswith("+json"):
        raise BadRecord(Reason.CLOUD_EVENT, "the data's content type is not JSON")


def _structured(value: bytes) -> bytes:
    try:
        envelope = _envelope.decode(value)
    except (msgspec.DecodeError, RecursionError, ValueError, OverflowError) as error:
        raise BadRecord(Reason.CLOUD_EVENT, f"the envelope cannot be read: {error}") from None
    _check_version(envelope.specversion)
    _check_json(_media_type(envelope.datacontenttype or "application/json"))
    if envelope.data_base64 is not None:
        return envelope.data_base64
    return bytes(envelope.data)
