"""What every search keeps, new ones too: add it to SEARCHES and it is tested."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import Shuffled, drive
from wynot.core.case import ItemsCase
from wynot.core.deltas import NONE, Deltas
from wynot.core.round import FirstRound, Pick, Search, Stage
from wynot.core.verdict import Verdict
from wynot.engine.recorder import Commit
from wynot.engine.scheduler import Scheduler
from wynot.engine.search_cursor import Outcome, SearchCursor
from wynot.runners.runner import Pool
from wynot.search.causes import causes
from wynot.search.combinators import mapped, star
from wynot.search.links import ChainRun, shortened
from wynot.search.lists import split
from wynot.search.lists.cdd import cdd
from wynot.search.lists.chase import chase
from wynot.search.lists.ddmin import ddmin
from wynot.search.lists.halving import halving
from wynot.search.lists.opdd import opdd
from wynot.search.lists.probdd import probdd
from wynot.search.lists.rules import Rules
from wynot.search.lists.singles import singles
from wynot.search.lists.split import balanced, weighted
from wynot.search.lists.sweep import sweep
from wynot.search.lists.zigzag import zigzag
from wynot.search.sides.changepoint import Changepoint, RunCounts, bayesian
from wynot.search.sides.dd import Pair, dd
from wynot.search.sides.ddmax import ddmax
from wynot.search.units import dd_over_units

SUBSETS = Rules(subsets=True)
TEXTBOOK = Rules(subsets=True, restart=True)
UNUSUAL = Rules(
    subsets=True,
    subsets_first=False,
    combined=True,
    split=balanced,
    granularity=3,
    subset_iterator=split.backward,
    complement_iterator=split.random,
)
WEIGHTS = [float(index % 5) for index in range(40)]


def pairs(whole: Deltas) -> list[Deltas]:
    return [whole.part(at, min(at + 2, len(whole))) for at in range(0, len(whole), 2)]


def tens(whole: Deltas) -> list[Deltas]:
    return [whole.part(at, min(at + 10, len(whole))) for at in range(0, len(whole), 10)]


SEARCHES: dict[str, Callable[[Deltas], Search[Any]]] = {
    "ddmin": ddmin,
    "ddmin, textbook": partial(ddmin, rules=TEXTBOOK),
    "ddmin, unusual": partial(ddmin, rules=UNUSUAL),
    "ddmin, weighted": partial(ddmin, rules=Rules(split=weighted(WEIGHTS))),
    "opdd": opdd,
    "opdd, subsets": partial(opdd, rules=SUBSETS),
    "opdd, unusual": partial(opdd, rules=UNUSUAL),
    "cdd": cdd,
    "probdd": probdd,
    "probdd, weighted": partial(probdd, weights=WEIGHTS),
    "zigzag": zigzag,
    "zigzag, unusual": partial(zigzag, rules=UNUSUAL),
    "sweep": sweep,
    "sweep, unusual": partial(sweep, rules=UNUSUAL),
    "ddmin*": partial(star, ddmin),
    "opdd*": partial(star, opdd),
    "sweep*": partial(star, sweep),
    "causes": partial(causes, ddmin),
    "causes by opdd": partial(causes, opdd),
    "causes by sweep*": partial(causes, partial(star, sweep)),
    "dd": lambda whole: dd(Pair(NONE, whole)),
    "dd, textbook": lambda whole: dd(Pair(NONE, whole), TEXTBOOK),
    "dd, complements first": lambda whole: dd(Pair(NONE, whole), UNUSUAL),
    "ddmax": lambda whole: ddmax(Pair(NONE, whole), ddmin),
    "chase": chase,
    "halving": halving,
    "chase by groups": lambda whole: chase(whole, [tens(whole), pairs(whole)]),
    "singles": lambda whole: singles(whole, [whole.part(n, n + 1) for n in range(1, len(whole))]),
    "singles of pairs": lambda whole: singles(whole, pairs(whole)[1:], most=2),
    "ddmax by chase": lambda whole: ddmax(Pair(NONE, whole), chase),
    "dd over pairs": lambda whole: dd_over_units(Pair(NONE, whole), pairs(whole)),
    "chase, mapped": lambda whole: mapped(chase(whole), len),
    "links": lambda whole: shortened((ChainRun(1, len(whole)),), whole),
    "links of two chains": lambda whole: shortened(
        (ChainRun(1, max(1, len(whole) // 2)), ChainRun(max(1, len(whole) // 2), len(whole))), whole
    ),
    "ddmax by opdd*": lambda whole: ddmax(Pair(NONE, whole), partial(star, opdd)),
}

every_search = pytest.mark.parametrize("search", SEARCHES.values(), ids=SEARCHES)
sizes = st.integers(1, 40)
seeds = st.integers(0, 2**32)
ANY = (Verdict.INTERESTING, Verdict.UNINTERESTING, Verdict.UNRESOLVED)


def arbitrary(seed: int) -> Callable[[Deltas], Verdict]:
    return lambda kept: ANY[hash((seed, kept.bounds)) % 3]


@every_search
@given(sizes, seeds)
def test_it_ends_and_asks_only_for_true_parts(
    search: Callable[[Deltas], Search[Any]], size: int, seed: int
) -> None:
    whole = Deltas.first(size)
    for asked, (candidate, _) in enumerate(drive(search(whole), arbitrary(seed))):
        kept = candidate.kept
        assert whole.holds(kept)
        assert 0 < len(kept) < size
        assert asked < 10 * (size**2 + 3 * size)


@every_search
@given(sizes, seeds)
def test_it_is_pure(search: Callable[[Deltas], Search[Any]], size: int, seed: int) -> None:
    whole = Deltas.first(size)
    once = [candidate for candidate, _ in drive(search(whole), arbitrary(seed))]
    again = [candidate for candidate, _ in drive(search(whole), arbitrary(seed))]
    assert once == again


@every_search
@given(sizes, seeds)
def test_the_engine_can_come_back_to_any_question(
    search: Callable[[Deltas], Search[Any]], size: int, seed: int
) -> None:
    # From each question, a course that was taken back there asks the same and ends the same.
    whole, verdict = Deltas.first(size), arbitrary(seed)
    cursor = SearchCursor(lambda: search(whole))
    told: list[Outcome] = []
    place = None
    while cursor.question is not None:
        if cursor.checkpoint is not place:
            place, told = cursor.checkpoint, []
        back = SearchCursor.back_at(cursor.checkpoint, told)
        assert back.question == cursor.question
        answer = Outcome(verdict(cursor.question.candidate.kept))
        told = [*told, answer]
        cursor.tell(answer)
        back.tell(answer)
        assert back.question == cursor.question
        if cursor.question is None:
            assert back.found == cursor.found


@every_search
@given(sizes, seeds)
def test_a_round_can_be_decided_before_its_candidates_are_made(
    search: Callable[[Deltas], Search[Any]], size: int, seed: int
) -> None:
    # The engine looks at what follows from a verdict, and from others, on searches of their own.
    whole, verdict = Deltas.first(size), arbitrary(seed)
    cursor = SearchCursor(lambda: search(whole))
    while cursor.question is not None:
        candidate, place = cursor.question.candidate, cursor.checkpoint
        position, said = cursor.position, verdict(candidate.kept)
        cursor.tell(Outcome(said))
        if isinstance(place.round_, FirstRound) and said in place.round_.wanted:
            ahead = SearchCursor.decided(place, Pick(position, said, candidate), cursor.cost)
            assert ahead.question == cursor.question
            assert ahead.cost == cursor.cost
            if cursor.question is None:
                assert ahead.found == cursor.found


class Commits:
    """A ledger that only remembers."""

    def __init__(self) -> None:
        self.names: list[tuple[str, Verdict]] = []

    def enter(self, stage: Stage) -> None:
        """Begin the only stage."""

    def commit(self, commit: Commit) -> None:
        """Remember."""
        self.names.append((commit.judged.candidate.name, commit.judged.verdict))


def at_width(
    search: Callable[[Deltas], Search[Any]], size: int, seed: int, width: int
) -> tuple[list[tuple[str, Verdict]], Any]:
    """Return what the engine commits and finds, with workers that finish in any order."""
    # Of more items than the search takes: a run of a state is a number of its own.
    case, verdict, ledger = ItemsCase(list(range(size + 100))), arbitrary(seed), Commits()
    with Shuffled(seed + width) as workers:
        runner = Pool(workers, width, lambda kept: verdict(Deltas.of(kept)))
        start = partial(search, Deltas.first(size))
        scheduler = Scheduler(start, stage=Stage(case), runner=runner, ledger=ledger)
        return ledger.names, scheduler.run()


def changepoint(whole: Deltas) -> Search[Changepoint]:
    """Look for a change of rate; it asks about runs, which are not parts of the whole."""
    states = Changepoint.of(len(whole) + 1, RunCounts(0, 1), RunCounts(1, 0))
    return bayesian(states, 0.97, 60)


@pytest.mark.parametrize(
    "search", [*SEARCHES.values(), changepoint], ids=[*SEARCHES, "changepoint"]
)
@settings(max_examples=settings().max_examples // 5)
@given(sizes, seeds, st.sampled_from([2, 7, 64]))
def test_the_engine_asks_the_same_at_any_width(
    search: Callable[[Deltas], Search[Any]], size: int, seed: int, width: int
) -> None:
    assert at_width(search, size, seed, width) == at_width(search, size, seed, 1)
