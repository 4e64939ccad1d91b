"""A replay counts what every run did and hands out changes and closing objects in input order."""

import random
from typing import Any

from detectors.events import Change, Compaction, Event, Milestone, RunEnded, RunStarted, Step
from detectors.rulefile import profile
from stallwatch.recordings.live_runs import LiveRuns
from stallwatch.recordings.replay import Replay, Totals
from stallwatch.recordings.tally import MAX_MILESTONES, Tally


class Recorded:
    """A replay whose findings are kept."""

    def __init__(self, **given: Any) -> None:
        self.found: list[Change | Tally] = []
        self.replay = Replay(
            profile("default"), on_change=self.found.append, on_close=self.found.append, **given
        )

    def feed(self, *events: Event) -> "Recorded":
        for event in events:
            self.replay.feed(event)
        return self

    def finish(self) -> Totals:
        return self.replay.finish()

    @property
    def tallies(self) -> list[Tally]:
        return [found for found in self.found if isinstance(found, Tally)]

    @property
    def changes(self) -> list[Change]:
        return [found for found in self.found if isinstance(found, Change)]


def fresh(run: str, seq: int, **fields: Any) -> Step:
    """A step that brings something new."""
    return Step(
        run_id=run,
        seq=seq,
        turn=seq,
        tool="read",
        args={"path": f"{run}/{seq}.py"},
        result=text(run, seq),
        **fields,
    )


def text(run: str, seq: int) -> str:
    words = random.Random(f"{run}{seq}")
    return "\n".join("".join(words.choices("abcdefghijklmnopqrstuvwxyz ", k=40)) for _ in range(6))


def stuck(run: str, seq: int, **fields: Any) -> Step:
    """The same call with the same answer."""
    return Step(
        run_id=run, seq=seq, turn=seq, tool="bash", args={"command": "make"}, result="failed", **fields
    )


def test_a_run_that_repeats_itself_climbs_to_a_halt_one_rung_at_a_time() -> None:
    recorded = Recorded().feed(*(stuck("r", seq) for seq in range(60)))
    totals = recorded.finish()
    assert [change.action for change in recorded.changes] == ["notice", "replan", "ask", "halt"]
    assert [change.step for change in recorded.changes] == [change.seq + 1 for change in recorded.changes]
    (tally,) = recorded.tallies
    assert (tally.rung, tally.action, tally.highest_rung) == (4, "halt", 4)
    assert tally.first_warning_step == recorded.changes[0].step
    assert tally.halt_step == recorded.changes[-1].step
    assert tally.reason == recorded.changes[-1].reason
    assert tally.text == recorded.changes[-1].text
    assert totals.by_rung == [0, 0, 0, 0, 1]


def test_a_run_that_finds_things_stays_clear_and_is_counted() -> None:
    recorded = Recorded().feed(*(fresh("r", seq, tokens=10, cost_usd=0.5) for seq in range(20)))
    totals = recorded.finish()
    assert recorded.changes == []
    (tally,) = recorded.tallies
    assert (tally.steps, tally.tokens, tally.cost_usd, tally.last_seq) == (20, 200, 10.0, 19)
    assert (tally.rung, tally.action, tally.reason, tally.first_warning_step) == (0, "clear", None, None)
    assert (totals.steps, totals.runs, totals.by_rung[0]) == (20, 1, 1)


def test_a_run_closes_where_it_ends_and_the_others_at_the_end() -> None:
    recorded = Recorded().feed(
        RunStarted(run_id="b", seq=0, task="t"),
        fresh("a", 0),
        fresh("b", 1),
        RunEnded(run_id="b", seq=2, outcome="failed"),
        fresh("a", 1),
    )
    recorded.finish()
    assert [(t.run_id, t.steps, t.outcome, t.task) for t in recorded.tallies] == [
        ("b", 1, "failed", "t"),
        ("a", 2, None, None),
    ]


def test_duplicates_late_steps_and_gaps_are_counted_apart() -> None:
    recorded = Recorded().feed(
        fresh("r", 0),
        fresh("r", 1),
        fresh("r", 1),
        fresh("r", 4),
        fresh("r", 3),
        fresh("r", 3),
        fresh("r", 5),
    )
    totals = recorded.finish()
    (tally,) = recorded.tallies
    assert (tally.steps, tally.duplicates, tally.late, tally.missing) == (4, 2, 1, 1)
    assert (totals.duplicates, totals.late, totals.missing) == (2, 1, 1)


