"""Equal meaning, equal form; and a form for everything."""

from typing import Any

import pytest
import xxhash

from detectors.canonical import (
    VOLATILE_IN_ANSWERS,
    VOLATILE_KEYS,
    canonical,
    digest,
    key_form,
    number_form,
    short,
    text_bytes,
    volatile_keys,
)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1, "b": 2}, {"b": 2, "a": 1}),
        ({"n": 1}, {"n": 1.0}),
        ({"n": 10}, {"n": 1e1}),
        ({"n": 0}, {"n": -0.0}),
        ({"t": "caf\u00e9"}, {"t": "cafe\u0301"}),
        ({"caf\u00e9": 1}, {"cafe\u0301": 1}),
        ({"q": "x", "requestId": "a1"}, {"q": "x", "request_id": "b2"}),
        ({"q": "x", "Trace-ID": 1}, {"q": "x"}),
        ({"deep": [{"Timestamp": 1, "v": 2}]}, {"deep": [{"v": 2}]}),
    ],
)
def test_these_are_equal(one: Any, other: Any) -> None:
    assert canonical(one) == canonical(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"a": 1}, {"a": "1"}),
        ({"a": True}, {"a": 1}),
        ({"a": None}, {}),
        ([1, 2], [2, 1]),
        ({"a": []}, {"a": {}}),
        ({"date": "2026-05-01"}, {"date": "2026-05-02"}),
        (b"ab", "ab"),
        ({1: "x"}, {"1": "x"}),
        (float("nan"), float("inf")),
    ],
)
def test_these_are_different(one: Any, other: Any) -> None:
    assert canonical(one) != canonical(other)


def test_everything_has_a_form() -> None:
    deep: Any = "end"
    for _ in range(100_000):
        deep = [deep]
    for value in (
        deep,
        {1, "a"},
        {(1, 2): 3, None: 4},
        "\ud800",
        10**5000,
        object,
        memoryview(b"x"),
        float("-inf"),
    ):
        assert isinstance(canonical(value), bytes)


def test_a_huge_value_is_looked_at_up_to_a_bound_and_its_size_counts() -> None:
    assert canonical(list(range(50_000))) != canonical(list(range(50_001)))


@pytest.mark.parametrize(
    ("value", "form"),
    [(3, "3"), (3.0, "3"), (0.5, "0.5"), (-2.5e-9, "-2.5e-09"), (float("nan"), "nan"), (1e300, "1e+300")],
)
def test_numbers(value: float, form: str) -> None:
    assert number_form(value) == form


def test_key_names_are_compared_without_case_and_separators() -> None:
    assert {key_form(key) for key in ("request_id", "requestId", "Request-ID", "REQUEST ID")} == {"requestid"}


def test_more_keys_are_volatile_in_answers_than_in_arguments() -> None:
    assert "duration" not in VOLATILE_KEYS
    assert {"duration", "pid"} | VOLATILE_KEYS <= VOLATILE_IN_ANSWERS


def test_a_rule_set_adds_and_keeps_keys() -> None:
    keys = volatile_keys(VOLATILE_KEYS, ["Attempt_No"], ["nonce"])
    assert "attemptno" in keys
    assert "nonce" not in keys


def test_digests_are_xxh3_in_16_hex_and_32_bits_inside() -> None:
    assert digest(b"abc") == xxhash.xxh3_64_hexdigest(b"abc")
    assert len(digest(b"")) == 16
    assert 0 <= short(b"abc") < 2**32


def test_lone_surrogates_have_bytes() -> None:
    assert text_bytes("\ud800") == b"\xed\xa0\x80"
