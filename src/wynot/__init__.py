"""Find which part of something makes it fail.

``minimize`` finds the items that a failure needs, ``isolate`` the difference between a failing and
a passing sequence, ``all_causes`` every independent cause.
"""

from wynot.api import all_causes, isolate, minimize
from wynot.core.errors import (
    AlwaysInteresting,
    BrokenRunner,
    BrokenTest,
    Interrupted,
    InvalidArgument,
    InvalidOption,
    NothingToReduce,
    NotInteresting,
    NotPassing,
    UnknownOption,
    WynotError,
)
from wynot.core.events import Asked, Event, Finished, Started
from wynot.core.result import Causes, Isolated, Minimized, Step
from wynot.core.verdict import Verdict

__all__ = [
    "AlwaysInteresting",
    "Asked",
    "BrokenRunner",
    "BrokenTest",
    "Causes",
    "Event",
    "Finished",
    "Interrupted",
    "InvalidArgument",
    "InvalidOption",
    "Isolated",
    "Minimized",
    "NotInteresting",
    "NotPassing",
    "NothingToReduce",
    "Started",
    "Step",
    "UnknownOption",
    "Verdict",
    "WynotError",
    "all_causes",
    "isolate",
    "minimize",
]
__version__ = "0.1.0"
