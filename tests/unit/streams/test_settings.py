"""Settings: where values come from, what is refused, and that everything wrong is said at once."""

from pathlib import Path

import pytest

from streams.settings import Settings, SettingsError
from streams.settings_load import unknown_variables
from streams.settings_table import BY_NAME, SETTINGS


def problems(env: dict[str, str], **flags: object) -> dict[str, str]:
    """Where → the whole sentence, of settings that must be refused."""
    with pytest.raises(SettingsError) as caught:
        Settings.load(env, flags)
    return {p.where: str(p) for p in caught.value.problems}


def sasl(**more: str) -> dict[str, str]:
    return {
        "STALLWATCH_SECURITY_PROTOCOL": "SASL_SSL",
        "STALLWATCH_SASL_MECHANISM": "SCRAM-SHA-512",
        "STALLWATCH_SASL_USERNAME": "worker",
        "STALLWATCH_SASL_PASSWORD": "hunter2",
    } | more


def test_defaults_need_nothing() -> None:
    settings = Settings.load({})
    assert settings == Settings()
    assert settings.metrics_host == "127.0.0.1"


def test_every_setting_is_documented_and_reachable() -> None:
    for setting in SETTINGS:
        assert setting.help.endswith("."), setting.name
        assert setting.variable == "STALLWATCH_" + setting.name.upper()
        assert setting.flag == "--" + setting.name.replace("_", "-")
    assert [s.name for s in SETTINGS] == list(Settings.__struct_fields__)
    assert {s.name for s in SETTINGS if s.secret} == {"sasl_password", "ssl_key_password"}


def test_every_setting_can_be_given_as_variable_and_as_flag() -> None:
    samples: dict[str, tuple[str, object]] = {
        "bootstrap_servers": ("k1:9092,[::1]:9093", "k1:9092,[::1]:9093"),
        "embedded": ("1", True),
        "topic_prefix": ("", ""),
        "mode": ("observe", "observe"),
        "partitions": ("24", 24),
        "session_timeout_s": ("12.5", 12.5),
        "metrics_port": ("0", 0),
        "log_level": ("DEBUG", "DEBUG"),
        "log_format": ("text", "text"),
        "breaker_share": ("0.5", 0.5),
        "instance_id": ("stallwatch-0", "stallwatch-0"),
    }
    for name, (text, value) in samples.items():
        assert getattr(Settings.load({BY_NAME[name].variable: text}), name) == value
        assert getattr(Settings.load({}, {name: value}), name) == value
        assert getattr(Settings.load({}, {name: text}), name) == value


def test_a_flag_wins_over_its_variable() -> None:
    env = {"STALLWATCH_GROUP_ID": "from-env", "STALLWATCH_RULES": "classic"}
    settings = Settings.load(env, {"group_id": "from-flag", "rules": None})
    assert (settings.group_id, settings.rules) == ("from-flag", "classic")


@pytest.mark.parametrize(("text", "value"), [("yes", True), ("ON", True), ("false", False), ("0", False)])
def test_switches_take_the_usual_words(text: str, value: bool) -> None:
    assert Settings.load({"STALLWATCH_EMBEDDED": text}).embedded is value


def test_an_empty_variable_is_unset() -> None:
    assert Settings.load({"STALLWATCH_RULES": "", "STALLWATCH_SASL_PASSWORD": ""}) == Settings()


def test_everything_wrong_is_said_at_once() -> None:
    found = problems(
        {
            "STALLWATCH_METRICS_PORT": "65536",
            "STALLWATCH_LOG_LEVEL": "loud",
            "STALLWATCH_HEARTBEAT_S": "nan",
            "STALLWATCH_BOOTSTRAP_SERVERS": "kafka://broker",
            "STALLWATCH_TOPIC_PREFIX": "bad prefix",
            "STALLWATCH_EMBEDDED": "maybe",
        },
        breaker_share=2,
        no_such_thing=1,
    )
    assert found == {
        "--no-such-thing": "--no-such-thing: there is no such setting",
        "--breaker-share": "--breaker-share=2: must be a number above 0 to 1",
        "STALLWATCH_METRICS_PORT": "STALLWATCH_METRICS_PORT='65536': must be a whole number from 0 to 65535",
        "STALLWATCH_LOG_LEVEL": "STALLWATCH_LOG_LEVEL='loud': must be one of DEBUG, INFO, WARNING, ERROR",
        "STALLWATCH_HEARTBEAT_S": "STALLWATCH_HEARTBEAT_S='nan': must be a number above 0 to 31536000",
        "STALLWATCH_BOOTSTRAP_SERVERS": (
            "STALLWATCH_BOOTSTRAP_SERVERS='kafka://broker': must be host:port, comma-separated, without a scheme"
        ),
        "STALLWATCH_TOPIC_PREFIX": (
            "STALLWATCH_TOPIC_PREFIX='bad prefix': must be letters, digits, dots, dashes and underscores, at most 150"
        ),
        "STALLWATCH_EMBEDDED": "STALLWATCH_EMBEDDED='maybe': must be true or false",
    }


