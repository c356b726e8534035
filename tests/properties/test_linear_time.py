"""No text takes more than linear time to look at: neither a pattern nor what reads texts."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial

import pytest

import linear_time
from wynot.core.ending import Ending
from wynot.failures.diagnostic_reading import read_diagnostics
from wynot.failures.dialects import DIALECTS, Dialect
from wynot.failures.failed_tests import RUNNERS, ReportStyle
from wynot.failures.signature import signature
from wynot.formats.containers.opened import opened
from wynot.formats.cuts import blocks, paragraphs, tokens
from wynot.formats.detect import language_of
from wynot.formats.language_table import BRACKETS
from wynot.formats.large_parts import large_parts
from wynot.formats.parsers import brackets, dot, llvm, nested_pairs, records, sexp
from wynot.formats.parsers.diffs import parse as diff_tree
from wynot.formats.parsers.records import parse as csv_tree
from wynot.relations.mining import mine

Reader = Callable[[bytes], object]


def failure_in(output: bytes) -> object:
    """Return what a failure looks like."""
    return signature(Ending(1, 0.0, stderr=output))


def diagnostics_of(output: bytes) -> object:
    """Return the places that an output complains of."""
    return read_diagnostics(Ending(1, 0.0, stderr=output))


READERS: dict[str, Reader] = {
    "text": brackets.parse,
    "flaws of text": brackets.flaws,
    "large parts": partial(large_parts, language=BRACKETS),
    "brackets": nested_pairs.parse,
    "tags": partial(nested_pairs.parse, tags=True),
    "depth": nested_pairs.depth,
    "depth of tags": partial(nested_pairs.depth, tags=True),
    "records": records.records,
    "dot": dot.parse,
    "llvm": llvm.parse,
    "lisp": sexp.lisp,
    "flaws of lisp": sexp.lisp_flaws,
    "smt-lib": sexp.smt,
    "wat": sexp.wat,
    "csv": csv_tree,
    "diff": diff_tree,
    "tokens": tokens,
    "blocks": partial(blocks, level=0),
    "paragraphs": paragraphs,
    "language": partial(language_of, "input"),
    "containers": opened,
    "relations": mine,
    "failure": failure_in,
    "diagnostics": diagnostics_of,
}
QUICK_UNITS = (
    '\\"',
    "'\\",
    '"${',
    "<!--",
    "/* ",
    " ",
    "\n ",
    "(",
    "([",
    "a.",
    "<a>",
    "-",
    '"',
    "<",
)
"""What took quadratic time in one of these."""

LONGEST = 16 << 10
READER_PAIRS, PATTERN_PAIRS = 30, 8
"""How many pairs, and how many threes and fours, of characters a slow test repeats."""
OUTPUT_BYTES = 512 << 10
PATTERN_SECONDS = 900
"""After which the search hangs."""


def slow_patterns(pairs: int, longest: int) -> list[str]:
    """Return the patterns of the source that take more than linear time."""
    program = [sys.executable, linear_time.__file__, str(pairs), str(longest)]
    return subprocess.run(  # noqa: S603 - our own program
        program, capture_output=True, text=True, check=True, timeout=PATTERN_SECONDS
    ).stdout.splitlines()


def growth(reader: Reader, unit: str, longest: int, prefix: str = "") -> str:
    """Return how much longer it takes to read four times as much; empty: not too much."""
    return linear_time.growth(
        lambda text: reader(text.encode("latin-1", "replace")), prefix, unit, longest
    )


def test_patterns_take_linear_time_on_their_own_characters() -> None:
    assert slow_patterns(0, LONGEST // 2) == []


@pytest.mark.slow
def test_patterns_take_linear_time_on_any_few_of_their_characters() -> None:
    assert slow_patterns(PATTERN_PAIRS, LONGEST // 2) == []


@pytest.mark.parametrize("name", READERS)
def test_readers_take_linear_time(name: str) -> None:
    found = (growth(READERS[name], unit, LONGEST // 2) for unit in QUICK_UNITS)
    assert list(filter(None, found)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
def test_readers_take_linear_time_on_any_few_characters(name: str) -> None:
    units = [*QUICK_UNITS, *linear_time.units((), READER_PAIRS, name)]
    found = (
        growth(READERS[name], unit, LONGEST, prefix) for unit in units for prefix in ("", '"', "[")
    )
    assert list(filter(None, found)) == []


@pytest.mark.slow
@pytest.mark.parametrize("tool", [*DIALECTS, *RUNNERS], ids=lambda tool: tool.name)
def test_output_of_a_tool_takes_linear_time(tool: Dialect | ReportStyle) -> None:
    pattern = tool.kind if isinstance(tool, Dialect) else tool.head
    own = linear_time.atoms(pattern, 0)
    units = [tool.needle, *own, *(tool.needle + each for each in own)]
    found = (growth(failure_in, unit, OUTPUT_BYTES, tool.needle) for unit in units)
    assert list(filter(None, found)) == []
