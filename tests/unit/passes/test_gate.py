"""Whether a candidate parses worse than its base."""

from collections.abc import Iterable

from forests import forest_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.tokens import TokensCase
from wynot.passes.gate import REMEMBERED_COUNTS, ParseGate
from wynot.passes.trees import Trees


def gate_of(contents: dict[str, str]) -> tuple[ParseGate, TokensCase]:
    forest = forest_of(contents)
    files = Files(dict(forest.contents))
    case = TokensCase(files, forest.tokens)
    return ParseGate(case.render, Trees.of(files).syntax_errors), case


def without(base: Deltas, gone: Iterable[int]) -> Candidate:
    return Candidate(base, Edit.drop(Deltas.of(gone)), "")


def test_a_candidate_with_more_flaws_is_worse() -> None:
    gate, case = gate_of({"a.json": "[1, [2, 3]]"})
    assert case.weights == [1] * 9  # [, 1, a comma, [, 2, a comma, 3, ], ]
    assert not gate.is_worse(without(case.deltas, [1, 2]))
    assert gate.is_worse(without(case.deltas, [3]))
    assert not gate.is_worse(without(case.deltas, range(2, 8)))
    assert gate.is_worse(without(case.deltas, [4, 5, 6, 7]))
    assert not gate.is_worse(without(case.deltas, []))


def test_it_is_compared_with_its_base_not_with_the_original() -> None:
    gate, case = gate_of({"a.c": "int f( { return 1; }"})
    assert Trees.of(case.files).syntax_errors("a.c", case.files.contents["a.c"]) > 0
    assert not gate.is_worse(without(case.deltas, [5]))
    good, good_case = gate_of({"a.c": "int f() { return 1; }"})
    broken = Deltas.of({*good_case.deltas} - {3})
    assert good.is_worse(without(good_case.deltas, [3]))
    assert not good.is_worse(without(broken, [6]))


def test_flaws_of_all_files_count() -> None:
    gate, case = gate_of({"a.json": "[1]", "b.json": "[2]"})
    assert gate.is_worse(without(case.deltas, [5]))
    assert gate.is_worse(without(case.deltas, [0]))
    assert not gate.is_worse(without(case.deltas, [1, 4]))


def test_what_was_parsed_is_remembered_for_a_while() -> None:
    parsed: list[bytes] = []

    def syntax_errors(_path: str, content: bytes) -> int:
        parsed.append(content)
        return 0

    size = REMEMBERED_COUNTS + 2
    case = TokensCase(
        Files({"a": b"x" * size}), {"a": forest_of({"a.txt": "x " * size}).tokens["a.txt"]}
    )
    gate = ParseGate(lambda candidate: Files({"a": repr(candidate.kept).encode()}), syntax_errors)
    first = without(case.deltas, [0])
    for _ in range(3):
        gate.is_worse(first)
    assert len(parsed) == 2
    for number in range(1, size):
        gate.is_worse(without(case.deltas, [number]))
    before = len(parsed)
    gate.is_worse(first)
    assert len(parsed) > before
