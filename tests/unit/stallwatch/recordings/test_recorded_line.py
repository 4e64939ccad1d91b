"""A line is read under the checks of the pipeline, and what is wrong is said with its field first."""

import pytest

from detectors.events import Answer, HaltOrder, Milestone, Release, RunEnded, Step
from stallwatch.recordings.recorded_line import decode_line, described, root_of
from streams.badrecord import BadRecord


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        (b'{"run_id":"r","seq":0,"tool":"bash"}', Step),
        (b' {"kind":"run_ended","run_id":"r","seq":3,"outcome":"failed"}\r', RunEnded),
        (b'{"kind":"milestone","run_id":"r","event_id":"e","id":"m"}', Milestone),
        (b'{"kind":"release","run_id":"r"}', Release),
        (b'{"kind":"answer","run_id":"r","root_run_id":"p","go":true}', Answer),
        (b'{"kind":"halt","run_id":"r"}', HaltOrder),
    ],
)
def test_run_events_and_peoples_words_are_read(line: bytes, kind: type) -> None:
    assert type(decode_line(line)) is kind


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (b'{"run_id":"r","seq":"1","tool":"t"}', "seq: expected int, got str"),
        (b'{"run_id":"r","seq":-1,"tool":"t"}', "seq: expected int >= 0"),
        (b'{"run_id":"r","seq":1}', "tool"),
        (b'{"run_id":"r","seq":1,"tool":"t","ts":"yesterday"}', "ts: neither seconds nor RFC 3339"),
        (b'{"run_id":"r","seq":1,"tool":"t","features":{"call":7}}', "features"),
        (b'{"kind":"answer","run_id":"r"}', "go"),
        (b'{"kind":"halt","run_id":""}', "run_id"),
        (b'{"kind":"nonsense","run_id":"r","seq":1}', "kind"),
        (b"[1, 2]", "expected object, got array"),
        (b"not json", "JSON"),
        (b"\xff\xfe", "not UTF-8 at byte 0"),
    ],
)
def test_what_is_wrong_is_said_with_the_fields_path(line: bytes, sentence: str) -> None:
    with pytest.raises(BadRecord) as refused:
        decode_line(line)
    assert sentence in described(refused.value)
    assert "`" not in described(refused.value)
    assert "$" not in described(refused.value)


@pytest.mark.parametrize(
    ("line", "root"),
    [
        (b'{"run_id":"r","seq":0,"tool":"bash","args":{"run_id":"other"}}', "r"),
        (b'{"tool":"t","result":"\\"run_id\\":\\"other\\"","root_run_id":"p","run_id":"r"}', "p"),
        (b'{"run_id":"r","root_run_id":null}', "r"),
        (b'{"run_id":"r","root_run_id":""}', "r"),
        (b'{"run_id":"a","run_id":"Gr\\u00f6\xc3\x9fe"}', "Größe"),
        (b'{"run_id":7}', ""),
        (b"rubbish", ""),
        (b"", ""),
        (b"[" * 100_000, ""),
        (b'{"run_id":"\\ud800"}', ""),
    ],
)
def test_the_root_of_a_line_is_found_without_its_event(line: bytes, root: str) -> None:
    assert root_of(line) == root
