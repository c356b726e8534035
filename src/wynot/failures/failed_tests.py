"""Which tests have failed, as test runners report it.

A failure that a test shows is known by the test and by the kind of its error. Another test that
fails is another failure; and that a test could not even be imported is another kind of error. What
the error says is left out: it has values of the candidate in it.

Most runners name a failed test on a line of its own, and the lines below say why: those are rows of
a table. pytest and unittest are read more closely. pytest cuts the lines of its summary at the
width of the terminal, so that a kind that is not whole there is looked up in the traceback of the
test.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cache
from itertools import pairwise
from typing import NamedTuple

from wynot.core.options.quantities import counted
from wynot.failures.wording import VARYING, fits, masked, one_line

FAILED_CHECK = "failed check"
"""The kind of error of a test that fails without an exception: what it expected is not so."""


class ReportStyle(NamedTuple):
    """How a test runner reports a failed test."""

    name: str
    needle: str
    """A string without which an output is no report of this runner."""
    head: str
    """A pattern for what stands above the reason. Its groups: name, the test; kind, if it has that;
    reason, if the reason stands inside the head and not below."""


_NUMBERED = r"^ {0,2}\d++\) "
# A table is read by its rows.
# fmt: off
RUNNERS = (
    ReportStyle("go test", "--- FAIL: ", r"^--- FAIL: (?P<name>\S++) \([\d.]++s\)$"),
    ReportStyle("cargo test", "test result: FAILED", r"^---- (?P<name>.+) stdout ----$"),
    ReportStyle("gtest", "[  FAILED  ] ",
        r"^\[ RUN {6}\] (?P<name>\S++)\n"
        r"(?P<reason>(?>(?:(?!\[ {1,7}[A-Z]+ *\] ).*\n)*))\[  FAILED  \] "),
    ReportStyle("ctest", "The following tests FAILED:",
        r"^\t *+\d++ - (?P<name>\S.*) \((?:Failed|(?P<kind>[^()\n]++))\)$"),
    ReportStyle("meson test", "\nExpected Fail: ",
        r"^ *+\d++/\d++ (?P<name>\S.*?) {2,}(?:FAIL|(?P<kind>ERROR|TIMEOUT)) ++[\d.]++s"),
    ReportStyle("mocha", " failing\n",
        r"^ {2}\d++\) (?P<name>.*(?:\n {5,}\S.*)*?):$"),
    ReportStyle("jest", "Test Suites: ", r"^ {2}\u25cf (?P<name>\S.*)$"),
    ReportStyle("vitest", " Failed Tests ", r"^ FAIL {2}(?P<name>\S.*)$"),
    ReportStyle("node --test", "\n\u2716 failing tests:\n",
        r"^\u2716 (?P<name>.+) \([\d.]++ms\)\n(?=  \S)"),
    ReportStyle("jasmine", "\n  Message:\n", _NUMBERED + r"(?P<name>.+)(?=\n {2}Message:$)"),
    ReportStyle("rspec", "Failure/Error: ", _NUMBERED + r"(?P<name>.+)(?=\n +Failure/Error: )"),
    ReportStyle("minitest", " assertions, ",
        _NUMBERED + r"(?:Failure|Error):\n(?P<name>[\w:]++#\w++)"),
    ReportStyle("test-unit", " assertions, ", r"^(?:Failure|Error): (?P<name>\w++\([\w:]++\))"),
    ReportStyle("phpunit", "\nTests: ", _NUMBERED + r"(?P<name>[\w\\]++::\w++.*)$"),
    ReportStyle("ExUnit", " failure", _NUMBERED + r"(?P<name>test .+ \([\w.]++\))$"),
    ReportStyle("JUnit 4", "\nFAILURES!!!\n", _NUMBERED + r"(?P<name>\w++\([\w.$]++\))$"),
    ReportStyle("Maven", "<<< ",
        r"^\[ERROR\] (?P<name>[^\s:]++)(?: --)? ++Time elapsed: .*<<< (?:FAILURE|ERROR)!$"),
    ReportStyle("Gradle", " FAILED\n", r"^(?P<name>\S++ > \S.*) FAILED$"),
    ReportStyle("dotnet test", "\n  Error Message:\n",
        r"^ {2}Failed (?P<name>\S.*?) \[[^\]\n]++\]$"),
    ReportStyle("Robot Framework", "| FAIL |\n", r"^(?P<name>\S.*?) *+\| FAIL \|$"),
    ReportStyle("prove", "#   Failed test ", r"^# {3}Failed test '(?P<name>.*)'$"),
    ReportStyle("TAP", "not ok ",
        # The tests inside a test come before its own line, indented.
        r"^(?:# Subtest: .*\n(?P<reason>(?>(?:(?: .*)?\n)*)))?not ok \d++(?: -)? "
        r"(?!.*# (?:TODO|SKIP))(?P<name>.*?)(?: # time=.*| in \d++ms)?(?: \{)?$"),
)
# fmt: on

REPORT_MARKS = (
    *(b" short test summary info ", b"= FAILURES =", b"= ERRORS =", b"\nRan "),
    *(runner.needle.encode() for runner in RUNNERS),
)
"""Without any of these an output is no report."""

_REASON = re.compile(
    # An exception: at the beginning of a line, perhaps behind a mark or in brackets.
    r"^[^\w\n]{0,12}+(?:name: '|type: )?(?P<exception>(?>(?:[\w$]++(?:\.|::|\\))*)(?:[A-Z]\w*)?"
    r"(?:Error|Exception|Failure))(?=[')]|(?: \[\w++\])? ?:| at |$)|"
    r"^(?>.*?panicked at ).*+(?<=:)\n(?P<panic>[^:\n]++)|"
    r"^panic: (?P<fault>[^\[\d\n\"(]++)|"
    r"^(?P<thrown>C\+\+ exception)|^(?P<unknown>No keyword with name)|"
    r"^# .*' failed (?P<status>with status \d++)$",
    re.MULTILINE,
)

_SUMMARY = " short test summary info "
_BARS = re.compile(r"^=+ (?:FAILURES|ERRORS) =+$", re.MULTILINE)
_RESULT = re.compile(
    # A parameter can have anything in it, but it ends where the message begins.
    r"^(?:FAILED|ERROR|SUBFAIL(?:ED)?(?>\(.*?\)(?= [^\s\[])|\[.*?\](?= ))?+) "
    r"(?P<name>[^\s\[][^\[\n]*?(?:\[.*?\](?= - |$))?)(?: - (?P<message>.*))?$",
    re.MULTILINE,
)
_HEAD = re.compile(r"^_+ (?![_ ]+$)(?P<name>.*\S) _+$", re.MULTILINE)
_EXPLAINED = re.compile(r"^E(?: .*)?(?:\nE(?: .*)?)*$", re.MULTILINE)
_ERROR = re.compile(r"(?P<kind>[A-Za-z_][\w.]*+)(?:: (?P<message>.*))?$")
_UNEXPECTED = "[XPASS(strict)]"
_CUT = "..."
_UPWARDS = re.compile(r"^(?:\.\./)+")

_RAN = re.compile(r"^Ran \d++ tests? in ", re.MULTILINE)
_UNITTEST = re.compile(
    r"^={70}\n(?:FAIL|ERROR): (?P<test>\S++) \((?P<place>[\w.]++)\).*$", re.MULTILINE
)
_UNLOADED = "unittest.loader._FailedTest."
_RAISED = re.compile(r"^(?P<message>(?!Traceback\b)[A-Za-z_][\w.]*+(?:: .*)?)$", re.MULTILINE)


class FailedTest(NamedTuple):
    """A test, as its runner names it, and what has gone wrong with it."""

    name: str
    kind: str
    """The kind of the error; empty if it is not known."""
    message: str


def failed_tests(report: str) -> tuple[FailedTest, ...]:
    """Return the tests that have failed according to a report, in its order."""
    return tuple(_of_pytest(report) or _of_unittest(report) or _of_table(report))


def is_one_of(learned: Collection[FailedTest], seen: Collection[FailedTest]) -> bool:
    """Tell whether a test that has failed does so again, with the same kind of error."""
    return any(
        fits(one.name, each.name) and (one.kind == each.kind or not one.kind or not each.kind)
        for one in learned
        for each in seen
    )


def in_words(failed: Sequence[FailedTest]) -> str:
    """Say which tests have to fail."""
    name, kind = failed[0].name.replace(VARYING, "…"), failed[0].kind
    words = f"{name} fails with {kind}" if kind not in {"", FAILED_CHECK} else f"{name} fails"
    more = len({each.name for each in failed} - {failed[0].name})
    return f"{words}, or one of {counted(more, 'other test')} as it did" if more else words


def _of_pytest(text: str) -> list[FailedTest]:
    """Read pytest's summary; without one, its tracebacks."""
    at = text.rfind(_SUMMARY)
    errors = _tracebacks(text if at < 0 else text[:at])
    if at < 0:
        return [
            FailedTest(name, *_error(message)) for name, each in errors.items() for message in each
        ]
    found = []
    for match in _RESULT.finditer(text, at):
        name, message = match["name"], match["message"] or ""
        error = next((errors[each].pop(0) for each in _heads(name) if errors.get(each)), "")
        is_cut = not message or (message.endswith(_CUT) and ": " not in message)
        # From a private folder the way to a test elsewhere goes up, who knows how far.
        place = _UPWARDS.sub("", name)
        found.append(FailedTest(place, *_error(error if is_cut else message)))
    return found


