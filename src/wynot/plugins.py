"""Plug-ins: languages, rewrites and passes of other packages, found by their entry points.

A package says in its ``pyproject.toml`` what it has to offer::

    [project.entry-points."wynot.languages"]
    toy = "toy_for_wynot:TOY"

What cannot be loaded is left out, and one line says so: a broken plug-in must not keep anyone from
reducing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points

from wynot.formats.language import Language
from wynot.passes.catalog import Extra
from wynot.passes.tree_passes import Rewrites

LANGUAGES, REWRITES, PASSES = "wynot.languages", "wynot.rewrites", "wynot.passes"


@dataclass(frozen=True, slots=True)
class Plugins:
    """What other packages add."""

    languages: tuple[Language, ...] = ()
    """Rows of the table; they come before our own."""
    rewrites: tuple[Rewrites, ...] = ()
    """Functions from a forest to rewrites."""
    passes: tuple[Extra, ...] = ()
    """Functions from the trees of the case to a pass."""
    broken: tuple[str, ...] = ()
    """What could not be used, and why."""


@lru_cache(maxsize=1)
def plugins() -> Plugins:
    """Return all plug-ins that are installed."""
    broken: list[str] = []
    return Plugins(
        languages=tuple(_load(LANGUAGES, lambda found: isinstance(found, Language), broken)),
        rewrites=tuple(_load(REWRITES, callable, broken)),
        passes=tuple(_load(PASSES, callable, broken)),
        broken=tuple(broken),
    )


def _load(group: str, fits: Callable[[object], bool], broken: list[str]) -> Iterator:  # type: ignore[type-arg]  # what a plug-in is was checked by ``fits``
    """Return what the entry points of a group lead to, in the order of their names."""
    for entry in sorted(entry_points(group=group), key=lambda entry: entry.name):
        try:
            found = entry.load()
        except Exception as error:  # noqa: BLE001 - anything can be wrong with others' code
            broken.append(_complaint(group, entry, f"{type(error).__name__}: {error}"))
            continue
        if fits(found):
            yield found
        else:
            broken.append(_complaint(group, entry, f"it is {type(found).__name__}"))


def _complaint(group: str, entry: EntryPoint, why: str) -> str:
    return f"plug-in {entry.name!r} of {group} ({entry.value}) is left out: {why}"
