"""The scripted agents, one file each."""

from stallwatch.demo.agents import (
    batch_writes,
    dry_search,
    explore_then_edit,
    fix_test_first,
    flip_flop,
    poll_dead_job,
    reread_after_compaction,
    retry_one_cause,
    wait_for_job,
)
from stallwatch.demo.agents.behaviour import Behaviour

BEHAVIOURS: dict[str, Behaviour] = {
    module.BEHAVIOUR.name: module.BEHAVIOUR
    for module in (
        fix_test_first,
        explore_then_edit,
        wait_for_job,
        batch_writes,
        poll_dead_job,
        flip_flop,
        reread_after_compaction,
        dry_search,
        retry_one_cause,
    )
}
"""By name, healthy ones first."""
