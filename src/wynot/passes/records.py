"""The pass that leaves out records, and nothing finer."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.parts import NO_PARTS, Parts
from wynot.core.rendered import RenderedCase
from wynot.formats.base import is_text
from wynot.formats.records import elements, records, without_last_comma
from wynot.passes.base import Cut, CutCase, DeleteParts, Keep
from wynot.search.largest import NO_LESSONS, Lessons


class ArraysCase(RenderedCase):
    """Files, some of them a JSON array: no comma is left after its last element."""

    def __init__(self, parts: CutCase, tails: Mapping[str, int]) -> None:
        """Take the elements for parts; of each array the bytes after its last element."""
        super().__init__(parts.files, len(parts.deltas))
        self._parts = parts
        self._tails = tails

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return self._parts.key

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each record."""
        return self._parts.weights

    def _write(self, candidate: Candidate) -> Files:
        written = self._parts.render(candidate)
        mended = {
            path: without_last_comma(content, self._tails[path]) if path in self._tails else content
            for path, content in written.contents.items()
        }
        return written.replaced(mended)


@dataclass(frozen=True, slots=True)
class DeleteRecords:
    """Leave out records of all texts at once."""

    name: str = "records"
    proves: str = "records"

    def cut(self, files: Files, keep: Keep, lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut every text."""
        cut = DeleteParts(self.name, _records).cut(files, keep, lessons)
        arrays = {
            path: (content, bounds)
            for path, content in files.contents.items()
            if is_text(content) and (bounds := elements(content))
        }
        if not arrays:
            return cut
        tails = {path: len(content) - bounds[-1] for path, (content, bounds) in arrays.items()}
        return cut._replace(case=ArraysCase(cut.case, tails))


def _records(content: bytes) -> Parts:
    return records(content) if is_text(content) else NO_PARTS
