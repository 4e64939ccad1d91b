"""The published StagnationGuard, each of its elements with its number."""

import hashlib
import math

import pytest

from detectors.classic import ClassicVerdict, Guard, fingerprint, result_digest
from detectors.parameters import Classic

RULES = Classic()


def _guard(*calls: tuple[object, object], scores: list[float] | None = None) -> Guard:
    guard = Guard()
    for n, (args, result) in enumerate(calls):
        guard.record("t", args, result, scores[n] if scores else None, RULES)
    return guard


def _apart(n: int) -> tuple[object, object]:
    return ({"n": n}, {"n": n})


def test_the_fingerprint_is_the_sha256_of_canonical_json_first_16_hex() -> None:
    text = '{"input": {"a": 1, "b": "é"}, "tool": "read"}'
    assert fingerprint("read", {"b": "é", "a": 1}) == hashlib.sha256(text.encode()).hexdigest()[:16]
    assert result_digest({"z": [1, None]}) == hashlib.sha256(b'{"z": [1, null]}').hexdigest()[:16]


@pytest.mark.parametrize("key", ["timestamp", "request_id", "trace_id", "elapsed_ms", "nonce"])
def test_volatile_keys_go_at_any_depth_of_input_and_result(key: str) -> None:
    assert fingerprint("t", {"a": [{key: 1, "b": 2}]}) == fingerprint("t", {"a": [{"b": 2}]})
    assert result_digest([{key: {"x": 1}}]) == result_digest([{}])


@pytest.mark.parametrize("key", ["Timestamp", "requestId", "span_id"])
def test_other_spellings_stay(key: str) -> None:
    assert fingerprint("t", {key: 1}) != fingerprint("t", {})


@pytest.mark.parametrize(
    "value",
    [math.nan, math.inf, b"\xff", {1: "a", "b": 2}, {None: 1, "x": {2, 3}}, "\ud800", object, 10**400],
)
def test_any_value_has_a_digest(value: object) -> None:
    assert len(fingerprint("t", value)) == 16
    assert result_digest(value) == result_digest(value)


def test_depth_is_cut_at_a_constant_not_at_the_stack() -> None:
    deep: object = "bottom"
    for _ in range(100_000):
        deep = [deep]
    assert fingerprint("t", deep) == fingerprint("t", {"other": 1}) or len(fingerprint("t", deep)) == 16
    assert result_digest(deep) == result_digest([deep])


def test_three_equal_pairs_anywhere_in_the_history_are_an_exact_repeat() -> None:
    apart = [_apart(n) for n in range(30)]
    same = ("a", "x")
    guard = _guard(same, *apart[:15], same, *apart[15:])
    assert guard.reason(RULES) is None
    guard.record("t", *same, None, RULES)
    assert guard.reason(RULES) == "exact_repeat"


def test_a_pair_that_left_the_history_of_64_does_not_count() -> None:
    same = ("a", "x")
    guard = _guard(same, same, *[_apart(n) for n in range(62)], same)
    assert guard.reason(RULES) is None
    guard = _guard(same, same, *[_apart(n) for n in range(61)], same)
    assert guard.reason(RULES) == "exact_repeat"


def test_only_the_last_call_is_tested_for_repeats() -> None:
    guard = _guard(*[call for n in range(12) for call in (("a", "x"), _apart(n))])
    assert guard.reason(RULES) is None


@pytest.mark.parametrize(
    ("calls", "reason"),
    [
        ("ab", None),
        ("aba", None),
        ("abab", "oscillation"),
        ("abcab", None),
        ("abcabc", "oscillation"),
        ("aaaa", "oscillation"),
        ("abcdabcd", None),
    ],
)
def test_two_laps_of_two_or_three_calls_are_an_oscillation(calls: str, reason: str | None) -> None:
    guard = _guard(*[(call, n) for n, call in enumerate(calls)])
    assert guard.reason(RULES) == reason


def test_at_most_two_distinct_calls_of_eight_are_low_novelty() -> None:
    assert _guard(*[(call, n) for n, call in enumerate("aabbaab")]).novelty(RULES) == 1.0
    guard = _guard(*[(call, n) for n, call in enumerate("aaabaabb")])
    assert (guard.reason(RULES), guard.novelty(RULES)) == ("low_novelty", 0.25)
    guard = _guard(*[(call, n) for n, call in enumerate("aaabaabc")])
    assert (guard.reason(RULES), guard.novelty(RULES)) == (None, 0.375)


def test_a_flat_score_fires_at_the_seventh_observation() -> None:
    calls = [_apart(n) for n in range(7)]
    assert _guard(*calls[:6], scores=[0.0] * 6).reason(RULES) is None
    assert _guard(*calls, scores=[0.0] * 7).reason(RULES) == "no_progress"


@pytest.mark.parametrize(
    ("scores", "reason"),
    [
        ([math.nan] * 6, "no_progress"),
        ([math.nan] * 5, None),
        ([math.inf, *[1e9] * 6], "no_progress"),
        ([0.1 + 1e-8 * n for n in range(40)], None),
        ([0.1 + 1e-10 * n for n in range(7)], "no_progress"),
        ([-math.inf] * 6, "no_progress"),
    ],
)
def test_odd_scores_do_what_they_did(scores: list[float], reason: str | None) -> None:
    assert _guard(*[_apart(n) for n in range(len(scores))], scores=scores).reason(RULES) == reason


def test_without_an_oracle_its_patience_does_not_run_and_without_a_sample_it_stays() -> None:
    assert _guard(*[_apart(n) for n in range(40)]).reason(RULES) is None
    guard = _guard(_apart(0), scores=[0.5])
    for n in range(1, 7):
        guard.record("t", *_apart(n), None, RULES)
    assert guard.reason(RULES) == "no_progress"


def test_the_first_reason_in_the_published_order_is_given() -> None:
    guard = _guard(*[("a", "x")] * 8, scores=[0.0] * 8)
    assert guard.reason(RULES) == "exact_repeat"
    guard = _guard(*[("ab"[n % 2], n) for n in range(8)], scores=[0.0] * 8)
    assert guard.reason(RULES) == "oscillation"
    guard = _guard(*[(call, n) for n, call in enumerate("aaabaabb")], scores=[0.0] * 8)
    assert guard.reason(RULES) == "low_novelty"


def test_the_evidence() -> None:
    guard = _guard(*[(n % 2, n) for n in range(10)], scores=[0.12345] * 10)
    assert guard.end_turn(RULES) == ClassicVerdict(
        reason="oscillation",
        best_score=0.123,
        steps_since_improved=9,
        novelty_ratio=0.25,
        recent_fingerprints=[fingerprint("t", n % 2) for n in range(2, 10)],
        recent_scores=[0.123] * 8,
    )
    verdict = _guard(*[("a", "x")] * 3).end_turn(RULES)
    assert verdict is not None
    assert (verdict.best_score, verdict.recent_scores) == (None, [None] * 3)


def test_it_fires_again_in_every_turn() -> None:
    guard = _guard(*[("a", "x")] * 3)
    assert [guard.end_turn(RULES) is not None for _ in range(4)] == [True] * 4


def test_the_turn_limit_of_50() -> None:
    guard = Guard()
    for n in range(50):
        guard.record("t", *_apart(n), None, RULES)
        verdict = guard.end_turn(RULES)
        assert (verdict is None) == (n < 49)
    assert verdict is not None
    assert verdict.reason == "turn_limit"
