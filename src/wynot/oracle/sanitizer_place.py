"""Where a sanitizer saw an error, and what memory it is about: what tells two of one kind apart.

The same wrong length makes itself felt in several lines, so that another line alone is not another
error. It is one if it is also about other memory: another variable, or what another line has
allocated, or freed. Of errors that are about no memory, such as a null pointer or an overflow of
numbers, the line is all there is.
"""

import re

from wynot.core.quantities import bounded_integer
from wynot.oracle.dialects import RUNTIME
from wynot.oracle.native_names import function

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


def sanitizer_place(kind: str, said: str) -> tuple[str, str]:
    """Return the line of an error, and the memory it is about; both empty if that is not said."""
    if (error := _RUNTIME_ERROR.search(said)) and "Undefined" in kind:
        return f"{error['file']}:{error['line']}", ""
    line = next(iter(_places(said, 1)), "")
    memory = _memory(said)
    return (line, memory) if line and (memory or _BY_LINE.search(kind)) else ("", "")


def _memory(said: str) -> str:
    if found := _VARIABLE.search(said):
        return found["name"] or found["of_all"]
    story = _STORIES.search(said)
    return " ".join(_places(said[story.end() :], _ALLOCATING_CALLS)) if story else ""


def _places(said: str, most: int) -> list[str]:
    """Return where the innermost calls of the first stack are, without those of the runtime."""
    places: list[str] = []
    before = -1
    for call in _CALL.finditer(said):
        number = bounded_integer(call["number"])
        if number is None or number <= before or len(places) == most:
            break  # the next stack
        before = number
        if not RUNTIME.match(function(call["f"])) and (
            found := _LINE.search(call["f"]) or _OFFSET.search(call["f"])
        ):
            places.append(found[1])
    return places
