"""What is kept of a step, and that it is enough and no content."""

from typing import Any

import msgspec

from detectors.events import Step
from detectors.feature_types import ALGO, Features
from detectors.features import features
from detectors.parameters import Fingerprints
from detectors.rules import Rules

RULES = Rules()


def of(tool: str = "t", args: Any = None, result: Any = None, rules: Rules = RULES, **more: Any) -> Features:
    return features(Step(run_id="r", seq=0, tool=tool, args=args, result=result, **more), rules)


def test_a_steps_own_features_are_taken_as_they_are() -> None:
    own = Features(call="ab", answer="cd")
    assert of(features=own) is own


def test_call_and_answer_are_digests() -> None:
    found = of("read", {"path": "a.txt"}, "alpha\nbeta")
    assert (len(found.call), len(found.answer), found.algo) == (16, 16, ALGO)
    assert (found.total, len(found.lines), found.size) == (2, 2, 10)


def test_no_content_is_in_them() -> None:
    secret = "Zanzibar-Quartz-77"
    data = msgspec.json.encode(
        of("mail", {"to": secret, "text": f"dear {secret} reader"}, f"sent to {secret} today")
    )
    for part in ("Zanzibar", "Quartz", "dear", "sent"):
        assert part.encode() not in data


def test_they_are_the_same_after_a_way_over_json() -> None:
    found = of("read", {"path": "a", "offset": 3, "limit": 9}, "12 rows\nready", exit_code=0)
    assert msgspec.json.decode(msgspec.json.encode(found), type=Features) == found


def test_a_failure_has_a_cause_and_no_tone() -> None:
    found = of("sh", {"cmd": "get"}, "connection refused", exit_code=7)
    assert (found.failed, found.cause, found.transient, found.tone) == (True, "refused", True, "")


def test_exit_one_without_a_word_is_an_answer() -> None:
    found = of("sh", {"cmd": "grep x f"}, "", exit_code=1)
    assert (found.failed, found.tone, found.empty) == (False, "negative", True)


def test_no_answer_is_no_data_an_empty_one_is_one() -> None:
    assert of(result=None).missing
    assert not of(result="").missing
    assert of(result="").empty


def test_the_hosts_word_comes_before_the_name() -> None:
    assert (of("read_file").effect, of("read_file").declared) == ("read", False)
    assert (of("read_file", effect="write").effect, of("read_file", effect="write").declared) == (
        "write",
        True,
    )
    assert of("x", target="./a/b/").target == of("x", {"path": "a/b"}).target


def test_a_rule_sets_keys_apply_on_both_sides() -> None:
    rules = Rules(fingerprints=Fingerprints(volatile_keys=("attempt",)))
    one = of("t", {"q": "x", "attempt": 1}, {"a": 1, "Attempt": 5}, rules)
    other = of("t", {"q": "x", "attempt": 2}, {"a": 1, "Attempt": 6}, rules)
    assert (one.call, one.lines) == (other.call, other.lines)
    assert of("t", {"attempt": 1}).call != of("t", {"attempt": 2}).call


def test_the_bound_on_lines_is_the_rule_sets() -> None:
    rules = Rules(fingerprints=Fingerprints(max_lines=16))
    found = of(result="\n".join(f"{chr(97 + i)} line" for i in range(26)), rules=rules)
    assert (len(found.lines), len(found.shapes), found.total) == (16, 16, 26)
