"""The line of the program in which it failed, as debuggers and sanitizers report it.

The same wrong length makes itself felt in several lines, so that another line alone is not another
error. It is one if it is also about other memory: another variable, or what another line has
allocated, or freed. Of errors that are about no memory, such as a null pointer or an overflow of
numbers, the line is all there is.

A reduction does not ask for it: the functions are enough not to lose a failure, and lines are more
than many programs tell. Among the failures of many inputs there are often several of one kind in
one long function, such as indexes that are out of range; they differ by the line. That is so of
exceptions, also of those at the top level of a script, where there is no function; for
the report of a sanitizer there is a pattern of its own.
"""

import re
from dataclasses import dataclass, replace
from typing import NamedTuple

from wynot.core.ending import Ending
from wynot.core.options.quantities import bounded_integer
from wynot.core.verdict import Verdict
from wynot.failures.criteria import Criterion
from wynot.failures.dialects import RUNTIME, SPOKEN
from wynot.failures.expectation import Expectation
from wynot.failures.signature import function, readable, signature

_RUNTIME_ERROR = re.compile(
    r"^(?:[^:\n]*/)?(?P<file>[^:/\n]++):(?P<line>\d++)(?::\d++)?: runtime error: ", re.MULTILINE
)
_CALL = re.compile(r"^ ++#(?P<number>\d++) ++(?:0x[0-9a-f]++ )?(?:in )?(?P<f>.+)$", re.MULTILINE)
_LINE = re.compile(r"(?<![\w.+-])([\w.+-]*\w\.[A-Za-z]\w*+:\d++)")
_OFFSET = re.compile(r"\((?:[^()\n]*/)?([^()/\n]*\+0x[0-9a-f]++)\)")
"""Without line numbers, how far into the program it is: the same in all runs of one build."""
_VARIABLE = re.compile(r"'(?P<name>[^'\n]++)'(?: \(line \d++\))? <== Memory access|"
    r"global variable '(?P<of_all>[^'\n]++)'")  # fmt: skip
_STORIES = re.compile(r"^(?:freed|(?:previously )?allocated) by thread ", re.MULTILINE)
"""What begins the stack of what was done with the memory before; of several, the first counts."""
_BY_LINE = re.compile(r"Undefined|: (?:SEGV|FPE|BUS|ILL)\b")
_ALLOCATING_CALLS = 2
"""Functions that tell where memory comes from: the innermost may allocate for all others."""


def sanitizer_place(kind: str, report: str) -> tuple[str, str]:
    """Return the line of an error, and the memory it is about; both empty if that is not said."""
    if (error := _RUNTIME_ERROR.search(report)) and "Undefined" in kind:
        return f"{error['file']}:{error['line']}", ""
    line = next(iter(_places(report, 1)), "")
    memory = _memory(report)
    return (line, memory) if line and (memory or _BY_LINE.search(kind)) else ("", "")


def _memory(report: str) -> str:
    if found := _VARIABLE.search(report):
        return found["name"] or found["of_all"]
    story = _STORIES.search(report)
    return " ".join(_places(report[story.end() :], _ALLOCATING_CALLS)) if story else ""


def _places(report: str, most: int) -> list[str]:
    """Return where the innermost calls of the first stack are, without those of the runtime."""
    places: list[str] = []
    before = -1
    for call in _CALL.finditer(report):
        number = bounded_integer(call["number"])
        if number is None or number <= before or len(places) == most:
            break  # the next stack
        before = number
        if not RUNTIME.match(function(call["f"])) and (
            found := _LINE.search(call["f"]) or _OFFSET.search(call["f"])
        ):
            places.append(found[1])
    return places


_PYTHON = re.compile(
    r'^(?: *+\| )? {2}File "(?:[^"\n]*/)?(?P<file>[^"/\n]++)", line (?P<line>\d++)'
)
_OTHER = re.compile(r"(?<![\w.+-])(?P<file>[\w.+-]*\w\.[A-Za-z]\w*+):(?P<line>\d++)")
_TOP_LEVEL = re.compile(
    r", in <module>$|^    at (?:async )?(?:Object\.<anonymous> \(|(?:file://)?/[^ \n()]*$)|"
    r":in [`'](?:Object#)?<(?:main|top \(required\))>'|: in main chunk$"
)
"""How a call looks that is in no function: Python, JavaScript, Ruby, Lua."""
_OVERFLOW_MESSAGE = "stack overflow"


class FailingPlace(NamedTuple):
    """Where a program failed, as far as that tells failures apart."""

    line: str = ""
    """The file and line; empty: it does not tell them apart."""
    memory: str = ""
    """The memory that an error is about, if a sanitizer says so."""

    def is_near(self, other: "FailingPlace") -> bool:
        """Tell whether two failures of the same functions are one as far as this can tell."""
        return self.line == other.line or bool(self.memory and self.memory == other.memory)


NOWHERE = FailingPlace()


def failing_place(ending: Ending, own: str) -> FailingPlace:
    """Return the place of the innermost function, or of what is in none.

    ``own`` is what the names of inputs begin with: lines of theirs move as they are reduced.
    """
    seen = signature(ending)
    if not seen.kind or seen.failed or seen.kind in SPOKEN or seen.message == _OVERFLOW_MESSAGE:
        return NOWHERE
    report = f"{readable(ending.stderr)}\n{readable(ending.stdout)}"
    if "Sanitizer" in seen.kind:
        return FailingPlace(*sanitizer_place(seen.kind, report))
    name = seen.frames[0] if seen.frames else ""
    calls = [
        line for line in report.splitlines() if (name in line if name else _TOP_LEVEL.search(line))
    ]
    python = [found for line in calls if (found := _PYTHON.match(line))]
    other = [found for line in calls if (found := _OTHER.search(line))]
    found = python[-1] if python else other[0] if other else None
    # A name in angle brackets is that of code that was read, perhaps from the input.
    if found is None or re.fullmatch(rf"{own}(?:\.\w+)?|<.*", found["file"]):
        return NOWHERE
    return FailingPlace(f"{found['file']}:{found['line']}")


@dataclass(frozen=True, slots=True)
class ByPlace:
    """Says what an ending means as another criterion does, but the line has to stay as well."""

    inner: Criterion
    own: str
    place: FailingPlace = NOWHERE
    captures: bool = True

    @property
    def words(self) -> str:
        """What the failure is known by."""
        return f"{self.inner.words} ({self.place.line})" if self.place.line else self.inner.words

    def judge(self, ending: Ending) -> Verdict:
        """Return the verdict; the same failure in another line is another."""
        verdict = self.inner.judge(ending)
        if verdict is not Verdict.INTERESTING or not self.place.line:
            return verdict
        is_here = self.place.is_near(failing_place(ending, self.own))
        return verdict if is_here else Verdict.UNRESOLVED

    def relaxed(self, first: Ending, again: Ending) -> "ByPlace":
        """Look for what two runs of the same input have in common."""
        inner = self.inner
        return (
            replace(self, inner=inner.relaxed(first, again))
            if isinstance(inner, Expectation)
            else self
        )

    def after(self, first: Ending) -> "ByPlace":
        """Take from the run what there is to hold others against."""
        return ByPlace(self.inner.after(first), self.own, failing_place(first, self.own))