def test_what_comes_after_the_end_is_late_and_begins_nothing() -> None:
    recorded = Recorded().feed(
        fresh("r", 0), RunEnded(run_id="r", seq=1, outcome="completed"), fresh("r", 2), fresh("r", 0)
    )
    totals = recorded.finish()
    assert [(t.run_id, t.steps) for t in recorded.tallies] == [("r", 1)]
    assert totals.runs == 1
    assert totals.late + totals.duplicates == 2


def test_what_comes_after_the_end_does_not_keep_the_run_in_memory() -> None:
    live = LiveRuns()
    recorded = Recorded(live=live).feed(
        fresh("r", 0), RunEnded(run_id="r", seq=1, outcome="completed"), fresh("r", 2), fresh("r", 3)
    )
    assert list(live.rest()) == []
    assert recorded.finish().late == 2


def test_a_higher_attempt_closes_the_one_before() -> None:
    recorded = Recorded().feed(
        *(stuck("r", seq) for seq in range(30)),
        fresh("r", 0, attempt=7),
        stuck("r", 30),
    )
    recorded.finish()
    first, second = recorded.tallies
    assert (first.attempt, first.steps, first.outcome) == (0, 30, None)
    assert first.highest_rung > 0
    assert (second.attempt, second.steps, second.highest_rung, second.late) == (7, 1, 0, 1)


def test_milestones_of_both_kinds_are_listed_and_tokens_count_from_the_last() -> None:
    recorded = Recorded().feed(
        fresh("r", 0, tokens=5),
        fresh("r", 1, tokens=5, milestone="built"),
        fresh("r", 2, tokens=7),
        Milestone(run_id="r", event_id="e1", id="tested", at_seq=2),
        Milestone(run_id="r", event_id="e1", id="tested", at_seq=2),
        fresh("r", 3, tokens=11),
    )
    recorded.finish()
    (tally,) = recorded.tallies
    assert [(m.id, m.seq) for m in tally.milestones] == [("built", 1), ("tested", 2)]
    assert tally.milestones_total == 2
    assert (tally.tokens, tally.tokens_since_milestone) == (28, 11)


def test_the_list_of_milestones_is_bounded() -> None:
    tally = Tally(run_id="r", attempt=0)
    for seq in range(MAX_MILESTONES + 5):
        tally.note_milestone(f"m{seq}", seq)
    assert len(tally.milestones) == MAX_MILESTONES
    assert tally.milestones_total == MAX_MILESTONES + 5


def test_a_run_and_its_sub_agents_share_one_root() -> None:
    recorded = Recorded().feed(
        fresh("p", 0),
        fresh("c", 0, root_run_id="p", parent_run_id="p"),
        RunEnded(run_id="c", seq=1, outcome="completed", root_run_id="p"),
        fresh("p", 1),
        RunEnded(run_id="p", seq=2, outcome="completed"),
    )
    recorded.finish()
    assert [(t.run_id, t.steps) for t in recorded.tallies] == [("c", 1), ("p", 2)]


def interleaved(seed: int) -> list[Event]:
    """Runs of every kind, mixed, some with duplicates, gaps, ends, sub-agents and events after the end."""
    chance = random.Random(seed)
    seqs: dict[str, int] = {}
    events: list[Event] = []
    for _ in range(1500):
        run = f"r{chance.randrange(40)}"
        seq = seqs.get(run, 0)
        seqs[run] = seq + 1 + (chance.random() < 0.02)
        root = "r1" if run == "r2" else None
        make = stuck if int(run[1:]) % 3 == 0 else fresh
        kind = chance.random()
        if kind < 0.01:
            events.append(RunEnded(run_id=run, seq=seq, outcome="completed", root_run_id=root))
        elif kind < 0.03:
            events.append(Compaction(run_id=run, seq=seq, root_run_id=root))
        else:
            events.append(make(run, seq, root_run_id=root, tokens=3))
            if kind > 0.98:
                events.append(events[-1])
    return events


def test_states_that_were_put_away_judge_as_if_they_had_not_been() -> None:
    events = interleaved(1)
    warm = Recorded(live=LiveRuns(hot=1000)).feed(*events)
    cold = Recorded(live=LiveRuns(hot=1)).feed(*events)
    assert warm.finish() == cold.finish()
    assert warm.found == cold.found
    assert len(warm.changes) > 20


def test_a_replay_that_moved_judges_as_if_it_had_not() -> None:
    events = interleaved(2)
    whole = Recorded().feed(*events)
    begun, gone_on = Recorded().feed(*events[:700]), Recorded()
    for kept in begun.replay.hand_over():
        gone_on.replay.take_over(kept)
    gone_on.feed(*events[700:])
    totals = begun.finish()
    totals.add(gone_on.finish())
    assert totals == whole.finish()
    assert begun.found + gone_on.found == whole.found
