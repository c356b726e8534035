"""The pass that leaves out records, and nothing finer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from wynot.core.files import Files
from wynot.core.parts import NO_PARTS, Parts
from wynot.formats.format import is_text
from wynot.formats.records import elements, records, without_last_comma
from wynot.passes.mapped import MappedCase
from wynot.passes.reduction_pass import Cut, DeleteParts, Keep
from wynot.search.lessons import NO_LESSONS, Lessons


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
        mended = partial(_without_last_commas, tails=tails)
        return cut._replace(case=MappedCase(cut.case, files, "arrays", files=mended))


def _without_last_commas(files: Files, tails: Mapping[str, int]) -> Files:
    """Leave no comma after the last element of an array, of which the bytes behind it are known."""
    mended = {path: without_last_comma(files.contents[path], tail) for path, tail in tails.items()}
    return files.replaced({**files.contents, **mended})


def _records(content: bytes) -> Parts:
    return records(content) if is_text(content) else NO_PARTS
