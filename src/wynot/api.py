"""What users call: reads the options, runs a session, and words its result."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor
from functools import partial
from time import monotonic
from typing import Literal, Never, TypeVar, cast, get_args

from wynot.assemble import memo_of, minimizer_of, rules_of, runner_of
from wynot.core.case import ItemsCase
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import InvalidArgument, NothingToReduce
from wynot.core.events import Event
from wynot.core.options.option import choice, refuse_unknown
from wynot.core.result import Causes, Isolated, Minimized, Steps
from wynot.core.round import Search
from wynot.core.system.debug_log import Observe, observed
from wynot.core.texts.difference import align
from wynot.engine.budget import Budget
from wynot.engine.recorder import Recorder
from wynot.engine.session import (
    Check,
    Session,
    SessionResult,
    empty_does_not_fail,
    failing_fails,
    passing_passes,
)
from wynot.oracle.function_test import FunctionTest
from wynot.search.causes import causes
from wynot.search.lists.ddmin import ddmin
from wynot.search.sides.dd import Pair, dd
from wynot.search.sides.ddmax import ddmax
from wynot.settings import (
    ClusterClient,
    IsolatingOrder,
    IsolatingSearch,
    IteratorName,
    MemoName,
    Order,
    PickName,
    SearchName,
    Settings,
    SplitName,
)

Item = TypeVar("Item")
Found = TypeVar("Found")
Outgoing = TypeVar("Outgoing")
Workers = Literal["threads", "processes"] | Executor | ClusterClient
DEFAULTS = Settings()
"""The defaults, which the command line has too."""


def minimize(  # noqa: PLR0913 - each is a choice that the papers discuss
    items: Iterable[Item],
    test: Callable[[list[Item]], object],
    *,
    search: SearchName = DEFAULTS.search,
    order: Order = DEFAULTS.order,
    split: SplitName = DEFAULTS.split,
    restart: bool = DEFAULTS.restart,
    granularity: float = DEFAULTS.granularity,
    subset_iterator: IteratorName = DEFAULTS.subset_iterator,
    complement_iterator: IteratorName = DEFAULTS.complement_iterator,
    memo: MemoName = DEFAULTS.memo,
    combined: bool = DEFAULTS.combined,
    star: bool = DEFAULTS.star,
    jobs: int = DEFAULTS.jobs,
    pick: PickName = DEFAULTS.pick,
    check: bool = DEFAULTS.check,
    seed: int = DEFAULTS.seed,
    max_tests: int | None = DEFAULTS.max_tests,
    max_time: float | None = DEFAULTS.max_time,
    weights: Sequence[float] | Callable[[Item], float] | None = DEFAULTS.weights,
    workers: Workers = DEFAULTS.workers,
    observe: Callable[[Event], None] = DEFAULTS.observe,
    **unknown: Never,
) -> Minimized[Item]:
    """Return the items that the failure needs: leave out any one of them, and it is gone.

    ``test`` is given a list of some of the items, in their order, and returns True (the failure
    shows), False (it passes), None (it cannot be told) or a ``Verdict``. The same list must get the
    same answer each time.

    search       auto, ddmin, opdd, probdd, cdd, sweep or zigzag: docs/concepts/searches
    order        which of ddmin's two reductions come first, or at all
    split, granularity, restart, subset_iterator, complement_iterator, combined, seed
                 the fine points of ddmin and its kin, as the papers name them
    memo         content: equal lists have equal verdicts; monotone: also what follows from them if
                 a part of what passes always passes; none: ask every time
    star         repeat the search until nothing changes
    jobs         how many tests to run at once; the result does not depend on it
    workers      threads, processes, an executor of the concurrent.futures kind, or a client of dask
    pick         in-order, or first-to-finish, which is quicker at times and not repeatable
    check        test the whole and the empty list first, to find a wrong test early
    max_tests, max_time
                 stop after this many tests or seconds with the best result so far
    weights      of each item, or a function of an item: chunks are cut by weight, not by count
    observe      called with every ``Event`` of the session

    Raises a ``WynotError``, or ``Interrupted`` on Ctrl-C; both carry the best ``result`` so far.
    """
    settings = Settings.read(_options(locals()))
    case = ItemsCase(_sequence("items", items))

    def result(outcome: SessionResult[Deltas]) -> Minimized[Item]:
        recorder = outcome.recorder
        kept = recorder.failing if outcome.found is None else outcome.found
        return Minimized(
            items=case.written(kept),
            minimal=recorder.is_minimal(kept),
            stopped=outcome.stopped,
            steps=Steps(recorder.trace, case.written),
            tally=outcome.tally,
        )

    search_of = minimizer_of(settings, case)
    return _run_on_whole(settings, case, test, lambda: search_of(case.deltas), result)


def all_causes(  # noqa: PLR0913 - as for minimize
    items: Iterable[Item],
    test: Callable[[list[Item]], object],
    *,
    search: SearchName = DEFAULTS.search,
    order: Order = DEFAULTS.order,
    split: SplitName = DEFAULTS.split,
    restart: bool = DEFAULTS.restart,
    granularity: float = DEFAULTS.granularity,
    subset_iterator: IteratorName = DEFAULTS.subset_iterator,
    complement_iterator: IteratorName = DEFAULTS.complement_iterator,
    memo: MemoName = DEFAULTS.memo,
    combined: bool = DEFAULTS.combined,
    star: bool = DEFAULTS.star,
    jobs: int = DEFAULTS.jobs,
    pick: PickName = DEFAULTS.pick,
    check: bool = DEFAULTS.check,
    seed: int = DEFAULTS.seed,
    max_tests: int | None = DEFAULTS.max_tests,
    max_time: float | None = DEFAULTS.max_time,
    weights: Sequence[float] | Callable[[Item], float] | None = DEFAULTS.weights,
    workers: Workers = DEFAULTS.workers,
    observe: Callable[[Event], None] = DEFAULTS.observe,
    **unknown: Never,
) -> Causes[Item]:
    """Return all independent causes: minimize, take the cause out, and go on while the rest fails.

    The options are those of ``minimize``. The causes have no item in common.
    """
    settings = Settings.read(_options(locals()))
    case = ItemsCase(_sequence("items", items))

    def result(outcome: SessionResult[tuple[Deltas, ...]]) -> Causes[Item]:
        recorder = outcome.recorder
        found = outcome.found
        if found is None:  # what was found before it ended, and the best of what came after
            found = (*cast("tuple[Deltas, ...]", recorder.so_far or ()), recorder.failing)
        return Causes(
            causes=[case.written(cause) for cause in found],
            minimal=all(map(recorder.is_minimal, found)),
            stopped=outcome.stopped,
            steps=Steps(recorder.trace, case.written),
            tally=outcome.tally,
        )

    minimizer = minimizer_of(settings, case)
    return _run_on_whole(settings, case, test, lambda: causes(minimizer, case.deltas), result)


def isolate(  # noqa: PLR0913 - as for minimize
    passing: Iterable[Item],
    failing: Iterable[Item],
    test: Callable[[list[Item]], object],
    *,
    search: IsolatingSearch = "dd",
    order: IsolatingOrder = "subsets-first",
    split: SplitName = DEFAULTS.split,
    restart: bool = DEFAULTS.restart,
    granularity: float = DEFAULTS.granularity,
    complement_iterator: IteratorName = DEFAULTS.complement_iterator,
    memo: MemoName = DEFAULTS.memo,
    jobs: int = DEFAULTS.jobs,
    pick: PickName = DEFAULTS.pick,
    check: bool = DEFAULTS.check,
    seed: int = DEFAULTS.seed,
    max_tests: int | None = DEFAULTS.max_tests,
    max_time: float | None = DEFAULTS.max_time,
    workers: Workers = DEFAULTS.workers,
    observe: Callable[[Event], None] = DEFAULTS.observe,
    **unknown: Never,
) -> Isolated[Item]:
    """Return two sequences that hardly differ, of which one passes and the other fails.

    ``passing`` may be empty. Where it is not a part of ``failing``, both are aligned, and items of
    the passing side can also be taken out. ``search`` is dd, which moves both sides, or ddmax,
    which only lets the passing one grow. The other options are those of ``minimize``.

    Raises a ``WynotError``, or ``Interrupted`` on Ctrl-C; both carry the best ``result`` so far.
    """
    settings = Settings.read(_options(locals()) | {"search": "ddmin"})
    choice("search", search, get_args(IsolatingSearch))
    choice("order", order, get_args(IsolatingOrder))
    choice("complement_iterator", complement_iterator, ("forward", "backward", "random"))
    aligned = align(_sequence("passing", passing), _sequence("failing", failing))
    case = ItemsCase(aligned.items, inverted=aligned.taken_out)
    pair = Pair(aligned.common, case.deltas)
    rules = rules_of(settings, None)
    start = (
        partial(dd, pair, rules)
        if search == "dd"
        else partial(ddmax, pair, partial(ddmin, rules=rules))
    )
    recorder, result = Recorder(case, *pair), partial(_isolated, case)
    return _run(settings, case, test, recorder, passing_passes, start, result)


def _isolated(case: ItemsCase[Item], outcome: SessionResult[Pair]) -> Isolated[Item]:
    recorder = outcome.recorder
    found = Pair(recorder.passing, recorder.failing) if outcome.found is None else outcome.found
    return Isolated(
        passing=case.written(found.passing),
        failing=case.written(found.failing),
        difference=[case.items[index] for index in found.failing.toggle(found.passing)],
        minimal=recorder.is_minimal_difference(*found),
        stopped=outcome.stopped,
        steps=Steps(recorder.trace, case.written),
        tally=outcome.tally,
    )


def _run(
    settings: Settings,
    case: ItemsCase[Item],
    test: Callable[[list[Item]], object],
    recorder: Recorder,
    check: Check,
    search: Callable[[], Search[Found]],
    result: Callable[[SessionResult[Found]], Outgoing],
) -> Outgoing:
    if not callable(test):
        raise InvalidArgument(
            f"the test is {test!r}, which cannot be called",
            hint="pass a function that takes a list and returns True if the failure shows",
        )
    if recorder.passing == recorder.failing:
        raise NothingToReduce(
            "there are no items" if not case.items else "both sides are the same",
            hint="check what you pass",
        )

    def run(observe: Observe) -> Outgoing:
        session = Session(
            case=case,
            runner=runner_of(settings, case, FunctionTest(test)),
            memo=memo_of(settings),
            budget=Budget.of(settings.max_tests, settings.max_time, monotonic()),
            pick=settings.pick,
            checks=[failing_fails, check] if settings.check else [],
            observe=observe,
            result=result,
        )
        return session.run(search, recorder)

    return observed(settings.observe, run)


def _run_on_whole(
    settings: Settings,
    case: ItemsCase[Item],
    test: Callable[[list[Item]], object],
    search: Callable[[], Search[Found]],
    result: Callable[[SessionResult[Found]], Outgoing],
) -> Outgoing:
    recorder = Recorder(case, NONE, case.deltas)
    return _run(settings, case, test, recorder, empty_does_not_fail, search, result)


def _options(arguments: dict[str, object]) -> dict[str, object]:
    """Return the options among a function's arguments; refuse those that it does not know."""
    unknown = cast("dict[str, object]", arguments.pop("unknown"))
    given = {"items", "passing", "failing", "test"}
    options = {name: value for name, value in arguments.items() if name not in given}
    refuse_unknown(unknown, list(options))
    return options


def _sequence(name: str, items: Iterable[Item]) -> list[Item]:
    """Return a copy of the items, in their order."""
    if callable(items):
        raise InvalidArgument(f"{name} is {items!r}", hint="the items come first, then the test")
    if isinstance(items, set | frozenset):
        raise InvalidArgument(f"{name} is a set, which has no order", hint="pass sorted(...) of it")
    if not isinstance(items, Iterable):
        raise InvalidArgument(f"{name} is {items!r}", hint="pass a list, or any sequence")
    return list(items)
