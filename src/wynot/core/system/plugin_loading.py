"""Plug-ins are found by their entry points; what cannot be loaded is left out and named."""

from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")


class Loaded(NamedTuple, Generic[T]):
    """What the entry points of a group lead to, in the order of their names."""

    found: tuple[T, ...]
    broken: tuple[str, ...]
    """What could not be used, and why."""


@lru_cache
def loaded(group: str, kind: type[T] | None = None) -> Loaded[T]:
    """Load the plug-ins of a group; without a kind, whatever can be called is one."""
    found, broken = [], []
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            plugin = entry.load()
        except Exception as error:  # noqa: BLE001 - anything can be wrong with others' code
            broken.append(_complaint(group, entry, f"{type(error).__name__}: {error}"))
            continue
        if isinstance(plugin, kind) if kind else callable(plugin):
            found.append(plugin)
        else:
            broken.append(_complaint(group, entry, f"it is {type(plugin).__name__}"))
    return Loaded(tuple(found), tuple(broken))


def _complaint(group: str, entry: EntryPoint, why: str) -> str:
    return f"plug-in {entry.name!r} of {group} ({entry.value}) is left out: {why}"