def _tracebacks(text: str) -> dict[str, list[str]]:
    """Return what each test's error says in its traceback, by the head that stands over it."""
    first = _BARS.search(text)
    found: dict[str, list[str]] = {}
    for head, stop in _parts(_HEAD.finditer(text, first.end()) if first else (), len(text)):
        found.setdefault(head["name"], []).append(_explained(text[head.end() : stop]))
    return found


def _explained(traceback: str) -> str:
    """Return the line that names the error: of the last one, if it has others as its cause."""
    blocks = _EXPLAINED.findall(traceback)
    lines = [line[1:].strip() for line in blocks[-1].splitlines()] if blocks else [""]
    if _error(lines[0])[0]:
        return lines[0]
    return next((line for line in reversed(lines) if _error(line)[0]), "")


def _heads(name: str) -> Iterator[str]:
    """Go through the heads that the traceback of a test may have."""
    path, _, inner = name.partition("::")
    names, bracket, parameters = inner.partition("[")
    test = f"{names.replace('::', '.')}{bracket}{parameters}"
    yield test
    yield from (f"ERROR at {when} of {test}" for when in ("setup", "teardown"))
    yield f"ERROR collecting {path}"


def _error(message: str) -> tuple[str, str]:
    """Return the kind of an error, and what it says; pytest leaves out that an assert failed."""
    if message.startswith("assert ") or message == "assert":
        return "AssertionError", message
    if message.startswith(_UNEXPECTED):
        return "an unexpected pass", message.removeprefix(_UNEXPECTED).strip()
    found = _ERROR.match(message)
    return (found["kind"], found["message"] or "") if found else ("", message)


