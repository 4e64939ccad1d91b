"""The five domains: how a world is made, and the healthy work in it."""

from collections.abc import Callable
from typing import Any

import msgspec

from bench.worlds import browsing_work, coding_work, data_work, ops_work, service_work
from bench.worlds.browsing_stalls import Browsing
from bench.worlds.coding_stalls import Coding
from bench.worlds.data_stalls import Data
from bench.worlds.ops_stalls import Ops
from bench.worlds.service_stalls import Service
from bench.worlds.tape import Tape
from bench.worlds.world import World


class Domain(msgspec.Struct, frozen=True):
    """A domain's world and its healthy work by kind."""

    world: Callable[[Tape], World]
    work: dict[str, Callable[[Any], None]]


DOMAINS: dict[str, Domain] = {
    "coding": Domain(Coding, coding_work.WORK),
    "browsing": Domain(Browsing, browsing_work.WORK),
    "data": Domain(Data, data_work.WORK),
    "ops": Domain(Ops, ops_work.WORK),
    "service": Domain(Service, service_work.WORK),
}
WORK_KINDS: tuple[str, ...] = tuple(kind for domain in DOMAINS.values() for kind in domain.work)
