"""Find which part of something makes it fail.

``minimize`` finds the items that a failure needs, ``isolate`` the difference between a failing and
a passing sequence, ``all_causes`` every independent cause.
"""

from wynot.api import all_causes, isolate, minimize
from wynot.core.errors import (
    AlwaysInteresting,
    BrokenJournal,
    BrokenRunner,
    BrokenTest,
    ChangedUnderneath,
    Interrupted,
    InvalidArgument,
    InvalidOption,
    Locked,
    NoSpace,
    NoSuchFile,
    NotAFile,
    NotExecutable,
    NothingToReduce,
    NotInteresting,
    NotPassing,
    OnlyInPlace,
    ReadOnly,
    UnknownOption,
    Unreadable,
    Unreliable,
    WynotError,
)
from wynot.core.events import Asked, Event, Finished, Started
from wynot.core.result import Causes, Isolated, Minimized, Step
from wynot.core.verdict import Verdict

__all__ = [
    "AlwaysInteresting",
    "Asked",
    "BrokenJournal",
    "BrokenRunner",
    "BrokenTest",
    "Causes",
    "ChangedUnderneath",
    "Event",
    "Finished",
    "Interrupted",
    "InvalidArgument",
    "InvalidOption",
    "Isolated",
    "Locked",
    "Minimized",
    "NoSpace",
    "NoSuchFile",
    "NotAFile",
    "NotExecutable",
    "NotInteresting",
    "NotPassing",
    "NothingToReduce",
    "OnlyInPlace",
    "ReadOnly",
    "Started",
    "Step",
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
