"""Searches made of searches: in turn, again until nothing changes, ended from outside.

The engine can come back to any round of a search through its ``again`` (``core.round``). Where a
search runs inside another, the way back must lead into both: so what the outer one knows is in its
arguments, and ``nested`` passes each round on with an ``again`` that makes the outer search again,
with the inner one, at that round, inside it. ``driven`` is the loop below all of them.

A search can also be ended from outside, as when a person skips a pass. Only the engine knows
after which verdict that is, as the search may be in the midst of a round: so it comes with the
answer.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar

from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Reply, Round, Search, Skip, Stage

Found = TypeVar("Found")
Result = TypeVar("Result")
State = TypeVar("State")
Memory = TypeVar("Memory")

Step: TypeAlias = Callable[[State], Search[State]]
"""A search that starts from something, and finds something of the same kind."""
Minimizer: TypeAlias = Step[Deltas]


class NestedResult(NamedTuple, Generic[Found]):
    """What an inner search found, and the number of the last iteration it took part in."""

    found: Found
    iteration: int


class Ended(NamedTuple, Generic[Result]):
    """In place of a reply: the inner search is not continued, and this is the result."""

    result: Result


def driven(
    inner: Search[Found], ask: Callable[[Round], Search[Reply | Ended[Result]]]
) -> Search[Found | Result]:
    """Run an inner search to its end.

    ``ask`` asks a round of it in its own way: it returns the reply, or ends the search.
    """
    reply: Reply = None
    while True:
        try:
            round_ = inner.send(reply)
        except StopIteration as end:
            found: Found = end.value
            return found
        outcome = yield from ask(round_)
        if isinstance(outcome, Ended):
            result: Result = outcome.result
            return result
        reply = outcome


def nested(
    inner: Search[Found],
    outer: Callable[[Search[Found]], Search[object]],
    *,
    after: int = 0,
    so_far: object = None,
    stage: Stage | None = None,
) -> Search[NestedResult[Found]]:
    """Run the inner search to its end.

    ``outer(search)`` must make the outer search as it is now, but with that search inside: through
    it a round's ``again`` comes back to both. ``after`` counts the iterations before this search,
    ``so_far`` is what the outer one has found already, ``stage`` what the inner one is about.
    """
    iteration = after

    def ask(round_: Round) -> Search[Reply]:
        nonlocal iteration
        iteration = round_.iteration + after
        return (
            yield replace(
                round_,
                iteration=iteration,
                again=through(outer, round_.again),
                so_far=so_far,
                stage=stage or round_.stage,
            )
        )

    found = yield from driven(inner, ask)
    return NestedResult(found, iteration)


def mapped(inner: Search[Found], back: Callable[[Found], Result]) -> Search[Result]:
    """Run a search, and make something else of what it found."""
    ran = yield from nested(inner, partial(mapped, back=back))
    return back(ran.found)


def through(
    outer: Callable[[Search[Any]], Search[object]], again: Callable[[], Search[Any]] | None
) -> Callable[[], Search[object]] | None:
    """Return the way back to an inner search's round, with the outer one around it."""
    return None if again is None else lambda: outer(again())


def done(state: State) -> Search[State]:
    """A search that asks nothing and changes nothing."""
    yield from ()
    return state


def star(
    step: Step[State], state: State, after: int = 0, running: Search[State] | None = None
) -> Search[State]:
    """Repeat a search on its own result until that changes nothing (HDD*, Picire's DD*).

    That makes a one-pass search 1-minimal.
    """
    while True:
        running = step(state) if running is None else running
        outer = partial(star, step, state, after)
        found, after = yield from nested(running, outer, after=after)
        if found == state:
            return state
        state, running = found, None


def in_turn(
    steps: tuple[Step[State], ...],
    state: State,
    after: int = 0,
    running: Search[State] | None = None,
) -> Search[State]:
    """Run several searches, each on what the one before has left."""
    while steps:
        running = steps[0](state) if running is None else running
        outer = partial(in_turn, steps, state, after)
        state, after = yield from nested(running, outer, after=after)
        steps, running = steps[1:], None
    return state


Choose: TypeAlias = Callable[[Memory, State], tuple[Step[State], Memory] | None]
"""Says what to do next, and what to remember of it; None: nothing more."""


def one_after_another(
    choose: Choose[Memory, State],
    memory: Memory,
    state: State,
    after: int = 0,
    running: Search[State] | None = None,
) -> Search[State]:
    """Run searches, each chosen by what the ones before have come to.

    What ``choose`` wants to know of earlier ones it keeps in ``memory``, which nobody changes.
    """
    while True:
        if running is None:
            chosen = choose(memory, state)
            if chosen is None:
                return state
            step, memory = chosen
            running = step(state)
        outer = partial(one_after_another, choose, memory, state, after)
        state, after = yield from nested(running, outer, after=after)
        running = None


def down_to_nothing(
    minimizer: Minimizer, kept: Deltas, running: Search[Deltas] | None = None
) -> Search[Deltas]:
    """Run the minimizer; if it leaves a single delta, try without that one.

    List searches never ask for the empty configuration, since a failing input that is empty is
    mostly a broken test. But where the deltas are only some parts of a case, none need be needed.
    """
    outer = partial(down_to_nothing, minimizer, kept)
    running = minimizer(kept) if running is None else running
    found, after = yield from nested(running, outer)
    return (yield from without_all(found, after + 1)) if len(found) == 1 else found


def without_all(found: Deltas, iteration: int = 1) -> Search[Deltas]:
    """Leave out everything at once, or nothing."""
    candidates: Iterator[Candidate] = iter(
        [Candidate(found, Edit.drop(found), f"r{iteration}/none")]
    )
    again = partial(without_all, found, iteration)
    pick = yield FirstRound(candidates, iteration=iteration, again=again)
    return NONE if isinstance(pick, Pick) else found


def skippable(
    inner: Search[Found], outer: Callable[[Search[Found]], Search[object]], stage: Stage
) -> Search[Found | Skip]:
    """Run a search to its end, or until it is answered that it is skipped.

    ``outer(search)`` makes the search around it again, as in ``nested``; ``stage`` is what the
    search is about, and what is skipped.
    """

    def ask(round_: Round) -> Search[Reply | Ended[Skip]]:
        reply = yield replace(round_, again=through(outer, round_.again), stage=stage)
        return Ended(reply) if isinstance(reply, Skip) else reply

    return (yield from driven(inner, ask))
