"""The oracle of a reduction: what is run, where, and on which files."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.ending import Ending
from wynot.core.files import Files
from wynot.disk.load import Target, contents_of, targets
from wynot.oracle.no_ub import guards_of
from wynot.oracle.oracle import Oracle, ignore_find
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trials import trial_of
from wynot.oracle.vocabulary import Vocabulary


def given_of(found: Sequence[Target]) -> Invocation:
    """Return what a test is given of these files."""
    names = tuple(target.name for target in found)
    stdin = names[0] if len(found) == 1 and not found[0].is_folder else None
    return Invocation(names, stdin)


def oracle_of(
    options: ReduceOptions,
    found: Sequence[Target],
    vocabulary: Vocabulary,
    find: Callable[[Files, Ending], None] = ignore_find,
) -> Oracle[Files]:
    """Return the oracle that the options describe; the vocabulary is that of the original."""
    fixed = contents_of(targets(options.fixed)) if options.fixed else Files({})
    oracle = Oracle.of(
        options,
        trial_of(options, options.files, vocabulary),
        FilesInFolder(given_of(found), fixed),
        guards_of(options, options.files),
        candidates=options.files,
        apart=[*options.files, *([options.out] if options.out else [])],
    )
    return replace(oracle, also=frozenset(options.also_interesting), find=find)
