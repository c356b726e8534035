"""Passes in the order of the plan, with a test that is a function."""

import json
import re
from collections import Counter
from typing import Any

import pytest

from reduce_inline import Reduced, reduce_inline
from tiers import slow_but
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files

NUMBERS = Files({"a.json": b"[" + b", ".join(b"%d" % n for n in range(100, 200)) + b"]\n"})


def has(pattern: bytes) -> Any:
    return lambda files: re.search(pattern, b"".join(files.contents.values())) is not None


def reduced(files: Files, pattern: bytes, **options: Any) -> Reduced:
    return reduce_inline(files, has(pattern), ReduceOptions(files=(), **options))


def test_the_last_sweep_is_run_and_proves() -> None:
    # The search over nodes has nothing to ask about a single token; the sweep has.
    found = reduced(Files({"a.smt2": b"a"}), b"a")
    assert found.proved == ("nodes", "tokens")


def test_a_pass_that_found_nothing_does_not_keep_others_from_trying() -> None:
    # All but one number are needed: with little patience it is not found.
    wanted = {b"%d" % n for n in range(100, 200)} - {b"107"}

    def fails(files: Files) -> bool:
        numbers = re.findall(rb"\d+", files.contents["a.json"])
        return wanted <= {*numbers} and b"[" in files.contents["a.json"]

    found = reduce_inline(NUMBERS, fails, ReduceOptions(files=(), rename=False, layout="keep"))
    begun = Counter(found.passes)
    whole = 201
    # Once with little patience, then with all of it, and once in another order.
    assert begun["nodes", whole] == 3
    assert [step.pass_name for step in found.steps][:1] == ["nodes"]


def test_fast_does_without_the_proof() -> None:
    thorough = reduced(NUMBERS, rb"1.7\D")
    fast = reduced(NUMBERS, rb"1.7\D", fast=True)
    assert fast.content == thorough.content
    assert (thorough.proved, fast.proved) == (("nodes", "tokens"), ())
    assert fast.tests <= thorough.tests
    assert {name for name, _ in thorough.passes} - {name for name, _ in fast.passes} == {
        *("single nodes", "tokens"),
    }


@pytest.mark.parametrize("tree", ["hdd", "hdd*", "hddr", "hddr*"])
def test_a_search_of_the_papers_is_all_that_is_run(tree: Any) -> None:
    files = Files({"a.c": b"int a;\nint f(void) { if (a) { g(1, 2); } return 3; }\nint b;\n"})
    found = reduced(files, b"g[(].*2", search=tree)
    # Nodes only: the brackets and marks of what is around a node stay with it.
    assert {name for name, _ in found.passes} == {"nodes"}
    assert has(b"g[(].*2")(found.files)
    assert b"int a" not in found.content
    assert b"int b" not in found.content
    assert b"3" not in found.content
    assert len(found.content) < 40


def test_a_list_search_knows_no_trees() -> None:
    found = reduced(NUMBERS, b"1.7", search="ddmin")
    assert {name for name, _ in found.passes} >= {"paragraphs", "tokens", "characters"}
    assert "nodes" not in {name for name, _ in found.passes}
    assert re.fullmatch(b"1.7\n", found.content)


@pytest.mark.parametrize(
    ("layout", "left"),
    [
        ("tidy", b"[17]"),
        ("pretty", b"[\n    17\n]"),
        ("short", b"[17]"),
        ("keep", b"[\n  17\n]"),
    ],
)
def test_white_space_as_it_is_wanted(layout: Any, left: bytes) -> None:
    files = Files({"a.json": b"[\n  16,\n  17,\n\n  18\n]"})

    def fails(files: Files) -> bool:
        try:
            return 17 in json.loads(files.contents["a.json"])
        except (ValueError, TypeError):
            return False

    assert reduce_inline(files, fails, ReduceOptions(files=(), layout=layout)).content == left


def test_names_stay_if_they_are_to() -> None:
    files = Files({"a.py": b"value = 1\nother = 2\nprint(value)\n"})
    # `print` is one, too, and would be `a`.
    assert reduced(files, rb"print\([a-z]+\)").content == b"print(b)\n"
    assert reduced(files, rb"print\([a-z]+\)", rename=False).content == b"print(value)\n"


def test_a_language_that_is_named_is_that_of_all_files() -> None:
    files = Files({"a.txt": b"[1, {2: 3}]"})
    assert "list" in " ".join(reduced(files, b"3", language="python").asked)
    assert "list" not in " ".join(reduced(files, b"3").asked)


def test_what_is_learned_in_one_pass_is_known_in_the_next() -> None:
    found = reduced(NUMBERS, rb"1.7\D")
    assert found.lessons["array: number"] > (0, 0)


def test_what_is_to_be_kept_stays() -> None:
    found = reduced(NUMBERS, rb"1.7\D", keep=[r"\b150\b"])
    assert re.fullmatch(rb"(150 1.7|1.7 150)\n", found.content)


NEEDLES = rb"(?s)113.*147.*181"


@pytest.mark.parametrize("width", [1, 4])
@pytest.mark.parametrize("most", slow_but([4, 100], [3, 4, 5, 8, 100]))
def test_what_is_cut_off_early_is_found_before_the_end(width: int, most: int) -> None:
    def slow(files: Files) -> bool:
        return len(re.findall(rb"\d+", files.contents["a.json"])) <= most

    plain = reduced(NUMBERS, NEEDLES)
    cut = reduce_inline(NUMBERS, has(NEEDLES), ReduceOptions(files=()), width=width, slow=slow)
    assert (cut.content, cut.proved) == (plain.content, plain.proved)


def test_what_hangs_for_good_is_asked_again_only_at_the_end() -> None:
    asked: Counter[bytes] = Counter()

    def fails(files: Files) -> bool:
        content = files.contents["a.json"]
        asked[content] += 1
        return has(NEEDLES)(files) and not hangs(files)

    def hangs(files: Files) -> bool:
        return b"150" not in files.contents["a.json"]

    plain = reduce_inline(NUMBERS, fails)
    hung = {content for content in asked if b"150" not in content}
    asked.clear()
    cut = reduce_inline(NUMBERS, fails, slow=hangs)
    again = {content for content in asked if b"150" not in content}
    assert (cut.content, cut.proved) == (plain.content, plain.proved)
    assert len(again) < len(hung)
    assert set(asked.values()) == {1}


def test_nothing_is_asked_twice_for_the_sake_of_something_that_did_not_matter() -> None:
    def slow(files: Files) -> bool:  # only while the case is large
        return len(files.contents["a.json"]) > 200 and b"113" not in files.contents["a.json"]

    plain = reduced(NUMBERS, NEEDLES)
    cut = reduce_inline(NUMBERS, has(NEEDLES), slow=slow)
    assert (cut.content, cut.tests, cut.passes) == (plain.content, plain.tests, plain.passes)
