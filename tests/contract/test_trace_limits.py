"""The check of the recorded traces can fail, and for the right reasons."""

from bench.traces import passed_limits


def test_a_halted_success_and_too_many_warned_ones_pass_a_limit() -> None:
    report = {
        "tau_retail": {"success": {"warned": 6, "halted": 0}, "failure": {"warned": 99, "halted": 9}},
        "intercode": {"success": {"warned": 400, "halted": 1}},
        "magentic_one": {"failure": {"warned": 3, "halted": 3}},
    }
    assert passed_limits(report) == [
        "tau_retail: 6 successful runs warned, at most 5 may be",
        "intercode: 1 successful runs halted, none may be",
    ]


def test_few_warned_successes_are_allowed() -> None:
    assert passed_limits({"tau_retail": {"success": {"warned": 5, "halted": 0}}}) == []
