"""The classic guard on a stream: when a turn is judged, and what a verdict does."""

from collections.abc import Iterator

from detectors.classic import Guard
from detectors.engine import Engine
from detectors.events import Command, Release, RunEnded, Score, Step
from detectors.feature_types import Features
from detectors.outcome import Outcome
from detectors.parameters import Classic
from detectors.rules import Mode, RuleBook, Rules
from detectors.state import RootState, decode, encode


class Stream:
    """A run under the classic rules."""

    def __init__(self, mode: Mode = "enforce", **classic: int) -> None:
        rules = Rules(name="classic", engine="classic", mode=mode, classic=Classic(**classic))
        self.engine = Engine(RuleBook(rules))
        self.root = RootState("r")
        self.seq = 0

    def step(self, args: object = "a", result: object = "x", **fields: object) -> Outcome:
        step = Step(run_id="r", seq=self.seq, tool="t", args=args, result=result, **fields)  # type: ignore[arg-type]
        self.seq += 1
        return self.engine.apply(self.root, step)

    def end(self) -> Outcome:
        return self.engine.apply(self.root, RunEnded(run_id="r", seq=self.seq, outcome="completed"))

    def same(self, times: int, **fields: object) -> Iterator[Outcome]:
        return (self.step(**fields) for _ in range(times))


def _halt(out: Outcome) -> Command:
    (command,) = out.commands
    assert command.action == "halt"
    return command


def test_without_turn_and_clock_every_call_is_judged_at_once() -> None:
    stream = Stream()
    outs = list(stream.same(3))
    assert [out.signals for out in outs] == [[], [], ["exact_repeat"]]
    command = _halt(outs[2])
    assert (command.reason, command.rung, command.version) == ("exact_repeat", 4, 1)
    assert [(c.step, c.action) for c in outs[2].changes] == [(3, "halt")]
    assert [(v.event, v.reason, v.rung) for v in outs[2].verdicts] == [("opened", "exact_repeat", 4)]


def test_a_turn_is_judged_when_the_next_one_begins() -> None:
    stream = Stream()
    for turn in range(3):
        assert stream.step(turn=turn).signals == []
    out = stream.step(turn=3)
    assert out.signals == ["exact_repeat"]
    assert [(c.seq, c.step) for c in out.changes] == [(2, 3)]


def test_the_calls_of_one_turn_are_judged_after_all_of_them() -> None:
    stream = Stream()
    for _ in range(3):
        assert stream.step(turn=0).signals == []
    assert stream.step("b", turn=0).signals == []
    assert stream.step("c", turn=1).signals == []
    assert stream.end().signals == []


def test_by_the_clock_calls_within_a_tenth_of_a_second_are_one_turn() -> None:
    stream = Stream()
    for n in range(4):
        assert stream.step(ts=100.0 + 0.1 * n).signals == []
    assert stream.step(ts=101.0).signals == ["exact_repeat"]


def test_the_end_of_the_run_judges_its_last_turn_and_halts_nobody() -> None:
    stream = Stream()
    for turn in range(3):
        stream.step(turn=turn)
    out = stream.end()
    assert out.signals == ["exact_repeat"]
    assert [c.action for c in out.changes] == ["halt"]
    assert [v.event for v in out.verdicts] == ["opened", "closed"]
    assert out.commands == []


def test_it_goes_on_firing_but_a_halt_is_published_once() -> None:
    stream = Stream()
    outs = list(stream.same(6))
    assert [out.signals for out in outs[2:]] == [["exact_repeat"]] * 4
    assert sum(len(out.commands) for out in outs) == 1


def test_a_release_begins_with_a_new_guard() -> None:
    stream = Stream()
    command = _halt(list(stream.same(3))[-1])
    stream.engine.apply(stream.root, Release(run_id="r", command_id=command.command_id))
    outs = list(stream.same(3))
    assert [len(out.commands) for out in outs] == [0, 0, 1]
    assert _halt(outs[2]).version == 3


def test_advise_asks_and_observe_only_tells() -> None:
    advise = list(Stream("advise").same(6))
    assert [c.action for out in advise for c in out.commands] == ["ask"]
    assert [c.action for out in advise for c in out.changes] == ["ask"]
    observe = list(Stream("observe").same(6))
    assert [c.action for out in observe for c in out.commands] == []
    assert [c.action for out in observe for c in out.changes] == ["halt"]


def test_the_evidence_is_the_guards() -> None:
    stream = Stream()
    for n in range(7):
        out = stream.step(n, n, score=0.5)
    evidence = _halt(out).evidence
    assert evidence is not None
    assert (evidence.best_score, evidence.rounds_since_best, evidence.novelty_ratio) == (0.5, 6, 1.0)
    assert (evidence.scores, len(evidence.calls), evidence.rounds) == ([0.5] * 7, 7, 7)
    assert evidence.shares == {"no_progress": 1.0}


def test_the_hosts_oracle_is_the_score_of_the_calls_after_it() -> None:
    stream = Stream()
    stream.step(0, 0)
    stream.engine.apply(stream.root, Score(run_id="r", event_id="e", value=0.5))
    signals = [stream.step(n, n).signals for n in range(1, 8)]
    assert signals == [[]] * 6 + [["no_progress"]]


def test_a_step_without_content_is_refused_with_the_remedy() -> None:
    stream = Stream()
    out = stream.step(None, None, features=Features())
    assert out.status == "refused"
    assert "publish its content" in out.problem
    assert stream.step().gap == 0


def test_the_limits_of_the_rules_hold() -> None:
    stream = Stream(max_turns=5)
    outs = [stream.step(n, n) for n in range(5)]
    assert [out.signals for out in outs] == [[], [], [], [], ["turn_limit"]]
    assert _halt(outs[4]).text is not None


def test_the_guard_survives_a_restart_in_the_middle_of_a_turn() -> None:
    stream, other = Stream(), Stream()
    for turn in (0, 0, 1, 1, 2, 3):
        one = stream.step(turn=turn)
        other.root = decode(encode(other.root))
        assert other.step(turn=turn) == one
    life = stream.root.runs["r"].life
    assert life is not None
    assert isinstance(life.guard, Guard)
