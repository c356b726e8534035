"""What must hold for any items and any test."""

from itertools import chain
from math import ceil, log2
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import wynot
from domain import ORDERS, SEARCHES, WIDTHS, Shuffled, is_one_minimal, is_subsequence, needs

sizes = st.integers(1, 24)
seeds = st.integers(0, 2**32)


class Arbitrary:
    """A test that is any function at all: its verdict is drawn from what it is given.

    The whole fails and the empty list passes; else anything goes, as long as it is repeatable.
    """

    def __init__(self, size: int, seed: int, *, unresolved: bool) -> None:
        self.size = size
        self.seed = seed
        self.answers = (True, False, None) if unresolved else (True, False)

    def __call__(self, kept: list[int]) -> bool | None:
        if len(kept) == self.size:
            return True
        if not kept:
            return False
        return self.answers[hash((self.seed, *kept)) % len(self.answers)]


@st.composite
def options(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "search": draw(st.sampled_from(SEARCHES)),
        "order": draw(st.sampled_from(ORDERS)),
        "split": draw(st.sampled_from(["zeller", "balanced"])),
        "restart": draw(st.booleans()),
        "granularity": draw(st.sampled_from([2, 3, 7, float("inf")])),
        "subset_iterator": draw(st.sampled_from(["forward", "backward", "skip", "random"])),
        "complement_iterator": draw(st.sampled_from(["forward", "backward", "random"])),
        "memo": draw(st.sampled_from(["content", "none"])),
        "combined": draw(st.booleans()),
        "star": draw(st.booleans()),
        "seed": draw(st.integers(0, 9)),
    }


@given(sizes, seeds, options(), st.booleans())
def test_the_result_fails_is_a_part_and_is_minimal_if_it_says_so(
    size: int, seed: int, options: dict[str, Any], unresolved: bool
) -> None:
    fails = Arbitrary(size, seed, unresolved=unresolved)
    result = wynot.minimize(range(size), fails, **options)
    assert fails(result.items) is True
    assert is_subsequence(result.items, range(size))
    assert result.stopped == "finished"
    if result.minimal:
        assert is_one_minimal(result.items, fails)


@given(sizes, seeds, options(), st.booleans())
def test_what_should_end_minimal_does(
    size: int, seed: int, options: dict[str, Any], unresolved: bool
) -> None:
    thorough = options["star"] or options["search"] in {"ddmin", "sweep", "zigzag", "auto"}
    fails = Arbitrary(size, seed, unresolved=unresolved)
    result = wynot.minimize(range(size), fails, **options)
    assert result.minimal or not thorough


@given(sizes, seeds, options(), st.booleans())
def test_the_answer_and_every_step_are_the_same_at_any_width(
    size: int, seed: int, options: dict[str, Any], unresolved: bool
) -> None:
    fails = Arbitrary(size, seed, unresolved=unresolved)
    alone = wynot.minimize(range(size), fails, **options)
    for width in WIDTHS:
        with Shuffled(seed + width) as executor:
            wide = wynot.minimize(range(size), fails, **options, jobs=width, workers=executor)
        assert wide.items == alone.items
        assert wide.minimal == alone.minimal
        assert list(wide.steps) == list(alone.steps)
        assert wide.tests == alone.tests
        assert wide.memo_hits == alone.memo_hits
        assert wide.iterations == alone.iterations


@given(sizes, seeds, options(), st.integers(1, 40))
def test_a_budget_ends_every_width_at_the_same_step(
    size: int, seed: int, options: dict[str, Any], most: int
) -> None:
    fails = Arbitrary(size, seed, unresolved=True)
    alone = wynot.minimize(range(size), fails, **options, max_tests=most)
    assert alone.tests <= most
    assert fails(alone.items) is True
    with Shuffled(seed) as executor:
        wide = wynot.minimize(
            range(size), fails, **options, max_tests=most, jobs=7, workers=executor
        )
    assert wide.items == alone.items
    assert wide.stopped == alone.stopped
    assert list(wide.steps) == list(alone.steps)


@given(sizes, seeds, options())
def test_first_to_finish_may_end_elsewhere_but_never_wrong(
    size: int, seed: int, options: dict[str, Any]
) -> None:
    fails = Arbitrary(size, seed, unresolved=True)
    with Shuffled(seed) as executor:
        result = wynot.minimize(
            range(size), fails, **options, pick="first-to-finish", jobs=7, workers=executor
        )
    assert fails(result.items) is True
    if result.minimal:
        assert is_one_minimal(result.items, fails)


@given(sizes, seeds, st.sampled_from(ORDERS), st.booleans())
def test_ddmin_takes_at_most_n_squared_plus_3n_tests(
    size: int, seed: int, order: Any, restart: bool
) -> None:
    # Prop. 12 of Zeller & Hildebrandt 2002.
    result = wynot.minimize(
        range(size),
        Arbitrary(size, seed, unresolved=True),
        search="ddmin",
        order=order,
        restart=restart,
        memo="none",
    )
    assert result.tests <= size**2 + 3 * size


@given(st.integers(1, 2000), st.data())
def test_ddmin_finds_one_cause_in_twice_log_n_tests(size: int, data: st.DataObject) -> None:
    # Prop. 13.
    cause = data.draw(st.integers(0, size - 1))
    result = wynot.minimize(range(size), needs(cause), search="ddmin", order="subsets-first")
    assert result.items == [cause]
    assert result.tests <= 2 * ceil(log2(size)) if size > 1 else result.tests == 0


