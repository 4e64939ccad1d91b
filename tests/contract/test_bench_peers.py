"""Other guards in the bench of the detector: fed alike where they are, a sentence where they are not."""

import sys
from pathlib import Path

import pytest

from bench import peers
from detectors.events import Step

GUARDS = """
class LoopGuard:
    window = 2

    def __init__(self):
        self.seen = []
        made.append(self)

    def check(self, tool, args):
        self.seen.append((tool, args))


made = []
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(peers, "FOLDER", tmp_path)
    for name in ("agentguard", "agentguard.guards", "agent", "agent.tool_guardrails"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    return tmp_path


def steps(count: int) -> list[Step]:
    return [Step(run_id="r", seq=seq, tool="read", args={"n": seq}, result="x") for seq in range(count)]


def test_a_guard_that_is_not_there_is_one_sentence_that_helps(folder: Path) -> None:
    found, missing = peers.peers(steps(3))
    assert not found
    assert [sentence.split()[0] for sentence in missing] == ["hermes-agent", "agentguard47"]
    assert all("make peers" in sentence and str(folder) in sentence for sentence in missing)


def test_each_pass_has_a_guard_of_its_own_that_knows_the_beginning(folder: Path) -> None:
    (folder / "agentguard").mkdir()
    (folder / "agentguard" / "guards.py").write_text(GUARDS, "utf-8")
    before = list(sys.path)
    (guard,), _ = peers.peers(steps(5))
    assert sys.path == before
    for _ in range(2):
        guard.fresh()(steps(6)[5])
    made = sys.modules["agentguard.guards"].made
    assert [one.seen for one in made] == [[("read", {"n": n}) for n in (3, 4, 5)]] * 2
    for name in ("agentguard", "agentguard.guards"):
        del sys.modules[name]
