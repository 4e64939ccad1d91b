"""Arguments as leaves: the short way through flat mappings says what the long way says."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from detectors.canonical import VOLATILE_KEYS, canonical, key_form
from detectors.leaves import MAX_LEAVES, leaves

NAMES = (
    st.sampled_from(["path", "Path", "limit", "offset", "100%", "ts", "request_id", "ключ", "a b"])
    | st.text()
)
VALUES = st.text() | st.integers() | st.booleans() | st.none() | st.floats()


@given(st.dictionaries(NAMES, VALUES, max_size=6))
def test_flat_mappings(args: dict[str, Any]) -> None:
    found = leaves(args, VOLATILE_KEYS)
    kept = [(key_form(name), value) for name, value in args.items() if key_form(name) not in VOLATILE_KEYS]
    assert found.form == canonical(args, VOLATILE_KEYS)
    assert list(found.keys) == [key for key, value in kept if value is not None]
    assert [id(value) for value in found.values] == [id(value) for _, value in kept if value is not None]


def test_the_same_keys_with_values_of_other_kinds() -> None:
    assert leaves({"a": 1}, VOLATILE_KEYS).form == b'{"a":1,}'
    assert leaves({"a": "1"}, VOLATILE_KEYS).form == b'{"a":"1",}'
    assert leaves({"a": True}, VOLATILE_KEYS).form == b'{"a":true,}'
    assert leaves({"a": 1.0}, VOLATILE_KEYS).form == b'{"a":1,}'


def test_lists_keep_their_key_and_volatile_keys_are_left_out_at_any_depth() -> None:
    found = leaves({"q": ["a", {"x": 1, "now": 2}], "ts": 3}, VOLATILE_KEYS)
    assert (found.keys, found.values) == (("q", "x"), ["a", 1])


@pytest.mark.parametrize("args", [None, [], {}, {"ts": 1}])
def test_nothing_asked(args: Any) -> None:
    assert leaves(args, VOLATILE_KEYS).values == []


def test_bounded() -> None:
    assert len(leaves({str(i): i for i in range(1000)}, VOLATILE_KEYS).values) == MAX_LEAVES
    assert len(leaves(list(range(1000)), VOLATILE_KEYS).values) == MAX_LEAVES


def test_keys_that_are_no_text_and_numbers_that_no_interpreter_prints() -> None:
    args: dict[Any, Any] = {1: "a", None: "b", "n": 10**5000}
    assert leaves(args, VOLATILE_KEYS).form == canonical(args)
    assert leaves({"n": 10**5000}, VOLATILE_KEYS).form == canonical({"n": 10**5000})
