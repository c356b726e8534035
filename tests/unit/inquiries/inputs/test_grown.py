"""A file that grows along its tree: nothing, something that parses, all of it."""

import ast
import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.files import Files
from wynot.inquiries.inputs.edits import InputSource
from wynot.inquiries.inputs.grown import Grown

PYTHON = (Path(__file__).parents[3] / "samples" / "python.py").read_bytes()
JSON = json.dumps({"a": [1, 2, {"b": None, "c": [True, "x, y"]}], "d": {}, "e": [[], [3]]}).encode()
C = b"""
#include <stdio.h>
struct point { int x, y; double weights[3]; };
static int add(int a, int b) { return a + b; }
int main(int argc, char **argv) {
    struct point p = { 1, 2, { 0.5, 1.5, 2.5 } };
    for (int i = 0; i < argc; i++) {
        if (i % 2) { printf("%s %d\\n", argv[i], add(p.x, i)); } else { p.y += i; }
    }
    return add(p.x, p.y);
}
"""
SAMPLES = [pytest.param("case.py", PYTHON, id="py"), pytest.param("case.json", JSON, id="json")]
SAMPLES.append(pytest.param("case.c", C, id="c"))


def grown(path: str, content: bytes) -> Grown:
    made = Grown.of(Files({path: content}, {path: 0o755}))
    assert made is not None
    return made


def beginnings(made: Grown, level: int = -1) -> list[bytes]:
    """Return the file after each group of a level, the finest of items unless another is said."""
    [path] = made.files.contents
    ends = [unit.bounds[1] for unit in made.levels[: made.depth][level].units]
    return [made.written(Deltas((0, end))).contents[path] for end in ends]


@pytest.mark.parametrize(("path", "content"), SAMPLES)
def test_all_deltas_are_the_file_and_none_are_nothing(path: str, content: bytes) -> None:
    made = grown(path, content)
    assert made.written(made.deltas) == Files({path: content}, {path: 0o755})
    assert made.written(NONE).contents == {path: b""}
    assert made.render(Candidate.whole(made.deltas)) == made.files
    whole, nothing = (made.digest(Candidate.whole(each)) for each in (made.deltas, NONE))
    assert whole != nothing
    assert made.size(made.deltas) == len(made.deltas) > 40
    assert not made.objection(Candidate.whole(NONE))


@pytest.mark.parametrize(("path", "content"), SAMPLES)
def test_each_level_is_nested_in_the_one_before(path: str, content: bytes) -> None:
    made = grown(path, content)
    assert len(made.levels) > 2
    starts = [[unit.bounds[0] for unit in level.units] for level in made.levels]
    for level, firsts in zip(made.levels, starts, strict=True):
        bounds = [unit.bounds for unit in level.units]
        assert all(len(each) == 2 for each in bounds)
        assert firsts[0] == 0
        assert bounds[-1][1] == len(made.deltas)
        assert all(one[1] == other[0] for one, other in pairwise(bounds))
    for coarse, fine in pairwise(starts):
        assert set(coarse) <= set(fine)


@pytest.mark.parametrize(("path", "content"), SAMPLES)
def test_a_beginning_has_all_of_a_shorter_one(path: str, content: bytes) -> None:
    """Each byte stays where it was in relation to the others."""
    for before, after in pairwise(beginnings(grown(path, content))):
        left = iter(after)
        assert all(byte in left for byte in before)


def loads(content: bytes) -> None:
    json.loads(content)


def compiles(content: bytes) -> None:
    ast.parse(content)


def broken(texts: list[bytes], check: Callable[[bytes], None]) -> list[bytes]:
    found = []
    for text in texts:
        try:
            check(text)
        except (SyntaxError, ValueError):
            found.append(text)
    return found


def test_a_file_of_a_folder_does_not_grow() -> None:
    assert Grown.of(Files({"case.c": C})) is not None
    assert Grown.of(Files({"folder/case.c": C})) is None


def test_the_example_that_explains_it_is_right() -> None:
    assert beginnings(grown("case.json", b'[1, {"k": [2, 3]}]')) == [
        *(b"[]", b"[1]", b"[1, {}]"),
        *(b'[1, {"k": []}]', b'[1, {"k": [2]}]', b'[1, {"k": [2, 3]}]'),
    ]


def test_beginnings_of_json_parse() -> None:
    made = beginnings(grown("case.json", JSON))
    assert len(made) > 10
    assert not broken(made, loads)


def test_beginnings_of_python_parse_by_statements_and_most_inside() -> None:
    made = grown("case.py", PYTHON)
    assert not broken(beginnings(made, 1), compiles)
    inside = beginnings(made)
    assert len(broken(inside, compiles)) <= len(inside) / 3


def test_most_beginnings_of_c_have_their_brackets() -> None:
    made = beginnings(grown("case.c", C))
    pairs = [(b"(", b")"), (b"{", b"}"), (b"[", b"]")]
    odd = [text for text in made if any(text.count(a) != text.count(b) for a, b in pairs)]
    assert not odd
    trees = [InputSource("case.c", text).tree for text in made if text.strip()]
    assert all(trees)


@pytest.mark.parametrize(
    "files",
    [
        Files({"a.py": b"x = 1\n", "b.py": b"y = 2\n"}),
        Files({"a.py": b""}),
        Files({"a.bin": b"\0\1\2"}),
        Files({"a.py": b"x = 1\n"}, {}, {"link": "a.py"}),
    ],
    ids=["two files", "empty", "binary", "a link beside it"],
)
def test_what_does_not_grow(files: Files) -> None:
    assert Grown.of(files) is None
