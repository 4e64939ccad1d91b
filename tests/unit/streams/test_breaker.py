"""The breaker opens on a storm of halts, not on a few, and closes when it has passed."""

from streams.breaker import Breaker


def test_few_halts_never_open_it() -> None:
    breaker = Breaker(share=0.1, window_s=60.0, least=3)
    assert [breaker.decide(float(i), live_runs=4) for i in range(3)] == [True, True, True]
    assert breaker.withheld == 0


def test_more_than_the_share_is_withheld() -> None:
    breaker = Breaker(share=0.3, window_s=60.0, least=2)
    assert [breaker.decide(1.0, live_runs=10) for _ in range(5)] == [True, True, True, False, False]
    assert breaker.withheld == 2
    assert breaker.open(2.0, live_runs=10)


def test_many_halts_in_a_large_fleet_are_no_storm() -> None:
    breaker = Breaker(share=0.3, window_s=60.0, least=2)
    assert all(breaker.decide(1.0, live_runs=1000) for _ in range(300))


def test_it_closes_when_the_window_has_passed() -> None:
    breaker = Breaker(share=0.3, window_s=60.0, least=2)
    for _ in range(5):
        breaker.decide(1.0, live_runs=10)
    assert not breaker.open(61.5, live_runs=10)
    assert breaker.decide(62.0, live_runs=10)
