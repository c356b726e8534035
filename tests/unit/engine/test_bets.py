"""What is tested ahead of time: the likeliest questions of all courses that are possible."""

from collections.abc import Callable
from functools import partial

import pytest

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.case import ItemsCase
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import RESOLVED, CostRound, EveryRound, FirstRound, Merge, Pick, Search, Stage
from wynot.core.verdict import Verdict
from wynot.engine.bets import Bet, Bets
from wynot.engine.memo import ByContent, Forgetful
from wynot.engine.search_cursor import Outcome, announce_nothing

SIZE = 64
ALL = Deltas.first(SIZE)
STAGE = Stage(ItemsCase(list(range(SIZE))))


def halving(low: int = 0, high: int = SIZE, odds: float = 0.5) -> Search[int]:
    """Find where prefixes begin to fail: a prefix of ``low`` passes, one of ``high`` fails."""
    while high - low > 1:
        middle = (low + high) // 2
        again = partial(halving, low, high, odds)
        prefix = Candidate.whole(Deltas.first(middle))
        pick = yield FirstRound([prefix], wanted=RESOLVED, again=again, odds=odds)
        if isinstance(pick, Pick) and pick.verdict is Verdict.INTERESTING:
            high = middle
        else:
            low = middle
    return high


def dropping(kept: Deltas = ALL, number: int = 0) -> Search[Deltas]:
    """Try to leave out one delta after the other."""
    while number < SIZE:
        candidate = Candidate(kept, Edit.drop(Deltas((number, number + 1))), f"d{number}")
        again = partial(dropping, kept, number)
        if (yield FirstRound([candidate], again=again, odds=0.1)) is not None:
            kept = candidate.kept
        number += 1
    return kept


def at_once(count: int = 3) -> Search[Deltas]:
    """Try to leave out some deltas, each from the whole; then what is left, one by one."""
    edits = [Edit.drop(Deltas((number, number + 1))) for number in range(count)]
    merge = yield EveryRound(ALL, edits, again=partial(at_once, count))
    return (yield from dropping(merge.kept if isinstance(merge, Merge) else ALL, count))


def tree(start: Callable[[], Search[object]] = halving) -> Bets:
    return Bets(start, STAGE, ByContent(), announce_nothing)


def prefixes(bets: Bets, width: int) -> list[int]:
    """Return how long the prefixes are that are to be tested, the likeliest first."""
    return [len(bet.question.candidate.kept) for _, bet in bets.likeliest(width)]


def commit(bets: Bets, verdict: Verdict) -> None:
    """Let the first question have a verdict."""
    first = bets.first
    assert first is not None
    bets.take_in(first, Answer(verdict))
    known = bets.next_known()
    assert known is first
    bets.settle(known, Outcome(verdict))


def test_one_worker_tests_what_is_asked() -> None:
    assert prefixes(tree(), 1) == [32]


def test_a_bisection_is_tested_on_both_sides() -> None:
    assert sorted(prefixes(tree(), 3)) == [16, 32, 48]
    assert sorted(prefixes(tree(), 7)) == [8, 16, 24, 32, 40, 48, 56]


def test_the_likelier_side_is_tested_further() -> None:
    assert sorted(prefixes(tree(partial(halving, odds=0.9)), 4)) == [4, 8, 16, 32]


def test_what_is_asked_at_once_is_asked_for_certain_and_what_follows_is_not() -> None:
    ahead = list(tree(at_once).likeliest(32))
    assert [odds for odds, _ in ahead[:4]] == pytest.approx([1, 1, 1, 0.75**3])
    assert [len(bet.question.candidate.kept) for _, bet in ahead[:4]] == [SIZE - 1] * 4
    # If one of them works, the next is left out of what that leaves: three more courses.
    others = [odds for odds, bet in ahead if len(bet.question.candidate.kept) == SIZE - 2]
    assert others[:3] == pytest.approx([0.75**2 * 0.25] * 3)


def test_what_a_verdict_rules_out_is_not_possible_any_more() -> None:
    bets = tree()
    _odds, ahead = zip(*bets.likeliest(7), strict=True)
    by_length = {len(bet.question.candidate.kept): bet.ticket for bet in ahead}
    commit(bets, Verdict.INTERESTING)
    assert by_length[16] in bets.possible
    assert not {by_length[length] for length in (32, 40, 48, 56)} & bets.possible
    assert sorted(prefixes(bets, 3)) == [8, 16, 24]


def test_what_was_said_ahead_is_not_tested_again() -> None:
    bets = tree()
    ahead = {len(bet.question.candidate.kept): bet for _, bet in bets.likeliest(3)}
    bets.take_in(ahead[16], Answer(Verdict.UNINTERESTING))
    commit(bets, Verdict.INTERESTING)
    known = bets.next_known()
    assert known is not None
    assert len(known.question.candidate.kept) == 16
    bets.settle(known, Outcome(Verdict.UNINTERESTING))
    assert prefixes(bets, 1) == [24]


