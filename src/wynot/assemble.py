"""From the names of options to the things that they name."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import replace
from functools import partial
from math import inf
from sys import float_info
from typing import Any

from wynot.core.case import Case, ItemsCase
from wynot.core.deltas import Deltas
from wynot.core.errors import InvalidArgument, InvalidOption
from wynot.core.options.option import number
from wynot.core.round import Search
from wynot.core.texts.tree import Nodes
from wynot.engine.memo import ByContent, Forgetful, Memo, Monotone
from wynot.oracle.function_test import FunctionTest
from wynot.runners.processes import Processes
from wynot.runners.runner import ClientExecutor, Inline, Pool, Runner, Threads
from wynot.search.combinators import Minimizer, down_to_nothing, star
from wynot.search.hdd import hierarchical
from wynot.search.lists import split
from wynot.search.lists.cdd import cdd
from wynot.search.lists.ddmin import ddmin
from wynot.search.lists.opdd import opdd
from wynot.search.lists.probdd import probdd
from wynot.search.lists.rules import Rules
from wynot.search.lists.split import Split, balanced, weighted, zeller
from wynot.search.lists.sweep import sweep
from wynot.search.lists.zigzag import zigzag
from wynot.settings import (
    ClusterClient,
    IteratorName,
    MemoName,
    SearchName,
    Settings,
    SplitName,
    TreeSearch,
)

SMALL_CASE = 100
"""Up to here ddmin's revisits cost little; above, zigzag needs fewer tests."""


def auto(kept: Deltas, rules: Rules) -> Search[Deltas]:
    """Minimize with ddmin while it is cheap, else with zigzag; both end 1-minimal."""
    return ddmin(kept, rules) if len(kept) <= SMALL_CASE or rules.subsets else zigzag(kept, rules)


SPLITS: Mapping[SplitName, Split] = {"zeller": zeller, "balanced": balanced}
ITERATORS: Mapping[IteratorName, split.Iterator] = {
    "forward": split.forward,
    "backward": split.backward,
    "skip": split.skip,
    "random": split.random,
}
MEMOS: Mapping[MemoName, Callable[[], Memo]] = {
    "content": ByContent,
    "monotone": Monotone,
    "none": Forgetful,
}
MINIMIZERS: Mapping[SearchName, Callable[[Rules, Sequence[float] | None], Minimizer]] = {
    "auto": lambda rules, _: partial(auto, rules=rules),
    "ddmin": lambda rules, _: partial(ddmin, rules=rules),
    "opdd": lambda rules, _: partial(opdd, rules=rules),
    "cdd": lambda rules, _: partial(cdd, rules=rules),
    "sweep": lambda rules, _: partial(sweep, rules=rules),
    "zigzag": lambda rules, _: partial(zigzag, rules=rules),
    "probdd": lambda _, weights: partial(probdd, weights=weights),
}


ONE_EACH = "give one weight for each item, or a function of an item"


def rules_of(settings: Settings, weights: Sequence[float] | None) -> Rules:
    """Return the rules that a list search follows."""
    return Rules(
        subsets=settings.order != "complements-only" and settings.subset_iterator != "skip",
        subsets_first=settings.order != "complements-first",
        combined=settings.combined,
        split=SPLITS[settings.split] if weights is None else weighted(weights),
        granularity=settings.granularity,
        restart=settings.restart,
        subset_iterator=ITERATORS[settings.subset_iterator],
        complement_iterator=ITERATORS[settings.complement_iterator],
        seed=settings.seed,
    )


def minimizer_of(settings: Settings, case: ItemsCase[Any]) -> Minimizer:
    """Return the search that minimizes."""
    weights = _weights_of(settings, case)
    minimizer = MINIMIZERS[settings.search](rules_of(settings, weights), weights)
    return partial(star, minimizer) if settings.star else minimizer


def pass_search(
    settings: Settings, groups: Sequence[Deltas], weights: Sequence[float] | None, loop: int
) -> Minimizer:
    """Return the search of one pass, which starts with these groups.

    Unless another is asked for, that is OPDD, backward and forward in turn: the plan comes again,
    and a pass that goes on until nothing changes would do so on a case that is not final yet. From
    the second time on only single parts are tried: larger ones were, and little has changed.
    """
    rules = replace(rules_of(settings, weights), groups=tuple(groups))
    name = settings.search
    if name == "auto":
        name = "opdd"
        if loop % 2 and settings.complement_iterator == "forward":
            rules = replace(rules, complement_iterator=split.backward)
        if loop > 1:
            rules = replace(rules, groups=(), granularity=inf)
    minimizer = MINIMIZERS[name](rules, weights)
    return partial(down_to_nothing, partial(star, minimizer) if settings.star else minimizer)


def tree_search(settings: Settings, name: TreeSearch, nodes: Nodes) -> Minimizer:
    """Return a search over the levels of a tree, as the papers have it (``002`` §V-B)."""
    rules = rules_of(settings, None)
    return hierarchical(name, nodes, MINIMIZERS[settings.search](rules, None))


def _weights_of(settings: Settings, case: ItemsCase[Any]) -> Sequence[float] | None:
    """Return what each item weighs, in numbers that can be added up."""
    given = settings.weights
    if given is None:
        return None
    unordered = isinstance(given, set | frozenset | Mapping)
    if not callable(given) and (unordered or not isinstance(given, Iterable)):
        raise InvalidArgument(f"weights is {given!r}", hint=ONE_EACH)
    weights = [given(item) for item in case.items] if callable(given) else list(given)
    if len(weights) != len(case.items):
        raise InvalidOption(
            f"there are {len(weights)} weights for {len(case.items)} items",
            hint=ONE_EACH,
        )
    for weight in weights:
        number("a weight", weight, least=0)
        if weight > float_info.max:
            raise InvalidOption(f"a weight is {weight!r}", hint="weights must be finite")
    return [float(weight) for weight in weights]


def memo_of(settings: Settings) -> Memo:
    """Return an empty memo."""
    return MEMOS[settings.memo]()


def runner_of(settings: Settings, case: Case[Any], judge: FunctionTest) -> Runner:
    """Return what runs the tests."""
    if isinstance(settings.workers, Executor):
        return Pool(settings.workers, settings.jobs, judge)
    if isinstance(settings.workers, ClusterClient):
        executor = ClientExecutor(settings.workers)
        return Pool(executor, settings.jobs if settings.jobs > 1 else executor.slots, judge)
    if settings.workers == "processes":
        return Processes(settings.jobs, case, judge)
    return Inline(judge) if settings.jobs == 1 else Threads(settings.jobs, judge)
