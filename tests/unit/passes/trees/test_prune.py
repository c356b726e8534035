"""What can be left out of trees, and how."""

from collections.abc import Iterator

import pytest

from forests import forest_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.files import Files
from wynot.passes.trees.prune import Prune
from wynot.passes.trees.tokens import TokensCase
from wynot.search.largest import Segment


class Pruned:
    """A text, all segments that its trees are cut into, and what is left without each."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        forest = forest_of({path: text})
        self.prune = Prune(forest)
        self.case = TokensCase(Files(dict(forest.contents)), forest.tokens)
        self.kept = self.case.deltas
        self.segments = list(self.all(self.prune.begin()))

    def all(self, segments: object) -> Iterator[Segment]:
        """Return segments, and whatever is finer."""
        for segment in segments:  # type: ignore[attr-defined]
            yield segment
            yield from self.all(self.prune.finer(segment, self.kept))

    def left(self, segment: Segment) -> list[str]:
        """Return the text without a segment, in each way."""
        ways = [gone for gone in self.prune.ways(segment, self.kept) if gone]
        cuts = (Candidate(self.kept, Edit.drop(gone), "") for gone in ways)
        return [self.case.render(cut).contents[self.path].decode() for cut in cuts]

    def by(self, verb: str, category: str = "") -> list[str]:
        """Return what is left without each segment of this kind, the best way first."""
        return [
            self.left(segment)[0]
            for segment in self.segments
            if segment.verb == verb and category in segment.category and self.left(segment)
        ]


def test_a_run_of_siblings_is_cut_in_two_by_weight() -> None:
    pruned = Pruned("a.json", "[1, 2, 33333, 4]")
    assert pruned.by("delete", "array") == [
        "[]",
        *("[4]", "[33333, 4]", "[2, 33333, 4]", "[1, 33333, 4]"),
        *("[1, 2, 4]", "[1, 2, 33333,]"),
    ]


def test_a_separator_goes_with_its_element() -> None:
    pruned = Pruned("a.json", "[1, 2, 3]")
    deletes = [segment for segment in pruned.segments if segment.verb == "delete"]
    ways = [pruned.left(segment) for segment in deletes if len(segment.items) == 1]
    assert ways[0] == ["[2, 3]", "[, 2, 3]"]  # there is none before the first
    assert ways[1] == ["[1, 3]", "[1, 3]", "[1,, 3]"]  # behind, before, and without
    assert ways[2] == ["[1, 2,]", "[1, 2]"]


def test_separators_are_those_to_what_is_kept() -> None:
    pruned = Pruned("a.json", "[1, 2, 3]")
    deletes = [segment for segment in pruned.segments if segment.verb == "delete"]
    singles = [segment for segment in deletes if len(segment.items) == 1]
    pruned.kept = Deltas.of({*pruned.kept} - {3, 4})  # `2,` has gone
    assert [pruned.left(segment) for segment in singles] == [
        *(["[3]", "[, 3]"], ["[1 3]"], ["[1,]", "[1]"]),
    ]


def test_what_is_around_a_node_goes_and_it_is_hoisted() -> None:
    pruned = Pruned("a.py", "if x:\n    f(g(1))\n")
    assert "g(1)" in "".join(pruned.by("hoist", "hoist call out of call"))
    assert pruned.by("hoist", "out of if_statement") == ["x\n", "f(g(1))\n"]
    assert {*pruned.by("hoist", "out of call")} == {
        *("if x:\n    f\n", "if x:\n    (g(1))\n", "if x:\n    g(1)\n"),
        *("if x:\n    f(g)\n", "if x:\n    f((1))\n"),
    }


def test_a_node_can_be_replaced_by_one_of_its_kind_further_down() -> None:
    pruned = Pruned("a.json", '{"a": {"b": {"c": 1}}}')
    found = pruned.by("hoist", "hoist object out of object")
    assert sorted(found) == ['{"a": {"c": 1}}', '{"b": {"c": 1}}']


def test_the_only_value_of_an_object_can_stand_in_its_place() -> None:
    assert '{"a": 1}' in Pruned("a.json", '{"a": {"b": 1}}').by("hoist", "out of object")
    assert "g(a.b)" not in Pruned("a.js", "g({a: b})").by("hoist", "out of object")


def test_of_a_long_list_no_member_is_tried_as_the_only_one() -> None:
    assert Pruned("a.json", "[1, 2, 3, 4]").by("hoist") == ["1", "2", "3", "4"]
    assert Pruned("a.json", "[1, 2, 3, 4, 5]").by("hoist") == []


def test_a_member_of_its_own_kind_is_hoisted_also_out_of_a_long_list() -> None:
    deep = Pruned("a.json", "[1, 2, 3, 4, [5, [6]]]")
    assert {"[5, [6]]", "[6]"} <= {*deep.by("hoist", "hoist array out of array")}


def test_brackets_around_several_nodes_can_go() -> None:
    found = Pruned("a.c", "int f() { g(); { h(); i(); } }").by("unwrap", "compound")
    assert sorted(found) == ["int f() g(); { h(); i(); }", "int f() { g(); h(); i(); }"]
    assert Pruned("a.json", "[[1]]").by("unwrap") == []  # of a single one it is hoisting


def test_all_comments_at_once() -> None:
    pruned = Pruned("a.c", "/* 1 */ int a; // 2\nint b; /* 3 */\n")
    assert pruned.by("comments") == [
        "int a;\nint b;\n",
        *("int a;\nint b; /* 3 */\n", "int a; // 2\nint b; /* 3 */\n"),
        *("/* 1 */ int a;\nint b; /* 3 */\n", "/* 1 */ int a; // 2\nint b;\n"),
    ]
    assert pruned.segments[0].category == "comments"
    assert Pruned("a.c", "int a;").by("comments") == []


def test_a_declaration_goes_with_its_uses() -> None:
    text = "int a;\nint b;\nint f(void) { return a; }\n"
    assert "int b;\nint f(void) { }\n" in Pruned("a.c", text).by("uses")


def test_a_use_goes_with_the_declaration_that_only_it_needs() -> None:
    text = "int a;\nint b;\nint f(void) { return a + b; }\nint g(void) { return b; }\n"
    found = Pruned("a.c", text).by("own")
    assert "int b;\nint g(void) { return b; }\n" in found


def test_sorts_tell_what_is_left_out_of_what() -> None:
    categories = {
        segment.category for segment in Pruned("a.c", "int a; void f(void) { a; b(); }").segments
    }
    assert {
        "translation_unit: …",
        "translation_unit: declaration, used elsewhere",
        "translation_unit: function_definition",
        "compound_statement: expression_statement",
        "unwrap compound_statement",
        "hoist identifier out of call_expression",
        "translation_unit: declaration with its uses",
    } <= categories


def test_marks_are_of_the_text_so_that_they_are_met_again_in_another_pass() -> None:
    one, two = Pruned("a.json", "[1, [2, 3], 4]"), Pruned("a.json", "[[2, 3], 4]")

    def marks(pruned: Pruned, category: str) -> set[str]:
        return {
            pruned.prune.fingerprint(each) for each in pruned.segments if each.category == category
        }

    assert marks(one, "array: array") == marks(two, "array: array")
    assert len(marks(one, "array: array")) == 1
    assert marks(one, "array: …") - marks(two, "array: …")


@pytest.mark.parametrize("text", ["", "\n", "1"])
def test_a_text_of_one_token_or_none_has_nothing_inside(text: str) -> None:
    assert Pruned("a.json", text).segments == []


def test_what_has_gone_is_not_cut_finer() -> None:
    pruned = Pruned("a.json", "[1, 2, 3]")
    (first, *_) = pruned.segments
    assert list(pruned.prune.finer(first, NONE)) == []


def test_every_segment_of_every_text_takes_something_out() -> None:
    for path, text in {
        "a.rs": "fn f(x: u8) -> u8 { let y = x; y + 1 }\nfn main() { f(2); }\n",
        "a.sql": "CREATE TABLE t (a INT, b TEXT);\nSELECT a FROM t WHERE b = 'x';\n",
        "a.yaml": "a:\n  - b: 1\n  - c: [1, 2]\n",
        "a.txt": "one (two) three\n  four\n",
    }.items():
        pruned = Pruned(path, text)
        for segment in pruned.segments:
            for gone in pruned.prune.ways(segment, pruned.kept):
                assert pruned.kept.holds(gone)
                assert segment.weight > 0
