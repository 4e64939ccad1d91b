"""What clients are given: options for aiokafka, credentials for Faust, TLS contexts."""

import ssl
import subprocess
from pathlib import Path

import faust
import pytest
from faust.types.auth import AuthProtocol

from streams.settings import Settings, SettingsError

SASL = {
    "STALLWATCH_SASL_MECHANISM": "SCRAM-SHA-256",
    "STALLWATCH_SASL_USERNAME": "worker",
    "STALLWATCH_SASL_PASSWORD": "hunter2",
}


@pytest.fixture(scope="module")
def pem(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate, its key, and the key encrypted with "open sesame"."""
    folder = tmp_path_factory.mktemp("pem")
    new = "req -x509 -newkey rsa:2048 -days 2 -subj /CN=broker -nodes -keyout key.pem -out cert.pem"
    subprocess.run(["openssl", *new.split()], cwd=folder, check=True, capture_output=True)
    lock = ["pkey", "-in", "key.pem", "-aes256", "-out", "locked.pem", "-passout"]
    subprocess.run(["openssl", *lock, "pass:open sesame"], cwd=folder, check=True, capture_output=True)
    (folder / "both.pem").write_text((folder / "cert.pem").read_text() + (folder / "key.pem").read_text())
    (folder / "garbage.pem").write_text("garbage")
    return folder


def tls(pem: Path, **files: str) -> dict[str, str]:
    env = {"STALLWATCH_SECURITY_PROTOCOL": "SSL", "STALLWATCH_SSL_CAFILE": str(pem / "cert.pem")}
    return env | {f"STALLWATCH_SSL_{name.upper()}": str(pem / file) for name, file in files.items()}


def test_plain_text_options() -> None:
    assert Settings.load({}).client_options() == {
        "bootstrap_servers": "127.0.0.1:9092",
        "request_timeout_ms": 20000,
        "security_protocol": "PLAINTEXT",
    }


def test_sasl_options_and_credentials() -> None:
    settings = Settings.load(SASL | {"STALLWATCH_SECURITY_PROTOCOL": "SASL_PLAINTEXT"})
    options = settings.client_options()
    assert options["sasl_mechanism"] == "SCRAM-SHA-256"
    assert (options["sasl_plain_username"], options["sasl_plain_password"]) == ("worker", "hunter2")
    assert "ssl_context" not in options
    credentials = settings.faust_options()["broker_credentials"]
    assert isinstance(credentials, faust.SASLCredentials)
    assert credentials.protocol == AuthProtocol.SASL_PLAINTEXT
    assert credentials.mechanism.value == "SCRAM-SHA-256"


def test_sasl_over_tls(pem: Path) -> None:
    settings = Settings.load(SASL | tls(pem) | {"STALLWATCH_SECURITY_PROTOCOL": "SASL_SSL"})
    assert isinstance(settings.client_options()["ssl_context"], ssl.SSLContext)
    credentials = settings.faust_options()["broker_credentials"]
    assert credentials.protocol == AuthProtocol.SASL_SSL
    assert credentials.username == "worker"


def test_tls_verifies_brokers_by_default(pem: Path) -> None:
    context = Settings.load(tls(pem)).client_options()["ssl_context"]
    assert (context.check_hostname, context.verify_mode) == (True, ssl.CERT_REQUIRED)
    loose = Settings.load(tls(pem) | {"STALLWATCH_SSL_CHECK_HOSTNAME": "false"}).client_options()[
        "ssl_context"
    ]
    assert (loose.check_hostname, loose.verify_mode) == (False, ssl.CERT_REQUIRED)
    assert isinstance(Settings.load(tls(pem)).faust_options()["broker_credentials"], faust.SSLCredentials)


def test_a_clients_own_certificate(pem: Path) -> None:
    for files in ({"certfile": "cert.pem", "keyfile": "key.pem"}, {"certfile": "both.pem"}):
        assert Settings.load(tls(pem, **files)).tls() is not None


def test_an_encrypted_key_needs_its_password(pem: Path) -> None:
    env = tls(pem, certfile="cert.pem", keyfile="locked.pem")
    assert Settings.load(env | {"STALLWATCH_SSL_KEY_PASSWORD": "open sesame"}).tls() is not None
    for wrong in ({}, {"STALLWATCH_SSL_KEY_PASSWORD": "closed"}):
        with pytest.raises(SettingsError, match="STALLWATCH_SSL_CERTFILE"):
            Settings.load(env | wrong)


@pytest.mark.parametrize(
    ("files", "culprit"),
    [
        ({"cafile": "none.pem"}, "STALLWATCH_SSL_CAFILE"),
        ({"cafile": "garbage.pem"}, "STALLWATCH_SSL_CAFILE"),
        ({"certfile": "none.pem", "keyfile": "key.pem"}, "STALLWATCH_SSL_CERTFILE"),
        ({"certfile": "cert.pem"}, "STALLWATCH_SSL_CERTFILE"),
        ({"keyfile": "key.pem"}, "STALLWATCH_SSL_KEYFILE"),
    ],
)
def test_files_that_cannot_be_used_are_named(pem: Path, files: dict[str, str], culprit: str) -> None:
    with pytest.raises(SettingsError) as caught:
        Settings.load(tls(pem, **files))
    assert [p.where for p in caught.value.problems] == [culprit]


def test_faust_never_declares_topics_and_serves_nothing() -> None:
    options = Settings.load({"STALLWATCH_BOOTSTRAP_SERVERS": "a:1, b:2"}).faust_options()
    app = faust.App("settings-test", **options)
    assert [str(url) for url in app.conf.broker] == ["kafka://a:1", "kafka://b:2"]
    assert (app.conf.topic_allow_declare, app.conf.topic_disable_leader, app.conf.web_enabled) == (
        False,
        True,
        False,
    )
    assert (app.conf.broker_session_timeout, app.conf.broker_heartbeat_interval) == (15.0, 3.0)
    assert app.conf.consumer_group_instance_id is None, "an empty one would be shared, and push workers out"
