"""What need not be asked again."""

from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.verdict import Verdict
from wynot.engine.memo import ByContent, Forgetful, Monotone


def of(*indices: int) -> Candidate:
    kept = Deltas.of(indices)
    return Candidate(kept, Edit.keep(kept), "")


def test_content_is_recalled_and_nothing_else() -> None:
    memo = ByContent()
    memo.learn(of(1, 2), "digest", Answer(Verdict.UNRESOLVED))
    assert memo.recall(of(5), "digest") == Answer(Verdict.UNRESOLVED)
    assert memo.recall(of(1, 2), "other") is None


def test_the_forgetful_memo_knows_nothing() -> None:
    memo = Forgetful()
    memo.learn(of(1), 1, Answer(Verdict.INTERESTING))
    assert memo.recall(of(1), 1) is None


def test_what_follows_if_the_test_is_monotone() -> None:
    memo = Monotone()
    memo.learn(of(1, 2, 3, 4), 1, Answer(Verdict.UNINTERESTING))
    memo.learn(of(5, 6), 2, Answer(Verdict.INTERESTING))
    memo.learn(of(7), 3, Answer(Verdict.UNRESOLVED))
    assert memo.recall(of(2, 3), 4) == Answer(Verdict.UNINTERESTING)
    assert memo.recall(of(5, 6, 9), 5) == Answer(Verdict.INTERESTING)
    assert memo.recall(of(4, 5), 6) is None
    assert memo.recall(of(7), 3) == Answer(Verdict.UNRESOLVED)
    assert memo.recall(of(7, 8), 7) is None


def test_only_what_does_not_follow_is_kept() -> None:
    memo = Monotone()
    memo.learn(of(1), 1, Answer(Verdict.UNINTERESTING))
    memo.learn(of(1, 2), 2, Answer(Verdict.UNINTERESTING))
    memo.learn(of(5, 6, 7), 3, Answer(Verdict.INTERESTING))
    memo.learn(of(5, 6), 4, Answer(Verdict.INTERESTING))
    assert memo._passing == [of(1, 2).kept]  # noqa: SLF001 - the point of the test
    assert memo._failing == [of(5, 6).kept]  # noqa: SLF001
