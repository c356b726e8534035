"""A case of files whose deltas are rewrites that have not been done.

Leaving a delta out does its rewrite. So a search that leaves out all it can simplifies all it can,
and knows nothing of texts: simplifying edits are deltas like any other.
"""

from collections.abc import Hashable, Sequence
from typing import NamedTuple

from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.rendered import RenderedCase


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
    is_pump: bool = False
    """Whether it makes a text longer, and is done only with what can be left out after it."""

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

    @property
    def key(self) -> Hashable:
        """What tells this from other ways to rewrite the same files."""
        return hash(tuple(self.rewrites))

    @property
    def weights(self) -> Sequence[int]:
        """How many bytes each rewrite saves."""
        return [max(rewrite.gain, 0) for rewrite in self.rewrites]

    def _write(self, candidate: Candidate) -> Files:
        done = self.deltas.toggle(candidate.kept)
        by_path: dict[str, list[Patch]] = {}
        for number in done:
            for patch in self.rewrites[number].patches:
                by_path.setdefault(patch.path, []).append(patch)
        return self.files.replaced(
            {
                path: rewritten(content, by_path[path]) if path in by_path else content
                for path, content in self.files.contents.items()
            }
        )


def rewritten(content: bytes, patches: list[Patch]) -> bytes:
    """Return a text with these patches."""
    pieces: list[bytes] = []
    cursor = 0
    for patch in sorted(patches, key=lambda patch: (patch.start, -patch.stop)):
        if patch.start < cursor:
            continue
        pieces += (content[cursor : patch.start], patch.instead)
        cursor = patch.stop
    pieces.append(content[cursor:])
    return b"".join(pieces)
