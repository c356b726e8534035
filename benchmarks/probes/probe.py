"""What a probe is: one small failure of a kind that is hard to reduce."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple


class Probe(NamedTuple):
    """An input, the test that it fails, and the size that is within reach."""

    name: str
    files: Mapping[str, bytes]
    """By path, with ``/`` between folders; one alone is given as a file, more as a folder."""
    test: str | Sequence[str]
    """A script that exits with 0 if the failure shows, run where the files are (one that does not
    begin with ``#!`` is Python); or a command without a script, of which ``{}`` is the file."""
    size: int
    """Bytes of all files of the result, at most."""
    tests: int | None = None
    """Tests, at most, where that is what the probe is about."""
    options: tuple[str, ...] = ()
    """More of the command."""