def test_a_value_that_kubernetes_injected_gets_its_remedy() -> None:
    found = problems({"STALLWATCH_METRICS_PORT": "tcp://10.0.0.7:9108"})
    assert "enableServiceLinks: false" in found["STALLWATCH_METRICS_PORT"]


@pytest.mark.parametrize("servers", ["", "host", "host:0", "host:70000", "a:1,,b:2", "a:1/path", "::1:9092"])
def test_servers_that_cannot_be_reached_by_any_means(servers: str) -> None:
    assert list(problems({}, bootstrap_servers=servers)) == ["--bootstrap-servers"]


def test_sasl_needs_all_its_parts() -> None:
    found = problems({"STALLWATCH_SECURITY_PROTOCOL": "SASL_SSL", "STALLWATCH_SASL_USERNAME": "worker"})
    assert set(found) == {"STALLWATCH_SASL_MECHANISM", "STALLWATCH_SASL_PASSWORD"}


def test_credentials_without_a_protocol_for_them_are_refused() -> None:
    found = problems({"STALLWATCH_SASL_PASSWORD": "hunter2", "STALLWATCH_SSL_CAFILE": "/ca.pem"})
    assert set(found) == {"STALLWATCH_SASL_PASSWORD", "STALLWATCH_SSL_CAFILE"}
    assert "hunter2" not in "".join(found.values())


def test_a_secret_can_come_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text(" hunter2 \n")
    env = sasl(STALLWATCH_SASL_PASSWORD_FILE=str(file))
    del env["STALLWATCH_SASL_PASSWORD"]
    assert Settings.load(env).sasl_password == " hunter2 "  # only the newline at the end belongs to no secret


def test_a_secret_must_come_from_one_place(tmp_path: Path) -> None:
    file = tmp_path / "password"
    file.write_text("other")
    assert list(problems(sasl(STALLWATCH_SASL_PASSWORD_FILE=str(file)))) == ["STALLWATCH_SASL_PASSWORD_FILE"]


def test_a_secrets_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    env = sasl(STALLWATCH_SASL_PASSWORD_FILE=str(tmp_path / "none"))
    del env["STALLWATCH_SASL_PASSWORD"]
    found = problems(env)
    assert "No such file" in found["STALLWATCH_SASL_PASSWORD_FILE"]


def test_only_secrets_have_a_file_variable(tmp_path: Path) -> None:
    file = tmp_path / "group"
    file.write_text("other")
    assert Settings.load({"STALLWATCH_GROUP_ID_FILE": str(file)}).group_id == "stallwatch"


def test_secrets_are_masked_wherever_settings_are_shown() -> None:
    settings = Settings.load(sasl())
    assert settings.masked()["sasl_password"] == "***"
    assert settings.masked()["ssl_key_password"] is None
    assert settings.masked()["sasl_username"] == "worker"
    assert "hunter2" not in f"{settings} {settings!r}"


@pytest.mark.parametrize(
    ("values", "culprit"),
    [
        ({"heartbeat_s": 6.0}, "--heartbeat-s"),
        ({"request_timeout_s": 15.0}, "--request-timeout-s"),
        ({"max_poll_interval_s": 10.0}, "--max-poll-interval-s"),
        ({"commit_interval_s": 90.0}, "--commit-interval-s"),
    ],
)
def test_times_must_fit_together(values: dict[str, float], culprit: str) -> None:
    assert list(problems({}, **values)) == [culprit]


def test_a_broken_value_is_not_reported_again_as_a_conflict() -> None:
    found = problems(
        {"STALLWATCH_SASL_MECHANISM": "KERBEROS"} | {k: v for k, v in sasl().items() if "MECH" not in k}
    )
    assert found == {
        "STALLWATCH_SASL_MECHANISM": (
            "STALLWATCH_SASL_MECHANISM='KERBEROS': must be one of PLAIN, SCRAM-SHA-256, SCRAM-SHA-512"
        )
    }


def test_the_embedded_broker_speaks_plain_text_only() -> None:
    assert list(problems(sasl(STALLWATCH_EMBEDDED="1"))) == ["STALLWATCH_EMBEDDED"]


def test_misspelt_variables_are_pointed_out() -> None:
    env = {
        "STALLWATCH_BOOTSTRAP_SERVER": "k:9092",
        "STALLWATCH_SASL_PASSWORD_FILE": "/x",
        "STALLWATCH_SERVICE_HOST": "10.0.0.1",
        "OTHER_GROUP_IDD": "x",
    }
    assert unknown_variables(env) == [
        "STALLWATCH_BOOTSTRAP_SERVER is no setting; did you mean STALLWATCH_BOOTSTRAP_SERVERS?"
    ]