def _of_unittest(text: str) -> list[FailedTest]:
    """Read what unittest prints of each test that has failed, and Django's runner after it."""
    end = _RAN.search(text)
    if end is None:
        return []
    found = []
    for head, stop in _parts(_UNITTEST.finditer(text, 0, end.start()), end.start()):
        test, place = head["test"], head["place"].removeprefix(_UNLOADED)
        name = place if f".{place}".endswith(f".{test}") else f"{place}.{test}"
        start = max(head.end(), text.rfind("Traceback (most recent call last):", 0, stop))
        raised = _RAISED.search(text, start, stop)
        found.append(FailedTest(name, *_error(raised["message"] if raised else "")))
    return found


def _of_table(text: str) -> list[FailedTest]:
    """Read the report of the first runner that finds a failed test in it."""
    for runner in RUNNERS:
        if runner.needle not in text:
            continue
        heads = _compiled(runner.head).finditer(text)
        if found := [_reported(text, head, stop) for head, stop in _parts(heads, len(text))]:
            return found
    return []


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when it is first needed: most runs are of one runner."""
    return re.compile(pattern, re.MULTILINE)


def _reported(text: str, head: re.Match[str], stop: int) -> FailedTest:
    """Return the test that a head names, and what the lines that belong to it report."""
    groups = head.groupdict()
    reason = groups.get("reason") or text[head.end() : stop]
    found = _REASON.search(reason)
    kind = groups.get("kind") or (found[found.lastgroup or 0] if found else FAILED_CHECK)
    message = reason[found.end() :].lstrip(" :)'") if found else reason.lstrip()
    return FailedTest(one_line(groups["name"]), masked(kind), one_line(message.partition("\n")[0]))


def _parts(heads: Iterable[re.Match[str]], end: int) -> Iterator[tuple[re.Match[str], int]]:
    """Go through the parts of a report: the head of each, and where it stops."""
    for head, following in pairwise([*heads, None]):
        if head is not None:
            yield head, end if following is None else following.start()
