"""What settings must be together: conflicts that no single value shows."""

import re
import ssl
from collections.abc import Iterator
from pathlib import Path

from streams.settings import Settings

_SERVER = re.compile(r"^(\[[0-9A-Fa-f:.]+\]|[^\s:/,\[\]]+):(\d{1,5})$")


def conflicts(settings: Settings) -> Iterator[tuple[str, str]]:
    """(setting, remedy) of every conflict."""
    yield from _servers(settings)
    yield from _sasl(settings)
    yield from _tls(settings)
    yield from _timing(settings)
    if settings.embedded and settings.security_protocol != "PLAINTEXT":
        yield "embedded", "the embedded broker speaks PLAINTEXT only; unset one of the two"


def _servers(settings: Settings) -> Iterator[tuple[str, str]]:
    for server in settings.bootstrap_servers.split(","):
        match = _SERVER.match(server.strip())
        if match is None or not 0 < int(match[2]) <= 65535:
            yield "bootstrap_servers", "must be host:port, comma-separated, without a scheme"
            return


def _sasl(settings: Settings) -> Iterator[tuple[str, str]]:
    for name in ("sasl_mechanism", "sasl_username", "sasl_password"):
        given = getattr(settings, name) is not None
        if settings.has_sasl and not given:
            yield name, f"needed with security protocol {settings.security_protocol}"
        if given and not settings.has_sasl:
            yield name, "has no effect: set the security protocol to SASL_SSL (or SASL_PLAINTEXT)"


def _tls(settings: Settings) -> Iterator[tuple[str, str]]:
    files = ("ssl_cafile", "ssl_certfile", "ssl_keyfile")
    given = [name for name in files if getattr(settings, name) is not None]
    if not settings.has_tls:
        for name in given:
            yield name, "has no effect: set the security protocol to SSL or SASL_SSL"
        return
    if settings.ssl_keyfile is not None and settings.ssl_certfile is None:
        yield "ssl_keyfile", "a key without a certificate: set the certificate's file too"
        return
    unreadable = [name for name in given if not _readable(getattr(settings, name))]
    for name in unreadable:
        yield name, "the file cannot be read"
    if unreadable:
        return
    try:
        settings.tls()
    except ssl.SSLError as error:
        culprit = "ssl_certfile" if settings.ssl_certfile else "ssl_cafile"
        yield culprit, f"OpenSSL cannot use the PEM files: {getattr(error, 'reason', None) or error.args[-1]}"
    except (OSError, ValueError) as error:
        yield "ssl_cafile", f"TLS cannot be set up: {error}"


def _readable(path: str) -> bool:
    try:
        with Path(path).open("rb"):
            return True
    except OSError:
        return False


def _timing(settings: Settings) -> Iterator[tuple[str, str]]:
    if settings.heartbeat_s * 3 > settings.session_timeout_s:
        yield "heartbeat_s", f"at most a third of the session timeout ({settings.session_timeout_s:g} s)"
    if settings.request_timeout_s <= settings.session_timeout_s:
        yield "request_timeout_s", f"above the session timeout ({settings.session_timeout_s:g} s)"
    if settings.max_poll_interval_s < settings.session_timeout_s:
        yield "max_poll_interval_s", f"at least the session timeout ({settings.session_timeout_s:g} s)"
    if settings.commit_interval_s >= settings.max_poll_interval_s:
        yield "commit_interval_s", f"below the longest poll interval ({settings.max_poll_interval_s:g} s)"
