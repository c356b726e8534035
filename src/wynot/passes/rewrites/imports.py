"""Imports: one that is named by a string goes with all that uses it.

Pruning sees names that are mentioned; ``import "net/http"`` gives the name ``http``, which is in no
token of its own. All imports are tried at once: a line may need several, and none of them may be
left without a use.
"""

import re
from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes import kinds
from wynot.passes.forest import Forest
from wynot.passes.ids import TokenId
from wynot.passes.rewrites.tree_queries import member_around, mentions, removal, rewrite

MOST_USES = 200
_LAST = re.compile(rb"(\w+)(?:\.\w+)?[\"'`>]?\Z")


def imports(forest: Forest) -> Iterator[Rewrite]:
    """Return each import with the statements that use it."""
    names: dict[bytes, list[TokenId]] = {}
    for node in forest.nodes:
        kind = forest.kind(node)
        if not forest.has_tokens(node) or kind not in forest.language(node).strings:
            continue
        at = forest.parents[node]
        if not kinds.is_import(forest.kind(at)):
            continue
        names = names or mentions(forest)
        last = _LAST.search(forest.text(node))
        uses = names.get(last[1], ())[:MOST_USES] if last else ()
        patches: list[Patch] = list(removal(forest, member_around(forest, at)))
        for use in uses:
            patches += removal(forest, member_around(forest, forest.leaves[use]))
        found = rewrite("import with its uses", patches)
        if uses and found is not None:
            yield found
