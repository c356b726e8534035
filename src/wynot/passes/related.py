"""Passes that keep relations: a candidate that leaves something out has its numbers updated.

A count has to change with the items whichever pass leaves out a line, a word or a byte. So this is
not a separate pass: it wraps the candidates of any pass.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files, RenderedCase
from wynot.core.texts.parts import TextsCase
from wynot.core.texts.patched_text import Splice
from wynot.core.texts.rewrites import RewritesCase
from wynot.passes.reduction_pass import (
    Cut,
    CutCase,
    MappedCase,
    Pass,
    ProtectedPatterns,
    RelationsByPath,
    Splices,
)
from wynot.relations.updates import RelatedText, update
from wynot.search.largest import NO_LESSONS, Lessons


class RelatedCase(RenderedCase):
    """Another case, with the numbers in its candidates updated."""

    def __init__(self, inner: CutCase, splices: Splices, relations: RelationsByPath) -> None:
        super().__init__(inner.files, len(inner.deltas))
        self._inner, self._splices, self._relations = inner, splices, relations

    @cached_property
    def _texts(self) -> dict[str, RelatedText]:
        contents = self.files.contents
        return {path: RelatedText(contents[path], each) for path, each in self._relations.items()}

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to cut the same files."""
        return "related", self._inner.key, hash(tuple(self._relations.items()))

    @property
    def weights(self) -> Sequence[int]:
        """The bytes of each part."""
        return self._inner.weights

    def relations(self, kept: Deltas) -> RelationsByPath:
        """Return the relations of a candidate."""
        splices = self._splices_to(kept)
        found = {
            path: update(self.files.contents[path], relations, splices[path]).relations
            if path in splices
            else relations
            for path, relations in self._relations.items()
        }
        return {path: relations for path, relations in found.items() if relations}

    def _write(self, candidate: Candidate) -> Files:
        files = self._inner.render(candidate)
        splices = self._splices_to(candidate.kept)
        texts = {path: self._texts[path].content_after(each) for path, each in splices.items()}
        return files.replaced({**files.contents, **texts})

    def _splices_to(self, kept: Deltas) -> dict[str, Sequence[Splice]]:
        """Return the splices of the texts that have relations and differ from the whole."""
        gone = Candidate(self.deltas, Edit.drop(self.deltas.toggle(kept)), "")
        found = self._splices(gone)
        return {path: found[path] for path in self._relations if found.get(path)}


@dataclass(frozen=True, slots=True)
class Related:
    """Makes a pass keep relations."""

    inner: Pass
    relations: RelationsByPath = field(repr=False)

    @property
    def name(self) -> str:
        """The name of the pass."""
        return self.inner.name

    @property
    def proves(self) -> str:
        """The parts that the pass proves."""
        return self.inner.proves

    def cut(self, files: Files, keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut as the pass does."""
        cut = self.inner.cut(files, keep, lessons)
        splices = _splices_of(cut.case)
        if splices is None or cut.case.files.contents != files.contents:
            return cut
        case = RelatedCase(cut.case, splices, self.relations)
        return cut._replace(case=case, relations=case.relations)


def _splices_of(case: CutCase) -> Splices | None:
    """Return the function for the splices of candidates, if the case has one."""
    if isinstance(case, TextsCase | RewritesCase):
        return case.splices
    return case.splices if isinstance(case, MappedCase) else None
