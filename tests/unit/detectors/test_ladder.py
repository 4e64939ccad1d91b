"""Up one rung at a time, down by hysteresis, a halt only on ignored evidence out of two families."""

from typing import Any

import pytest

from detectors import parameters
from detectors.judge import Finding, Judgement
from detectors.ladder import RUNGS, Ladder, clear, climb, feedback_delivered
from detectors.rules import Rules

RULES = Rules()


def dry(
    level: float = 1.0, *, weight: float = 1.0, loop: int = 7, right: Any = "halt", **facts: Any
) -> Judgement:
    finding = Finding(reason="no_news", strength=level, right=right, family="answers")
    families = facts.pop("families", {"answers": level, "calls": level})
    return Judgement(
        dryness=level,
        weight=weight,
        findings=[finding],
        reason="no_news",
        families=families,
        loop=loop,
        **facts,
    )


def calm(level: float = 0.0) -> Judgement:
    return Judgement(dryness=level, weight=0.0)


def leave(ladder: Ladder) -> None:
    while ladder.rung:
        climb(ladder, calm(), RULES)


def rungs(ladder: Ladder, judgements: list[Judgement], *, deliver: bool = True) -> list[int]:
    out = []
    for judgement in judgements:
        if deliver and ladder.rung:
            feedback_delivered(ladder)
        out.append(climb(ladder, judgement, RULES))
    return out


def test_one_rung_at_a_time_with_a_dwell_on_each() -> None:
    seen = rungs(Ladder(), [dry() for _ in range(20)])
    assert seen[:13] == [1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4]
    assert seen[-1] == 4
    assert [RUNGS[r] for r in (0, 1, 2, 3, 4)] == ["clear", "notice", "replan", "ask", "halt"]


def test_no_halt_without_delivered_feedback() -> None:
    assert max(rungs(Ladder(), [dry() for _ in range(60)], deliver=False)) == 3


def test_no_halt_on_one_family() -> None:
    assert max(rungs(Ladder(), [dry(families={"answers": 1.0}) for _ in range(60)])) == 3


def test_a_limit_is_as_good_as_a_second_family() -> None:
    assert max(rungs(Ladder(), [dry(families={"answers": 1.0}, limit=True) for _ in range(60)])) == 4


def test_no_halt_without_output_side_evidence() -> None:
    assert max(rungs(Ladder(), [dry(families={"calls": 1.0, "time": 1.0}) for _ in range(60)])) == 3


def test_no_halt_where_the_evidence_may_only_ask() -> None:
    assert max(rungs(Ladder(), [dry(at_most="ask") for _ in range(60)])) == 3


def test_a_budget_alone_stays_at_a_notice() -> None:
    assert max(rungs(Ladder(), [dry(right="warn") for _ in range(60)])) == 1


def test_calls_of_one_round_do_not_dwell() -> None:
    ladder = Ladder()
    climb(ladder, dry(), RULES)
    for _ in range(20):
        climb(ladder, dry(new_round=False), RULES)
    assert ladder.rung == 1


def test_a_round_with_news_is_no_step_up() -> None:
    ladder = Ladder(rung=1, rounds_on_rung=10)
    assert climb(ladder, dry(weight=0.0), RULES) == 1


def test_down_by_hysteresis_one_at_a_time() -> None:
    ladder = Ladder(rung=3, rounds_on_rung=2)
    levels = RULES.ladder
    assert climb(ladder, calm(levels.ask.lower + 0.01), RULES) == 3
    assert climb(ladder, calm(levels.ask.lower - 0.01), RULES) == 2
    assert climb(ladder, calm(levels.notice.lower + 0.01), RULES) == 2 - (
        levels.replan.lower > levels.notice.lower + 0.01
    )
    assert climb(ladder, calm(0.0), RULES) == 0 or ladder.rung == 1


def test_a_known_loop_climbs_faster_the_second_time() -> None:
    ladder = Ladder()
    first = rungs(ladder, [dry() for _ in range(8)]).index(2)
    leave(ladder)
    again = rungs(ladder, [dry() for _ in range(8)])
    assert ladder.relapsed
    assert again.index(2) < first
    leave(ladder)
    other = rungs(ladder, [dry(loop=8) for _ in range(8)])
    assert other.index(2) == first


def test_clear_is_as_new() -> None:
    ladder = Ladder(rung=3, rounds_on_rung=2, delivered=True, ignored=4, loops=[1], relapsed=True)
    clear(ladder)
    assert ladder == Ladder()


@pytest.mark.parametrize(("level", "halt_at"), [(0.75, 25), (0.7, 26), (0.63, 26), (0.6, 27), (0.551, 27)])
def test_feedback_ignored_for_long_without_any_news_needs_less_dryness(level: float, halt_at: int) -> None:
    """All are below the halt's level; each call without news beyond 24 lowers it by a tenth."""
    seen = rungs(Ladder(), [dry(level, since_news=i) for i in range(40)])
    assert seen[:halt_at] == [1] * 3 + [2] * 4 + [3] * (halt_at - 7)
    assert seen[halt_at] == 4


def test_no_easing_no_halt_below_its_level() -> None:
    hard = Rules(ladder=parameters.Ladder(easing=0.0))
    ladder = Ladder(rung=3, rounds_on_rung=50, delivered=True, ignored=50)
    assert climb(ladder, dry(0.81, since_news=500), hard) == 3
    assert climb(ladder, dry(0.82, since_news=500), hard) == 4


def test_news_in_between_keeps_the_level_where_it_is() -> None:
    seen = rungs(Ladder(), [dry(0.75, since_news=i % 25) for i in range(100)])
    assert max(seen) == 3


def test_a_halt_never_comes_below_the_level_of_a_question() -> None:
    ask = RULES.ladder.ask.level
    for level, highest in ((ask - 0.001, 3), (ask, 4)):
        ladder = Ladder(rung=3, rounds_on_rung=50, delivered=True, ignored=50)
        assert climb(ladder, dry(level, since_news=10_000), RULES) == highest


@pytest.mark.parametrize(
    ("families", "since_news", "highest"),
    [
        ({"answers": 1.0}, 24, 4),
        ({"answers": 1.0}, 23, 3),
        ({"errors": 1.0}, 500, 3),
        ({"errors": 1.0, "answers": 0.19}, 500, 3),
        ({"errors": 1.0, "answers": 0.2}, 0, 4),
        ({"time": 1.0}, 500, 3),
    ],
)
def test_calls_without_news_for_long_are_a_second_family_but_failures_at_other_things_are_not(
    families: dict[str, float], since_news: int, highest: int
) -> None:
    ladder = Ladder(rung=3, rounds_on_rung=50, delivered=True, ignored=50)
    assert climb(ladder, dry(families=families, since_news=since_news), RULES) == highest


@pytest.mark.parametrize(
    ("weight", "since_news", "ignores"),
    [
        (0.5, 0, True),
        (0.49, 0, False),
        (0.49, 12, True),
        (0.25, 12, True),
        (0.24, 12, False),
        (0.25, 11, False),
    ],
)
def test_a_round_that_weighs_little_ignores_feedback_only_after_a_while_without_news(
    weight: float, since_news: int, *, ignores: bool
) -> None:
    ladder = Ladder(rung=2, delivered=True)
    climb(ladder, dry(0.5, weight=weight, since_news=since_news), RULES)
    assert ladder.ignored == ignores
