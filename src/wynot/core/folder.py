"""A case of files where each whole file is a delta."""

from collections.abc import Hashable, Sequence

from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.rendered import RenderedCase


class FolderCase(RenderedCase):
    """Files, of which some can go as a whole."""

    def __init__(self, files: Files, paths: Sequence[str]) -> None:
        super().__init__(files, len(paths))
        self._paths = paths

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return tuple(self._paths)

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each file; its name counts as one."""
        return [len(self.files.contents[path]) + 1 for path in self._paths]

    def _write(self, candidate: Candidate) -> Files:
        kept = candidate.kept
        gone = {path for number, path in enumerate(self._paths) if number not in kept}
        contents = self.files.contents
        return self.files.replaced(
            {path: content for path, content in contents.items() if path not in gone}
        )
