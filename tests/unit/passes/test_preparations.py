"""What is prepared ahead of time: what takes less than the test that it is for."""

from functools import partial

import pytest

from wynot.core.files import Files
from wynot.engine.bets import Bets
from wynot.engine.memo import ByContent
from wynot.engine.search_cursor import announce_nothing
from wynot.formats.cuts import lines, of_text
from wynot.passes.progress import USUAL_SECONDS_FOR_BYTE, Preparations, Progress, Runs
from wynot.passes.reduction_pass import Cut, DeleteParts, ProtectedPatterns
from wynot.search.combinators import in_turn
from wynot.search.largest import NO_LESSONS, Lessons
from wynot.search.lists.opdd import opdd

FILES = Files({"a.txt": b"one\ntwo\nthree\n"})


class Noted(DeleteParts):
    """A pass that notes when it is prepared."""

    def cut(self, files: Files, keep: ProtectedPatterns, lessons: Lessons = NO_LESSONS) -> Cut:
        prepared.append(self.name)
        return super().cut(files, keep, lessons)


prepared: list[str] = []


@pytest.mark.parametrize(("test_seconds", "names"), [(1e9, ["first", "second"]), (1e-9, ["first"])])
def test_a_pass_is_prepared_ahead_only_if_a_test_takes_longer(
    test_seconds: float, names: list[str]
) -> None:
    runs = Runs((), lambda _cut, _loop: opdd, preparations=Preparations(test_seconds))

    steps = tuple(partial(runs.run, Noted(name, of_text(lines))) for name in ("first", "second"))
    prepared.clear()
    plan = partial(in_turn, steps, Progress(FILES))
    bets = Bets(plan, None, ByContent(), announce_nothing)
    assert [*bets.likeliest(20)]
    assert list(dict.fromkeys(prepared)) == names


def test_how_likely_a_pass_must_be_follows_from_what_it_took_the_last_time() -> None:
    step, preparations = DeleteParts("lines", of_text(lines)), Preparations(1.0)
    usual = preparations.least_odds(step, FILES)
    assert usual == USUAL_SECONDS_FOR_BYTE * FILES.size
    preparations.cut(step, Progress(FILES), ())
    assert preparations.least_odds(step, FILES) != usual
    assert Preparations().least_odds(step, FILES) == 0
    assert Preparations(1e-9).least_odds(step, FILES) == 1
