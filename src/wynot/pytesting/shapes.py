"""Containers, taken apart and put together again without some of what they hold, in their own type.

What is inside of a container is looked at only if it is of a type that everybody uses: a list of
objects of your own stays a list of whole objects.
"""

import copy
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, cast

MAX_DEPTH = 32
"""Levels of containers that are looked into; so what contains itself has an end."""
MAX_THINGS = 100_000
"""Things on one level that are looked at."""

_INNER = (list, tuple, dict, deque, set, frozenset)
_TEXTS = (str, bytes, bytearray, memoryview)

Kept = list[tuple[int, object]]
"""What is left of a container: each thing, and its place in the original."""


class OpenContainer(NamedTuple):
    """A container that was taken apart."""

    items: Sequence[object]
    make: Callable[[Kept], object]
    """Puts together what is left."""
    is_fixed: bool = False
    """Whether nothing can go, but something inside of what is there."""


def is_container(value: object) -> bool:
    """Tell whether a value given by the user can be taken apart here."""
    return isinstance(value, Sequence | Mapping | AbstractSet) and not isinstance(value, _TEXTS)


def settled(value: object) -> object:
    """Return a container whose type can be made again: the same, or the plain one of its kind."""
    if isinstance(value, _INNER):
        return value
    if isinstance(value, Mapping):
        return dict(value)
    return set(value) if isinstance(value, AbstractSet) else list(cast("Sequence[object]", value))


def take(value: object) -> OpenContainer | None:
    """Take a container apart; None: it is none."""
    if not isinstance(value, _INNER):
        return None
    if isinstance(value, tuple) and hasattr(value, "_make"):  # a named tuple needs all its fields
        return OpenContainer(
            value, lambda kept: value._make(item for _, item in kept), is_fixed=True
        )
    if isinstance(value, dict):
        keys = list(value)
        return OpenContainer(
            list(value.values()),
            lambda kept: _mapping(value, {keys[place]: item for place, item in kept}),
        )
    return OpenContainer(list(value), lambda kept: _sequence(value, [item for _, item in kept]))


def _mapping(like: dict[Any, object], pairs: dict[object, object]) -> object:
    if type(like) is dict:
        return pairs
    return _refilled(like, lambda new: new.update(pairs), pairs)


def _sequence(like: Collection[object], items: list[object]) -> object:
    for plain in (list, tuple, set, frozenset):
        if type(like) is plain:
            return plain(items)
    if isinstance(like, list | deque):
        return _refilled(like, lambda new: new.extend(items), items)
    if isinstance(like, set):
        return _refilled(like, lambda new: new.update(items), set(items))
    return _called(type(like), items)


def _refilled(like: Any, fill: Callable[[Any], object], plain: object) -> object:
    """Return a copy with other content, so that what else it knows stays: a default, a length."""
    try:
        new = copy.copy(like)
        new.clear()
        fill(new)
    except Exception:  # noqa: BLE001 - it is another's class, and may refuse in any way
        return plain
    return new


def _called(kind: Callable[[list[object]], object], items: list[object]) -> object:
    try:
        return kind(items)
    except Exception:  # noqa: BLE001 - as above
        return tuple(items)


def depth_of(value: object) -> int:
    """Return how many levels of containers there are to look into; 1: only the outermost."""
    level: list[object] = [value]
    for depth in range(MAX_DEPTH):
        level = [item for each in level for item in _inside(each)]
        if not level or len(level) > MAX_THINGS:
            return max(depth, 1)
    return MAX_DEPTH


def _inside(value: object) -> Sequence[object]:
    container = take(value)
    return () if container is None else container.items


def count(value: object, depth: int) -> int:
    """Return how many things there are on a level that can be left out."""
    return sum(
        len(container.items) for container in _containers(value, depth) if not container.is_fixed
    )


def _containers(value: object, depth: int) -> Iterator[OpenContainer]:
    container = take(value)
    if container is None:
        return
    if depth == 1:
        yield container
        return
    for item in container.items:
        yield from _containers(item, depth - 1)


def keep(value: object, depth: int, kept: Collection[int]) -> object:
    """Return the value with only these things on a level; what does not change is not copied."""
    numbers = iter(range(count(value, depth)))
    return _keep(value, depth, frozenset(kept), numbers)


def _keep(value: object, depth: int, kept: frozenset[int], numbers: Iterator[int]) -> object:
    container = take(value)
    if container is None:
        return value
    places = list(enumerate(container.items))
    if depth > 1:
        left = [(place, _keep(item, depth - 1, kept, numbers)) for place, item in places]
        changed = any(new[1] is not old[1] for new, old in zip(left, places, strict=True))
    elif container.is_fixed:
        return value
    else:
        left = [each for each in places if next(numbers) in kept]
        changed = len(left) < len(places)
    return container.make(left) if changed else value


def key(value: object, depth: int) -> Hashable:
    """Return what is equal for values of the same things in the same order."""
    container = take(value) if depth else None
    if container is None:
        return id(value)
    inner = tuple(key(item, depth - 1) for item in container.items)
    return tuple(map(id, value)) if isinstance(value, dict) else (), inner


def copied(value: object, depth: int) -> object:
    """Return new containers that hold the same things, for what cannot be copied in depth."""
    container = take(value) if depth else None
    if container is None:
        return value
    return container.make(
        [(place, copied(item, depth - 1)) for place, item in enumerate(container.items)]
    )
