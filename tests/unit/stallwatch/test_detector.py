"""The detector in the agent's own process."""

from pathlib import Path

import pytest

from detectors.events import HaltOrder, RunEnded, Step
from detectors.rulefile import RuleFileError, profile
from detectors.rules import Rules
from stallwatch.detector import Detector


def _poll(run: str, seq: int) -> dict[str, object]:
    return {"run_id": run, "seq": seq, "tool": "t", "args": {"a": 1}, "result": "same", "turn": seq}


def _classic() -> Detector:
    return Detector("classic")


def test_the_changes_of_a_step_come_back() -> None:
    detector = _classic()
    changes = [change for seq in range(4) for change in detector.observe(_poll("r", seq))]
    assert [(c.run_id, c.seq, c.step, c.action, c.reason) for c in changes] == [
        ("r", 2, 3, "halt", "exact_repeat")
    ]


def test_a_step_and_its_mapping_are_the_same() -> None:
    one, two = _classic(), _classic()
    for seq in range(5):
        step = Step(run_id="r", seq=seq, tool="t", args={"a": 1}, result="same", turn=seq)
        assert one.observe(step) == two.observe(_poll("r", seq))


def test_runs_are_apart_and_other_events_are_taken() -> None:
    detector = _classic()
    for seq in range(3):
        detector.observe(_poll("a", seq))
    assert detector.observe(_poll("b", 0)) == []
    assert [
        c.action
        for c in detector.observe({"kind": "run_ended", "run_id": "a", "seq": 3, "outcome": "failed"})
    ] == ["halt"]
    assert detector.apply(RunEnded(run_id="a", seq=4, outcome="failed")).status == "closed"
    assert [c.action for c in detector.observe(HaltOrder(run_id="b"))] == ["halt"]


def test_duplicates_change_nothing() -> None:
    detector = _classic()
    for seq in range(2):
        detector.observe(_poll("r", seq))
    for _ in range(5):
        assert detector.apply(_poll("r", 1)).status == "duplicate"
    assert detector.observe(_poll("r", 2)) == []
    assert len(detector.observe(_poll("r", 3))) == 1


def test_sub_agents_share_their_roots_state() -> None:
    detector = Detector()
    detector.observe(_poll("root", 0))
    out = detector.apply(_poll("child", 0) | {"root_run_id": "root", "parent_run_id": "root"})
    assert out.status == "applied"
    assert list(detector._roots) == ["root"]


@pytest.mark.parametrize(
    ("mapping", "where"),
    [
        ({"run_id": "r", "seq": "x", "tool": "t"}, r"\$\.seq"),
        ({"run_id": "r", "seq": -1, "tool": "t"}, r"\$\.seq"),
        ({"seq": 0, "tool": "t"}, "run_id"),
        ({"run_id": "r", "seq": 0}, "tool"),
        ({"kind": "nope"}, "kind"),
        ({"run_id": "r", "seq": 0, "tool": "t", "schema": 2}, "schema"),
    ],
)
def test_a_bad_mapping_is_a_value_error_with_the_path(mapping: dict[str, object], where: str) -> None:
    with pytest.raises(ValueError, match=where):
        Detector().observe(mapping)


def test_what_cannot_be_judged_is_a_value_error_with_the_remedy() -> None:
    with pytest.raises(ValueError, match="publish its content"):
        _classic().observe({"run_id": "r", "seq": 0, "tool": "t", "features": {}})


def test_memory_is_bounded_the_least_recently_used_goes() -> None:
    detector = Detector("classic", max_roots=2)
    for run in ("a", "b"):
        detector.observe(_poll(run, 0))
    detector.observe(_poll("a", 1))
    detector.observe(_poll("c", 0))
    assert list(detector._roots) == ["a", "c"]
    assert detector.apply(_poll("b", 0)).status == "applied"
    detector.forget("b")
    assert list(detector._roots) == ["c"]
    with pytest.raises(ValueError, match="max_roots"):
        Detector(max_roots=0)


def test_rules_come_from_a_profile_a_file_a_book_or_a_set(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('base = "classic"\nclassic.repeats = 2\n')
    for rules in (path, str(path)):
        detector = Detector(rules)
        assert [len(detector.observe(_poll("r", seq))) for seq in range(3)] == [0, 0, 1]
    assert Detector(profile("default")).observe(_poll("r", 0)) == []
    assert Detector(Rules(mode="observe")).observe(_poll("r", 0)) == []


def test_rules_that_are_not_there_or_not_right_are_one_clear_error(tmp_path: Path) -> None:
    with pytest.raises(RuleFileError, match=r"neither a profile \(default, classic\) nor a file"):
        Detector("nope")
    path = tmp_path / "bad.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(RuleFileError, match="not UTF-8"):
        Detector(path)
    path.write_text("mode = 1\nlader = 2\n")
    with pytest.raises(RuleFileError) as caught:
        Detector(path)
    assert len(caught.value.problems) == 2
