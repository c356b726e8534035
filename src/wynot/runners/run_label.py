"""What shows which run a process is of: two things that whatever it starts inherits.

* ``WYNOT_TEST`` in the environment that it was started with;
* a number as the limit of its file locks, which has had no other use since Linux 2.4: it survives
  a cleared environment, and can be read even from a process that has ended.

Both name the root of the wynot that started it, so that even the processes of one that was killed
are known.
"""

import resource
from itertools import count
from typing import NamedTuple

MARKER = "WYNOT_TEST"

HAS_PRLIMIT = hasattr(resource, "prlimit")
FILE_LOCKS = 10  # RLIMIT_LOCKS of Linux: kept and inherited, but without any meaning since 2.4
UNTAGGED = resource.getrlimit(FILE_LOCKS) if HAS_PRLIMIT else (0, 0)
_CAN_TAG = HAS_PRLIMIT and UNTAGGED[1] == resource.RLIM_INFINITY

_NUMBER_BITS = 24
"""How much of a limit that marks a run is its number; what is above says which root it is of."""
_ROOT_BITS = 38  # a limit that is no tag is never so large, and a signed number is not too small

_numbers = count(1)


class RunLabel(NamedTuple):
    """How the processes of one run are known."""

    marker: bytes
    """In the environment."""
    rlimit_tag: int | None
    """As a limit, without any effect; None if there cannot be one."""

    @classmethod
    def of_next(cls, root: str) -> "RunLabel":
        """Return that of the next run of a root, given its name."""
        number = next(_numbers)
        tag = root_tag(root) << _NUMBER_BITS | number % (1 << _NUMBER_BITS)
        return cls(b"%s.%d" % (root.encode(), number), tag if _CAN_TAG else None)


def root_tag(root: str) -> int:
    """Return what the tags of all runs of a root have in common, given its name."""
    return 1 << _ROOT_BITS | int(root, 16) % (1 << _ROOT_BITS)


def root_tag_of(limit: int) -> int:
    """Return what a limit of file locks has of the root, if it is a tag."""
    return limit >> _NUMBER_BITS


def markers(environ: bytes) -> list[bytes]:
    """Return the markers of the runs that a process is of: wynot may itself be under test."""
    name = MARKER.encode() + b"="
    if name not in environ:
        return []
    lines = [line for line in environ.split(b"\0") if line.startswith(name)]
    return [marker for line in lines for marker in line.removeprefix(name).split(b":")]
