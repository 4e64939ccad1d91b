"""Each scripted agent lives once per session; the tests look at what it did."""

from collections.abc import Callable
from functools import cache

import pytest
from agent_life import Lived, live

from stallwatch.demo.agents import BEHAVIOURS


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Lived]:
    """How an agent lived, by its name."""
    folder = tmp_path_factory.mktemp("lives")
    return cache(lambda name: live(BEHAVIOURS[name], folder / name))
