"""Equal call, equal answer."""

from looks import again, look

from detectors.parameters import ExactRepeat
from detectors.signals.exact_repeat import weigh

RULES = ExactRepeat()


def weight(**facts: object) -> float | None:
    mark = weigh(look(**facts), RULES, 120.0)  # type: ignore[arg-type]
    return None if mark is None else mark.weight


def test_the_first_repeat_costs_half_then_each_in_full() -> None:
    assert weight(before=again(repeats=0)) == 0.5
    assert weight(before=again(repeats=1)) == 1.0
    assert [weight(before=again(repeats=3), since_news=n) for n in (0, 1)] == [0.5, 1.0]


def test_it_counts_as_calls_and_answers() -> None:
    mark = weigh(look(before=again()), RULES, 120.0)
    assert mark is not None
    assert (mark.reason, mark.families) == ("exact_repeat", ("calls", "answers"))


def test_after_a_write_it_is_a_recheck() -> None:
    assert weight(before=again(world=1)) == 0.25
    assert weight(before=again(world=1, rechecks=2)) == 0.4


def test_what_it_ignores() -> None:
    assert weight() is None
    assert weight(before=again(), features={"failed": True, "cause": "dns"}) is None
    assert weight(before=again(), write="same") is None
    assert weight(before=again(), patience="strong") is None
    assert weight(before=again(), excused=True) is None
    assert weight(before=again(), features={"missing": True}) is None
    assert weight(before=again(), unseen=1, answer=5) is None
    assert weight(before=again(), features={"effect": "plan"}, in_row=False) is None


def test_bare_acts_are_no_data_until_there_are_very_many() -> None:
    assert weight(before=again(repeats=5), bare=True, act=True) == 0.3
    assert weight(before=again(repeats=25), bare=True, act=True) == 1.0
