"""Plug-ins: languages, containers, rewrites and passes of other packages, by their entry points.

A package says in its ``pyproject.toml`` what it has to offer::

    [project.entry-points."wynot.languages"]
    toy = "toy_for_wynot:TOY"

What cannot be loaded is left out, and one line says so: a broken plug-in must not keep anyone from
reducing.
"""

from dataclasses import dataclass
from functools import lru_cache

from wynot.core.system.plugin_loading import Loaded, loaded
from wynot.formats.containers.container import Container
from wynot.formats.containers.opened import TEXT_FORM_GROUP
from wynot.formats.language import Language
from wynot.passes.catalog import Extra
from wynot.passes.trees.tree_passes import Rewrites

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
    languages = loaded(LANGUAGES, Language)
    rewrites: Loaded[Rewrites] = loaded(REWRITES)
    passes: Loaded[Extra] = loaded(PASSES)
    groups = languages, rewrites, passes, loaded(TEXT_FORM_GROUP, Container)
    return Plugins(
        languages=languages.found,
        rewrites=rewrites.found,
        passes=passes.found,
        broken=tuple(complaint for group in groups for complaint in group.broken),
    )
