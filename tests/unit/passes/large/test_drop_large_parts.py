"""Large parts of large texts: which are left out, and when that ends."""

import re
from collections.abc import Mapping

from domain import drive
from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.passes.large.drop_large_parts import SMALL_BYTES, DropBrackets, DropLargeParts
from wynot.passes.trees.parsed_files import Trees

RECORD = b'{"id": 1, "tags": ["a", "b"], "found": null},\n'
LARGE = Files({"a.json": b"[" + RECORD * 3000 + b"0]", "small.json": b"[1]"})
TREES = Trees.of(LARGE)


def left(step: DropLargeParts | DropBrackets, verdict: Verdict) -> tuple[Mapping[str, bytes], int]:
    """Return what a search leaves if each test says this, and how many it takes."""
    cut = step.cut(LARGE, ())
    search = cut.minimizer or cut.search
    assert search is not None
    candidates = [candidate for candidate, _ in drive(search(cut.case.deltas), lambda _: verdict)]
    is_less = verdict is Verdict.INTERESTING
    kept = candidates[-1] if is_less else Candidate.whole(cut.case.deltas)
    return cut.case.render(kept).contents, len(candidates)


def test_all_closing_brackets_of_large_texts_go_at_once() -> None:
    contents, tests = left(DropBrackets(TREES), Verdict.INTERESTING)
    assert tests == 1
    assert contents["small.json"] == b"[1]"
    assert not {*b")]}"} & {*contents["a.json"]}
    assert left(DropBrackets(TREES), Verdict.UNINTERESTING) == (LARGE.contents, 1)


def test_a_text_without_brackets_has_none_to_leave_out() -> None:
    words = Files({"a.txt": b"some words\n" * 10_000})
    assert not DropBrackets(Trees.of(words)).cut(words, ()).case.deltas


def test_parts_go_until_the_text_is_small_enough_for_trees() -> None:
    contents, _ = left(DropLargeParts(TREES, pace=24), Verdict.INTERESTING)
    assert 0 < len(contents["a.json"]) <= SMALL_BYTES


def test_a_text_of_which_nothing_can_go_takes_as_many_tests_as_the_pace_says() -> None:
    pace = DropLargeParts(TREES, pace=24)
    assert left(pace, Verdict.UNINTERESTING) == (LARGE.contents, 24)


def test_what_is_to_be_kept_is_in_no_part() -> None:
    cut = DropLargeParts(TREES, pace=24).cut(LARGE, (re.compile(rb"\A\[\{"),))
    assert cut.case.weights[0] == 0
    assert all(cut.case.weights[1:])
