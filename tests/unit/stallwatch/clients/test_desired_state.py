"""What the latest command of a run says about each of its attempts."""

import pytest

from detectors.events import Action, Command
from stallwatch.clients.desired_state import DesiredStates
from streams.codec import encode


def command(action: Action, version: int, attempt: int = 0, run_id: str = "r") -> Command:
    return Command(
        command_id=f"{run_id}-{attempt}-{version}-{action}",
        run_id=run_id,
        action=action,
        version=version,
        attempt=attempt,
    )


def states(*commands: Command) -> DesiredStates:
    found = DesiredStates()
    for one in commands:
        found.apply(one.run_id.encode(), encode(one))
    return found


def test_a_run_nobody_spoke_of_is_not_halted() -> None:
    assert states().is_halted("r", 0) is False
    assert states().is_halted("r", None) is False
    assert states().command("r") is None


@pytest.mark.parametrize("action", ["notice", "replan", "ask", "release"])
def test_only_a_halt_halts(action: Action) -> None:
    assert states(command(action, 1)).is_halted("r", 0) is False


def test_a_halt_is_for_its_attempt_and_those_before() -> None:
    found = states(command("halt", 1, attempt=5))
    assert [found.is_halted("r", attempt) for attempt in (4, 5, 6)] == [True, True, False]
    assert found.is_halted("r", None) is True


def test_a_higher_attempt_supersedes_the_lower_whatever_is_asked_of_it() -> None:
    found = states(command("halt", 9, attempt=1), command("notice", 0, attempt=2))
    assert [found.is_halted("r", attempt) for attempt in (1, 2, 3)] == [True, False, False]
    assert found.is_halted("r", None) is False


def test_a_release_with_a_higher_version_lifts_a_halt_and_a_new_halt_holds() -> None:
    assert states(command("halt", 3), command("release", 4)).is_halted("r", 0) is False
    assert states(command("halt", 3), command("release", 4), command("halt", 5)).is_halted("r", 0) is True


def test_a_release_with_a_lower_version_comes_too_late() -> None:
    assert states(command("halt", 3), command("release", 2)).is_halted("r", 0) is True


def test_a_halt_is_absorbing_within_its_attempt() -> None:
    found = states(command("halt", 3), command("notice", 4))
    assert found.is_halted("r", 0) is True
    latest = found.command("r")
    assert latest is not None
    assert latest.action == "notice"


def test_repeats_and_older_commands_tell_nothing_new() -> None:
    found = DesiredStates()
    halt = encode(command("halt", 3))
    assert found.apply(b"r", halt) == command("halt", 3)
    assert found.apply(b"r", halt) is None
    assert found.apply(b"r", encode(command("notice", 1))) is None
    assert found.apply(b"r", encode(command("notice", 8, attempt=-1))) is None
    assert found.reads["superseded"] == 3
    assert found.command("r") == command("halt", 3)


def test_a_tombstone_forgets_the_run_and_no_other() -> None:
    found = states(command("halt", 3), command("halt", 1, run_id="other"))
    assert found.apply(b"r", None) is None
    assert found.is_halted("r", 0) is False
    assert found.is_halted("other", 0) is True
    assert len(found) == 1


@pytest.mark.parametrize(
    ("key", "value"),
    [
        (None, encode(command("halt", 1))),
        (b"", encode(command("halt", 1))),
        (b"\xff", encode(command("halt", 1))),
        (b"other", encode(command("halt", 1))),
        (None, None),
        (b"r", b""),
        (b"r", b"{"),
        (b"r", b"\xff\xfe"),
        (b"r", b"[" * 100_000),
        (b"r", b'{"run_id": "r"}'),
        (b"r", encode(command("halt", 1)).replace(b'"halt"', b'"explode"')),
        (b"r", encode(command("halt", 1)).replace(b'"schema":1', b'"schema":2')),
    ],
)
def test_what_cannot_be_read_is_counted_and_changes_nothing(key: bytes | None, value: bytes | None) -> None:
    found = states(command("notice", 0))
    assert found.apply(key, value) is None
    assert found.reads["malformed"] == 1
    assert found.command("r") == command("notice", 0)


def test_fields_of_later_versions_are_ignored() -> None:
    found = DesiredStates()
    found.apply(b"r", encode(command("halt", 1))[:-1] + b',"colour":"red"}')
    assert found.is_halted("r", 0)


def test_all_commands_are_there_to_reconcile_with() -> None:
    found = states(
        command("halt", 1, run_id="a"), command("ask", 1, run_id="b"), command("halt", 2, run_id="b")
    )
    assert [(c.run_id, c.action) for c in found.commands()] == [("a", "halt"), ("b", "halt")]
