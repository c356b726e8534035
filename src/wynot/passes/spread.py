"""What is done to the first of many links that are alike is done to all of them."""

from collections.abc import Iterator, Mapping, Sequence

from wynot.core.chains import AlikeLinks
from wynot.core.rewrites import Patch, Rewrite


def spread(rewrite: Rewrite, stretches: Mapping[str, Sequence[AlikeLinks]]) -> Rewrite:
    """Return a rewrite with the same patches for all links that are like the one it is in."""
    if not stretches:
        return rewrite
    more = tuple(
        patch
        for first in rewrite.patches
        for stretch in stretches.get(first.path, ())
        for patch in _copies(first, stretch)
    )
    return rewrite._replace(patches=tuple(sorted((*rewrite.patches, *more)))) if more else rewrite


def _copies(patch: Patch, stretch: AlikeLinks) -> Iterator[Patch]:
    for side in stretch:
        if side.start <= patch.start and patch.stop <= side.stop and side.start < side.stop:
            for start in side.others:
                moved = start - side.start
                yield patch._replace(start=patch.start + moved, stop=patch.stop + moved)
