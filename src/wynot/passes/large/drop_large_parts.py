"""Leave out large parts of large texts, before anyone looks at what they are made of.

Whether a test needs a text that parses is seen when all closing brackets go.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import blake2b

from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.texts.parts import Parts, PartsCase
from wynot.core.texts.rewrites import Patch, Rewrite, RewritesCase
from wynot.formats.large_parts import LargeParts, large_parts
from wynot.passes.reduction_pass import Cut, ProtectedPatterns, without_protected
from wynot.passes.trees.parsed_files import Trees
from wynot.search.combinators import without_all
from wynot.search.largest import NO_LESSONS, LargestFirst, Lessons, Segment

SMALL_BYTES = 16 << 10
"""Bytes of which no more large parts are tried: trees tell more of so small a text."""
CATEGORY = "part"


@dataclass(frozen=True, slots=True)
class CutLarge:
    """Where the parts of one text are."""

    content: bytes
    parts: LargeParts
    first: int
    """The number of its first delta."""

    @property
    def after(self) -> int:
        """The number of the first delta that is not of this text."""
        return self.first + len(self.parts.bounds) - 1


@dataclass(frozen=True, slots=True)
class Halves:
    """Runs of large parts: halves of each text, halves of those, and so on."""

    texts: Sequence[CutLarge]

    def begin(self) -> Sequence[Segment]:
        """Start with the texts, or with the halves of a single one."""
        whole = [_segment(text.first, text.after) for text in self.texts]
        if len(whole) == 1:
            return _halves(*whole[0].items)
        return whole

    def ways(self, segment: Segment, kept: Deltas) -> Iterable[Deltas]:
        """Return what is kept of a run, without what would leave brackets open."""
        text, (start, stop) = self._text(segment), segment.items
        if self._bytes(text, kept) <= SMALL_BYTES:
            return
        low, high = text.parts.closed(start - text.first, stop - text.first)
        yield kept.part(kept.rank(low + text.first), kept.rank(high + text.first))

    def finer(self, segment: Segment, kept: Deltas) -> Iterable[Segment]:
        """Return the halves of what cannot go, as long as the text is large."""
        text, (start, stop) = self._text(segment), segment.items
        if stop - start == 1 or self._bytes(text, kept) <= SMALL_BYTES:
            return ()
        return _halves(start, stop)

    def fingerprint(self, segment: Segment) -> str:
        """Return the text of what would go."""
        text, (start, stop) = self._text(segment), segment.items
        bounds = text.parts.bounds
        gone = memoryview(text.content)[bounds[start - text.first] : bounds[stop - text.first]]
        return "#" + blake2b(gone, digest_size=8).hexdigest()

    def _text(self, segment: Segment) -> CutLarge:
        return next(text for text in self.texts if segment.items[0] < text.after)

    def _bytes(self, text: CutLarge, kept: Deltas) -> int:
        bounds, first = text.parts.bounds, text.first
        here = kept.part(kept.rank(first), kept.rank(text.after))
        return sum(bounds[stop - first] - bounds[start - first] for start, stop in here.runs)


def _halves(start: int, stop: int) -> list[Segment]:
    middle = (start + stop) // 2
    runs = (start, middle), (middle, stop)
    return [_segment(*run) for run in runs if run[0] < run[1]]


def _segment(start: int, stop: int) -> Segment:
    return Segment(stop - start, CATEGORY, (start, stop))


@dataclass(frozen=True, slots=True)
class DropLargeParts:
    """Take large parts of large texts as parts, halves first."""

    trees: Trees
    pace: float
    """How many tests it may take to leave out half of what there is."""
    name: str = "large parts"
    proves: str = ""

    def cut(self, files: Files, keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        """Cut the large texts; of others there are no parts."""
        texts: list[CutLarge] = []
        parts: dict[str, Parts] = {}
        for path, content in files.contents.items():
            if self.trees.is_large(path, content):
                found = large_parts(content, self.trees.languages[path])
                texts.append(CutLarge(content, found, texts[-1].after if texts else 0))
                parts[path] = _without(Parts.tiling(found.bounds), content, keep)
        case = PartsCase(files, parts)
        return Cut(case, search=LargestFirst(Halves(texts), lessons=lessons, pace=self.pace))


@dataclass(frozen=True, slots=True)
class DropBrackets:
    """Leave out all closing brackets of large texts, or none: a compiler recovers from a few."""

    trees: Trees
    name: str = "brackets"
    proves: str = ""

    def cut(self, files: Files, _keep: ProtectedPatterns, _lessons: Lessons = NO_LESSONS) -> Cut:
        """Take all of them as one part, if there are any."""
        patches: list[Patch] = []
        for path, content in files.contents.items():
            if self.trees.is_large(path, content):
                marks = b">" if self.trees.languages[path].tags else b")]}"
                bare = content.translate(None, marks)
                if len(bare) < len(content):
                    patches.append(Patch(path, 0, len(content), bare))
        rewrites = [Rewrite("closing brackets", tuple(patches))] if patches else []
        return Cut(RewritesCase(files, rewrites), minimizer=without_all)


def _without(parts: Parts, content: bytes, keep: ProtectedPatterns) -> Parts:
    """Return the parts, of which those are empty that are to be kept."""
    free = {*without_protected(parts, content, keep).starts}
    return Parts.apart([(start, stop if start in free else start) for start, stop in parts.spans])
