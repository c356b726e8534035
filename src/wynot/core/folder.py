"""A case of files where each whole file is a delta."""

from collections.abc import Hashable, Sequence

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files


class FolderCase:
    """Files, of which some can go as a whole."""

    def __init__(self, files: Files, paths: Sequence[str]) -> None:
        self.files = files
        self._paths = paths
        self.deltas = Deltas.first(len(paths))

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return tuple(self._paths)

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each file; its name counts as one."""
        return [len(self.files.contents[path]) + 1 for path in self._paths]

    def size(self, deltas: Deltas) -> int:
        """Return how many files a configuration has."""
        return len(deltas)

    def digest(self, candidate: Candidate) -> bytes:
        """Return the digest of the content."""
        return self.render(candidate).digest

    def render(self, candidate: Candidate) -> Files:
        """Return the files of a candidate."""
        kept = candidate.kept
        gone = {path for number, path in enumerate(self._paths) if number not in kept}
        contents = self.files.contents
        return self.files.replaced(
            {path: content for path, content in contents.items() if path not in gone}
        )
