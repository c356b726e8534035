"""Rewrites after which a text is longer, but more of it may go."""

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.passes.pumps import PUMP_PATIENCE, Pump, pumping
from wynot.passes.trees import Trees

TEXT = b"value = make(1, 2, 3, 4, 5)\nf(value)\ng(value)\nh(value)\n"
LONGER = b"f(make(1, 2, 3, 4, 5))\ng(make(1, 2, 3, 4, 5))\nh(make(1, 2, 3, 4, 5))\n"
FILES = Files({"a.py": TEXT})


def test_a_pump_cuts_the_longer_text() -> None:
    trees = Trees.of(FILES)
    (pump,) = pumping(trees.forest(FILES))
    assert pump.gain < 0
    cut = Pump(trees, 0).cut(FILES, ())
    assert cut.case.render(Candidate.whole(cut.case.deltas)).contents["a.py"] == LONGER
    assert cut.must_gain
    assert cut.nodes is None
    assert cut.search is not None
    assert cut.search.whole_first
    assert cut.search.patience == PUMP_PATIENCE


def test_where_there_is_no_pump_there_is_nothing_to_cut() -> None:
    assert not Pump(Trees.of(FILES), 1).cut(FILES, ()).case.deltas
    other = Files({"a.py": b"f(1)\n"})
    assert not Pump(Trees.of(other), 0).cut(other, ()).case.deltas


def test_in_a_large_case_there_are_none() -> None:
    large = Files({"a.py": TEXT + b"f(1)\n" * 1000})
    assert pumping(Trees.of(large).forest(large)) == []


def test_the_parts_are_those_of_the_longer_text() -> None:
    cut = Pump(Trees.of(FILES), 0).cut(FILES, ())
    case = cut.case
    first_call = len(b"f(make(1,2,3,4,5))")
    tokens = 0
    while sum(case.weights[:tokens]) < first_call:
        tokens += 1
    only = case.render(Candidate.whole(Deltas((0, tokens))))
    assert only.contents["a.py"] == b"f(make(1, 2, 3, 4, 5))\n"
    assert only.weight < FILES.weight
