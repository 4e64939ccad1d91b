"""Finds AI-agent runs that are busy and get nowhere, and stops them while keeping what they earned.

The public names are loaded when they are first used: importing `stallwatch` takes no Kafka client with it,
so that a hook that runs at every tool call starts in milliseconds.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detectors.events import (
        Ack,
        Change,
        Command,
        Compaction,
        Evidence,
        Limits,
        Milestone,
        RunEnded,
        RunStarted,
        Score,
        Step,
        UserInput,
    )
    from detectors.feature_types import Features
    from stallwatch.clients.edge import EdgeLimits
    from stallwatch.clients.publisher import AsyncStepPublisher, RunHandle, StepPublisher
    from stallwatch.clients.subscriber import AsyncControlSubscriber, ControlSubscriber, NotReadyError
    from stallwatch.detector import Detector
    from streams.settings import Settings
    from streams.settings_error import SettingsError

    __version__: str

_MODULES = {
    "detectors.events": (
        "Ack",
        "Change",
        "Command",
        "Compaction",
        "Evidence",
        "Limits",
        "Milestone",
        "RunEnded",
        "RunStarted",
        "Score",
        "Step",
        "UserInput",
    ),
    "detectors.feature_types": ("Features",),
    "stallwatch.detector": ("Detector",),
    "stallwatch.clients.edge": ("EdgeLimits",),
    "stallwatch.clients.publisher": ("AsyncStepPublisher", "RunHandle", "StepPublisher"),
    "stallwatch.clients.subscriber": ("AsyncControlSubscriber", "ControlSubscriber", "NotReadyError"),
    "streams.settings": ("Settings",),
    "streams.settings_error": ("SettingsError",),
}
_HOME = {name: module for module, names in _MODULES.items() for name in names}

__all__ = [
    "Ack",
    "AsyncControlSubscriber",
    "AsyncStepPublisher",
    "Change",
    "Command",
    "Compaction",
    "ControlSubscriber",
    "Detector",
    "EdgeLimits",
    "Evidence",
    "Features",
    "Limits",
    "Milestone",
    "NotReadyError",
    "RunEnded",
    "RunHandle",
    "RunStarted",
    "Score",
    "Settings",
    "SettingsError",
    "Step",
    "StepPublisher",
    "UserInput",
    "__version__",
]


def __getattr__(name: str) -> object:
    """A public name, from its module. Raises `AttributeError` for any other."""
    if name == "__version__":
        from importlib.metadata import version  # noqa: PLC0415 - takes as long as everything else here

        value: object = version("stallwatch")
    elif name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted({*globals(), *__all__})
