"""Settings reach the demo's processes whole, and nothing of another cluster comes along."""

from stallwatch.demo.handed_down import environment, explain_command, worker_command
from streams.settings import Settings

SETTINGS = Settings(
    bootstrap_servers="a:9092,b:9092",
    topic_prefix="",
    security_protocol="SASL_PLAINTEXT",
    sasl_mechanism="SCRAM-SHA-256",
    sasl_username="fleet",
    sasl_password="s3cret word",
    ssl_check_hostname=False,
    tick_interval_s=0.1,
    partitions=4,
)


def test_a_process_loads_the_same_settings_from_its_environment() -> None:
    given = environment(SETTINGS, {"PATH": "/bin", "STALLWATCH_GROUP_ID": "other"})
    assert given["PATH"] == "/bin"
    assert Settings.load(given) == SETTINGS
    assert Settings.load(environment(Settings(), {"STALLWATCH_TOPIC_PREFIX": "other."})) == Settings()


def test_suggested_commands_carry_no_secret() -> None:
    for command in (worker_command(SETTINGS, "/a folder/rules.toml"), explain_command("r-1", SETTINGS)):
        assert "s3cret" not in command
        assert "--sasl-username fleet" in command
    assert worker_command(SETTINGS, "/a folder/rules.toml").endswith("--rules '/a folder/rules.toml'")
