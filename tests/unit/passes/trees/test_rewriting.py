"""Rewrites in groups of one sort."""

from collections.abc import Iterable, Sequence
from typing import Any

from domain import drive
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.texts.rewrites import Patch, Rewrite
from wynot.core.verdict import Verdict
from wynot.passes.trees.rewrite_structure import REWRITE_ODDS, SLIGHT_GAIN, RewriteStructure
from wynot.search.largest import LargestFirst, Segment

FILES = Files({"f": bytes(range(65, 91)) * 4, "g": bytes(range(97, 123))})


def at(
    start: int, stop: int, instead: bytes = b"", category: str = "x", path: str = "f"
) -> Rewrite:
    return Rewrite(category, (Patch(path, start, stop, instead),))


def over(rewrites: Sequence[Rewrite]) -> RewriteStructure:
    return RewriteStructure(FILES, rewrites)


def items(segments: Iterable[Segment]) -> list[tuple[int, ...]]:
    return [segment.items for segment in segments]


def test_all_of_a_sort_are_tried_at_once_then_halves() -> None:
    rewrites = [at(n, n + 1) for n in range(5)]
    rewriting, kept = over(rewrites), Deltas.first(5)
    (whole,) = rewriting.begin()
    assert whole.items == (0, 1, 2, 3, 4)
    assert (whole.weight, whole.category, whole.odds) == (5, "x", REWRITE_ODDS)
    one, two = rewriting.finer(whole, kept)
    assert items([one, two]) == [(0, 1), (2, 3, 4)]
    assert items(rewriting.finer(two, kept)) == [(2,), (3, 4)]
    assert items(rewriting.finer(one._replace(items=(0,)), kept)) == []


def test_each_sort_is_a_segment_of_its_own() -> None:
    rewrites = [at(0, 1, category="a"), at(1, 9, category="b"), at(2, 3, category="a")]
    assert items(over(rewrites).begin()) == [(0, 2), (1,)]
    assert over([]).begin() == []


def test_of_rewrites_inside_of_each_other_the_outer_one_comes_first() -> None:
    rewrites = [at(2, 4), at(0, 10), at(3, 4), at(5, 6), at(20, 22), at(20, 22, path="g")]
    rewriting, kept = over(rewrites), Deltas.first(6)
    (outer,) = rewriting.begin()
    assert outer.items == (1, 4, 5)
    (single,) = (segment for segment in rewriting.finer(outer, kept) if segment.items == (1,))
    (inner,) = rewriting.finer(single, kept)
    assert inner.items == (0, 3)
    deeper, _ = rewriting.finer(inner, kept)
    assert items(rewriting.finer(deeper, kept)) == [(2,)]


def test_what_is_inside_of_a_rewrite_of_another_sort_is_on_its_own() -> None:
    assert items(over([at(0, 9), at(2, 3, category="y")]).begin()) == [(0,), (1,)]


def test_rewrites_of_several_places_are_never_inside_of_others() -> None:
    several = Rewrite("x", (Patch("f", 2, 3, b"a"), Patch("f", 8, 9, b"a")))
    rewriting = over([at(0, 10), several, at(4, 5)])
    (whole,) = rewriting.begin()
    assert {*whole.items} == {0, 1}
    assert items(rewriting.finer(whole._replace(items=(0,)), Deltas.first(3))) == [(2,)]


def test_what_is_done_is_not_done_again() -> None:
    rewriting = over([at(n, n + 1) for n in range(4)])
    (whole,) = rewriting.begin()
    kept = Deltas.of([1, 3])
    assert rewriting.ways(whole, kept) == [kept]
    assert items(rewriting.finer(whole, kept)) == [(1,), (3,)]
    assert items(rewriting.finer(whole, Deltas(()))) == []


def test_what_makes_nothing_shorter_counts_a_little() -> None:
    (segment,) = over([at(0, 1, b"same"), at(2, 3, b"x")]).begin()
    assert segment.weight == SLIGHT_GAIN


def test_marks_tell_what_would_be_written_in_the_place_of_what() -> None:
    def mark(rewrite: Rewrite) -> str:
        rewriting = over([rewrite])
        return rewriting.fingerprint(rewriting.begin()[0])

    one = mark(at(0, 5, b"a"))
    assert one.startswith("#")
    assert mark(at(26, 31, b"a")) == one  # the same text elsewhere
    assert len({one, mark(at(0, 5, b"b")), mark(at(1, 5, b"a")), mark(at(0, 5, b"a", "y"))}) == 4


def test_what_is_harmless_costs_one_test() -> None:
    search = LargestFirst(over([at(n, n + 1) for n in range(100)]))
    asked = list(drive(search(Deltas.first(100)), lambda _kept: Verdict.INTERESTING))
    assert len(asked) == 1
    assert len(asked[0][0].kept) == 0


class CountedText(bytes):
    """A text that counts the bytes that are taken from it."""

    taken = 0

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        self.taken += len(found) if isinstance(found, bytes) else 1
        return found


def test_of_rewrites_in_each_other_only_the_outermost_is_read() -> None:
    size = 2000
    text = CountedText(b"[" * size + b"]" * size)
    inside = [Rewrite("x", (Patch("a", each, 2 * size - each),)) for each in range(size)]
    structure = RewriteStructure(Files({"a": text}), inside)
    for segment in structure.begin():
        structure.fingerprint(segment)
    assert text.taken == len(text)
