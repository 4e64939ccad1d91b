"""Commands: the desired state of a run, with ids that are the same after any replay."""

import xxhash

from detectors.events import Action, Command, Evidence, HaltMode, Lost, Resume, Text
from detectors.occasion import Occasion, complete
from detectors.runs import LastCommand, Life

REMEMBERED = 16
"""Commands of an attempt that a person's word may still answer."""


def command_id(run_id: str, attempt: int, version: int, action: str) -> str:
    """xxh3-128 of the four, 32 hex. Total: a lone surrogate has a digest too."""
    key = f"{run_id}\x00{attempt}\x00{version}\x00{action}"
    return xxhash.xxh3_128_hexdigest(key.encode("utf-8", "surrogatepass"))


def publish(
    occasion: Occasion,
    action: Action,
    *,
    rung: int,
    reason: str,
    people: str,
    model: str,
    evidence: Evidence | None,
    lost: list[Lost] | None = None,
    mode: HaltMode = "graceful",
) -> Command:
    """The command is decided: in the outcome, and the run's last. Versions count up within an attempt."""
    run, life = occasion.run, occasion.life
    assert not life.halted or action == "release", "nothing but a release follows a halt"
    run.version += 1
    key = command_id(run.run_id, run.attempt, run.version, action)
    command = Command(
        command_id=key,
        run_id=run.run_id,
        root_run_id=occasion.root.root_id,
        attempt=run.attempt,
        version=run.version,
        action=action,
        mode=mode,
        reason=reason,
        rung=rung,
        decided_at=occasion.when,
        text=Text(people=people, model=model),
        evidence=complete(evidence, occasion),
        milestones=list(life.earned),
        resume=_resume(occasion, key, lost or []),
        source=occasion.source,
        rules=occasion.rules.label,
    )
    run.last = LastCommand(key, run.attempt, run.version, action, rung)
    run.tombstoned = False
    run.issued.append(key)
    del run.issued[:-REMEMBERED]
    if action in ("notice", "replan"):  # an ask is put to a person, not to the model
        life.feedback = [*life.feedback[1 - REMEMBERED :], key]
    life.halted = action == "halt"
    life.asked_at = occasion.at if action == "ask" else None
    occasion.out.commands.append(command)
    return command


def resume_from(life: Life) -> int:
    """First step after the last verified milestone."""
    return max((reached.seq + 1 for reached in life.earned), default=0)


def _resume(occasion: Occasion, key: str, lost: list[Lost]) -> Resume:
    """The token names the command it came with: the host maps it to whatever it resumes from."""
    return Resume(from_seq=resume_from(occasion.life), token=key[:16], lost=lost)
