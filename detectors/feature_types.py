"""What is kept of a step: digests and labels, no content. The wire form of `Step.features`."""

from typing import Annotated

import msgspec

Hash32 = Annotated[int, msgspec.Meta(ge=0, lt=2**32)]


class Features(msgspec.Struct, kw_only=True, omit_defaults=True):
    """The features of one step. Computed by `detectors.features.features`, at the edge or in the worker."""

    algo: int = 1
    """Version of the fingerprints; equal values compare, different ones do not."""
    call: str = ""
    """Digest of tool and canonical arguments, 16 hex."""
    answer: str = ""
    """Digest of the raw result, 16 hex."""
