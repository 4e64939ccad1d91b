"""Keeping one root within its bound: whose memory is given up when a family grows too large."""

from detectors.state import RootState, RunState


def keep_within_bound(root: RootState, run: RunState) -> None:
    """The encoded root stays under its bound whatever came in."""
