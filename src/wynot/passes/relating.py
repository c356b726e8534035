"""Relations in a reduction: looked for once, put to the test, and used to leave things out."""

from dataclasses import replace
from functools import partial

from wynot.core.files import Files
from wynot.core.round import Search
from wynot.passes.doubt_relations import DoubtRelations
from wynot.passes.drop_items import DropItems
from wynot.passes.progress import Progress, Runs
from wynot.passes.reduction_pass import Kept
from wynot.passes.trees import Trees
from wynot.relations.mining import mined
from wynot.search.combinators import done, in_turn


def relating(runs: Runs, trees: Trees, progress: Progress) -> Search[Progress]:
    """Leave out what numbers count, with the numbers put right."""
    if progress.relations is None:
        progress = replace(progress, relations=relations_in(progress.view, trees))
    if not progress.relations:
        return done(progress)
    doubts = partial(runs.run_beside, DoubtRelations(progress.relations))
    return in_turn((doubts, partial(_counted, runs)), progress)


def relations_in(files: Files, trees: Trees) -> Kept:
    """Look for relations: where a language has a grammar, numbers are what they are."""
    found = {}
    for path, content in files.contents.items():
        language = trees.languages.get(path)
        if language is None or language.accepts_any_text:
            found[path] = mined(content)
    return {path: relations for path, relations in found.items() if relations}


def _counted(runs: Runs, progress: Progress) -> Search[Progress]:
    if not progress.relations:
        return done(progress)
    return runs.run_inside(DropItems(progress.relations), progress)
