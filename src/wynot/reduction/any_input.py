"""What is said of a failure that shows on any input, even on an empty file."""

from wynot.core.errors import AlwaysInteresting
from wynot.core.verdict import Verdict
from wynot.oracle.appearance import looks
from wynot.oracle.command import Named, has_hole
from wynot.oracle.expectation import Expectation
from wynot.oracle.trial import OneCommand, Trial, TrialResult


def always_interesting(
    trial: Trial, empty: TrialResult, there: TrialResult | None
) -> AlwaysInteresting:
    """Return what to raise; ``there`` is a run of the original where it really is."""
    tail = empty.ending.tail
    if not looks_at_command(trial):
        return AlwaysInteresting(
            f"the test says interesting even for an empty file{tail}", hint=advice(trial, there)
        )
    return AlwaysInteresting(
        f"the command fails in the same way on an empty file\nkeeps: {trial.words}{tail}",
        hint=advice(trial, there),
    )


def advice(trial: Trial, there: TrialResult | None) -> str:
    """Return what to do about it."""
    if not looks_at_command(trial):
        return (
            "make it look for the failure itself, say for its message; "
            "wynot check TEST FILE shows what it does"
        )
    if there is not None and there.verdict is not Verdict.INTERESTING:
        shows = looks(there) or there.ending.words
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


def looks_at_command(trial: Trial) -> bool:
    """Tell whether a command is judged by what it shows; a script judges itself."""
    return isinstance(trial, OneCommand) and isinstance(trial.criterion, Expectation)


def _names_input(trial: OneCommand) -> bool:
    argv, appends = trial.command.argv, trial.command.appends
    return appends or has_hole(argv) or any(isinstance(each, Named) for each in argv)
