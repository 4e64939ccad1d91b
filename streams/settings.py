"""Every setting of the worker and the commands: one frozen value, built once from environment and flags."""

import ssl
from collections.abc import Mapping
from typing import Annotated, Any, Literal, Self

import msgspec

from streams.security import faust_credentials, ssl_context
from streams.settings_error import Problem, SettingsError

__all__ = ["DEFAULT_PORT", "Problem", "Settings", "SettingsError"]

DEFAULT_PORT = 9108

Text = Annotated[str, msgspec.Meta(min_length=1)]
Port = Annotated[int, msgspec.Meta(ge=0, le=65535)]
Seconds = Annotated[float, msgspec.Meta(gt=0, le=86400 * 365)]
Share = Annotated[float, msgspec.Meta(gt=0, le=1)]
Whole = Annotated[int, msgspec.Meta(ge=1, le=100_000)]
TopicPrefix = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{0,150}$")]
GroupId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9._-]{1,150}$")]


def _about(text: str, section: str, *, secret: bool = False) -> msgspec.Meta:
    return msgspec.Meta(description=text, extra={"section": section, "secret": secret})


_KAFKA, _TLS, _TOPICS, _DETECT, _TIME, _BREAKER, _SERVE = (
    "Connection",
    "Credentials",
    "Topics",
    "Detection",
    "Timing",
    "Halt breaker",
    "Metrics and logs",
)


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What one process was started with; `streams.settings_table` lists every field with its variable."""

    bootstrap_servers: Annotated[
        Text, _about("Kafka brokers to start from: host:port, comma-separated.", _KAFKA)
    ] = "127.0.0.1:9092"
    embedded: Annotated[
        bool,
        _about(
            "The broker is the embedded one of the demo: it has no admin interface, so topics are made by "
            "asking for them, policies are not checked, and nothing is claimed about recovery.",
            _KAFKA,
        ),
    ] = False
    security_protocol: Annotated[
        Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"],
        _about("How brokers are talked to.", _TLS),
    ] = "PLAINTEXT"
    sasl_mechanism: Annotated[
        Literal["PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] | None, _about("With a SASL protocol.", _TLS)
    ] = None
    sasl_username: Annotated[Text | None, _about("With a SASL protocol.", _TLS)] = None
    sasl_password: Annotated[Text | None, _about("With a SASL protocol.", _TLS, secret=True)] = None
    ssl_cafile: Annotated[
        Text | None, _about("PEM file of the authorities that may sign brokers; unset: the system's.", _TLS)
    ] = None
    ssl_certfile: Annotated[Text | None, _about("PEM file of this client's certificate.", _TLS)] = None
    ssl_keyfile: Annotated[
        Text | None, _about("PEM file of its key; unset: it is in the certificate's file.", _TLS)
    ] = None
    ssl_key_password: Annotated[Text | None, _about("Of an encrypted key.", _TLS, secret=True)] = None
    ssl_check_hostname: Annotated[
        bool, _about("Whether a broker's certificate must name the host that was asked for.", _TLS)
    ] = True
    topic_prefix: Annotated[
        TopicPrefix, _about("Before the name of every topic but the changelog.", _TOPICS)
    ] = "stallwatch."
    group_id: Annotated[
        GroupId, _about("Consumer group; the state changelog is named `<group_id>-runs-changelog`.", _TOPICS)
    ] = "stallwatch"
    instance_id: Annotated[
        Text | None,
        _about(
            "A name that stays the same over restarts and differs among workers (a stable pod name): a "
            "restart shorter than the session timeout then moves no partitions.",
            _TOPICS,
        ),
    ] = None
    partitions: Annotated[
        Whole | None,
        _about(
            "Partitions of the keyed topics: what `topics create` makes and the worker insists on. Unset: "
            "the table's 12 when creating, whatever the cluster has (if equal) when working.",
            _TOPICS,
        ),
    ] = None
    replication: Annotated[
        Whole | None,
        _about("Copies of each topic that `topics create` asks for; unset: the table's 3.", _TOPICS),
    ] = None
    rules: Annotated[
        Text, _about("Rules to judge by: a built-in profile (`default`, `classic`) or a TOML file.", _DETECT)
    ] = "default"
    mode: Annotated[
        Literal["observe", "advise", "enforce"] | None,
        _about(
            "Overrides the rules' mode for every run: observe (verdicts only), advise (notice, replan, ask), "
            "enforce (halts too). Unset: as the rules say.",
            _DETECT,
        ),
    ] = None
    tick_interval_s: Annotated[
        Seconds, _about("How often silence, unanswered questions and expiry are looked at.", _DETECT)
    ] = 5.0
    session_timeout_s: Annotated[
        Seconds, _about("A worker that is not heard of for so long loses its partitions.", _TIME)
    ] = 15.0
    heartbeat_s: Annotated[Seconds, _about("How often a worker is heard of.", _TIME)] = 3.0
    max_poll_interval_s: Annotated[
        Seconds, _about("A worker that fetches nothing for so long is taken as stuck.", _TIME)
    ] = 90.0
    commit_interval_s: Annotated[
        Seconds, _about("How often offsets are committed: what a restart may read again.", _TIME)
    ] = 1.0
    request_timeout_s: Annotated[
        Seconds, _about("How long one request to a broker may take before it is tried again.", _TIME)
    ] = 20.0
    breaker_share: Annotated[
        Share,
        _about(
            "The breaker opens, and halts are withheld, counted and paged, when more than this share of the "
            "worker's live runs would be halted within the window. They go out when it closes.",
            _BREAKER,
        ),
    ] = 0.3
    breaker_window_s: Annotated[Seconds, _about("The window that halts are counted in.", _BREAKER)] = 600.0
    breaker_min_runs: Annotated[
        Whole,
        _about("So many runs may be halted within the window, whatever their share.", _BREAKER),
    ] = 20
    metrics_host: Annotated[
        Text, _about("Address that /metrics, /healthz and /readyz are served on.", _SERVE)
    ] = "127.0.0.1"
    metrics_port: Annotated[Port, _about("Their port; 0 takes a free one and logs it.", _SERVE)] = (
        DEFAULT_PORT
    )
    log_level: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR"], _about("Least level that is logged.", _SERVE)
    ] = "INFO"
    log_format: Annotated[
        Literal["json", "text"], _about("One JSON object a line, or text for people.", _SERVE)
    ] = "json"
    datadir: Annotated[
        Text | None,
        _about(
            "Directory that Faust makes and leaves empty; unset: one in the system's temporary directory.",
            _SERVE,
        ),
    ] = None

    @classmethod
    def load(cls, env: Mapping[str, str], flags: Mapping[str, object] | None = None) -> Self:
        """The settings of this environment, flags first. Raises `SettingsError` with every problem in it."""
        from streams.settings_load import load  # noqa: PLC0415 - the loader builds on this class

        return load(cls, env, flags or {})

    def masked(self) -> dict[str, object]:
        """Every setting by name, secrets as `***`: safe to print and to log."""
        from streams.settings_table import SETTINGS  # noqa: PLC0415 - the table is read off this class

        return {
            s.name: "***" if s.secret and getattr(self, s.name) is not None else getattr(self, s.name)
            for s in SETTINGS
        }

    def __repr__(self) -> str:
        """Secrets are masked, so that a traceback or a log line does not carry them."""
        return f"Settings({', '.join(f'{name}={value!r}' for name, value in self.masked().items())})"

    @property
    def has_tls(self) -> bool:
        """Whether brokers are talked to over TLS."""
        return self.security_protocol.endswith("SSL")

    @property
    def has_sasl(self) -> bool:
        """Whether the client names itself by SASL."""
        return self.security_protocol.startswith("SASL")

    def tls(self) -> ssl.SSLContext | None:
        """The TLS context, None without TLS. Raises `OSError` for files that cannot be used."""
        if not self.has_tls:
            return None
        return ssl_context(
            self.ssl_cafile,
            self.ssl_certfile,
            self.ssl_keyfile,
            self.ssl_key_password,
            check_hostname=self.ssl_check_hostname,
        )

    def client_options(self) -> dict[str, Any]:
        """Keyword arguments that aiokafka's consumer, producer and admin client have in common."""
        options: dict[str, Any] = {
            "bootstrap_servers": self.bootstrap_servers,
            "request_timeout_ms": int(self.request_timeout_s * 1000),
            "security_protocol": self.security_protocol,
        }
        if self.has_tls:
            options["ssl_context"] = self.tls()
        if self.has_sasl:
            options["sasl_mechanism"] = self.sasl_mechanism
            options["sasl_plain_username"] = self.sasl_username
            options["sasl_plain_password"] = self.sasl_password
        return options

    def faust_options(self) -> dict[str, Any]:
        """Keyword arguments of `faust.App` that follow from the settings; needs Faust.

        Topics are never declared by Faust, and its web server stays off: it would serve state to anyone.
        """
        return {
            "broker": [f"kafka://{server}" for server in self.servers()],
            "broker_credentials": faust_credentials(
                self.security_protocol,
                self.sasl_mechanism,
                self.sasl_username,
                self.sasl_password,
                self.tls(),
            ),
            "broker_session_timeout": self.session_timeout_s,
            "broker_heartbeat_interval": self.heartbeat_s,
            "broker_max_poll_interval": self.max_poll_interval_s,
            "broker_commit_interval": self.commit_interval_s,
            "broker_request_timeout": self.request_timeout_s,
            "producer_request_timeout": self.request_timeout_s,
            "consumer_group_instance_id": self.instance_id,
            "topic_allow_declare": False,
            "topic_disable_leader": True,
            "web_enabled": False,
        }

    def servers(self) -> list[str]:
        """The bootstrap servers, one by one."""
        return [server.strip() for server in self.bootstrap_servers.split(",") if server.strip()]
