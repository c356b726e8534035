"""The canonical form of binary files that can be said in a text.

Such a text does not say how bytes are laid out: which pages of a database are free, with how many
bytes a module writes its numbers. So a file is laid out anew first. That is a test like any other:
if the failure hangs on the layout, the file stays as it is, and what is reduced are its bytes.
"""

from dataclasses import dataclass

from wynot.core.files import Files
from wynot.core.rewrites import Patch, Rewrite, RewritesCase
from wynot.formats.containers.opened import canonical
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


def laid_out(files: Files) -> Files:
    """Return the files as they are in their canonical form, where they have one."""
    return files.replaced(
        {path: canonical(content) or content for path, content in files.contents.items()}
    )
