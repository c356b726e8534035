"""A case of files whose deltas are rewrites that have not been done.

Leaving a delta out does its rewrite. So a search that leaves out all it can simplifies all it can,
and knows nothing of texts: simplifying edits are deltas like any other.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import KEPT_BASES, Files, RenderedCase
from wynot.core.system.recent import Recent
from wynot.core.texts.patched_text import PatchedText, Splice, TextChange, spliced


class Patch(NamedTuple):
    """Bytes of a file, and what is to stand there instead."""

    path: str
    start: int
    stop: int
    instead: bytes = b""


class Rewrite(NamedTuple):
    """Patches that go together, and what they are."""

    category: str
    patches: tuple[Patch, ...]

    @property
    def gain(self) -> int:
        """How many bytes shorter the case gets."""
        return sum(patch.stop - patch.start - len(patch.instead) for patch in self.patches)


class RewritesCase(RenderedCase):
    """Files, and what could be rewritten in them.

    Of patches that overlap, the one that begins first is done, and of these the longest.
    """

    def __init__(self, files: Files, rewrites: Sequence[Rewrite]) -> None:
        super().__init__(files, len(rewrites))
        self.rewrites = rewrites
        self._bases: Recent[int, dict[str, PatchedText]] = Recent(KEPT_BASES)
        """The texts of bases, by path."""
        self._made: list[dict[str, list[TextChange]] | None] = [None] * len(rewrites)
        """What each rewrite changes in each text, once it is needed."""
        self._spliced: Recent[tuple[int, int], Mapping[str, Sequence[Splice]]] = Recent(1)
        """What was asked for last: it is needed to parse a candidate, and to write it out."""

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to rewrite the same files."""
        return hash(tuple(self.rewrites))

    @property
    def weights(self) -> Sequence[int]:
        """How many bytes each rewrite saves."""
        return [max(rewrite.gain, 0) for rewrite in self.rewrites]

    def splices(self, candidate: Candidate) -> Mapping[str, Sequence[Splice]]:
        """Return how each text that differs from its base does, where deltas are left out."""
        return self._spliced.get((candidate.base.key, candidate.key), lambda: self._cut(candidate))

    def _cut(self, candidate: Candidate) -> Mapping[str, Sequence[Splice]]:
        if candidate.base.key == self.deltas.key:  # nothing was done before
            texts = self._base_of(candidate.kept)
            return {path: text.done for path, text in texts.items() if text.done}
        added = self._changes(candidate.edit.deltas)
        base = self._base_of(candidate.base)
        return {path: base[path].splices(changes) for path, changes in added.items()}

    def _write(self, candidate: Candidate) -> Files:
        of_base = candidate.edit.verb == "drop" and candidate.base.key != self.deltas.key
        base = candidate.base if of_base else candidate.kept
        contents = {path: text.content for path, text in self._base_of(base).items()}
        if of_base:
            for path, splices in self.splices(candidate).items():
                contents[path] = spliced(contents[path], splices)
        return self.files.replaced(contents)

    def _base_of(self, base: Deltas) -> dict[str, PatchedText]:
        """Return the texts of a base, written out."""
        return self._bases.get(base.key, lambda: self._patched(base))

    def _patched(self, base: Deltas) -> dict[str, PatchedText]:
        done = self._changes(self.deltas.toggle(base))
        return {
            path: PatchedText(content, done.get(path, ()))
            for path, content in self.files.contents.items()
        }

    def _changes(self, done: Deltas) -> dict[str, list[TextChange]]:
        """Return what some rewrites change in each text."""
        found: dict[str, list[TextChange]] = {}
        for number in done:
            made = self._made[number]
            if made is None:
                made = self._made[number] = {}
                for path, start, stop, instead in self.rewrites[number].patches:
                    change = TextChange(start, -stop, number, instead)
                    made.setdefault(path, []).append(change)
            for path, changes in made.items():
                if path in found:
                    found[path] += changes
                else:
                    found[path] = changes[:]
        return found


def rewritten(content: bytes, patches: list[Patch]) -> bytes:
    """Return a text with these patches."""
    changes = [
        TextChange(patch.start, -patch.stop, number, patch.instead)
        for number, patch in enumerate(patches)
    ]
    return PatchedText(content, changes).content
