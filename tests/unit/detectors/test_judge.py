"""What events mean for a run: counters, remedies, what clears and what does not."""

from typing import Any

import pytest

from detectors import judge
from detectors.events import Limits, Step
from detectors.features import features
from detectors.judge import Judgement
from detectors.memory import Memory
from detectors.rules import Rules

RULES = Rules()
TEXT = "alpha is here\nbeta is there\ngamma is nowhere"


class Run:
    """A memory and the steps it sees."""

    def __init__(self, rules: Rules = RULES) -> None:
        self.memory = Memory()
        self.rules = rules
        self.seq = 0

    def __call__(self, tool: str = "read", args: Any = None, result: Any = TEXT, **more: Any) -> Judgement:
        step = Step(
            run_id="r",
            seq=self.seq,
            tool=tool,
            args={"path": "f"} if args is None else args,
            result=result,
            **more,
        )
        self.seq += 1
        return judge.judge_step(self.memory, step, features(step, self.rules), self.rules)

    def until(self, rung_level: float, tries: int = 60) -> Judgement:
        for _ in range(tries):
            seen = self()
            if seen.dryness >= rung_level:
                return seen
        raise AssertionError("never got dry")


def test_news_is_counted_from() -> None:
    run = Run()
    assert run().since_news == 0
    assert run().since_news == 1
    assert run().since_news == 2
    assert run(args={"path": "g"}, result="delta is new").since_news == 0


def test_nothing_is_found_before_the_notice_level() -> None:
    run = Run()
    seen = [run() for _ in range(5)]
    assert all(not s.findings and s.reason == "" and s.people == "" for s in seen)


def test_findings_are_strongest_first_with_evidence_and_words() -> None:
    seen = Run().until(0.5)
    assert seen.reason == seen.findings[0].reason == "exact_repeat"
    assert seen.evidence is not None
    assert [f.strength for f in seen.findings] == sorted((f.strength for f in seen.findings), reverse=True)
    assert seen.evidence.dryness == pytest.approx(seen.dryness, abs=1e-4)
    assert seen.evidence.repeats >= 5
    assert seen.evidence.tools == ["read"]
    assert seen.evidence.known_lines_ratio == 1.0
    assert seen.people.endswith(f"–{seen.evidence.seq_to + 1})")
    assert seen.model


def test_a_milestone_clears_and_its_segment_is_measured() -> None:
    run = Run()
    run.until(0.5)
    judge.note_milestone(run.memory, "m", run.seq)
    seen = run(args={"path": "h"}, result="fresh words here")
    assert (seen.dryness, seen.since_milestone) == (0.0, 1)
    assert run.memory.longest_gap >= 6


def test_a_step_with_a_milestone_is_left_to_the_engine() -> None:
    run = Run()
    run.until(0.4)
    before = run.memory.milestones
    run(milestone="green")
    assert run.memory.milestones == before


def test_a_persons_word_opens_a_fresh_episode_and_what_is_known_stays() -> None:
    run = Run()
    run.until(0.5)
    judge.note_user_input(run.memory)
    seen = run()
    assert seen.dryness <= 0.03
    assert seen.since_news == 1


def test_a_fresh_baseline_counts_anew() -> None:
    run = Run()
    run.until(0.5)
    judge.fresh_baseline(run.memory)
    assert run().dryness == pytest.approx(0.05)
    assert run.memory.since_milestone == 1


def test_rereads_of_what_a_compaction_took_are_amnesia() -> None:
    run = Run()
    files = [f"part{i}" for i in range(4)]
    for name in files:
        run(args={"path": name}, result=f"{name} says one thing\n{name} says two\nand {name} ends")
    seen = Judgement()
    for _ in range(4):
        judge.note_compaction(run.memory, None)
        for name in files:
            seen = run(args={"path": name}, result=f"{name} says one thing\n{name} says two\nand {name} ends")
    assert seen.remedy == "amnesia"
    assert seen.lost
    assert all(fact.answer for fact in seen.lost)
    assert "context" in seen.model


def test_varied_calls_without_news_have_no_gradient() -> None:
    run = Run()
    words = [
        "quince",
        "medlar",
        "sorrel",
        "fennel",
        "chervil",
        "lovage",
        "borage",
        "savory",
        "tansy",
        "hyssop",
        "costmary",
        "rampion",
    ]
    seen = Judgement()
    for i in range(14):
        seen = run("search", {"q": f"what of {words[i % 12]} and {words[(i * 5) % 12]} then"}, TEXT)
    assert (seen.reason, seen.remedy) == ("no_news", "no_gradient")


