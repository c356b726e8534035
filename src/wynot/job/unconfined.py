"""Whether a failure is the same when the test can write only to its private folder.

A program that is refused a file may fail in a way of its own, which would then be reduced. So where
tests are confined without having been asked to be, the original is also run once as it would be
without that. Where it was asked for, nothing is ever run unconfined.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import TypeVar

from wynot.core.ending import Ending
from wynot.core.errors import NotInteresting, OnlyUnconfined
from wynot.core.events import Noticed
from wynot.core.verdict import Verdict
from wynot.job.evaluator import Evaluator
from wynot.oracle.confining import Confinement
from wynot.oracle.trial import Trial

Subject = TypeVar("Subject")

HINT = (
    "give each folder that it has to write to, --writable DIR; or --no-confine, if a mangled "
    "version of it can do no harm"
)
MAX_TRIES = 2
DENIED = "confinement denied a write of the test to {path}; use --writable {folder} or --no-confine"


def refuse_if_free_shows(evaluator: Evaluator[Subject], subject: Subject, unsettled: Trial) -> None:
    """Raise if a failure that does not show when the test is confined shows when it is not."""
    if not evaluator.oracle.confinement.is_usual:
        return
    try:
        trial = unsettled.calibrated(evaluator.run_freely(subject, unsettled))
    except NotInteresting:
        return
    if evaluator.run_freely(subject, trial).verdict is Verdict.INTERESTING:
        raise OnlyUnconfined(
            "the failure shows, but not while the test can write to its private folder only",
            hint=HINT,
        )


def denied_write_notices(confinement: Confinement, endings: Iterable[Ending]) -> Iterable[Noticed]:
    """Yield a notice for each file that a test would write to if it were not confined."""
    outputs = [output for ending in endings for output in (ending.stdout, ending.stderr)]
    for path in confinement.denied(outputs):
        yield Noticed("denied-write", DENIED.format(path=path, folder=Path(path).parent))


def require_same_freely(evaluator: Evaluator[Subject], subject: Subject) -> None:
    """Raise if the failure that shows when the test is confined is not the one without that."""
    if not evaluator.oracle.confinement.is_usual:
        return
    for _ in range(MAX_TRIES):
        said = evaluator.run_freely(subject, evaluator.oracle.trial)
        if said.verdict is Verdict.INTERESTING:
            return
    raise OnlyUnconfined(
        "while the test can write to its private folder only, it does not fail as it does "
        f"otherwise: {said.words}{said.ending.tail}",
        hint=HINT,
    )
