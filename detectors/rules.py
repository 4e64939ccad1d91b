"""The parameters of detection: a frozen, ranged struct. `detectors.rulefile` reads it from TOML."""

from collections.abc import Mapping
from typing import Annotated, Literal

import msgspec
import xxhash
from msgspec import Meta

from detectors.parameters import (
    Classic,
    Dryness,
    Fingerprints,
    Ladder,
    Limits,
    OnTimeout,
    Signals,
)

Mode = Literal["observe", "advise", "enforce"]


class Rules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One resolved parameter set: what one scenario is judged by."""

    name: Annotated[str, Meta(min_length=1, max_length=64, description="Name of the set.")] = "default"
    version: Annotated[int, Meta(ge=1, le=10**9, description="Counts up when the set changes.")] = 1
    engine: Annotated[
        Literal["default", "classic"],
        Meta(description="Which judgement: ours, or the published StagnationGuard."),
    ] = "default"
    mode: Annotated[
        Mode,
        Meta(description="observe: verdicts only; advise: notice, replan, ask; enforce: all."),
    ] = "enforce"
    ask_timeout_s: Annotated[
        float, Meta(ge=1.0, le=31536000.0, description="Seconds until an unanswered ask has timed out.")
    ] = 900.0
    on_ask_timeout: Annotated[
        OnTimeout,
        Meta(description="halt: an unanswered ask becomes a halt with a resume token; wait: it stays."),
    ] = "wait"
    silence_s: Annotated[
        float,
        Meta(ge=1.0, le=31536000.0, description="Seconds without an event after which people are told."),
    ] = 1800.0
    retention_s: Annotated[
        float, Meta(ge=60.0, le=31536000.0, description="Seconds that the marker of an ended run is kept.")
    ] = 86400.0
    dryness: Dryness = Dryness()
    ladder: Ladder = Ladder()
    limits: Limits = Limits()
    signals: Signals = Signals()
    fingerprints: Fingerprints = Fingerprints()
    classic: Classic = Classic()

    @property
    def label(self) -> str:
        """`name@version`, as commands and evidence carry it."""
        return f"{self.name}@{self.version}"


def digest(rules: Rules) -> str:
    """16 hex over the canonical encoding: what a run's state names as the rules it started with."""
    return xxhash.xxh3_64_hexdigest(msgspec.msgpack.encode(rules, order="sorted"))


class UnknownRulesError(LookupError):
    """A run's state names a rule set that this worker does not have."""


class RuleBook:
    """The current rules by scenario, and every resolved set by digest. Look-ups are O(1)."""

    def __init__(self, default: Rules, scenarios: Mapping[str, Rules] | None = None) -> None:
        self._default = (digest(default), default)
        self._scenarios = {task: (digest(rules), rules) for task, rules in (scenarios or {}).items()}
        self._by_digest = dict([self._default, *self._scenarios.values()])

    def for_new_run(self, task: str | None) -> tuple[str, Rules]:
        """(digest, rules) that a run of this scenario starts with."""
        return self._scenarios.get(task, self._default) if task is not None else self._default

    def scenarios(self) -> dict[str, Rules]:
        """The rules of the scenarios that have their own, in insertion order."""
        return {task: rules for task, (_, rules) in self._scenarios.items()}

    def in_mode(self, mode: Mode) -> "RuleBook":
        """The same rules, every set of them in this mode."""
        scenarios = {task: msgspec.structs.replace(r, mode=mode) for task, r in self.scenarios().items()}
        return RuleBook(msgspec.structs.replace(self._default[1], mode=mode), scenarios)

    def add(self, rules: Rules) -> str:
        """The set can be looked up by its digest from now on (an older set, read from the models topic)."""
        key = digest(rules)
        self._by_digest.setdefault(key, rules)
        return key

    def get(self, key: str) -> Rules:
        """The set with this digest. Raises `UnknownRulesError`."""
        try:
            return self._by_digest[key]
        except KeyError:
            raise UnknownRulesError(f"rule set {key} is not known here") from None

    def sets(self) -> dict[str, Rules]:
        """Every resolved set by digest, in insertion order."""
        return dict(self._by_digest)
