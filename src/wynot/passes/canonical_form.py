"""The canonical form of binary files that can be said in a text.

Such a text does not say how bytes are laid out: which pages of a database are free, with how many
bytes a module writes its numbers. So a file is laid out anew first. That is a test like any other:
if the failure hangs on the layout, the file stays as it is, and what is reduced are its bytes.
"""

from dataclasses import dataclass, replace

from wynot.core.files import Files
from wynot.core.rewrites import Patch, Rewrite, RewritesCase
from wynot.formats.containers.opened import Opened, canonical
from wynot.passes.containers import Inside, containers_in, packed, unpacked
from wynot.passes.reduction_pass import Cut, Keep
from wynot.search.lessons import NO_LESSONS, Lessons


@dataclass(frozen=True, slots=True)
class LayOutAnew:
    """Write files in the form in which they are opened."""

    name: str = "canonical form"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each file that can be written so as a part."""
        found = [
            Rewrite(self.name, (Patch(path, 0, len(content), written),))
            for path, content in files.contents.items()
            if (written := canonical(content)) is not None
        ]
        return Cut(RewritesCase(files, found))


def still_closed(files: Files) -> dict[str, Opened]:
    """Return the containers, but for those that can be laid out anew: they are taken as they are.

    They could be opened in another way, as a module can by its sections.
    """
    found = containers_in(files)
    return {
        path: _closing(found[path])
        for path, content in files.contents.items()
        if path in found and canonical(content) is None
    }


def _closing(container: Opened) -> Opened:
    inner = {
        number: _closing(inside)
        for number, inside in container.inner.items()
        if canonical(inside.content) is None
    }
    return replace(container, inner=inner)


def can_be_laid_out(files: Files) -> bool:
    """Tell whether any of the files, or of what they hold, is not in its canonical form."""
    return any(map(canonical, unpacked(files, still_closed(files)).files.contents.values()))


def laid_out(files: Files) -> Files:
    """Return the files as they are in their canonical form, where they have one."""
    containers = still_closed(files)
    view = unpacked(files, containers)
    written = {path: canonical(content) or content for path, content in view.files.contents.items()}
    return packed(files, containers, view.members, view.files.replaced(written))


LAY_OUT_INSIDE = Inside(LayOutAnew(), still_closed)
"""Lays out what containers hold, too."""