@given(sizes, seeds, st.sampled_from(["forward", "backward"]), st.booleans())
def test_opdd_takes_a_linear_number_of_tests(
    size: int, seed: int, iterator: Any, subsets: bool
) -> None:
    result = wynot.minimize(
        range(size),
        Arbitrary(size, seed, unresolved=False),
        search="opdd",
        order="subsets-first" if subsets else "complements-only",
        complement_iterator=iterator,
        memo="none",
    )
    assert result.tests <= (8 if subsets else 4) * size


@given(st.integers(1, 2000), st.data())
def test_dd_without_unresolved_tests_is_a_binary_search(size: int, data: st.DataObject) -> None:
    # Prop. 18 and Cor. 19.
    needed = data.draw(st.sets(st.integers(0, size - 1), min_size=1, max_size=5))
    result = wynot.isolate([], range(size), needs(*needed))
    assert len(result.difference) == 1
    assert result.difference[0] in needed
    assert result.tests <= ceil(log2(size)) if size > 1 else result.tests == 0
    assert result.minimal


@given(sizes, seeds, st.sampled_from(["dd", "ddmax"]), st.booleans())
def test_isolate_ends_in_a_minimal_difference(
    size: int, seed: int, search: Any, restart: bool
) -> None:
    # Def. 15, by brute force.
    fails = Arbitrary(size, seed, unresolved=True)
    result = wynot.isolate([], range(size), fails, search=search, restart=restart)
    assert fails(result.failing) is True
    assert fails(result.passing) is False
    assert sorted(chain(result.passing, result.difference)) == result.failing
    for item in result.difference if result.minimal else ():
        grown = sorted([*result.passing, item])
        assert grown == result.failing or fails(grown) is not False
        cut = [other for other in result.failing if other != item]
        assert cut == result.passing or fails(cut) is not True
    assert result.minimal or search == "ddmax"


@given(st.text("abxy", max_size=12), st.text("abxy", max_size=12), seeds)
def test_isolate_works_between_any_two_sequences(passing: str, failing: str, seed: int) -> None:
    def fails(kept: list[str]) -> bool | None:
        text = "".join(kept)
        if text in (passing, failing):
            return text == failing
        return (True, False, None)[hash((seed, *map(ord, text))) % 3]

    if passing == failing:
        return
    result = wynot.isolate(passing, failing, fails)
    assert fails(result.passing) is False
    assert fails(result.failing) is True
    assert len(result.difference) >= 1
    assert result.minimal


@given(st.integers(1, 60), st.data(), st.sampled_from(SEARCHES))
def test_the_monotone_memo_saves_tests_and_changes_nothing_if_the_test_is_monotone(
    size: int, data: st.DataObject, search: Any
) -> None:
    needed = data.draw(st.sets(st.integers(0, size - 1), min_size=1))
    plain = wynot.minimize(range(size), needs(*needed), search=search)
    saved = wynot.minimize(range(size), needs(*needed), search=search, memo="monotone")
    assert saved.items == plain.items == sorted(needed)
    assert saved.tests <= plain.tests
    with Shuffled(size) as executor:
        wide = wynot.minimize(
            range(size),
            needs(*needed),
            search=search,
            memo="monotone",
            jobs=7,
            workers=executor,
        )
    assert list(wide.steps) == list(saved.steps)
    assert wide.tests == saved.tests


@given(st.lists(st.integers(0, 3), min_size=1, max_size=14), seeds, st.sampled_from(SEARCHES))
def test_equal_lists_are_tested_once_wherever_they_are_cut_from(
    items: list[int], seed: int, search: Any
) -> None:
    asked: list[tuple[int, ...]] = []

    def fails(kept: list[int]) -> bool:
        asked.append(tuple(kept))
        return kept == items or (bool(kept) and hash((seed, *kept)) % 3 == 0)

    wynot.minimize(items, fails, search=search)
    assert len(asked) == len(set(asked))


@given(st.integers(1, 30), st.data(), st.sampled_from(["ddmin", "probdd", "sweep", "opdd"]))
def test_weights_change_the_way_not_the_result(size: int, data: st.DataObject, search: Any) -> None:
    needed = data.draw(st.sets(st.integers(0, size - 1), min_size=1))
    weights = data.draw(st.lists(st.integers(0, 100), min_size=size, max_size=size))
    result = wynot.minimize(
        range(size), needs(*needed), search=search, weights=weights, star=search == "probdd"
    )
    assert result.items == sorted(needed)
    assert result.minimal or search == "opdd"


@given(sizes, seeds, st.sampled_from(SEARCHES))
def test_all_causes_are_disjoint_and_leave_nothing_that_fails(
    size: int, seed: int, search: Any
) -> None:
    fails = Arbitrary(size, seed, unresolved=False)
    result = wynot.all_causes(range(size), fails, search=search)
    found = [item for cause in result.causes for item in cause]
    assert len(found) == len(set(found))
    assert all(fails(cause) is True for cause in result.causes)
    rest = [item for item in range(size) if item not in found]
    assert not rest or fails(rest) is not True


@given(sizes, seeds, st.sampled_from(SEARCHES))
def test_the_monotone_memo_is_the_same_at_any_width_even_if_the_test_is_not_monotone(
    size: int, seed: int, search: Any
) -> None:
    fails = Arbitrary(size, seed, unresolved=True)
    alone = wynot.minimize(range(size), fails, search=search, memo="monotone")
    for width in WIDTHS:
        with Shuffled(seed + width) as executor:
            wide = wynot.minimize(
                range(size), fails, search=search, memo="monotone", jobs=width, workers=executor
            )
        assert wide.items == alone.items
        assert list(wide.steps) == list(alone.steps)
