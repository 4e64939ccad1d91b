"""What passes without an event: silence, an unanswered question, the end of a retention."""

import pytest
import scripted_judgement as scripted
from scripted_judgement import World

from detectors.events import Ack, Release, RunEnded
from detectors.rules import Rules

QUIET = Rules(silence_s=100.0, ask_timeout_s=60.0, on_ask_timeout="halt", retention_s=7200.0)


@pytest.fixture(autouse=True)
def _script(monkeypatch: pytest.MonkeyPatch) -> None:
    scripted.install(monkeypatch)


def test_silence_tells_people_once_and_halts_nobody() -> None:
    world = World(QUIET)
    world.step(0, at=1000.0)
    assert world.engine.due(world.root) == 1100.0
    assert world.engine.tick(world.root, now=1099.9).verdicts == []
    out = world.engine.tick(world.root, now=1100.0)
    assert [(v.event, v.reason, v.rung, v.text) for v in out.verdicts] == [
        ("opened", "silence", 0, "no event for 100 s")
    ]
    assert [(c.action, c.reason, c.decided_at) for c in out.commands] == [("notice", "silence", 1100.0)]
    assert (out.signals, out.changes, world.run.rung) == (["silence"], [], 0)
    again = world.engine.tick(world.root, now=5000.0)
    assert (again.verdicts, again.commands) == ([], [])


def test_an_event_ends_the_silence() -> None:
    world = World(QUIET)
    world.step(0, at=1000.0)
    world.engine.tick(world.root, now=1100.0)
    out = world.step(0, at=1200.0)
    assert [(v.event, v.reason) for v in out.verdicts] == [("closed", "silence")]
    assert world.engine.due(world.root) == 1300.0


def test_a_duplicate_is_no_sign_of_life() -> None:
    world = World(QUIET)
    world.step(0, at=1000.0)
    world.step(0, at=1050.0, seq=0)
    assert world.engine.due(world.root) == 1100.0


def test_silence_within_a_stall_updates_it_and_replaces_no_command() -> None:
    world = World(QUIET)
    replan = world.climb(2, at=1000.0)
    out = world.engine.tick(world.root, now=1100.0)
    assert [(v.event, v.reason, v.rung) for v in out.verdicts] == [("updated", "silence", 2)]
    assert out.commands == []
    assert world.run.version == replan.version
    assert world.step(2, at=1200.0).verdicts == []
    (closed,) = world.step(0, at=1201.0).verdicts
    assert (closed.event, closed.reason) == ("closed", "no_news")
    assert closed.text == "the signs of the stall are gone"


def test_a_run_that_waits_for_an_answer_is_expected_to_be_silent() -> None:
    world = World(Rules(silence_s=100.0, on_ask_timeout="wait"))
    world.climb(3, at=1000.0)
    assert world.engine.tick(world.root, now=2000.0).verdicts == []


def test_observe_tells_of_silence_by_verdict_only() -> None:
    world = World(Rules(mode="observe", silence_s=100.0))
    world.step(0, at=1000.0)
    out = world.engine.tick(world.root, now=1100.0)
    assert (len(out.verdicts), out.commands) == (1, [])


def test_a_halted_run_is_expected_to_be_silent() -> None:
    world = World(QUIET)
    world.climb(4, at=1000.0)
    assert world.engine.tick(world.root, now=2000.0).verdicts == []


def test_an_unanswered_question_becomes_a_halt_with_a_way_back() -> None:
    world = World(QUIET)
    world.step(0, at=990.0, milestone="compiles")
    ask = world.climb(3, at=1000.0, reason="same_error")
    assert world.engine.due(world.root) == 1060.0
    assert world.engine.tick(world.root, now=1059.0).commands == []
    out = world.engine.tick(world.root, now=1060.0)
    (halt,) = out.commands
    assert (halt.action, halt.version, halt.reason) == ("halt", ask.version + 1, "same_error")
    assert halt.text is not None
    assert halt.text.people == "nobody answered within 60 s: same_error seen"
    assert halt.resume is not None
    assert (halt.resume.from_seq, halt.resume.token) == (1, halt.command_id[:16])
    assert halt.evidence is not None
    assert halt.evidence.dryness == 0.5
    assert [c.action for c in out.changes] == ["halt"]


@pytest.mark.parametrize(
    "rules",
    [
        Rules(ask_timeout_s=60.0, on_ask_timeout="wait"),
        Rules(ask_timeout_s=60.0, on_ask_timeout="halt", mode="advise"),
        Rules(ask_timeout_s=60.0, on_ask_timeout="halt", mode="observe"),
    ],
)
def test_a_question_waits_where_the_rules_do_not_say_halt(rules: Rules) -> None:
    world = World(rules)
    world.step(0, at=999.0)
    for _ in range(3):
        world.step(3, at=1000.0)
    out = world.engine.tick(world.root, now=1500.0)
    assert (out.commands, world.run.rung) == ([], 3)


