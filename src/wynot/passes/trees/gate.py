"""The gate: a candidate that parses worse than its base is hardly ever worth a test.

To look at what has changed takes less than a millisecond, a test some fifty. Whether it holds for
the failure at hand is for the search to learn.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.system.recent import Recent
from wynot.core.texts.patched_text import Splice
from wynot.formats.checked_text import CheckedText

REMEMBERED_ANSWERS = 4096
"""How many answers are remembered: a search comes back to a candidate when it was run ahead."""
KEPT_TREE_BYTES = 1 << 20
"""Bytes of texts whose trees are kept, but of two bases at least: whoever looks ahead has several
bases in turn."""


class SplicedCase(Protocol):
    """A case of files that knows where a candidate differs from its base."""

    files: Files

    @property
    def deltas(self) -> Deltas:
        """All deltas of the case."""

    def render(self, candidate: Candidate) -> Files:
        """Return the files of a candidate."""

    def splices(self, candidate: Candidate) -> Mapping[str, Sequence[Splice]]:
        """Return how each text that differs from its base does, where deltas are left out."""


class Check(Protocol):
    """Parses files."""

    def __call__(
        self,
        path: str,
        content: bytes,
        like: CheckedText | None = None,
        splices: Sequence[Splice] = (),
    ) -> CheckedText | None:
        """Parse a file, which may be like one that was parsed; None: it cannot have errors."""


class ParseGate:
    """Compares how well candidates and their bases parse.

    A base is derived from the whole case, and a candidate from its base, so that the answer is the
    same in whatever order is asked.
    """

    def __init__(self, case: SplicedCase, check: Check) -> None:
        self._case = case
        self._check = check
        room = max(2, KEPT_TREE_BYTES // (case.files.size + 1)) * len(case.files.contents)
        self._bases: Recent[tuple[int, str], CheckedText | None] = Recent(room)
        self._known: Recent[tuple[int, int], bool] = Recent(REMEMBERED_ANSWERS)

    def is_worse(self, candidate: Candidate) -> bool:
        """Tell whether a candidate has more flaws than its base."""
        key = candidate.base.key, candidate.key
        return self._known.get(key, lambda: self._parses_worse(candidate))

    def _parses_worse(self, candidate: Candidate) -> bool:
        contents = self._case.render(candidate).contents
        splices = self._case.splices(candidate)
        bases = {path: self._base(path, candidate.base) for path in splices}
        added = 0
        for path, base in bases.items():
            if base:
                added += base.added_errors(splices[path], contents[path])
            elif text := self._check(path, contents[path]):
                added += text.errors
        return added > 0

    def _base(self, path: str, base: Deltas) -> CheckedText | None:
        return self._bases.get((base.key, path), lambda: self._parsed_base(path, base))

    def _parsed_base(self, path: str, base: Deltas) -> CheckedText | None:
        everything = self._case.deltas
        if base.key == everything.key:
            return self._check(path, self._case.files.contents[path])
        whole = self._base(path, everything)
        gone = Candidate(everything, Edit.drop(everything.toggle(base)), "")
        splices = self._case.splices(gone).get(path, ())
        return self._check(path, self._case.render(gone).contents[path], whole, splices)
