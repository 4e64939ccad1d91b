"""The state as bytes: round trip, other bytes, other versions."""

import msgspec
import pytest

from detectors.runs import Life, RunState
from detectors.state import VERSION, RootState, StateError, decode, encode


def test_a_state_comes_back_as_it_was() -> None:
    root = RootState("r", events=9, refused=2, shed=1)
    root.runs["r"] = RunState("r", attempt=3, version=4, life=Life(rules="ab", steps=7))
    root.runs["child"] = RunState("child", attempt=0, parent="r", closed_at=5.5)
    again = decode(encode(root))
    assert again == root
    assert list(again.runs) == ["r", "child"]
    assert encode(again) == encode(root)


@pytest.mark.parametrize(
    "data", [b"", b"\x00", b"\xc1", b"{}", b"\x93\x01\x02", msgspec.msgpack.encode({"a": 1})]
)
def test_other_bytes_are_refused_in_one_sentence(data: bytes) -> None:
    with pytest.raises(StateError, match=r"^[^\n]+$"):
        decode(data)


@pytest.mark.parametrize("version", [1, VERSION + 1])
def test_another_version_is_named_whatever_its_layout(version: int) -> None:
    for rest in ([], ["r", 0, 0, 0, []], [{"x": 1}]):
        with pytest.raises(StateError, match=f"state format {version}, this worker reads {VERSION}"):
            decode(msgspec.msgpack.encode([version, *rest]))


def test_the_version_is_the_first_thing_in_the_record() -> None:
    assert msgspec.msgpack.decode(encode(RootState("r")))[0] == VERSION


def test_measured_sizes_are_no_part_of_the_record() -> None:
    root = RootState("r", sizes={"r": 5})
    assert decode(encode(root)).sizes == {}
