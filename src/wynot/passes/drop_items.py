"""The pass that leaves out what numbers count: lines, words, columns, records."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from wynot.core.files import Files
from wynot.core.rewrites import Patch, Rewrite, RewritesCase
from wynot.passes.reduction_pass import Cut, Keep, Kept
from wynot.passes.rewrite_structure import RewriteStructure
from wynot.relations.counted_items import items
from wynot.search.largest import LargestFirst
from wynot.search.lessons import NO_LESSONS, Lessons

MOST_ITEMS = 20_000
"""How many items are tried."""
ITEMS_PATIENCE = 50
"""Failures in a row after which it is left to the other passes."""


@dataclass(frozen=True, slots=True)
class DropItems:
    """Leave out items, of all relations of a family at once, then of halves."""

    relations: Kept = field(repr=False)
    name: str = "counted items"
    proves: str = ""

    def cut(self, files: Files, _keep: Keep, lessons: Lessons = NO_LESSONS) -> Cut:
        """Take each item as a part."""
        found = [each for each, _ in zip(self._rewrites(files), range(MOST_ITEMS), strict=False)]
        structure = RewriteStructure(files, found)
        search = LargestFirst(structure, lessons=lessons, patience=ITEMS_PATIENCE)
        return Cut(RewritesCase(files, found), search=search)

    def _rewrites(self, files: Files) -> Iterator[Rewrite]:
        for path, relations in self.relations.items():
            content = files.contents[path]
            for relation in relations:
                for item in items(content, relation):
                    patches = tuple(Patch(path, *span) for span in item)
                    yield Rewrite(f"counted: {relation.family}", patches)
