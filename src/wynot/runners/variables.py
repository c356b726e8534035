"""The environment of a run: that of wynot itself, with private folders and a mark."""

import os
from collections.abc import Mapping
from pathlib import Path

from wynot.runners.run_label import MARKER

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
        given = (folder, temporary, changes or {})
        if given != self._lines_of:
            changed = self._with_folders(folder, temporary)
            for name, value in given[2].items():
                if value is None:
                    changed.pop(os.fsencode(name), None)
                else:
                    changed[os.fsencode(name)] = os.fsencode(value)
            self._lines, self._lines_of = _joined(changed), given
        rlimit_tag = b"%s:%s" % (self._outer, marker) if self._outer else marker
        return [b"%s=%s" % (_MARKER, rlimit_tag), *self._lines]

    def _with_folders(self, folder: Path, temporary: Path) -> dict[bytes, bytes]:
        ours = dict.fromkeys((b"TMPDIR", b"TMP", b"TEMP"), os.fsencode(temporary))
        return {**self._inherited, b"PWD": os.fsencode(folder), **ours}


def _joined(environ: Mapping[bytes, bytes]) -> list[bytes]:
    return [b"%s=%s" % each for each in environ.items()]
