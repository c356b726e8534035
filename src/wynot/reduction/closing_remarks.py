"""What is said of a result when nothing more can go: what was not tried, and what had to stay."""

from collections.abc import Iterator

from wynot.core.events import Noticed
from wynot.core.files import Files
from wynot.passes import remarks
from wynot.passes.merging.left_imports import left_imports
from wynot.reduction.run import Reduction


def closing_remarks(reduction: Reduction, original: Files) -> Iterator[Noticed]:
    """Yield the remarks on what is left of the original."""
    files, plan = reduction.best.files, reduction.plan
    if reduction.options.fast:
        yield Noticed(
            "fast", "the proof that no single part can go was left out, as --fast asks for"
        )
    if "bytes" not in reduction.proved:
        yield from remarks.after(files)
    yield from left_imports(files, original, plan.trees, merges=plan.options.merges)
