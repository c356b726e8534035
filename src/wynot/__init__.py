"""Find which part of something makes it fail.

``reduce`` simplifies failing files; ``minimize`` finds the items that a failure needs, ``isolate``
the difference between a failing and a passing sequence, ``all_causes`` every independent cause.
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
        BrokenServer,
        BrokenTest,
        CannotConfine,
        ChangedTest,
        ChangedUnderneath,
        ForeignJournal,
        GuardFails,
        Interrupted,
        InvalidArgument,
        InvalidLockFile,
        InvalidLog,
        InvalidOption,
        Locked,
        NoCluster,
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
        UnsafeFolder,
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
        Reduced,
        ReducedStep,
        Step,
    )
    from wynot.core.verdict import (
        Verdict,
    )
    from wynot.reducing import (
        reduce,
    )

# fmt: off
__all__ = [
    "AlwaysInteresting", "BrokenJournal", "BrokenObserver", "BrokenRunner", "BrokenServer",
    "BrokenTest", "CandidateJudged", "CannotConfine", "Causes", "ChangedTest", "ChangedUnderneath",
    "Event", "ForeignJournal", "GuardFails", "Interrupted", "InvalidArgument", "InvalidLockFile",
    "InvalidLog", "InvalidOption", "Isolated", "Locked", "Minimized", "NoCluster", "NoInstaller",
    "NoNetwork", "NoSpace", "NoSuchFile", "NotAFile", "NotExecutable", "NotInteresting",
    "NotPassing", "NothingToReduce", "OnlyInPlace", "OnlyUnconfined", "ReadOnly", "Reduced",
    "ReducedStep", "SessionEnded", "SessionStarted", "Step", "TooManyOpenFiles", "UnknownOption",
    "Unreadable", "Unreliable", "UnsafeFolder", "Verdict", "WynotError", "all_causes", "isolate",
    "minimize", "reduce",
]
# fmt: on
__version__ = "0.1.0"

# The command is started often and needs little of this: a name is imported when it is asked for,
# and until then nothing else is, not even `importlib`.
_HOME = {
    **dict.fromkeys(("all_causes", "isolate", "minimize"), "wynot.api"),
    **dict.fromkeys(
        ("CandidateJudged", "Event", "SessionEnded", "SessionStarted"), "wynot.core.events"
    ),
    **dict.fromkeys(("Reduced", "ReducedStep"), "wynot.core.result"),
    **dict.fromkeys(("Causes", "Isolated", "Minimized", "Step"), "wynot.core.result"),
    "Verdict": "wynot.core.verdict",
    "reduce": "wynot.reducing",
}
"""Where names are defined; all others are errors."""


if not TYPE_CHECKING:  # who sees it takes every name for one that there is

    def __getattr__(name: str) -> object:
        if name not in __all__:
            raise AttributeError(f"module 'wynot' has no attribute {name!r}")
        home = _HOME.get(name, "wynot.core.errors")
        return getattr(__import__(home, fromlist=[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
