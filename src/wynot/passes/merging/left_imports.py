"""What is said of imports that are left in a result: why they are."""

from collections.abc import Iterator

from wynot.core.events import Noticed
from wynot.core.files import Files
from wynot.passes.merging.merges import merges_of
from wynot.passes.merging.python_imports import PYTHON_IMPORTS
from wynot.passes.merging.references import LanguageOf, Reference, references
from wynot.passes.merging.script_imports import SCRIPT_IMPORTS
from wynot.passes.trees import Trees

MAX_NAMED_IMPORTS = 20
"""Imports that are named one by one."""
LONGEST_STATEMENT = 60


def left_imports(files: Files, original: Files, trees: Trees, *, merges: bool) -> Iterator[Noticed]:
    """Yield why each import of a result is there; ``merges``: whether it was tried to do without.

    A file alone names others as well, but there was nothing to be put in their place.
    """
    if len(original.contents) == 1:
        return
    language_of = trees.language_name
    found = references(files, language_of)
    for reference in found[:MAX_NAMED_IMPORTS]:
        why = _why(reference, files, original, language_of) if merges else "as it was asked for"
        said = reference.said
        said = f"{said[:LONGEST_STATEMENT]}…" if len(said) > LONGEST_STATEMENT else said
        yield Noticed("import", f"{reference.path}: {said!r} is left: {why}")
    if len(found) > MAX_NAMED_IMPORTS:
        yield Noticed("import", f"{len(found) - MAX_NAMED_IMPORTS:,} more imports are left")


def _why(reference: Reference, files: Files, original: Files, language_of: LanguageOf) -> str:
    target = reference.target
    if not target:
        before = references(original, language_of)
        was = {each.target for each in before if each.said == reference.said and each.target}
        if was:
            return f"the file it names, {min(was)}, is not needed, but this is"
        is_package = reference.row in {*PYTHON_IMPORTS, *SCRIPT_IMPORTS}
        hint = "; --vendor copies an installed package into the case" if is_package else ""
        return f"what it names is not among the files of the case{hint}"
    ways = merges_of(files, language_of, target)
    if not ways:
        return f"{target} cannot be written in its place"
    if any(way.weight < files.weight for way in ways):
        return f"with {target} in its place, the failure does not show"
    return f"with {target} in its place, nothing gets shorter"
