"""Credentials and TLS for Kafka clients, made from settings; Faust's own classes only when Faust is there."""

import ssl
from typing import Any


def ssl_context(
    cafile: str | None,
    certfile: str | None,
    keyfile: str | None,
    password: str | None,
    *,
    check_hostname: bool = True,
) -> ssl.SSLContext:
    """A client context that verifies the broker against `cafile`, or the system's authorities without one.

    With `certfile` the client shows it. Raises `OSError` (`ssl.SSLError` too) for files that cannot be used.
    """
    context = ssl.create_default_context(ssl.Purpose.SERVER_AUTH, cafile=cafile)
    context.check_hostname = check_hostname
    if certfile is not None:
        # Without a password OpenSSL would ask the terminal for one; a service has none.
        context.load_cert_chain(certfile, keyfile, password or _no_password)
    return context


def _no_password() -> str:
    raise ssl.SSLError("the key is encrypted and no password is set")


def faust_credentials(
    protocol: str,
    mechanism: str | None,
    username: str | None,
    password: str | None,
    context: ssl.SSLContext | None,
) -> Any:
    """What `faust.App(broker_credentials=…)` takes, None for plain text.

    `SASLCredentials` without a context means SASL_PLAINTEXT, with one SASL_SSL.
    """
    import faust  # noqa: PLC0415 - settings are read by commands that never start Faust
    from faust.types.auth import SASLMechanism  # noqa: PLC0415

    if protocol.startswith("SASL"):
        return faust.SASLCredentials(
            username=username,
            password=password,
            mechanism=SASLMechanism(mechanism),
            ssl_context=context,
        )
    return faust.SSLCredentials(context) if context is not None else None
