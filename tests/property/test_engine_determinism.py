"""The same events give the same bytes, whatever is delivered twice and wherever a worker starts again."""

from typing import NamedTuple

import msgspec
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from detectors.engine import Engine
from detectors.events import (
    Ack,
    Answer,
    Compaction,
    Event,
    HaltOrder,
    Milestone,
    Release,
    RunEnded,
    RunStarted,
    Score,
    Step,
    UserInput,
)
from detectors.outcome import Outcome
from detectors.rules import RuleBook, Rules
from detectors.state import RootState, decode, encode

RUNS = ("r", "child")
BOOK = RuleBook(
    Rules(silence_s=120.0, on_ask_timeout="halt", ask_timeout_s=60.0),
    {"classic": Rules(name="classic", engine="classic"), "advise": Rules(name="advise", mode="advise")},
)


class Moment(NamedTuple):
    """Something that happens to the root: an event, or the time alone."""

    event: Event | None
    at: float


RARE = [
    "gap",
    "back",
    "attempt",
    "started",
    "ended",
    "compaction",
    "user",
    "milestone",
    "score",
    "halt",
    "tick",
]
ANSWERS = ["release", "answer", "ack"]


@st.composite
def histories(draw: st.DrawFn) -> list[Moment]:
    """Bursts of the same step, or no run would ever stall; between them all else that happens.

    Words and acks answer commands that the engine really gave.
    """
    engine, root = Engine(BOOK), RootState("r")
    task = draw(st.sampled_from([None, None, "classic", "advise"]))
    attempts, seqs, ids = dict.fromkeys(RUNS, 0), dict.fromkeys(RUNS, 0), ["0" * 32]
    moments: list[Moment] = []
    at = 1000.0
    bursts = st.tuples(
        st.sampled_from(["same", "same", "step"]),
        st.integers(1, 25),
        st.sampled_from([*RARE, *ANSWERS * 3, "same"]),
    )
    for kind, times, between in draw(st.lists(bursts, min_size=4, max_size=12)):
        run = draw(st.sampled_from(["r", "r", "r", "child"]))
        ending = ["gap", "back"] if between == "gap" else [between] * draw(st.integers(1, 2))
        for now in [kind] * times + ending:
            at += draw(st.sampled_from([5.0, 5.0, 5.0, 0.05, 70.0])) if now == between else 5.0
            event = None
            if now != "tick":
                event = _event(draw, now, run, task, attempts, seqs, ids, len(moments), at)
            moments.append(Moment(event, at))
            out = engine.tick(root, now=at) if event is None else engine.apply(root, event, at=at)
            ids += [command.command_id for command in out.commands]
            if between == "ack" and out.commands:
                moments.append(Moment(Ack(run_id=run, command_id=ids[-1], status="done"), at))
                engine.apply(root, moments[-1].event, at=at)  # type: ignore[arg-type]
    return moments