def test_a_question_is_closed_when_the_run_comes_down_or_a_person_answers() -> None:
    world = World(QUIET)
    world.climb(3, at=1000.0)
    world.step(1, at=1010.0)
    assert world.engine.tick(world.root, now=1075.0).commands == []
    world.step(3, at=1080.0)
    (ask,) = world.step(3, at=1080.0).commands
    assert ask.action == "ask"
    world.do(Release(run_id="r", command_id=ask.command_id), at=1090.0)
    assert world.engine.tick(world.root, now=1175.0).commands == []


def test_a_finished_halt_is_taken_off_the_control_topic_after_its_grace() -> None:
    world = World(QUIET)
    halt = world.climb(4, at=1000.0)
    world.do(RunEnded(run_id="r", seq=4, outcome="cancelled"), at=1010.0)
    assert world.engine.tick(world.root, now=1010.0 + 3600).expired == []
    world.do(Ack(command_id=halt.command_id, run_id="r", status="done"), at=5000.0)
    out = world.engine.tick(world.root, now=5001.0)
    assert out.expired == [("r", 4)]
    assert world.engine.tick(world.root, now=5002.0).expired == []
    assert world.engine.due(world.root) == 1010.0 + 7200
    out = world.engine.tick(world.root, now=1010.0 + 7200)
    assert (out.expired, world.root.runs, world.engine.due(world.root)) == ([], {}, None)


def test_an_unacknowledged_halt_stands_until_the_retention_has_passed() -> None:
    rules = Rules(silence_s=100.0)
    world = World(rules)
    world.climb(4, at=1000.0)
    world.do(RunEnded(run_id="r", seq=4, outcome="cancelled"), at=1010.0)
    assert world.engine.due(world.root) == 1010.0 + rules.retention_s
    assert world.engine.tick(world.root, now=1010.0 + rules.retention_s).expired == [("r", 4)]


def test_a_run_without_commands_leaves_no_tombstone() -> None:
    world = World(QUIET)
    world.step(0, at=1000.0)
    world.do(RunEnded(run_id="r", seq=1, outcome="completed"), at=1010.0)
    assert world.engine.due(world.root) == 1010.0 + 7200
    out = world.engine.tick(world.root, now=1e6)
    assert (out.expired, world.root.runs) == ([], {})


def test_an_abandoned_run_is_closed_and_then_forgotten() -> None:
    world = World(QUIET)
    world.climb(2, at=1000.0)
    world.engine.tick(world.root, now=1100.0)
    out = world.engine.tick(world.root, now=8200.0)
    assert [v.event for v in out.verdicts] == ["closed"]
    assert [s.milestone for s in out.segments] == [False]
    assert world.run.closed
    out = world.engine.tick(world.root, now=1e6)
    assert (out.expired, world.root.runs) == ([("r", 2)], {})


def test_without_a_clock_nothing_is_ever_due() -> None:
    world = World(QUIET)
    world.climb(3)
    assert world.engine.due(world.root) is None
    assert world.engine.tick(world.root, now=1e9).commands == []


def test_tick_has_nothing_left_to_do_at_its_own_due_time() -> None:
    world = World(QUIET)
    world.climb(3, at=1000.0)
    world.step(0, at=1000.0, run="child", parent_run_id="r")
    for _ in range(20):
        due = world.engine.due(world.root)
        if due is None:
            break
        world.engine.tick(world.root, now=due)
        later = world.engine.due(world.root)
        assert later is None or later > due
    assert world.root.runs == {}


def test_a_command_of_a_later_attempt_is_taken_off_as_well() -> None:
    world = World(QUIET)
    world.climb(1, at=1000.0)
    world.do(RunEnded(run_id="r", seq=1, outcome="failed"), at=1000.0)
    assert world.engine.tick(world.root, now=4600.0).expired == [("r", 1)]
    for _ in range(2):
        world.step(2, at=5000.0, attempt=1)
    world.do(RunEnded(run_id="r", seq=2, attempt=1, outcome="failed"), at=5000.0)
    assert world.engine.tick(world.root, now=8600.0).expired == [("r", 2)]


def test_records_that_arrive_out_of_order_do_not_move_the_clock_back() -> None:
    world = World(QUIET)
    world.step(0, at=1000.0)
    world.step(0, at=900.0)
    assert world.engine.due(world.root) == 1100.0


def test_a_short_retention_outlasts_the_grace_and_the_silence() -> None:
    world = World(Rules(silence_s=200.0, retention_s=60.0))
    world.step(0, at=1000.0)
    assert world.engine.due(world.root) == 1200.0
    assert len(world.engine.tick(world.root, now=1199.0).segments) == 0
    world.do(RunEnded(run_id="r", seq=1, outcome="failed"), at=1199.0)
    assert world.engine.due(world.root) == 1199.0 + 3600
