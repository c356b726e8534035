"""What is remembered of a pass."""

from math import inf

import pytest

from wynot.core.files import Files
from wynot.core.round import Cost, CostRound, Reply
from wynot.passes.progress import Progress, Runs
from wynot.passes.trees.parsed_files import Trees
from wynot.passes.trees.tree_passes import PruneTrees

FILES = Files({"a.py": b"a()\nb()\nc()\nd()\n"})


def after_a_pass_in_vain(until: float) -> Progress:
    """Run a pass of which nothing works, with so many tests."""
    runs = Runs(keep=(), search_of=lambda _cut, _loop: None, until=until)
    search = runs.run(PruneTrees(Trees.of(FILES)), Progress(FILES))
    answer: Reply = None
    tests = 0
    while True:
        try:
            asked = search.send(answer)
        except StopIteration as end:
            progress: Progress = end.value
            return progress
        asks_cost = isinstance(asked, CostRound)
        answer = Cost(tests) if asks_cost else None
        tests += not asks_cost


@pytest.mark.parametrize(("until", "is_known"), [(inf, True), (3, False)])
def test_a_pass_that_ran_out_of_tests_is_not_in_vain(until: float, *, is_known: bool) -> None:
    assert bool(after_a_pass_in_vain(until).fruitless) == is_known
