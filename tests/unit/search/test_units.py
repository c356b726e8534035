"""A list search on groups of deltas."""

import pytest

from domain import drive, finish
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import EveryRound, FirstRound, Merge, Pick, Reply, Round, Search
from wynot.core.verdict import Verdict
from wynot.search.combinators import Minimizer, down_to_nothing
from wynot.search.lists.cdd import cdd
from wynot.search.lists.chase import chase
from wynot.search.lists.ddmin import ddmin
from wynot.search.lists.opdd import opdd
from wynot.search.lists.probdd import probdd
from wynot.search.lists.rules import Rules
from wynot.search.lists.sweep import sweep
from wynot.search.lists.zigzag import zigzag
from wynot.search.units import Units, over_units

# Of 0 … 13, units are 1-3, 4 and 6, 7-8, 10-12; 5 is gone; 0, 9 and 13 belong to none.
KEPT = Deltas.of({*range(14)} - {5})
UNITS = [Deltas.of(unit) for unit in ([1, 2, 3], [4, 6], [7, 8], [10, 11, 12])]

MINIMIZERS: list[Minimizer] = [ddmin, opdd, cdd, probdd, sweep, zigzag, chase]
every_minimizer = pytest.mark.parametrize("minimizer", MINIMIZERS)


@pytest.fixture
def units() -> Units:
    return Units(KEPT, UNITS)


def test_numbers_to_deltas_and_back(units: Units) -> None:
    for numbers in ([], [0], [1, 3], [0, 1, 2], [0, 1, 2, 3]):
        wanted = {delta for number in numbers for delta in UNITS[number]}
        deltas = units.deltas(Deltas.of(numbers))
        assert deltas == Deltas.of(wanted)
        assert units.numbers(deltas) == Deltas.of(numbers)
        kept = units.kept(Deltas.of(numbers))
        assert kept == Deltas.of(wanted | {0, 9, 13})
        assert units.numbers(kept) == Deltas.of(numbers)


def asks(round_: Round) -> Search[list[Reply]]:
    """A search of one round, which returns the answer it was given."""
    answer = yield round_
    return [answer]


def one_round(asked: Round, answer: Reply) -> tuple[Round, Reply]:
    """Return the round as units put it, and the answer as they hand it in."""
    heard: list[Reply] = []

    def minimizer(kept: Deltas) -> Search[Deltas]:
        heard.extend((yield from asks(asked)))
        return kept

    search = over_units(minimizer, KEPT, UNITS)
    translated = next(search)
    assert finish(search, answer) == KEPT
    return translated, heard[0]


def test_candidates_and_picks() -> None:
    base = Deltas.of([0, 1, 3])
    meant = [
        Candidate(base, Edit.drop(Deltas.of([1])), "r7/c1"),
        Candidate(base, Edit.keep(Deltas.of([3])), "r7/s2"),
        Candidate(Deltas.of([0]), Edit.add(Deltas.of([2])), "r7/a"),
    ]
    without_third = Deltas.of({*KEPT} - {7, 8})
    wanted = [
        Candidate(without_third, Edit.drop(Deltas.of([4, 6])), "r7/c1"),
        Candidate(without_third, Edit.keep(Deltas.of([0, 9, 10, 11, 12, 13])), "r7/s2"),
        Candidate(Deltas.of([0, 1, 2, 3, 9, 13]), Edit.add(Deltas.of([7, 8])), "r7/a"),
    ]
    for place in range(3):
        pick = Pick(place, Verdict.INTERESTING, wanted[place])
        asked, heard = one_round(FirstRound(meant, iteration=7), pick)
        assert isinstance(asked, FirstRound)
        assert asked.iteration == 7
        assert list(asked.candidates) == wanted
        assert heard == Pick(place, Verdict.INTERESTING, meant[place])


def test_independent_edits_and_merges() -> None:
    base = Deltas.of([0, 1, 3])
    edits = [Edit.drop(Deltas.of([number])) for number in base]
    merge = Merge(Deltas.of([0, 4, 6, 9, 13]))
    asked, heard = one_round(EveryRound(base, edits, iteration=3), merge)
    assert isinstance(asked, EveryRound)
    assert asked.base == Deltas.of({*KEPT} - {7, 8})
    assert list(asked.edits) == [Edit.drop(UNITS[number]) for number in base]
    assert heard == Merge(Deltas.of([1]))


def test_an_answer_of_nothing_is_handed_in_as_it_is() -> None:
    _, heard = one_round(FirstRound([]), None)
    assert heard is None


def test_a_round_without_a_way_back_has_none() -> None:
    asked, _ = one_round(FirstRound([]), None)
    assert asked.again is None


@every_minimizer
def test_units_go_whole_and_what_belongs_to_none_stays(minimizer: Minimizer) -> None:
    def fails(kept: Deltas) -> Verdict:
        for unit in UNITS:
            assert len({delta in kept for delta in unit}) == 1
        assert {0, 9, 13} <= {*kept}
        return Verdict.INTERESTING if 8 in kept else Verdict.UNINTERESTING

    found = []
    for candidate, verdict in drive(over_units(minimizer, KEPT, UNITS), fails):
        if verdict is Verdict.INTERESTING:
            found.append(candidate.kept)
    assert found[-1] == Deltas.of([0, 7, 8, 9, 13])


@every_minimizer
def test_all_units_can_go_if_it_goes_down_to_nothing(minimizer: Minimizer) -> None:
    def thorough(kept: Deltas) -> Search[Deltas]:
        return down_to_nothing(minimizer, kept)

    asked = [
        candidate.kept
        for candidate, _ in drive(
            over_units(thorough, KEPT, UNITS), lambda _kept: Verdict.INTERESTING
        )
    ]
    assert asked[-1] == Deltas.of([0, 9, 13])


def test_no_units_no_questions() -> None:
    search = over_units(lambda kept: down_to_nothing(ddmin, kept), KEPT, [])
    assert finish(search, None) == KEPT


@pytest.mark.parametrize("minimizer", [*MINIMIZERS, lambda kept: ddmin(kept, Rules(subsets=True))])
def test_with_a_unit_for_each_delta_it_is_the_search_itself(minimizer: Minimizer) -> None:
    def fails(kept: Deltas) -> Verdict:
        return Verdict.INTERESTING if {3, 17, 18} <= {*kept} else Verdict.UNRESOLVED

    whole = Deltas.first(40)
    units = [Deltas.of([delta]) for delta in whole]
    assert list(drive(over_units(minimizer, whole, units), fails)) == list(
        drive(minimizer(whole), fails)
    )


def test_nothing_is_kept_where_there_is_nothing() -> None:
    assert Units(NONE, []).kept(NONE) == NONE
