"""Cutting candidates out of a sequence with as few copies as can be."""

from collections.abc import MutableSequence
from typing import Any

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas


class Cutter:
    """Cuts candidates out of one sequence, a list or an array.

    A candidate is nearly always its base with one chunk taken out, and the next ones have the same
    base; so the base is written out once, and a candidate is one copy and one deletion of it.
    """

    def __init__(self, whole: MutableSequence[Any]) -> None:
        self._whole = whole
        self._base: Deltas | None = None
        self._written = whole

    def cut(self, candidate: Candidate) -> MutableSequence[Any]:
        """Return a fresh sequence of the members of a candidate."""
        base, edit = candidate.base, candidate.edit
        if edit.verb == "keep" and edit.deltas is base:
            return self._write(base)
        if base is not self._base:
            everything = len(base) == len(self._whole)
            self._written = self._whole if everything else self._write(base)
            self._base = base
        if edit.verb == "add" or not edit.deltas:
            return self._write(candidate.kept)
        start, stop = base.rank(edit.deltas.bounds[0]), base.rank(edit.deltas.bounds[-1])
        if stop - start != len(edit.deltas):  # not one chunk of the base
            return self._write(candidate.kept)
        if edit.verb == "keep":
            return self._written[start:stop]
        if start == 0:
            return self._written[stop:]
        rest = self._written[:] if stop < len(base) else self._written[:start]
        del rest[start:stop]
        return rest

    def _write(self, deltas: Deltas) -> MutableSequence[Any]:
        runs = deltas.runs
        written = self._whole[slice(*next(runs, (0, 0)))]
        for start, stop in runs:
            written += self._whole[start:stop]
        return written