def _event(
    draw: st.DrawFn,
    kind: str,
    run: str,
    task: str | None,
    attempts: dict[str, int],
    seqs: dict[str, int],
    ids: list[str],
    number: int,
    at: float,
) -> Event:
    parent = "r" if run == "child" else None
    if kind == "attempt":
        attempts[run] += draw(st.sampled_from([1, 1, 1, -1])) if attempts[run] else 1
        seqs[run] = 0
    if kind == "gap":
        seqs[run] += draw(st.sampled_from([1, 2, 70]))
    seq = max(0, seqs[run] - draw(st.integers(1, 5))) if kind == "back" else seqs[run]
    seqs[run] = max(seqs[run], seq + 1)
    agent = {
        "run_id": run,
        "attempt": attempts[run],
        "seq": seq,
        "ts": at,
        "task": task,
        "parent_run_id": parent,
    }
    host = {"run_id": run, "attempt": attempts[run], "event_id": f"e{number}", "ts": at}
    word = {"run_id": run, "by": "ada", "at": at, "command_id": draw(st.sampled_from([*ids[-3:], None]))}
    match kind:
        case "started":
            return RunStarted(**agent)
        case "ended":
            return RunEnded(**agent, outcome="failed")
        case "compaction":
            return Compaction(**agent)
        case "user":
            return UserInput(**agent)
        case "milestone":
            return Milestone(
                **host, id=draw(st.sampled_from(["m1", "m2"])), at_seq=draw(st.none() | st.integers(0, 60))
            )
        case "score":
            return Score(**host, value=draw(st.sampled_from([None, 0.5, 0.7])))
        case "release":
            return Release(**word)
        case "answer":
            return Answer(**word, go=draw(st.booleans()))
        case "halt":
            return HaltOrder(**word)
        case "ack":
            status = draw(st.sampled_from(["accepted", "done", "done", "failed"]))
            return Ack(
                run_id=run,
                attempt=attempts[run],
                command_id=draw(st.sampled_from(ids[-2:][::-1])),
                status=status,
            )
        case _:
            shown = 0 if kind != "step" else number * 7 % 31
            return Step(
                **agent,
                tool="bash",
                turn=draw(st.sampled_from([None, None, number // 2])),
                args={"command": f"look {shown % 4}"},
                result=f"answer {'abcdefgh'[shown % 8]} line\nsecond {'xyz'[shown % 3]}",
                exit_code=shown % 2,
                tokens=shown * 10,
                milestone="m3" if shown == 29 else None,
                compaction=shown == 28,
            )


def _play(
    moments: list[Moment], *, restart_before: frozenset[int] = frozenset()
) -> tuple[list[Outcome], bytes]:
    engine, root = Engine(BOOK), RootState("r")
    outs = []
    for n, (event, at) in enumerate(moments):
        if n in restart_before:
            engine, root = Engine(BOOK), decode(encode(root))
        outs.append(engine.tick(root, now=at) if event is None else engine.apply(root, event, at=at))
    return outs, encode(root)


def _effects(outs: list[Outcome]) -> bytes:
    """Everything that leaves the engine, in order, as bytes."""
    return msgspec.json.encode(
        [
            (out.commands, out.changes, out.verdicts, out.segments, out.expired)
            for out in outs
            if out.commands or out.changes or out.verdicts or out.segments or out.expired
        ]
    )


MANY = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


@MANY
@given(histories())
def test_the_same_events_give_the_same_bytes(moments: list[Moment]) -> None:
    one, two = _play(moments), _play(moments)
    assert one == two
    assert msgspec.json.encode(one[0]) == msgspec.json.encode(two[0])


@MANY
@given(histories(), st.data())
def test_a_restart_between_any_two_events_changes_nothing(moments: list[Moment], data: st.DataObject) -> None:
    every = frozenset(range(len(moments)))
    some = data.draw(st.frozensets(st.integers(0, len(moments) - 1)))
    plain = _play(moments)
    assert _play(moments, restart_before=every) == plain
    assert _play(moments, restart_before=some) == plain


@MANY
@given(histories(), st.data())
def test_what_is_delivered_twice_leads_to_nothing_more(moments: list[Moment], data: st.DataObject) -> None:
    repeated = list(moments)
    for _ in range(data.draw(st.integers(1, 12))):
        source = data.draw(st.integers(0, len(moments) - 1))
        event = moments[source].event
        if event is None:
            continue
        first = repeated.index(moments[source])
        where = data.draw(st.integers(first + 1, len(repeated)))
        # It arrives when it arrives: with the time of what came just before.
        repeated.insert(where, Moment(event, repeated[where - 1].at))
    assert _effects(_play(repeated)[0]) == _effects(_play(moments)[0])


@MANY
@given(histories(), st.data())
def test_reading_from_an_earlier_offset_again_is_no_event(moments: list[Moment], data: st.DataObject) -> None:
    moments = [moment for moment in moments if moment.event is not None]
    if not moments:
        return
    until = data.draw(st.integers(1, len(moments)))
    engine, root = Engine(BOOK), RootState("r")
    for event, at in moments[:until]:
        assert event is not None
        engine.apply(root, event, at=at)
    for event, at in moments[:until]:
        assert event is not None
        again = engine.apply(root, event, at=at)
        assert again.status != "applied"
        assert (again.commands, again.changes, again.verdicts, again.segments) == ([], [], [], [])


@MANY
@given(histories())
def test_halts_are_absorbing_versions_rise_and_ids_are_single(moments: list[Moment]) -> None:
    outs, _ = _play(moments)
    commands = [command for out in outs for command in out.commands]
    assert len({command.command_id for command in commands}) == len(commands)
    last: dict[str, tuple[int, int, str]] = {}
    for command in commands:
        before = last.get(command.run_id)
        if before is not None:
            assert (command.attempt, command.version) > before[:2]
            if before[2] == "halt" and command.attempt == before[0]:
                assert command.action == "release"
        last[command.run_id] = (command.attempt, command.version, command.action)


@MANY
@given(histories())
def test_episodes_open_before_they_close_and_one_at_a_time(moments: list[Moment]) -> None:
    outs, _ = _play(moments)
    open_now: dict[str, str] = {}
    seen: set[str] = set()
    for verdict in (verdict for out in outs for verdict in out.verdicts):
        if verdict.event == "opened":
            assert verdict.run_id not in open_now
            assert verdict.episode_id not in seen
            open_now[verdict.run_id] = verdict.episode_id
            seen.add(verdict.episode_id)
        else:
            assert open_now[verdict.run_id] == verdict.episode_id
            if verdict.event == "closed":
                del open_now[verdict.run_id]


@MANY
@given(histories())
def test_tick_does_all_that_due_announced(moments: list[Moment]) -> None:
    engine, root = Engine(BOOK), RootState("r")
    for event, at in moments:
        if event is not None:
            engine.apply(root, event, at=at)
    for _ in range(100):
        due = engine.due(root)
        if due is None:
            break
        engine.tick(root, now=due)
        following = engine.due(root)
        assert following is None or following > due
    assert root.runs == {} or engine.due(root) is None
