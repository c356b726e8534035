"""The line of the program in which it failed: what tells two bugs of one function apart.

A reduction does not ask for it: the functions are enough not to lose a failure, and lines are more
than many programs tell. Among the failures of many inputs there are often several of one kind in
one long function, such as indexes that are out of range; they differ by the line. That is so of
exceptions. What a sanitizer reports is told by functions, as usual: the same wrong length makes
itself felt in several lines.
"""

import re
from dataclasses import dataclass

from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.oracle.criteria import Criterion
from wynot.oracle.dialects import SPOKEN
from wynot.oracle.signature import readable, signature

_PYTHON = re.compile(
    r'^(?: *+\| )? {2}File "(?:[^"\n]*/)?(?P<file>[^"/\n]++)", line (?P<line>\d++)'
)
_OTHER = re.compile(r"(?<![\w.+-])(?P<file>[\w.+-]*\w\.[A-Za-z]\w*+):(?P<line>\d++)")
_OVERFLOW_MESSAGE = "stack overflow"


def failing_place(ending: Ending, own: str) -> str:
    """Return the file and line of the innermost function, if they tell failures apart.

    ``own`` is what the names of inputs begin with: lines of theirs move as they are reduced.
    """
    seen = signature(ending)
    counts = seen.frames and not seen.failed and seen.message != _OVERFLOW_MESSAGE
    if not counts or "Sanitizer" in seen.kind or seen.kind in SPOKEN:
        return ""
    lines = f"{readable(ending.stderr)}\n{readable(ending.stdout)}".splitlines()
    calls = [line for line in lines if seen.frames[0] in line]
    python = [found for line in calls if (found := _PYTHON.match(line))]
    other = [found for line in calls if (found := _OTHER.search(line))]
    found = python[-1] if python else other[0] if other else None
    if found is None or re.fullmatch(rf"{own}(?:\.\w+)?", found["file"]):
        return ""
    return f"{found['file']}:{found['line']}"


@dataclass(frozen=True, slots=True)
class ByPlace:
    """Says what an ending means as another criterion does, but the line has to stay as well."""

    inner: Criterion
    own: str
    place: str = ""
    captures: bool = True

    @property
    def words(self) -> str:
        """What the failure is known by."""
        return f"{self.inner.words} ({self.place})" if self.place else self.inner.words

    def judge(self, ending: Ending) -> Verdict:
        """Return the verdict; the same failure in another line is another."""
        verdict = self.inner.judge(ending)
        if verdict is not Verdict.INTERESTING or not self.place:
            return verdict
        is_here = failing_place(ending, self.own) == self.place
        return verdict if is_here else Verdict.UNRESOLVED

    def after(self, first: Ending) -> "ByPlace":
        """Take from the run what there is to hold others against."""
        return ByPlace(self.inner.after(first), self.own, failing_place(first, self.own))
