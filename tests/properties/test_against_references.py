"""The searches beside the plainest form of themselves, written from the papers and sharing no code.

A reference works on lists of positions, asks one candidate at a time and counts by content. What is
compared is all of it: which candidates, in what order, with what verdict, known or not.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wynot
from domain import is_one_minimal
from wynot import Verdict
from wynot.settings import SearchName

MEANS = {True: Verdict.INTERESTING, False: Verdict.UNINTERESTING, None: Verdict.UNRESOLVED}

Positions = list[int]
Answer = bool | None


def spelled(items: list[Any]) -> str:
    """Return what tells lists apart for any test: 1, 1.0 and True are not the same."""
    return repr(items)


class Asked:
    """A test that remembers what it was asked, by content."""

    def __init__(self, items: list[Any], fails: Callable[[list[Any]], Answer]) -> None:
        self.items = items
        self.fails = fails
        self.known: dict[str, Answer] = {}
        self.steps: list[tuple[str, Verdict, bool]] = []
        self.iterations = 0

    def __call__(self, kept: Positions, iteration: int) -> Answer:
        content = [self.items[position] for position in kept]
        again = spelled(content) in self.known
        if not again:
            self.known[spelled(content)] = self.fails(content)
        answer = self.known[spelled(content)]
        self.steps.append((spelled(content), MEANS[answer], again))
        self.iterations = max(self.iterations, iteration)
        return answer


# What all searches need: a partition, an order, a difference.


def parts(whole: Positions, count: float, split: str) -> list[Positions]:
    count = int(min(count, len(whole)))
    if split == "balanced":
        cuts = [len(whole) * number // count for number in range(count + 1)]
        return [whole[start:stop] for start, stop in pairwise(cuts)]
    found, rest = [], whole
    for left in range(count, 0, -1):
        size = len(rest) // left
        found.append(rest[:size])
        rest = rest[size:]
    return found


def visits(name: str, count: int, seed: str) -> list[int]:
    order = list(range(count))
    if name == "random":
        Random(seed).shuffle(order)
    return {"backward": order[::-1], "skip": []}.get(name, order)


def without(whole: Positions, part: Positions) -> Positions:
    return [position for position in whole if position not in part]


def turned(order: list[int], offset: Fraction, count: int) -> list[int]:
    return [int((visit + offset) % count) for visit in order]


# The searches.


def ddmin(kept: Positions, ask: Asked, how: dict[str, Any]) -> Positions:
    """Zeller & Hildebrandt 2002, Fig. 5; Hodován & Kiss 2016, Algorithm 2 and §3.3."""
    iteration, offset = 0, Fraction(0)
    chunks: list[Positions] = []
    while len(kept) > 1:
        if len(chunks) < 2:
            chunks = parts(kept, how["granularity"], how["split"])
        iteration, n = iteration + 1, len(chunks)
        tried = [("complement", i) for i in _complements(how, n, offset, iteration)]
        if how["order"] != "complements-only" and how["subset_iterator"] != "skip":
            order = visits(how["subset_iterator"], n, f"{how['seed']}/s{iteration}")
            subsets = [("subset", i) for i in order]
            first, second = subsets, tried
            if how["order"] == "complements-first":
                first, second = tried, subsets
            tried = first if how["restart"] and n == 2 else first + second
        for reduce_to, i in tried:
            smaller = chunks[i] if reduce_to == "subset" else without(kept, chunks[i])
            if ask(smaller, iteration):
                kept = smaller
                chunks = [] if reduce_to == "subset" else chunks[:i] + chunks[i + 1 :]
                offset = Fraction(0 if reduce_to == "subset" or how["restart"] else i)
                break
        else:
            if n == len(kept):
                break
            chunks = parts(kept, n * how["granularity"], how["split"])
            offset = offset * len(chunks) / n
    return kept


def _complements(how: dict[str, Any], n: int, offset: Fraction, iteration: int) -> list[int]:
    order = visits(how["complement_iterator"], n, f"{how['seed']}/c{iteration}")
    return turned(order, offset, n)


def opdd(kept: Positions, ask: Asked, how: dict[str, Any]) -> Positions:
    """Gharachorlu & Sumner 2018, Fig. 6: opdd2, complement? folded over the chunks, refine."""
    iteration, n = 0, how["granularity"]
    while len(kept) > 1:
        chunks = parts(kept, n, how["split"])
        iteration, n = iteration + 1, len(chunks)
        if how["order"] != "complements-only" and how["subset_iterator"] != "skip":
            order = visits(how["subset_iterator"], n, f"{how['seed']}/s{iteration}")
            subset = next((chunks[i] for i in order if ask(chunks[i], iteration)), None)
            if subset is not None:
                kept, n = subset, how["granularity"]
                continue
        for i in _complements(how, n, Fraction(0), iteration):
            smaller = without(kept, chunks[i])
            if smaller and ask(smaller, iteration):
                kept, n = smaller, n - 1
        if n == len(kept):
            break
        n *= how["granularity"]
    return kept


def dd(passing: Positions, failing: Positions, ask: Asked, how: dict[str, Any]) -> list[Positions]:
    """Zeller & Hildebrandt 2002, Fig. 15: whichever test is resolved first picks the rule."""
    iteration, offset = 0, Fraction(0)
    chunks: list[Positions] = []
    while len(difference := without(failing, passing)) > 1:
        if len(chunks) < 2:
            chunks = parts(difference, how["granularity"], how["split"])
        iteration, n = iteration + 1, len(chunks)
        order = _complements(how, n, offset, iteration)
        sides = ["add", "drop"] if how["order"] == "subsets-first" else ["drop", "add"]
        for side, i in [(side, i) for side in sides for i in order]:
            tried = sorted(passing + chunks[i]) if side == "add" else without(failing, chunks[i])
            fails = ask(tried, iteration)
            if fails is None:
                continue
            passing, failing = (passing, tried) if fails else (tried, failing)
            narrowed = fails == (side == "add")  # to one chunk, or by one chunk
            chunks = [] if narrowed else chunks[:i] + chunks[i + 1 :]
            offset = Fraction(0 if narrowed or how["restart"] else i)
            break
        else:
            if n == len(difference):
                break
            chunks = parts(difference, n * how["granularity"], how["split"])
            offset = offset * len(chunks) / n
    return [passing, failing]


# The problems.

ALIKE = [1, 1.0, True, 0, 0.0, -0.0, "1", None, [1], [True], (1,)]
items = st.one_of(
    st.integers(1, 20).map(lambda size: list(range(size))),
    st.lists(st.sampled_from(ALIKE), min_size=1, max_size=12),
)


@st.composite
def problems(draw: st.DrawFn) -> tuple[list[Any], Callable[[list[Any]], Answer]]:
    """Items, and any repeatable test that fails on all of them and passes on none."""
    whole = draw(items)
    seed = draw(st.integers(0, 2**32))
    weights = draw(st.sampled_from([(1, 9, 0), (1, 3, 6), (1, 1, 1), (9, 1, 0)]))

    def fails(kept: list[Any]) -> Answer:
        if spelled(kept) == spelled(whole) or not kept:
            return bool(kept)
        answers: tuple[Answer, ...] = (True, False, None)
        return Random(f"{seed}{spelled(kept)}").choices(answers, weights)[0]

    return whole, fails


ways = st.fixed_dictionaries(
    {
        "order": st.sampled_from(["subsets-first", "complements-first", "complements-only"]),
        "split": st.sampled_from(["zeller", "balanced"]),
        "restart": st.booleans(),
        "granularity": st.sampled_from([2, 3, 7, float("inf")]),
        "subset_iterator": st.sampled_from(["forward", "backward", "skip", "random"]),
        "complement_iterator": st.sampled_from(["forward", "backward", "random"]),
        "seed": st.integers(0, 3),
    }
)
isolating_ways = ways.map(
    lambda how: {
        **{name: value for name, value in how.items() if name != "subset_iterator"},
        "order": "complements-first" if how["order"] == "complements-first" else "subsets-first",
    }
)


def compare(result: wynot.Minimized[Any] | wynot.Isolated[Any], ask: Asked) -> None:
    steps = [(spelled(step.items), step.verdict, step.from_memo) for step in result.steps]
    assert steps == ask.steps
    assert result.tests == len(ask.known)
    assert result.memo_hits == len(ask.steps) - len(ask.known)
    assert result.iterations == ask.iterations


@pytest.mark.parametrize(("search", "reference"), [("ddmin", ddmin), ("opdd", opdd)])
@given(problem=problems(), how=ways, jobs=st.sampled_from([1, 1, 5]))
def test_a_minimizing_search_does_what_its_paper_says_step_by_step(
    search: Any,
    reference: Callable[[Positions, Asked, dict[str, Any]], Positions],
    problem: tuple[list[Any], Callable[[list[Any]], Answer]],
    how: dict[str, Any],
    jobs: int,
) -> None:
    whole, fails = problem
    ask = Asked(whole, fails)
    left = reference(list(range(len(whole))), ask, how)
    result = wynot.minimize(whole, fails, search=search, jobs=jobs, **how)
    compare(result, ask)
    assert spelled(result.items) == spelled([whole[position] for position in left])
    assert result.minimal == is_one_minimal(result.items, fails) or search == "opdd"


@given(problem=problems(), how=isolating_ways, jobs=st.sampled_from([1, 1, 5]))
def test_dd_does_what_its_paper_says_step_by_step(
    problem: tuple[list[Any], Callable[[list[Any]], Answer]], how: dict[str, Any], jobs: int
) -> None:
    whole, fails = problem
    ask = Asked(whole, fails)
    passing, failing = dd([], list(range(len(whole))), ask, how)
    result = wynot.isolate([], whole, fails, jobs=jobs, **how)
    compare(result, ask)
    assert spelled(result.passing) == spelled([whole[position] for position in passing])
    assert spelled(result.failing) == spelled([whole[position] for position in failing])
    assert result.minimal


@pytest.mark.slow
@given(
    problem=problems(),
    search=st.sampled_from(["ddmin", "opdd", "cdd", "probdd", "sweep", "zigzag"]),
    star=st.booleans(),
)
def test_every_cause_fails_and_takes_the_same_tests_at_any_width(
    problem: tuple[list[Any], Callable[[list[Any]], Answer]], search: SearchName, star: bool
) -> None:
    whole, fails = problem
    alone = wynot.all_causes(whole, fails, search=search, star=star)
    wide = wynot.all_causes(whole, fails, search=search, star=star, jobs=4)
    assert all(fails(cause) for cause in alone.causes)
    assert sum(map(len, alone.causes)) <= len(whole)
    assert spelled(wide.causes) == spelled(alone.causes)
    assert [step.name for step in wide.steps] == [step.name for step in alone.steps]
