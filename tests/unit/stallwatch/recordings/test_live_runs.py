"""Only runs that have not ended take memory, and cold ones take their encoded size."""

from detectors.state import Life, RootState, RunState
from stallwatch.recordings.live_runs import LiveRuns
from stallwatch.recordings.tally import Tally


def used(live: LiveRuns, root_id: str, *, closed: bool = False) -> None:
    tracked = live.get(root_id)
    run = tracked.state.runs.setdefault(root_id, RunState(root_id, attempt=0))
    run.life = None if closed else Life()
    tracked.tallies.setdefault(root_id, Tally(run_id=root_id, attempt=0)).steps += 1


def test_a_cold_root_comes_back_with_its_state_and_tallies() -> None:
    live = LiveRuns(hot=2)
    for root_id in ("a", "b", "c", "d"):
        used(live, root_id)
    back = live.get("a")
    assert list(back.state.runs) == ["a"]
    assert back.tallies["a"].steps == 1


def test_what_was_used_longest_ago_is_put_away_first() -> None:
    live = LiveRuns(hot=2)
    for root_id in ("a", "b", "a", "c"):
        used(live, root_id)
    assert list(live._hot) == ["a", "c"]
    assert list(live._cold) == ["b"]


def test_an_ended_root_is_a_marker_and_too_many_markers_are_dropped() -> None:
    live = LiveRuns(ended=3)
    for number in range(10):
        used(live, f"r{number}", closed=True)
        live.end(f"r{number}")
    assert list(live._ended) == ["r7", "r8", "r9"]
    assert live._hot == {}
    assert live.get("r9").state.runs["r9"].closed
    assert live.get("r0").state == RootState("r0")


def test_the_rest_is_every_root_that_has_not_ended() -> None:
    live = LiveRuns(hot=1)
    for root_id in ("a", "b", "c"):
        used(live, root_id)
    live.end("c")
    assert [list(tallies) for tallies in live.rest()] == [["a"], ["b"]]
