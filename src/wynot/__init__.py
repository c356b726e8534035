"""Find which part of something makes it fail.

``minimize`` finds the items that a failure needs, ``isolate`` the difference between a failing and
a passing sequence, ``all_causes`` every independent cause.
"""

# As type checkers know it, and without `typing`, which takes longer to import than all of this.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from wynot.api import (
        all_causes,
        isolate,
        minimize,
    )
    from wynot.core.errors import (
        AlwaysInteresting,
        BrokenJournal,
        BrokenObserver,
        BrokenRunner,
        BrokenTest,
        CannotConfine,
        ChangedTest,
        ChangedUnderneath,
        GuardFails,
        Interrupted,
        InvalidArgument,
        InvalidLockFile,
        InvalidOption,
        Locked,
        NoInstaller,
        NoNetwork,
        NoSpace,
        NoSuchFile,
        NotAFile,
        NotExecutable,
        NothingToReduce,
        NotInteresting,
        NotPassing,
        OnlyInPlace,
        OnlyUnconfined,
        ReadOnly,
        TooManyOpenFiles,
        UnknownOption,
        Unreadable,
        Unreliable,
        WynotError,
    )
    from wynot.core.events import (
        CandidateJudged,
        Event,
        SessionEnded,
        SessionStarted,
    )
    from wynot.core.result import (
        Causes,
        Isolated,
        Minimized,
        Step,
    )
    from wynot.core.verdict import (
        Verdict,
    )

__all__ = [
    "AlwaysInteresting",
    "BrokenJournal",
    "BrokenObserver",
    "BrokenRunner",
    "BrokenTest",
    "CandidateJudged",
    "CannotConfine",
    "Causes",
    "ChangedTest",
    "ChangedUnderneath",
    "Event",
    "GuardFails",
    "Interrupted",
    "InvalidArgument",
    "InvalidLockFile",
    "InvalidOption",
    "Isolated",
    "Locked",
    "Minimized",
    "NoInstaller",
    "NoNetwork",
    "NoSpace",
    "NoSuchFile",
    "NotAFile",
    "NotExecutable",
    "NotInteresting",
    "NotPassing",
    "NothingToReduce",
    "OnlyInPlace",
    "OnlyUnconfined",
    "ReadOnly",
    "SessionEnded",
    "SessionStarted",
    "Step",
    "TooManyOpenFiles",
    "UnknownOption",
    "Unreadable",
    "Unreliable",
    "Verdict",
    "WynotError",
    "all_causes",
    "isolate",
    "minimize",
]
__version__ = "0.1.0"

# The command is started often and needs little of this: a name is imported when it is asked for,
# and until then nothing else is, not even `importlib`. What is imported quickly is looked at first.
_HOMES = ("core.errors", "core.verdict", "core.events", "core.result", "api")


if not TYPE_CHECKING:  # who sees it takes every name for one that there is

    def __getattr__(name: str) -> object:
        for home in _HOMES if name in __all__ else ():
            module = __import__(f"wynot.{home}", fromlist=[name])
            if hasattr(module, name):
                return getattr(module, name)
        raise AttributeError(f"module 'wynot' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
