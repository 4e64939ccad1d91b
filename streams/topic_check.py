"""What a cluster's topics are against what they should be: plain comparison, every difference a sentence."""

from collections.abc import Iterable, Mapping
from typing import Literal

import msgspec

from streams.topics import COPARTITIONED, INPUTS, Topic, by_role

DLQ_HEADROOM = 64 * 1024
"""Bytes that a dead letter's headers may add to the record they explain."""

Kind = Literal["missing", "partitions", "cleanup", "size", "unreadable", "setting"]


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """One topic as the cluster has it."""

    partitions: int
    replication: int | None = None
    """None where it was not asked for."""
    config: dict[str, str] | None = None
    """None where the cluster would not say, or was not asked."""


class Mismatch(msgspec.Struct, frozen=True, kw_only=True):
    """One difference."""

    topic: str
    kind: Kind
    expected: str
    found: str
    sentence: str
    """What is wrong and what to do about it."""

    @property
    def fatal(self) -> bool:
        """Whether a worker must not start on it; what the cluster would not say is a warning."""
        return self.kind not in ("unreadable", "setting")

    def __str__(self) -> str:
        """The sentence."""
        return self.sentence


def mismatches(
    found: Mapping[str, Found],
    wanted: Iterable[Topic],
    *,
    partitions: int | None = None,
    policies: bool = True,
    create: str = "stallwatch topics create",
) -> list[Mismatch]:
    """What a worker would stumble over: a missing topic, unequal partitions, a policy, a dead-letter limit.

    `partitions`: the count that is insisted on, None for any that is equal. `create`: the command that would
    make what is missing, with the flags it needs.
    """
    topics = list(wanted)
    out = [
        _mismatch(
            t.name,
            "missing",
            "there",
            "missing",
            f"does not exist, or this principal may not see it: run `{create}`",
        )
        for t in topics
        if t.name not in found
    ]
    there = [t for t in topics if t.name in found]
    out += _partition_counts(found, there, partitions)
    if policies:
        out += _unreadable(there, found)
        for t in there:
            out += _policy(t, found[t.name].config or t.config)
        out += _dead_letter_size(found, there)
    return out


def differences(found: Mapping[str, Found], wanted: Iterable[Topic]) -> list[Mismatch]:
    """Every difference from the table: partitions, replication, and each setting that the table has."""
    out = []
    for t in wanted:
        if t.name not in found:
            out.append(_mismatch(t.name, "missing", "there", "missing", "does not exist"))
            continue
        has = found[t.name]
        pairs = [("partitions", str(t.partitions), str(has.partitions))]
        if has.replication is not None:
            pairs.append(("replication", str(t.replication), str(has.replication)))
        if has.config is not None:
            pairs += [(key, value, has.config.get(key, "unset")) for key, value in t.config.items()]
        out += [
            _mismatch(
                t.name, "setting", f"{key}={want}", f"{key}={is_}", f"has {key}={is_}, the table says {want}"
            )
            for key, want, is_ in pairs
            if not _same(key, want, is_)
        ]
    return out


def _mismatch(topic: str, kind: Kind, expected: str, found: str, words: str) -> Mismatch:
    return Mismatch(topic=topic, kind=kind, expected=expected, found=found, sentence=f"{topic} {words}")


def _partition_counts(
    found: Mapping[str, Found], there: list[Topic], partitions: int | None
) -> list[Mismatch]:
    counts = {t.name: found[t.name].partitions for t in there if t.role in COPARTITIONED}
    if not counts:
        return []
    wanted = partitions if partitions is not None else next(iter(counts.values()))
    reason = (
        f"the setting `partitions` says {wanted}"
        if partitions is not None
        else f"{next(iter(counts))} has {wanted}, and one worker must own all of a run"
    )
    return [
        _mismatch(
            name,
            "partitions",
            str(wanted),
            str(count),
            f"has {count} partition{'s' * (count != 1)}, but {reason}: recreate it with {wanted}"
            " (adding partitions would move runs away from their state)",
        )
        for name, count in counts.items()
        if count != wanted
    ]


def _unreadable(there: list[Topic], found: Mapping[str, Found]) -> list[Mismatch]:
    names = [t.name for t in there if found[t.name].config is None]
    if not names:
        return []
    return [
        _mismatch(
            ", ".join(names),
            "unreadable",
            "settings",
            "unknown",
            "would not tell the settings (that needs DescribeConfigs): cleanup policies are not checked",
        )
    ]


def _policy(wanted: Topic, config: Mapping[str, str]) -> list[Mismatch]:
    want, is_ = wanted.config["cleanup.policy"], config.get("cleanup.policy", "delete")
    if _same("cleanup.policy", want, is_):
        return []
    harm = {
        "control": "halts would vanish before a subscriber has seen them",
        "changelog": "runs would lose their state",
        "models": "workers would lose rules and models",
    }.get(wanted.role, "records would be lost to a later one with the same key")
    return [
        _mismatch(
            wanted.name,
            "cleanup",
            want,
            is_,
            f"has cleanup.policy={is_}, which must be {want}: {harm}; alter the topic's setting",
        )
    ]


def _dead_letter_size(found: Mapping[str, Found], there: list[Topic]) -> list[Mismatch]:
    roles = by_role(there)
    if "dlq" not in roles:
        return []
    largest = max((_limit(found[roles[r].name]) for r in INPUTS if r in roles), default=0)
    name, limit = roles["dlq"].name, _limit(found[roles["dlq"].name])
    if not largest or not limit or limit >= largest + DLQ_HEADROOM:
        return []
    need = largest + DLQ_HEADROOM
    return [
        _mismatch(
            name,
            "size",
            str(need),
            str(limit),
            f"takes {limit} bytes a record, inputs may have {largest}: raise its max.message.bytes to {need}",
        )
    ]


def _limit(has: Found) -> int:
    """`max.message.bytes`, 0 where it is not known."""
    return int((has.config or {}).get("max.message.bytes", "0"))


def _same(key: str, want: str, is_: str) -> bool:
    if key == "cleanup.policy":
        return {p.strip() for p in want.split(",")} == {p.strip() for p in is_.split(",")}
    try:
        return float(want) == float(is_)
    except ValueError:
        return want == is_
