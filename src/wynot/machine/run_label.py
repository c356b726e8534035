"""What shows which run a process is of, and the environment of a run.

Two things are inherited by whatever a test starts:

* ``WYNOT_TEST`` in the environment that it was started with;
* a number as the limit of its file locks, which has had no other use since Linux 2.4: it survives
  a cleared environment, and can be read even from a process that has ended.

Both name the root of the wynot that started it, so that even the processes of one that was killed
are known.
"""

import os
import resource
from collections.abc import Mapping
from itertools import count
from pathlib import Path
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


_MARKER = MARKER.encode()


class Variables:
    """The variables of the runs in one sandbox, made anew only when something has changed."""

    def __init__(self) -> None:
        self._inherited = dict(os.environb)
        self._outer = self._inherited.pop(_MARKER, None)
        self._lines: list[bytes] = []
        self._lines_of: tuple[Path, Path, Mapping[str, str | None]] | None = None

    def lines(
        self,
        folder: Path,
        temporary: Path,
        marker: bytes,
        changes: Mapping[str, str | None] | None,
    ) -> list[bytes]:
        """Return ``NAME=value`` for each. Marks add up where wynot is itself under test."""
        key = (folder, temporary, changes or {})
        if key != self._lines_of:
            changed = self._with_folders(folder, temporary)
            for name, value in key[2].items():
                if value is None:
                    changed.pop(os.fsencode(name), None)
                else:
                    changed[os.fsencode(name)] = os.fsencode(value)
            self._lines, self._lines_of = _joined(changed), key
        rlimit_tag = b"%s:%s" % (self._outer, marker) if self._outer else marker
        return [b"%s=%s" % (_MARKER, rlimit_tag), *self._lines]

    def _with_folders(self, folder: Path, temporary: Path) -> dict[bytes, bytes]:
        ours = dict.fromkeys((b"TMPDIR", b"TMP", b"TEMP"), os.fsencode(temporary))
        return {**self._inherited, b"PWD": os.fsencode(folder), **ours}


def _joined(environ: Mapping[bytes, bytes]) -> list[bytes]:
    return [b"%s=%s" % each for each in environ.items()]
