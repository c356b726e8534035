"""Links of a chain: each becomes like the simplest one, which is all that a deep nest needs."""

from collections.abc import Iterator

from wynot.core.rewrites import Patch, Rewrite
from wynot.passes.forest import Forest
from wynot.passes.forest_chains import Link, chains_of, links_of

LINKS_ALIKE = "links alike"


def alike(forest: Forest) -> Iterator[Rewrite]:
    """Propose the text of the simplest link for every other one of its chain."""
    for chain in chains_of(forest):
        links = list(links_of(forest, chain))
        ranks = [_rank(link) for link in links]
        best = min(ranks)
        simplest = links[ranks.index(best)]
        for link, rank in zip(links, ranks, strict=True):
            if rank != best:
                yield Rewrite(LINKS_ALIKE, tuple(_patches(link, simplest)))


def _rank(link: Link) -> tuple[int, bytes, bytes]:
    """Return what is less for a simpler link."""
    left, right = link.bare
    return len(left) + len(right), left, right


def _patches(link: Link, other: Link) -> Iterator[Patch]:
    """Return what makes a link like another; white space next to what is in it stays."""
    left = other.left.rstrip() + link.left[len(link.left.rstrip()) :]
    right = link.right[: len(link.right) - len(link.right.lstrip())] + other.right.lstrip()
    if left != link.left:
        yield Patch(link.path, *link.before, left)
    if right != link.right:
        yield Patch(link.path, *link.behind, right)