def test_a_known_verdict_leaves_one_branch() -> None:
    bets = tree()
    ahead = {len(bet.question.candidate.kept): bet for _, bet in bets.likeliest(3)}
    bets.take_in(ahead[16], Answer(Verdict.UNINTERESTING))
    assert sorted(prefixes(bets, 3)) == [24, 32, 48]


def test_the_end_is_found_on_whatever_course() -> None:
    for fails_from in (1, 17, 33, 64):
        bets = tree()
        while (first := bets.first) is not None:
            list(bets.likeliest(5))
            length = len(first.question.candidate.kept)
            commit(bets, Verdict.INTERESTING if length >= fails_from else Verdict.UNINTERESTING)
        assert bets.found == fails_from


@pytest.mark.parametrize("width", [1, 2, 5, 16])
def test_a_search_asks_the_same_whatever_is_tested_ahead(width: int) -> None:
    needed = {3, 4, 40}
    bets = tree(dropping)
    asked: list[str] = []
    while (first := bets.first) is not None:
        for _, bet in list(bets.likeliest(width)):
            bets.take_in(bet, Answer(said(bet, needed)))
        while (first := bets.next_known()) is not None:
            asked.append(first.question.candidate.name)
            bets.settle(first, Outcome(said(first, needed)))
    assert asked == [f"d{number}" for number in range(SIZE)]
    assert bets.found == Deltas.of(sorted(needed))


def said(bet: Bet, needed: set[int]) -> Verdict:
    is_interesting = needed <= set(bet.question.candidate.kept)
    return Verdict.INTERESTING if is_interesting else Verdict.UNINTERESTING


def preparing(number: int = 0) -> Search[int]:
    """Ask one question, then prepare something that takes long, and ask another one."""
    again = partial(preparing, number)
    first = Candidate.whole(Deltas.first(1))
    pick = yield FirstRound([first], wanted=RESOLVED, again=again, odds=0.9)
    is_so = isinstance(pick, Pick) and pick.verdict is Verdict.INTERESTING
    yield CostRound("preparing", least_odds=0.5)
    PREPARED.append(is_so)
    yield FirstRound([Candidate.whole(Deltas.first(10 + is_so))])
    return number


PREPARED: list[bool] = []


def test_what_takes_long_is_not_done_on_the_off_chance() -> None:
    PREPARED.clear()
    bets = tree(preparing)
    assert prefixes(bets, 8) == [1, 11]
    assert set(PREPARED) == {True}


def test_what_takes_long_is_done_when_it_comes_to_that() -> None:
    PREPARED.clear()
    bets = tree(preparing)
    prefixes(bets, 8)
    prefixes(bets, 8)
    commit(bets, Verdict.UNINTERESTING)
    assert prefixes(bets, 8) == [10]
    assert set(PREPARED) == {True, False}


def twice_at_once() -> Search[Deltas]:
    """Try to leave out four deltas, each from the whole; then twenty others from what is left."""
    edits = [Edit.drop(Deltas((number, number + 1))) for number in range(24)]
    merge = yield EveryRound(ALL, edits[:4], again=twice_at_once)
    kept = merge.kept if isinstance(merge, Merge) else ALL
    merge = yield EveryRound(kept, edits[4:], iteration=2)
    return merge.kept if isinstance(merge, Merge) else kept


def test_what_a_round_asks_whatever_comes_of_it_is_thought_of_once() -> None:
    # Without a memo each way to a question has a test of its own: one of them is enough.
    bets = Bets(twice_at_once, STAGE, Forgetful(), announce_nothing)
    for _ in range(4):
        commit(bets, Verdict.INTERESTING)
    likely = [bet.question.candidate.name for _, bet in bets.likeliest(24)]
    assert likely[:21] == ["r1/m4+3", *(f"r2/e{number}" for number in range(1, 21))]
    assert "r1/m4+1" in likely[21:]  # if the union does not work


def test_the_memo_keeps_answers_of_stages_that_want_diagnostics_apart() -> None:
    # Whether other answers have diagnostics depends on what was tested ahead of time.
    memo = ByContent()
    usual = Bets(halving, STAGE, memo, announce_nothing).first
    diagnosed = Bets(
        halving, Stage(STAGE.case, wants_diagnostics=True), memo, announce_nothing
    ).first
    assert usual is not None
    assert diagnosed is not None
    answer = Answer(Verdict.INTERESTING, diagnostics=())
    memo.learn(usual.question.candidate, usual.memo_key, answer)
    assert memo.recall(diagnosed.question.candidate, diagnosed.memo_key) is None
    assert memo.recall(usual.question.candidate, usual.memo_key) == answer
