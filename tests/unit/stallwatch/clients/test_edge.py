"""What leaves the agent's machine: bounded content with the features of the whole, or features alone."""

import msgspec
import pytest

from detectors.events import Step
from detectors.features import features
from detectors.rules import Rules
from stallwatch.clients.edge import Edge, EdgeLimits
from streams.codec import decode_event, encode

SECRET = "sk-live-4eC39HqLyjWDarjtT1zdp7dc"


def through(step: Step, *, content: bool = True, limits: EdgeLimits | None = None) -> Step:
    Edge(content=content, limits=limits or EdgeLimits()).finish(step)
    decoded = decode_event(encode(step))
    assert isinstance(decoded, Step)
    return decoded


def large(lines: int) -> str:
    return "\n".join(f"test_module_{n}.py::test_case PASSED" for n in range(lines))


def test_an_ordinary_step_travels_as_it_is() -> None:
    step = Step(run_id="r", seq=0, tool="bash", args={"command": "ls"}, result="a\nb", error="exit 1")
    sent = through(step)
    assert (sent.args, sent.result, sent.error, sent.features) == ({"command": "ls"}, "a\nb", "exit 1", None)


def test_absent_args_and_result_stay_absent() -> None:
    step = Step(run_id="r", seq=0, tool="bash")
    Edge(content=True, limits=EdgeLimits()).finish(step)
    assert msgspec.json.decode(encode(step)).keys() == {"kind", "run_id", "seq", "tool"}


@pytest.mark.parametrize("field", ["args", "result", "error"])
def test_a_cut_step_carries_the_features_of_the_whole(field: str) -> None:
    fields: dict[str, object] = {"args": {"command": "pytest -v"}, "result": "done", field: large(5000)}
    sent = through(Step(run_id="r", seq=0, tool="bash", **fields))  # type: ignore[arg-type]
    whole = features(Step(run_id="r", seq=0, tool="bash", **fields), Rules())  # type: ignore[arg-type]
    assert sent.features == whole
    limit = {"args": 16_384, "result": 65_536, "error": 8_192}[field]
    assert len(msgspec.json.encode(getattr(sent, field))) <= limit
    assert len(getattr(sent, field)) > limit // 2


def test_two_large_answers_that_differ_beyond_the_cut_differ_in_their_features() -> None:
    limits = EdgeLimits(result_bytes=256)
    middle = large(200)
    one = through(Step(run_id="r", seq=0, tool="bash", result=f"{middle}\nfirst\n{middle}"), limits=limits)
    two = through(Step(run_id="r", seq=0, tool="bash", result=f"{middle}\nother\n{middle}"), limits=limits)
    assert one.result == two.result
    assert one.features != two.features


def test_without_content_no_text_of_the_call_leaves() -> None:
    step = Step(
        run_id="r",
        seq=3,
        tool="bash",
        args={"command": f"curl -H '{SECRET}'"},
        result={"out": [SECRET]},
        error=f"bad token {SECRET}",
        target=f"/home/{SECRET}",
        exit_code=22,
    )
    expected = features(
        Step(run_id="r", seq=3, tool="bash", args=step.args, result=step.result, error=step.error,
             target=step.target, exit_code=22),
        Rules(),
    )  # fmt: skip
    Edge(content=False, limits=EdgeLimits()).finish(step)
    data = encode(step)
    assert SECRET.encode() not in data
    sent = decode_event(data)
    assert isinstance(sent, Step)
    assert sent.features == expected
    assert (sent.args, sent.result, sent.target, sent.error, sent.exit_code) == (None, None, None, True, 22)


def test_odd_values_have_the_features_of_what_is_sent() -> None:
    step = Step(run_id="r", seq=0, tool="bash", args={"path": b"src/\xff"}, result=float("nan"))
    sent = through(step, content=False)
    plain = Step(run_id="r", seq=0, tool="bash", args={"path": "src/�"}, result=None)
    assert sent.features == features(plain, Rules())


def test_features_that_were_given_are_kept() -> None:
    given = features(Step(run_id="r", seq=0, tool="bash", result="the whole"), Rules())
    sent = through(Step(run_id="r", seq=0, tool="bash", result=large(5000), features=given))
    assert sent.features == given


def test_texts_beside_the_steps_are_cut_or_withheld() -> None:
    limits = EdgeLimits(text_bytes=256)
    kept = Edge(content=True, limits=limits).free_text("I am done " * 100)
    assert kept is not None
    assert len(kept.encode()) <= 256
    assert Edge(content=True, limits=limits).free_text(None) is None
    assert Edge(content=False, limits=limits).free_text("I am done") is None


def test_a_defect_in_the_features_does_not_reach_the_agent(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def failing(step: Step, rules: Rules) -> None:
        raise RuntimeError("a defect")

    monkeypatch.setattr("stallwatch.clients.edge.features", failing)
    edge = Edge(content=False, limits=EdgeLimits())
    for seq in range(3):
        step = Step(run_id="r", seq=seq, tool="bash", result=SECRET)
        edge.finish(step)
        assert (step.features, step.result) == (None, None)
    assert len(caplog.records) == 1


def test_limits_too_small_to_be_meant_are_refused() -> None:
    with pytest.raises(ValueError, match=r"EdgeLimits\.result_bytes is 10"):
        EdgeLimits(result_bytes=10)


def test_limits_beyond_what_the_worker_reads_are_refused() -> None:
    with pytest.raises(ValueError, match="must be at most 983040"):
        EdgeLimits(result_bytes=2**20)
