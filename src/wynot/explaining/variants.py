"""Variants of a case: the same files, with something else in place of a few of their bytes."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.rendered import RenderedCase
from wynot.core.rewrites import Patch


class Variant(NamedTuple):
    """What is put where, and what of it a person is shown."""

    patches: tuple[Patch, ...]
    shown: bytes = b""
    """The text that is put in, if it is one."""

    @property
    def cost(self) -> int:
        """How many bytes differ."""
        return sum(each.stop - each.start + len(each.instead) for each in self.patches)


def applied(files: Files, patches: Iterable[Patch]) -> Files:
    """Return the files with patches that do not overlap."""
    contents = dict(files.contents)
    for path, start, stop, instead in sorted(patches, reverse=True):
        content = contents[path]
        contents[path] = content[:start] + instead + content[stop:]
    return files.replaced(contents)


class VariantsCase(RenderedCase):
    """Some variants of the same files; each delta is one of them, and a candidate has just one."""

    def __init__(self, files: Files, variants: Sequence[Variant], name: str) -> None:
        super().__init__(files, len(variants))
        self.variants = variants
        self._name = name

    def candidate(self, number: int) -> Candidate:
        """Return the candidate that is one of the variants."""
        return Candidate(self.deltas, Edit.keep(Deltas.of([number])), f"{self._name}/{number}")

    def files_of(self, number: int) -> Files:
        """Return the files of a variant."""
        return applied(self.files, self.variants[number].patches)

    def _write(self, candidate: Candidate) -> Files:
        [number] = candidate.kept
        return self.files_of(number)
