"""skippable: a search that can be ended from outside, with what it has reached by then.

Only whoever commits verdicts knows what that is: the search may be in the midst of a round. So it
comes with the answer.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from wynot.core.round import Answer, Search, Skip, Stage
from wynot.search.combinators import through

Found = TypeVar("Found")


def skippable(
    inner: Search[Found], outer: Callable[[Search[Found]], Search[object]], stage: Stage
) -> Search[Found | Skip]:
    """Run a search to its end, or until it is answered that it is skipped.

    ``outer(search)`` makes the search around it anew, as in ``combinators.nested``; ``stage`` is
    what the search is about, and what is skipped.
    """
    answer: Answer = None
    while True:
        try:
            asked = inner.send(answer)
        except StopIteration as end:
            found: Found = end.value
            return found
        answer = yield replace(asked, again=through(outer, asked.again), stage=stage)
        if isinstance(answer, Skip):
            return answer
