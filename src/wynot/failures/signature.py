"""What a failure looks like, without what changes while its input shrinks.

Two runs that fail in the same way have equal signatures, but for texts in quotes that belong to the
input (`wynot.failures.wording`): this is the *precision* of Zeller & Hildebrandt 2002, §4.4, where
only the same backtrace counts as the same failure. What is left out of a message is said there,
too. Of native functions only the names count: parameters, templates, places and numbers that a
compiler gave differ from one build to the next.

An assertion's text is the program's own and stays as it is.

Output is hostile: only the beginning and the end of it is looked at, lines are cut, control
characters dropped; bytes that are no UTF-8 become U+FFFD.
"""

import re
import signal
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice, takewhile
from typing import NamedTuple

from wynot.core.ending import Ending, signal_name
from wynot.failures.dialects import (
    BEHIND,
    DIALECTS,
    HEADING,
    LABEL,
    MILD,
    ORDINARY,
    OVERFLOWS,
    POINTER,
    RUNTIME,
    SHELL_WORDS,
    STRONG,
    WEAK,
    Dialect,
    Stack,
)
from wynot.failures.failed_tests import REPORT_MARKS, FailedTest, failed_tests
from wynot.failures.wording import LONGEST_LINE, LONGEST_MESSAGE, Quotes, one_line, worded


def function(text: str) -> str:
    """Return the bare name of a function of C, C++ or Rust: no parameters, no templates, no place.

    Returns the empty string for what has no name: an address, a library.
    """
    text = text.strip()[:LONGEST_LINE].replace("(anonymous namespace)", "anonymous")
    text = re.sub(r"\boperator (new|delete)\b", r"operator_\1", text)
    if text.startswith("<"):
        # Rust: <Vec<T> as Index<I>>::index is the index of Vec.
        end = _closing(text)
        text = text[1:end].split(" as ")[0] + text[end + 1 :] if text[end + 1 :] else ""
    bare = _without_arguments(text)
    parts = [word for word in bare.split() if not re.search(r"/|:\d+$|^<|^\?\?", word)]
    if not parts:
        return ""
    # A template function is shown with the type that it returns in front.
    name = parts[-1] if bare != text else parts[0]
    name = re.sub(r"::h[0-9a-f]{16}$|\+0x[0-9a-f]+$", "", name)
    name = re.sub(r"\.(?:isra|constprop|part|cold|lto_priv|llvm)\b.*", "", name)
    name = re.sub(r"(?:::){2,}", "::", name).strip(":*&,")
    return unnumbered(name.replace("operator_", "operator "))


def unnumbered(name: str) -> str:
    """Return a name without the number that a compiler gave to it, or the address of a lambda."""
    name = re.sub(r"/0x[0-9a-f]+$", "", name)
    return re.sub(r"(?<=[#$])\d+|(?<=\.func)\d+(?:\.\d+)*|(?<=\$_)\d+|@v?[\d.]+(?=/)", "", name)


def _closing(text: str) -> int:
    """Return where the angle bracket closes that a text begins with, or its end."""
    depth = 0
    for at, character in enumerate(text):
        if character == "<":
            depth += 1
        elif character == ">" and text[at - 1] != "-":
            depth -= 1
            if not depth:
                return at
    return len(text)


def _without_arguments(text: str) -> str:
    """Return what is before the parameters, without anything between angle brackets."""
    kept: list[str] = []
    depth = 0
    for at, character in enumerate(text):
        operator = not depth and text.endswith(("operator", "operator<", "operator>"), 0, at)
        if operator and character in "<>(":
            kept.append(character)
        elif character == "<":
            depth += 1
        elif character == ">" and depth:
            depth -= text[at - 1] != "-"
        elif not depth:
            if character == "(":
                break
            kept.append(character)
    return "".join(kept)


SEEN_BYTES = 256 * 1024
"""How many bytes are looked at, from the beginning and from the end of each stream."""
MAX_FRAMES = 3
MOST_FRAMES = 200
MORE_LINES = 12
"""Lines below a complaint in which the rest of it is looked for."""

CRASHES = frozenset(
    {
        signal.SIGILL,
        signal.SIGTRAP,
        signal.SIGABRT,
        signal.SIGBUS,
        signal.SIGFPE,
        signal.SIGSEGV,
        signal.SIGSYS,
    }
)
SHELL_SIGNAL_BASE = 128
"""A shell's exit status for a program that signal N ended is this plus N."""
REPORTS = tuple(dialect for dialect in DIALECTS if dialect.reports)


