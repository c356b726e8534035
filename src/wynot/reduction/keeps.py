"""What the user wants kept: everything in the original that matches must still match."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from wynot.core.candidate import Candidate
from wynot.core.case import Case
from wynot.core.files import Files


@dataclass(slots=True)
class Keeps:
    """Tells whether a candidate still has all that is to be kept.

    That no part which holds a match is left out is not enough: what is beside it can be what makes
    it one, as the line ends beside ``^word$`` do.
    """

    patterns: Sequence[re.Pattern[bytes]]
    original: Files
    _wanted: "list[Counter[bytes]]" = field(init=False)

    def __post_init__(self) -> None:
        self._wanted = [_matches(pattern, self.original) for pattern in self.patterns]

    def lacks(self, case: Case[Files], candidate: Candidate) -> bool:
        """Tell whether a candidate lacks any of it."""
        return bool(self.patterns) and not self.are_in(case.render(candidate))

    def are_in(self, files: Files) -> bool:
        """Tell whether these files have every match that the original has."""
        return all(
            wanted <= _matches(pattern, files)
            for pattern, wanted in zip(self.patterns, self._wanted, strict=True)
        )


def _matches(pattern: re.Pattern[bytes], files: Files) -> "Counter[bytes]":
    return Counter(
        match[0] for content in files.contents.values() for match in pattern.finditer(content)
    )
