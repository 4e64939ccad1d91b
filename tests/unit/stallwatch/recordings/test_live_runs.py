"""Only runs that have not ended take memory, and cold ones take their encoded size."""

from itertools import islice

import msgspec

from detectors.state import Life, RootState, RunState
from stallwatch.recordings.live_runs import Kept, LiveRuns
from stallwatch.recordings.shards import SHARDS, shard_of
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


def of_one_shard(count: int) -> list[str]:
    names = (f"r{number}" for number in range(100_000))
    return list(islice((name for name in names if shard_of(name) == 7), count))


def test_an_ended_root_is_a_marker_and_too_many_markers_of_a_share_are_dropped() -> None:
    live = LiveRuns(ended=3 * SHARDS)
    names = of_one_shard(10)
    for name in ("elsewhere", *names):
        used(live, name, closed=True)
        live.end(name)
    assert list(live._ended[7]) == names[-3:]
    assert live._hot == {}
    assert live.get(names[-1]).state.runs[names[-1]].closed
    assert live.get("elsewhere").state.runs["elsewhere"].closed
    assert live.get(names[0]).state == RootState(names[0])


def test_the_rest_is_every_root_that_has_not_ended() -> None:
    live = LiveRuns(hot=1)
    for root_id in ("a", "b", "c"):
        used(live, root_id)
    live.end("c")
    assert [list(found.tallies) for found in live.rest()] == [["a"], ["b"]]


def test_what_is_handed_over_is_complete_and_in_order() -> None:
    live, other = LiveRuns(hot=2, ended=3 * SHARDS), LiveRuns(hot=2, ended=3 * SHARDS)
    for place, root_id in enumerate(("a", "b", "c", "a", "d")):
        used(live, root_id)
        live.get(root_id).used = place
    ended = of_one_shard(3)
    for name in ended:
        used(live, name, closed=True)
        live.end(name)
    for kept in live.hand_over():
        other.take_over(msgspec.msgpack.decode(msgspec.msgpack.encode(kept), type=Kept))
    assert list(live.rest()) == []
    assert [(found.used, list(found.tallies)) for found in other.rest()] == [
        (1, ["b"]),
        (2, ["c"]),
        (3, ["a"]),
        (4, ["d"]),
    ]
    assert other.get("a").tallies["a"].steps == 2
    assert list(other.get("d").state.runs) == ["d"]
    assert list(other._ended[7]) == ended
