"""Arguments as leaves: (key, value) of every scalar, and the stable form of all of them.

Nearly all arguments are a flat mapping of text and whole numbers, and a tool is called with the same keys again and
again: what can be worked out from the keys is worked out once for each set of them.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

import msgspec

from detectors.canonical import MAX_DEPTH, canonical, key_form
from detectors.roles import MAX_KEPT, Roles, roles

MAX_LEAVES = 64
_SCALARS = frozenset((str, int, float, bool))
_KINDS = frozenset((str, int))


class Leaves(msgspec.Struct, gc=False):
    """The scalars of one call's arguments, in order, at most `MAX_LEAVES`; lists keep their key."""

    keys: tuple[str, ...]
    """In compared form, without volatile ones."""
    values: list[Any]
    roles: Roles
    form: bytes
    """The stable form of the arguments as they came."""


def leaves(args: object, volatile: frozenset[str]) -> Leaves:
    """One pass over the arguments. O(size of the arguments)."""
    plan = _plan_of(args, volatile)
    if plan is not None and type(args) is dict:
        values = list(args.values()) if plan.names is None else [args[name] for name in plan.names]
        return Leaves(plan.keys, values, plan.roles, plan.form(args) or canonical(args, volatile))
    found = _leaves(args, volatile)
    keys = tuple([key for key, _ in found])
    return Leaves(keys, [value for _, value in found], roles(keys), canonical(args, volatile))


class _Plan(NamedTuple):
    """What is known of all flat mappings with the same keys and kinds of values."""

    keys: tuple[str, ...]
    names: tuple[str, ...] | None
    """The keys as they are, without volatile ones; None where there are no volatile ones."""
    roles: Roles
    template: str
    ordered: Callable[[dict[str, Any]], Any] | None
    """Their values in the order of the template."""

    def form(self, args: dict[str, Any]) -> bytes:
        """The stable form, as `canonical` writes it; empty where that takes more than filling in."""
        try:
            form = self.template % self.ordered(args) if self.ordered is not None else self.template
        except ValueError:  # a number with more digits than the interpreter prints
            return b""
        return form.encode() if form.isascii() else b""


def _plan_of(args: object, volatile: frozenset[str]) -> _Plan | None:
    if type(args) is not dict or len(args) > MAX_LEAVES:
        return None
    try:
        kept = sum(map(len, args)) <= MAX_KEPT
    except TypeError:  # keys that are no text
        return None
    kinds = tuple(map(type, args.values()))
    return _plan(tuple(args), kinds, volatile) if kept else None


@lru_cache(maxsize=1024)
def _plan(names: tuple[str, ...], kinds: tuple[type, ...], volatile: frozenset[str]) -> _Plan | None:
    if not _KINDS.issuperset(kinds) or not all(map(str.isascii, names)):
        return None
    kind_of = dict(zip(names, kinds, strict=True))
    used = tuple(name for name in names if key_form(name) not in volatile)
    keys = tuple(map(key_form, used))
    ordered = sorted(used)
    parts = [
        f'"{name}":'.replace("%", "%%") + ('"%s",' if kind_of[name] is str else "%d,") for name in ordered
    ]
    template = "{" + "".join(parts) + "}"
    return _Plan(
        keys,
        None if len(used) == len(names) else used,
        roles(keys),
        template,
        itemgetter(*ordered) if ordered else None,
    )


def _leaves(args: object, volatile: frozenset[str]) -> list[tuple[str, object]]:
    if type(args) is dict and len(args) <= MAX_LEAVES:
        # Flat all the same: one loop instead of a walk.
        found: list[tuple[str, object]] = []
        for name, value in args.items():
            key = key_form(name) if isinstance(name, str) else ""
            if value is None or key in volatile:
                continue
            if type(value) not in _SCALARS:
                break
            found.append((key, value))
        else:
            return found
    return _walked(args, volatile)


def _walked(args: object, volatile: frozenset[str]) -> list[tuple[str, object]]:
    found: list[tuple[str, object]] = []
    stack: list[tuple[str, object, int]] = [("", args, 0)]
    while stack and len(found) < MAX_LEAVES:
        key, value, depth = stack.pop()
        if isinstance(value, str):
            found.append((key, value))
        elif isinstance(value, dict) or isinstance(value, Mapping):  # noqa: SIM101 - the quick test first
            if depth < MAX_DEPTH:
                inner = [(key_form(k) if isinstance(k, str) else "", v, depth + 1) for k, v in value.items()]
                stack.extend([item for item in reversed(inner) if item[0] not in volatile])
        elif isinstance(value, (list, tuple)):
            if depth < MAX_DEPTH:
                stack.extend([(key, v, depth + 1) for v in reversed(value[:MAX_LEAVES])])
        elif value is not None:
            found.append((key, value))
    return found
