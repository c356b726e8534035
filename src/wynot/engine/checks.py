"""What is tested before a search starts, so that a wrong test is found while it is cheap to find.

None of this counts among the tests of the search.
"""

from collections.abc import Callable

from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import (
    AlwaysInteresting,
    BrokenRunner,
    BrokenTest,
    NotInteresting,
    NotPassing,
)
from wynot.core.verdict import Verdict
from wynot.engine.recorder import Recorder

Ask = Callable[[Deltas], Verdict]
Check = Callable[[Ask, Recorder], None]


def failing_fails(ask: Ask, recorder: Recorder) -> None:
    """Raise if the failure does not show on the whole."""
    verdict = ask(recorder.failing)
    if verdict is not Verdict.INTERESTING:
        raise NotInteresting(
            f"the failure does not show on the whole, of {recorder.size(recorder.failing)}: "
            f"the test says {verdict.value}",
            hint="run the test on the whole by hand; it must return True where the failure shows",
        )


def passing_passes(ask: Ask, recorder: Recorder) -> None:
    """Raise if the passing side does not pass."""
    verdict = ask(recorder.passing)
    if verdict is not Verdict.UNINTERESTING:
        raise NotPassing(
            f"the passing side, of {recorder.size(recorder.passing)}, does not pass: "
            f"the test says {verdict.value}",
            hint="run the test on it by hand; it must return False",
        )


def empty_does_not_fail(ask: Ask, recorder: Recorder) -> None:
    """Raise if the test accepts the empty list; one that raises on it does not accept it."""
    try:
        verdict = ask(NONE)
    except (BrokenTest, BrokenRunner):
        recorder.checked(NONE, Verdict.UNRESOLVED)
        return
    if verdict is Verdict.INTERESTING:
        recorder.failing = NONE
        raise AlwaysInteresting(
            "the test says interesting even for the empty list",
            hint="make it look for the failure itself; or pass check=False if that is intended",
        )