def test_a_compaction_is_free_once_and_again_after_a_write() -> None:
    run = Run()
    run()
    judge.note_compaction(run.memory, None)
    assert run().dryness == 0
    judge.note_compaction(run.memory, None)
    assert run().dryness == pytest.approx(0.1)
    run("w", {"path": "f", "text": "x"}, "ok", before_hash="a", after_hash="b")
    judge.note_compaction(run.memory, None)
    assert run().weight <= 0


def test_the_same_compaction_told_twice_is_one() -> None:
    run = Run()
    run()
    judge.note_compaction(run.memory, None)
    run(compaction=True)
    assert run.memory.context == 1


def test_scores_without_a_value_are_no_sample() -> None:
    memory = Memory()
    for value in (0.5, None, float("nan"), float("inf"), 0.5):
        judge.note_score(memory, value)
    assert (memory.best, memory.scored) == (0.5, 1)
    assert memory.scores == [0.5, None, None, None, 0.5]


def test_a_flat_score_may_ask_and_no_more() -> None:
    run = Run()
    seen = Judgement()
    for i in range(60):
        seen = run("grade", {"draft": i}, f"text {chr(97 + i % 26)}{i} graded", score=0.8)
    assert seen.reason == "no_progress"
    assert seen.at_most == "ask"
    assert seen.evidence is not None
    assert seen.evidence.best_score == 0.8


def test_limits_of_the_run_warn_near_their_end() -> None:
    run = Run()
    judge.note_limits(run.memory, Limits(rounds=10))
    seen = [run(args={"path": f"p{i}"}, result=f"{chr(97 + i)} new words") for i in range(10)]
    assert [bool(s.findings) for s in seen] == [False] * 8 + [True] * 2
    assert seen[-1].limit
    assert seen[8].findings[0].right == "warn"


def test_a_wait_beyond_the_limit_is_told_whatever_its_pace() -> None:
    run = Run()
    run("start", {}, "job is running", ts=0.0)
    seen = [run("state", {"job": 1}, "job is running", ts=900.0 * i) for i in range(1, 20)]
    first = next(i for i, s in enumerate(seen) if s.findings)
    assert 14_400 <= 900 * first <= 14_400 + 900
    assert seen[first].reason == "idle_wait"
    assert seen[first].at_most == "ask"


def test_late_lines_are_known_and_nothing_follows() -> None:
    run = Run()
    late = Step(run_id="r", seq=99, tool="read", result="late words here")
    judge.learn_late(run.memory, features(late, RULES))
    assert run.memory.steps == 0
    assert run(args={"path": "z"}, result="late words here").since_news == 1


def test_parallel_calls_are_one_round() -> None:
    run = Run()
    run()
    seen = [run(turn=7) for _ in range(5)]
    assert [s.new_round for s in seen] == [True, False, False, False, False]
    assert seen[-1].dryness == pytest.approx(seen[0].dryness)


def test_polls_without_a_clock_never_lead_to_a_halt() -> None:
    run = Run()
    run("start", {}, "export is running")
    seen = Judgement()
    for _ in range(80):
        seen = run("state", {"of": "export"}, "export is running")
    assert not seen.findings or seen.at_most == "ask"


def test_our_own_notice_that_comes_back_is_no_news() -> None:
    run = Run()
    said = run.until(RULES.ladder.notice.level)
    assert len(said.findings) > 0
    seen = run(args={"path": "f"}, result=f"{TEXT}\n{said.people}\n{said.model}")
    assert seen.since_news > 0
    assert seen.dryness == said.dryness


def test_across_a_gap_conclusions_weigh_half() -> None:
    memory = Memory()
    step = Step(run_id="r", seq=0, tool="read", args={"path": "f"}, result=TEXT)
    for _ in range(3):
        judge.judge_step(memory, step, features(step, RULES), RULES)
    assert judge.judge_step(memory, step, features(step, RULES), RULES).weight == 1.0
    assert judge.judge_step(memory, step, features(step, RULES), RULES, gap=5).weight == 0.5
