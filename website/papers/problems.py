"""What the papers reduce, or what stands for it here.

The list problems are the papers' own. The browser and the compiler of 2002 are not at hand: here
they are planted failures of the same shape, in pure Python, so that the figures are the same on
every machine.
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

import tree_sitter
import tree_sitter_c

from wynot import Verdict

Fails = Callable[[list[Any]], object]


class ListProblem(NamedTuple):
    """Items, and a test of some of them."""

    items: list[Any]
    fails: Fails


def needs(*wanted: object) -> Fails:
    """Return a test that fails if all of these are there."""
    return frozenset(wanted).issubset


EXAMPLES = {
    "A": ListProblem(list(range(1, 9)), lambda c: {5, 8} <= set(c) and (2 in c or 7 not in c)),
    "B": ListProblem(list(range(1, 9)), needs(*range(1, 9))),
    "C": ListProblem(
        list(range(1, 9)), lambda c: {1, 2, 3, 4, 6, 8} <= set(c) and not {5, 7} <= set(c)
    ),
    "D": ListProblem(list(range(100)), needs(*range(0, 100, 2))),
}
"""Hodován & Kiss 2016, Table 1."""

ONE_TO_EIGHT = ListProblem(list(range(1, 9)), needs(1, 7, 8))
"""Zeller & Hildebrandt 2002, Fig. 6."""


def _deferred(kept: list[str]) -> bool:
    there = set(kept)
    return set("abcdefgh") <= there and (set("ij") <= there or not there & set("kl"))


DEFERRED = ListProblem(list("abcdefghijkl"), _deferred)
"""Gharachorlu & Sumner 2018, Fig. 5: i and j cannot go before k and l."""

TAG = '<SELECT NAME="priority" MULTIPLE SIZE=7>'
"""The line that made the browser crash, as the paper prints it."""
CRASHING_TAG = re.compile(r"<SELECT( [^<>]*)?>")


def prints_badly(characters: list[str]) -> bool:
    """The planted browser: it crashes when it prints a page with this element."""
    return CRASHING_TAG.search("".join(characters)) is not None


def search_page() -> list[str]:
    """Return a page of 896 lines, as many as the one in the paper; three have the element."""
    lines = [f"<TR><TD>query {number}<TD><INPUT NAME=q{number}></TR>\n" for number in range(896)]
    for number, name in ((271, "status"), (405, "priority"), (688, "severity")):
        lines[number] = f'<SELECT NAME="{name}" MULTIPLE SIZE=7>\n'
    return lines


PROGRAM = """\
#include <stddef.h>
#define ROWS 24

static double scale(double values[], int last)
{
    int at, step;
    at = 0;
    for (step = 0; step < last; step++) {
        at = at + step + 1;
        values[at] = values[at] * (values[0] + 1.0);
    }
    return values[last];
}

static void fill(double target[], double source[], size_t count)
{
    size_t n;
    for (n = 0; n < count; n++) {
        switch (n % 3) {
        case 0: target[n] = source[n]; break;
        case 1: target[n] = -source[n]; break;
        default: target[n] = 0;
        }
    }
}

int main(void)
{
    double first[ROWS], second[ROWS];
    double *next = first;
    while (next < first + ROWS)
        *next++ = (double)(next - first) * (ROWS + 1.0);
    fill(second, first, ROWS);
    return (int)scale(second, 2);
}
"""
"""A program of about the size of the paper's; the planted optimizer does not get on with scale."""

_PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_c.language()))
_CRASHING_LOOP = re.compile(
    rb"for\s*\([^)]*\)\s*\{[^}]*?(\w+)\s*=\s*\1\s*\+\s*\w+\s*\+\s*1\s*;[^}]*?"
    rb"(\w+)\s*\[\s*\1\s*\]\s*=\s*\2\s*\[\s*\1\s*\]\s*\*"
)


def compiles(characters: list[str]) -> Verdict:
    """The planted compiler: unresolved if it is no C, else whether the optimizer crashes."""
    text = "".join(characters).encode()
    if _PARSER.parse(text).root_node.has_error:
        return Verdict.UNRESOLVED
    return Verdict.INTERESTING if _CRASHING_LOOP.search(text) else Verdict.UNINTERESTING
