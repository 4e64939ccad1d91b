"""What an agent's process and its host say to each other: JSON lines on standard input and output."""

import msgspec

from stallwatch.demo.life import Ending


class Message(msgspec.Struct, frozen=True, kw_only=True, tag_field="kind"):
    """Base of all of them."""


class Show(Message, frozen=True, kw_only=True, tag="show"):
    """Host to agent: put this before the model at the next turn."""

    command_id: str
    text: str


class Stop(Message, frozen=True, kw_only=True, tag="stop"):
    """Host to agent: finish the call you are in, then end."""


class Stepped(Message, frozen=True, kw_only=True, tag="stepped"):
    """Agent to host: a call is over."""

    step: int
    """Counts the run's calls from 1."""
    call: str
    tokens: int
    """What this call cost, estimated."""
    milestone: str | None


class Shown(Message, frozen=True, kw_only=True, tag="shown"):
    """Agent to host: the model has it before it."""

    command_id: str


class Over(Message, frozen=True, kw_only=True, tag="over"):
    """Agent to host: the run has ended, and how."""

    ending: Ending
    undelivered: int
    """Events that did not reach the broker."""


ToAgent = Show | Stop
FromAgent = Stepped | Shown | Over

_encoder = msgspec.json.Encoder()
_to_agent = msgspec.json.Decoder(ToAgent)
_from_agent = msgspec.json.Decoder(FromAgent)


def line(message: ToAgent | FromAgent) -> bytes:
    """One line, ended."""
    return _encoder.encode(message) + b"\n"


def read_by_agent(data: bytes) -> ToAgent:
    """Raises `msgspec.DecodeError` for anything else."""
    return _to_agent.decode(data)


def read_by_host(data: bytes) -> FromAgent:
    """Raises `msgspec.DecodeError` for anything else."""
    return _from_agent.decode(data)
