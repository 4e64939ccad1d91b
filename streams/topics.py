"""The topics of one installation: their names, and the table that `deploy/topics.yaml` is."""

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

import msgspec

NAMES = ("steps", "operator", "control", "acks", "verdicts", "models", "audit", "dlq")
CHANGELOG = "changelog"
INPUTS = ("steps", "operator", "acks")
COPARTITIONED = (*INPUTS, CHANGELOG)
"""Equal partition counts, so that one worker owns all of a run."""


def topic(prefix: str, name: str) -> str:
    """The full name of one of `NAMES`."""
    return prefix + name


def changelog(group_id: str) -> str:
    """The state changelog's name, as Faust derives it from the group."""
    return f"{group_id}-runs-changelog"


class Row(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One topic as the table has it."""

    about: str
    keyed: str
    """What the record key is: a run's root, the run, or an id."""
    config: dict[str, str | int | float | bool]
    """Kafka's own topic settings."""
    partitions: Annotated[int, msgspec.Meta(ge=1)] | None = None
    """None: the table's count."""
    name: str | None = None
    """Where it is not prefix + role: a pattern with `{group_id}`."""


class Topic(msgspec.Struct, frozen=True, kw_only=True):
    """One topic as a cluster should have it."""

    role: str
    """One of `NAMES`, or `CHANGELOG`."""
    name: str
    partitions: int
    replication: int
    config: dict[str, str]
    about: str = ""


class Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The whole table."""

    replication: Annotated[int, msgspec.Meta(ge=1)]
    partitions: Annotated[int, msgspec.Meta(ge=1)]
    topics: dict[str, Row]

    def resolve(
        self, prefix: str, group_id: str, *, partitions: int | None = None, replication: int | None = None
    ) -> list[Topic]:
        """Every topic under its full name, in the table's order.

        `partitions` and `replication` replace the table's; `min.insync.replicas` follows a lower replication,
        since a topic that demands more copies than it has takes no write at all.
        """
        copies = replication or self.replication
        out = []
        for role, row in self.topics.items():
            config = {key: _kafka_text(value) for key, value in row.config.items()}
            wanted = int(config.get("min.insync.replicas", "1"))
            config["min.insync.replicas"] = str(min(wanted, max(1, copies - 1)))
            out.append(
                Topic(
                    role=role,
                    name=row.name.format(group_id=group_id) if row.name else topic(prefix, role),
                    partitions=row.partitions or partitions or self.partitions,
                    replication=copies,
                    config=config,
                    about=row.about,
                )
            )
        return out


class TopicTableError(ValueError):
    """The topic table cannot be used; the message names the file and the field."""


def load(path: Path | None = None) -> Table:
    """The table of `path`, else the one that came with the package. Raises `TopicTableError`."""
    import yaml  # noqa: PLC0415 - publishers need the names only

    text, origin = (path.read_text("utf-8"), str(path)) if path else _shipped()
    try:
        table = msgspec.convert(yaml.safe_load(text), Table)
    except yaml.MarkedYAMLError as error:
        line = f", line {error.problem_mark.line + 1}" if error.problem_mark else ""
        raise TopicTableError(f"{origin}{line}: {error.problem}") from None
    except (yaml.YAMLError, msgspec.ValidationError) as error:
        raise TopicTableError(f"{origin}: {error}") from None
    missing = {*NAMES, CHANGELOG} - table.topics.keys()
    if missing:
        raise TopicTableError(f"{origin}: no entry for {', '.join(sorted(missing))} under `topics`")
    return table


def _shipped() -> tuple[str, str]:
    packaged = resources.files("streams") / "data" / "topics.yaml"
    if packaged.is_file():
        return packaged.read_text("utf-8"), "topics.yaml of the package"
    source = Path(__file__).resolve().parent.parent / "deploy" / "topics.yaml"
    return source.read_text("utf-8"), str(source)


def _kafka_text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def by_role(topics: list[Topic]) -> Mapping[str, Topic]:
    """The resolved topics by role."""
    return {t.role: t for t in topics}
