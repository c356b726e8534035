"""Whether a candidate parses worse than its base."""

from collections.abc import Iterable, Sequence

from forests import forest_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.core.texts.patched_text import Splice
from wynot.formats.checked_text import CheckedText
from wynot.passes.trees.gate import REMEMBERED_ANSWERS, ParseGate
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.tokens import TokensCase


def gate_of(contents: dict[str, str]) -> tuple[ParseGate, TokensCase]:
    forest = forest_of(contents)
    files = Files(dict(forest.contents))
    case = TokensCase(files, forest.tokens)
    return ParseGate(case, Trees.of(files).checked), case


def checked(trees: Trees, path: str, content: bytes) -> CheckedText:
    found = trees.checked(path, content)
    assert found is not None
    return found


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
    assert checked(Trees.of(case.files), "a.c", case.files.contents["a.c"]).has_errors
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

    def check(
        path: str,
        content: bytes,
        like: CheckedText | None = None,
        splices: Sequence[Splice] = (),
    ) -> CheckedText | None:
        assert path == "a"
        parsed.append(content)
        return like and like.edited(splices, content)

    size = REMEMBERED_ANSWERS + 2
    case = TokensCase(
        Files({"a": b"x " * size}), {"a": forest_of({"a.txt": "x " * size}).tokens["a.txt"]}
    )
    gate = ParseGate(case, check)
    first = without(case.deltas, [0])
    for _ in range(3):
        gate.is_worse(first)
    assert len(parsed) == 2
    for number in range(1, size):
        gate.is_worse(without(case.deltas, [number]))
    before = len(parsed)
    gate.is_worse(first)
    assert len(parsed) > before


class Counted:
    """Notes how many texts were parsed from their first byte."""

    def __init__(self, trees: Trees) -> None:
        self.trees = trees
        self.whole: list[bytes] = []

    def __call__(
        self,
        path: str,
        content: bytes,
        like: CheckedText | None = None,
        splices: Sequence[Splice] = (),
    ) -> CheckedText | None:
        if like is None:
            self.whole.append(content)
        return self.trees.checked(path, content, like, splices)


def test_a_text_is_parsed_from_its_first_byte_only_once() -> None:
    content = "".join(f"int f{number}(void) {{ return {number}; }}\n" for number in range(100))
    forest = forest_of({"a.c": content})
    case = TokensCase(Files(dict(forest.contents)), forest.tokens)
    counted = Counted(Trees.of(case.files))
    gate = ParseGate(case, counted)
    kept = case.deltas
    for number in range(0, 800, 20):
        candidate = without(kept, range(number, number + 10))  # a whole function
        assert not gate.is_worse(candidate)
        assert gate.is_worse(without(kept, [number + 12]))  # a bracket
        kept = candidate.kept
    assert counted.whole == [content.encode()]


def test_the_order_of_questions_makes_no_difference() -> None:
    content = "".join(f"template<class T> int f{n}(T x) {{ return x < {n}; }}\n" for n in range(9))
    candidates = [
        Candidate(base, Edit.drop(Deltas((at, at + 3))), "")
        for size in (153, 120, 90)
        for base in (Deltas.first(size),)
        for at in range(0, size - 3, 4)
    ]
    answers = []
    for ordered in (candidates, candidates[::-1]):
        gate, _ = gate_of({"a.cpp": content})
        answers.append({each.key ^ 3 * each.base.key: gate.is_worse(each) for each in ordered})
    assert answers[0] == answers[1]
    assert len(set(answers[0].values())) == 2
