"""The original and an empty one, on which a test is tried before anything is left out.

Each mistake has its own message. The commonest are a test that needs files of its own folder, and
one that accepts anything, even an empty file.
"""

from collections.abc import Callable, Iterable
from functools import partial

from wynot.commands.reduce_options import ReduceOptions
from wynot.core.errors import (
    AlwaysInteresting,
    BrokenServer,
    NotExecutable,
    NotInteresting,
    OnlyInPlace,
    WynotError,
)
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.failures.expectation import Expectation
from wynot.failures.wording import Vocabulary
from wynot.formats.detect import language_of
from wynot.formats.grammar import reserved
from wynot.job.calibration import Sides
from wynot.oracle.appearance import looks
from wynot.oracle.command import Named, has_hole
from wynot.oracle.served import HINT, ServedCommand
from wynot.oracle.trial import OneCommand, Trial, TrialResult
from wynot.passes.containers import containers_in, unpacked
from wynot.plugins import plugins
from wynot.reduction.whole_plan import named_language

DOING = {
    "original": "the first run of the test",
    "again": "the second run of the test",
    "try": "another run of the test, which did not fail so far",
    "empty": "running the test on an empty file",
    "holds": "testing the best case again",
    "confirmed": "testing the best case again",
}
"""What is done in a check, in words, by the first word of its name."""


def sides_of(original: Files, in_place: Callable[[], TrialResult]) -> Sides[Files]:
    """Return the two sides of a reduction; ``in_place`` runs the test where the files are."""
    return Sides(
        original,
        all_empty(original),
        "the original",
        DOING,
        partial(_does_not_fail, in_place),
        partial(_fails_as_well, in_place),
    )


def all_empty(files: Files) -> Files:
    """Return the same files, but empty."""
    return files.replaced(dict.fromkeys(files.contents, b""))


def _does_not_fail(
    in_place: Callable[[], TrialResult],
    result: TrialResult,
    _passing: Callable[[], TrialResult],
    why: NotInteresting | None,
) -> WynotError:
    """Say that the failure does not show, or only in place."""
    if why is not None:
        return why
    require_run(result)
    if in_place().verdict is Verdict.INTERESTING:
        return OnlyInPlace(
            "the test is interesting where the file is, but not in a private folder with a "
            f"copy of it ({result.ending.description}){result.ending.tail}",
            hint="let the test name other files by their full path, or give --with FILE "
            "for each file that has to be there too",
        )
    return NotInteresting(
        f"the failure does not show on the original: {result.ending.description}, "
        f"which is {result.verdict.value}{result.ending.tail}",
        hint="run the test by hand; it must exit with 0 if the failure shows; "
        "wynot check TEST FILE shows what it does",
    )


def require_run(first: TrialResult) -> None:
    """Raise if a program that is itself the candidate does not even start."""
    if first.ending.limit == "answer":
        raise BrokenServer(f"{first.why}{first.ending.tail}", hint=HINT)
    if first.why:
        raise NotExecutable(
            f"the test cannot be run on the original: {first.why}",
            hint="a script needs a first line like #!/bin/sh, and chmod +x",
        )


def _fails_as_well(
    in_place: Callable[[], TrialResult], empty: TrialResult, trial: Trial
) -> WynotError:
    """Say that the failure shows on any input."""
    what = "the test says interesting even for an empty file"
    if _looks_at_command(trial):
        what = f"the command fails in the same way on an empty file\nkeeps: {trial.words}"
    return AlwaysInteresting(f"{what}{empty.ending.tail}", hint=advice(trial, in_place()))


def advice(trial: Trial, there: TrialResult) -> str:
    """Return what to do about that; ``there`` is a run of the original where it really is."""
    if not _looks_at_command(trial):
        return (
            "make it look for the failure itself, say for its message; "
            "wynot check TEST FILE shows what it does"
        )
    if there.verdict is not Verdict.INTERESTING:
        shows = looks(there) or there.ending.description
        return (
            f"where the file is, it does not fail like this ({shows}): it needs files that are not "
            "in the private folder; give --with FILE for each, or their full paths"
        )
    if isinstance(trial, OneCommand) and not _names_input(trial):
        return (
            "the command does not name the file, so it gets it on standard input only: "
            "write {} where its name goes"
        )
    return (
        "it fails like this on any input: run it by hand; a module, file or option may be missing. "
        "If the failure is another one, say it with --stderr REGEX or --text STRING"
    )


def _looks_at_command(trial: Trial) -> bool:
    """Tell whether a command is judged by what it shows; a script judges itself."""
    return isinstance(trial, OneCommand | ServedCommand) and isinstance(
        trial.criterion, Expectation
    )


def _names_input(trial: OneCommand) -> bool:
    argv, appends = trial.command.argv, trial.command.appends
    return appends or has_hole(argv) or any(isinstance(each, Named) for each in argv)


def vocabulary_of(options: ReduceOptions, original: Callable[[], Files]) -> Vocabulary:
    """Return the vocabulary of the original, which need not be known yet."""

    def inside() -> Iterable[tuple[str, bytes]]:
        files = original()
        return unpacked(files, containers_in(files)).files.contents.items()

    def reserved_words(path: str, content: bytes) -> frozenset[str]:
        more = plugins().languages
        language = named_language(options, more) or language_of(path, content, more)
        return frozenset() if language is None else reserved(language)

    return Vocabulary.of(inside, reserved_words)
