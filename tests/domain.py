"""The words that tests speak: problems out of the papers, and an executor of unpredictable pace."""

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Executor, Future
from itertools import combinations, pairwise
from random import Random
from typing import Any, NamedTuple, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.round import Reply, Search
from wynot.core.verdict import Verdict
from wynot.engine.search_cursor import Outcome, SearchCursor

Item = TypeVar("Item")
Returned = TypeVar("Returned")

WIDTHS = (1, 2, 7, 64)
SEARCHES = ("auto", "ddmin", "opdd", "probdd", "cdd", "sweep", "zigzag")
ORDERS = ("subsets-first", "complements-first", "complements-only")


class Problem(NamedTuple):
    """Items, and what makes them fail."""

    items: Sequence[Any]
    fails: Callable[[list[Any]], bool]


def needs(*wanted: Any) -> Callable[[list[Any]], bool]:
    """Return a test that fails if all of these are there."""
    return frozenset(wanted).issubset


# Hodován & Kiss 2016, Table 1.
EXAMPLES = {
    "A": Problem(range(1, 9), lambda c: {5, 8} <= set(c) and (2 in c or 7 not in c)),
    "B": Problem(range(1, 9), needs(*range(1, 9))),
    "C": Problem(range(1, 9), lambda c: {1, 2, 3, 4, 6, 8} <= set(c) and not {5, 7} <= set(c)),
    "D": Problem(range(100), needs(*range(0, 100, 2))),
}


def depends_backward(kept: list[str]) -> bool:
    """Gharachorlu & Sumner 2018, Fig. 3, first oracle: a, c, e, g; b before d before f before h."""
    there = set(kept)
    chain = ["b", "d", "f", "h"]
    return set("aceg") <= there and all(
        left in there or right not in there for left, right in pairwise(chain)
    )


def two_causes(kept: list[str]) -> bool:
    """The third oracle of the same figure: (c and h) or (d and f)."""
    return {"c", "h"} <= set(kept) or {"d", "f"} <= set(kept)


def is_subsequence(part: Iterable[object], whole: Iterable[object]) -> bool:
    """Tell whether the part can be had by leaving items out."""
    rest = iter(whole)
    return all(any(item is other for other in rest) for item in part)


def is_one_minimal(items: list[Item], fails: Callable[[list[Item]], object]) -> bool:
    """Tell by trying whether no single item can go."""
    return not any(
        fails(list(rest)) is True for rest in combinations(items, max(len(items) - 1, 0))
    )


class Shuffled(Executor):
    """Runs what is submitted one at a time, always a random one of those that wait.

    It stands for tests that take unpredictable time, without any waiting.
    """

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._waiting: list[tuple[Future[Any], Callable[[], Any]]] = []
        self._changed = threading.Condition()
        self._open = True
        self._thread = threading.Thread(target=self._work)
        self._thread.start()

    def submit(self, fn: Callable[..., Returned], /, *args: Any, **kwargs: Any) -> Future[Returned]:
        future: Future[Returned] = Future()
        with self._changed:
            self._waiting.append((future, lambda: fn(*args, **kwargs)))
            self._changed.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: FBT002
        with self._changed:
            self._open = False
            if cancel_futures:
                self._waiting.clear()
            self._changed.notify()
        if wait:
            self._thread.join()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or not self._open)
                if not self._waiting:
                    return
                future, call = self._waiting.pop(self._random.randrange(len(self._waiting)))
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(call())
                except Exception as error:  # noqa: BLE001 - that is what a future is for
                    future.set_exception(error)


def drive(
    search: Search[Any], fails: Callable[[Deltas], Verdict]
) -> Iterator[tuple[Candidate, Verdict]]:
    """Run a search against a function of deltas, without any engine; yield what it asks."""
    cursor = SearchCursor(lambda: search)
    while cursor.question is not None:
        candidate = cursor.question.candidate
        verdict = fails(candidate.kept)
        yield candidate, verdict
        cursor.tell(Outcome(verdict))


def finish(search: Search[Returned], answer: Reply) -> Returned:
    """Send the last answer, and return what the search found."""
    try:
        search.send(answer)
    except StopIteration as end:
        found: Returned = end.value
        return found
    raise AssertionError("the search goes on")
