"""The plan of a reduction."""

from functools import partial

from wynot.assemble import pass_search, tree_search
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.passes.canonical_form import laid_out
from wynot.passes.catalog import PlanOptions
from wynot.passes.containers import containers_in, unpacked
from wynot.passes.plan import Plan
from wynot.passes.progress import Runs
from wynot.passes.reduction_pass import Cut
from wynot.passes.trees import Trees
from wynot.plugins import plugins
from wynot.reduction.keeps import Keeps
from wynot.reduction.plan_options import named_language, wanted_line_ends
from wynot.search.combinators import Minimizer


def trees_of(options: ReduceOptions, original: Files) -> Trees:
    """Find out what the files are written in."""
    languages = plugins().languages
    inside = unpacked(original, containers_in(original)).files
    again = laid_out(original)  # in case that is as interesting
    opened = unpacked(again, containers_in(again)).files
    inside = inside.replaced({**opened.contents, **inside.contents})
    return Trees.of(inside, named_language(options, languages), languages)


def whole_plan(options: ReduceOptions, known: PlanOptions, keeps: Keeps, trees: Trees) -> Plan:
    """Return all that is done, as one search; ``known`` is what the passes are to know."""
    runs = Runs(keeps.patterns, partial(_search, options))
    return Plan(known, trees, runs, wanted_line_ends(options, keeps.original))


def _search(options: ReduceOptions, cut: Cut, loop: int) -> Minimizer | None:
    if cut.nodes is not None and options.tree is not None:
        return tree_search(options.searching, options.tree, cut.nodes)
    if cut.search is not None:
        return None
    return pass_search(options.searching, cut.groups, cut.case.weights, loop)
