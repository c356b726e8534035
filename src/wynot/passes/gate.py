"""The gate: a candidate that parses worse than its base is hardly ever worth a test.

A parse takes about a millisecond, a test some fifty. Whether it holds for the failure at hand is
for the search to learn.
"""

from collections.abc import Callable

from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.recent import Recent

REMEMBERED_COUNTS = 4096
"""How many counts are remembered: a search comes back to a candidate when it was run ahead."""


class ParseGate:
    """Compares how well candidates and their bases parse."""

    def __init__(
        self, render: Callable[[Candidate], Files], syntax_errors: Callable[[str, bytes], int]
    ) -> None:
        self._render = render
        self._syntax_errors = syntax_errors
        self._known: Recent[int, int] = Recent(REMEMBERED_COUNTS)

    def is_worse(self, candidate: Candidate) -> bool:
        """Tell whether a candidate has more flaws than its base."""
        return self._count(candidate) > self._count(Candidate.whole(candidate.base))

    def _count(self, candidate: Candidate) -> int:
        return self._known.get(candidate.key, lambda: self._counted(self._render(candidate)))

    def _counted(self, files: Files) -> int:
        return sum(self._syntax_errors(path, content) for path, content in files.contents.items())