class Signature(NamedTuple):
    """What two runs have in common if they fail in the same way."""

    status: int
    """The exit status; -N for signal N, also if a shell has made 128 + N of it."""
    kind: str = ""
    """What sort of failure; empty if nothing known was seen."""
    message: str = ""
    """What was said, without what depends on the input."""
    frames: tuple[str, ...] = ()
    """The innermost functions of the program itself, the innermost first."""
    alone: bool = True
    """Whether there is no ordinary error of a compiler beside it."""
    quotes: Quotes = ()
    """What stood in quotes in the message."""
    text: str = ""
    """The message as it was printed."""
    failed: tuple[FailedTest, ...] = ()
    """The tests that have failed, if a test runner says so; all else is of the first of them."""

    def with_message(self, message: str, *, verbatim: bool = False) -> "Signature":
        """Return the same with a message, that is taken as it is if it is ``verbatim``."""
        text = one_line(message)
        bare, quotes = (text[:LONGEST_MESSAGE], ()) if verbatim else worded(text)
        return self._replace(message=bare, quotes=quotes, text=text)


def signature(ending: Ending) -> Signature:
    """Return what a run's failure looks like.

    What a test runner reports tells most: which tests have failed, whatever they have printed.
    """
    status = as_signal(ending.status)
    failed = _failed(ending) if status > 0 else ()
    if not failed:
        return _of_output(status, ending)
    name, kind, text = failed[0]
    return Signature(status, kind, frames=(name,), failed=failed).with_message(text)


def _of_output(status: int, ending: Ending) -> Signature:
    """Return what the output shows; in each stream the most telling dialect wins.

    What goes to standard output is often the input, changed or not, and that may be full of
    failures: it is only looked at if the other one has no complaint, and of a run that went well
    only for the reports of debuggers.
    """
    errors = readable(ending.stderr)
    if found := _known(errors, DIALECTS):
        return found._replace(status=status, alone=not ORDINARY.search(errors))
    complaint = next(error_lines(errors), "") if status else ""
    output = "" if complaint else readable(ending.stdout)
    if found := _known(output, DIALECTS if status else REPORTS):
        return found._replace(status=status)
    complaint = complaint or (next(error_lines(output), "") if status else "")
    if status < 0:
        return Signature(status, signal_name(-status)).with_message(complaint)
    if kind := _from_shell(errors) or (_from_shell(output) if status else ""):
        return Signature(status, kind)
    if status:
        last = complaint or _last_line(errors) or _last_line(output)
        return Signature(status).with_message(last)
    return Signature(status)


def _failed(ending: Ending) -> tuple[FailedTest, ...]:
    """Return the tests that have failed, if a test runner reports that."""
    for stream in (ending.stdout, ending.stderr):
        if any(mark in stream for mark in REPORT_MARKS) and (
            found := failed_tests(readable(stream))
        ):
            return found
    return ()


def as_signal(status: int) -> int:
    """Return -N for a status of 128 + N, if N is a signal that only a crash sends.

    134, 136 and 139 come from a shell, or from a driver that runs the real program; that a program
    chooses them for itself is rare. 124, 137 and 143 stay what they are: they come from `timeout`
    and `kill`, and say nothing about the program.
    """
    return SHELL_SIGNAL_BASE - status if status - SHELL_SIGNAL_BASE in CRASHES else status


def readable(output: bytes) -> str:
    """Return the text of an output, as far as it is looked at, without control codes."""
    if len(output) > 2 * SEEN_BYTES:
        output = output[:SEEN_BYTES] + b"\n" + output[-SEEN_BYTES:]
    text = output.decode("utf-8", "replace").replace("\r\n", "\n")
    if "\x1b" in text:
        text = re.sub(r"\x1b\[[0-9;:?]*+[A-Za-z]", "", text)
    text = re.sub(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ue000\ue001]", "", text)
    return re.sub(rf"^(.{{{LONGEST_LINE}}}).+", r"\1", text, flags=re.MULTILINE)


def _known(text: str, dialects: Iterable[Dialect]) -> Signature | None:
    """Return the failure that a text shows, in the first dialect that knows it."""
    return next(filter(None, (_read(text, dialect) for dialect in dialects)), None)


