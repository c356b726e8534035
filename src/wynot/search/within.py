"""A search inside another: hands its rounds on, so that the engine can still come back to them."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from wynot.core.round import Answer, Search

Found = TypeVar("Found")
Result = TypeVar("Result")


class Ran(NamedTuple, Generic[Found]):
    """What an inner search found, and the number of the last iteration it took part in."""

    found: Found
    iteration: int


def within(
    inner: Search[Found],
    outer: Callable[[Search[Found]], Search[object]],
    *,
    after: int = 0,
    so_far: object = None,
) -> Search[Ran[Found]]:
    """Run the inner search to its end.

    ``outer(search)`` must make the outer search as it is now, but with that search inside: through
    it a round's ``again`` comes back to both. ``after`` counts the iterations before this search,
    ``so_far`` is what the outer one has found already.
    """
    answer: Answer = None
    iteration = after
    while True:
        try:
            asked = inner.send(answer)
        except StopIteration as end:
            return Ran(end.value, iteration)
        iteration = asked.iteration + after
        answer = yield replace(
            asked, iteration=iteration, again=through(outer, asked.again), so_far=so_far
        )


def mapped(inner: Search[Found], back: Callable[[Found], Result]) -> Search[Result]:
    """Run a search, and make something else of what it found."""
    outer = partial(mapped, back=back)
    answer: Answer = None
    while True:
        try:
            asked = inner.send(answer)
        except StopIteration as end:
            return back(end.value)
        answer = yield replace(asked, again=through(outer, asked.again))


def through(
    outer: Callable[[Search[Any]], Search[object]], again: Callable[[], Search[Any]] | None
) -> Callable[[], Search[object]] | None:
    """Return the way back to an inner search's round, with the outer one around it."""
    return None if again is None else lambda: outer(again())
