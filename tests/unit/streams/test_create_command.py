"""The advice to create topics names the flags without which other topics would come of it."""

import shlex
from typing import Any

import pytest

from stallwatch.cli import topics
from streams import admin
from streams.create_command import INSTALLATION, create_command
from streams.settings import Settings
from streams.settings_load import flags_beyond
from streams.settings_table import SETTINGS

NAMES = [setting.name for setting in SETTINGS]


@pytest.fixture(autouse=True)
def no_settings_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    for setting in SETTINGS:
        monkeypatch.delenv(setting.variable, raising=False)
        monkeypatch.delenv(setting.file_variable, raising=False)


def test_what_a_command_has_anyway_is_not_named() -> None:
    assert flags_beyond(Settings(), {}, NAMES) == []
    env = {"STALLWATCH_TOPIC_PREFIX": "a.", "STALLWATCH_EMBEDDED": "yes"}
    assert flags_beyond(Settings.load(env), env, NAMES) == []


def test_a_flag_that_replaces_a_variable_is_named() -> None:
    env = {"STALLWATCH_TOPIC_PREFIX": "a."}
    settings = Settings.load(env, {"topic_prefix": "b.", "partitions": "4", "embedded": "true"})
    assert flags_beyond(settings, env, ["topic_prefix"]) == ["--topic-prefix", "b."]
    assert flags_beyond(settings, env, ["embedded", "partitions"]) == [
        "--embedded",
        "true",
        "--partitions",
        "4",
    ]


def test_a_secret_is_not_shown() -> None:
    settings = Settings(sasl_password="hunter2", sasl_username="a b")
    assert flags_beyond(settings, {}, ["sasl_password", "sasl_username"]) == [
        "--sasl-password",
        "'***'",
        "--sasl-username",
        "'a b'",
    ]


def test_a_variable_that_cannot_be_used_is_named_by_its_flag() -> None:
    assert flags_beyond(Settings(partitions=3), {"STALLWATCH_PARTITIONS": "x"}, ["partitions"]) == [
        "--partitions",
        "3",
    ]


def test_the_advice_leads_to_the_same_installation() -> None:
    settings = Settings(topic_prefix="foo.", group_id="night", bootstrap_servers="k:1", partitions=4)
    words = shlex.split(create_command(settings))
    assert words[:3] == ["stallwatch", "topics", "create"]
    flags = dict(zip(words[3::2], words[4::2], strict=True))
    again = Settings.load({}, {name.removeprefix("--").replace("-", "_"): v for name, v in flags.items()})
    assert [t.name for t in admin.wanted(again)] == [t.name for t in admin.wanted(settings)]
    assert again == settings


def test_the_flags_are_those_that_the_command_takes() -> None:
    assert set(topics.INSTALLATION) == set(INSTALLATION)


async def test_a_worker_that_misses_topics_is_told_that_command(monkeypatch: pytest.MonkeyPatch) -> None:
    async def nothing(settings: Settings, topics: Any) -> dict[str, Any]:
        return {}

    monkeypatch.setattr(admin, "_survey", nothing)
    problems = (await admin.verify(Settings(topic_prefix="foo."))).fatal
    assert problems
    assert all("run `stallwatch topics create --topic-prefix foo.`" in p.sentence for p in problems)
    plain = (await admin.verify(Settings())).fatal
    assert all("run `stallwatch topics create`" in p.sentence for p in plain)