def _read(text: str, dialect: Dialect) -> Signature | None:
    """Return the failure that a text shows in a dialect; its status is not known here."""
    at = text.rfind(dialect.needle) if dialect.last else text.find(dialect.needle)
    if at < 0:
        return None
    match = _compiled(dialect.kind).search(text, at if dialect.last else 0)
    if match is None:
        return None
    groups = match.groupdict()
    kind = dialect.label.format(groups["kind"]) if "{}" in dialect.label else dialect.label
    overflow = OVERFLOWS.search(match[0]) is not None
    # Where it was noticed that the stack is full is chance, and some messages say it.
    message = "stack overflow" if overflow else groups.get("message") or ""
    above = dialect.stack.inner_last
    region = text[at : match.start()] if above else text[match.start() :]
    frames = _frames(region, dialect.stack, overflow=overflow)
    if not frames and dialect.last and not above:
        # "... 3 more" stands for calls that are shown with the exception it was the cause of.
        frames = _frames(text, dialect.stack, overflow=overflow)
    if not frames and groups.get("place"):
        frames = tuple(filter(None, [function(groups["place"])]))
    kind = " ".join((kind or groups["kind"]).split())[:LONGEST_MESSAGE]
    return Signature(0, kind, frames=frames).with_message(message, verbatim=dialect.verbatim)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed: most runs speak one dialect."""
    return re.compile(pattern, re.MULTILINE)


def _frames(text: str, stack: Stack, *, overflow: bool) -> tuple[str, ...]:
    """Return the innermost functions of the first stack in a text.

    Neighbours that are the same are one: how deep a recursion went is no part of the failure. If
    the stack overflowed, which function was the last is chance: those that are there more than
    once, in the order of the alphabet, are the circle that the recursion went in.
    """
    calls = _calls(text, stack)
    if stack.inner_last:
        calls.reverse()
    names = [name for name in calls if name]
    if overflow:
        circle = sorted(name for name, times in Counter(names).items() if times > 1)
        return tuple(circle[:MAX_FRAMES])
    single = [name for name, before in zip(names, ["", *names], strict=False) if name != before]
    return tuple(single[:MAX_FRAMES])


def _calls(text: str, stack: Stack) -> list[str]:
    """Return the functions of the first stack in a text; empty for those that are not its own."""
    if not stack.frame:
        return []
    calls: list[str] = []
    end = 0
    for match in _compiled(stack.frame).finditer(text):
        groups = match.groupdict()
        apart = not stack.inner_last and "\n\n" in text[end : match.start() + 1]
        if calls and (apart or groups.get("top")):
            break
        end = text.find("\n", match.end())
        end = len(text) if end < 0 else end
        name = groups["f"] or groups.get("query") or ""
        calls.append(_call(name, text[match.start() : end], stack))
        if len(calls) == MOST_FRAMES and not stack.inner_last:
            break
    return calls


def _call(name: str, line: str, stack: Stack) -> str:
    """Return the function of one frame; empty if it belongs to the runtime."""
    if stack.skip and _compiled(stack.skip).search(line):
        return ""
    if stack.native:
        name = function(name)
        return "" if RUNTIME.match(name) else name
    return unnumbered(name.strip())


def _from_shell(text: str) -> str:
    """Return the signal that a shell says has ended a program."""
    for phrase, name in SHELL_WORDS.items():
        if phrase in text and _compiled(_SHELL.format(re.escape(phrase))).search(text):
            return name
    return ""


_SHELL = r"^(?:.{{0,100}}(?:: | \d+ ))?{}(?: \(core dumped\))?(?: {{2,}}.*)?$"


def error_lines(text: str) -> Iterator[str]:
    """Go through the lines that look as if they told what is wrong, the most telling first."""
    lines = text.splitlines()
    below = [*lines[1:], ""]
    for looks in (STRONG, WEAK):
        for at, line in enumerate(lines):
            is_placed = looks is STRONG and POINTER.match(below[at])
            if (is_placed or looks.search(line)) and not MILD.search(line):
                yield _with_more(line, lines[at + 1 : at + 1 + MORE_LINES])


def _with_more(line: str, below: list[str]) -> str:
    """Return a complaint with what belongs to it on the lines below.

    ``Shop.hs:4:20: error:`` has all of its message there; OCaml, rustc and javac continue it.
    """
    if HEADING.search(line):
        is_deeper = not line.startswith("--")  # Elm does not indent
        for following in filter(str.strip, below):
            if is_deeper and not following.startswith(" "):
                break
            line += " " + _HOLE_TYPE.sub(r"\1", following.strip(" \u2022"))
            if not following.rstrip().endswith(":"):
                break
    elif line.startswith("Error: "):
        line = " ".join([line, *takewhile(re.compile(r" {7,}\S").match, below)])
    elif below and POINTER.match(below[0]):
        labels = map(LABEL.match, takewhile(str.strip, below))
        line = " ".join([line, *(label[1] for label in islice(filter(None, labels), 1))])
    elif ": error: " in line:
        own = takewhile(lambda each: ": error: " not in each, below)
        line = " ".join([line, *filter(BEHIND.match, own)])
    return line


_HOLE_TYPE = re.compile(r"(?<=not in scope: )(\S+) :: .*")
"""The type that GHC infers for an unknown name: it depends on what stands around it."""


def _last_line(text: str) -> str:
    stripped = text.strip()
    return stripped[stripped.rfind("\n") + 1 :]
