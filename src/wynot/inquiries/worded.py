"""An answer in words, as each inquiry's own ``answer`` module has it."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple, TypeAlias

from wynot.core.deltas import Deltas
from wynot.core.events import Shown
from wynot.disk.output import shown
from wynot.disk.results import write_text


class Worded(NamedTuple):
    """What is told of a set of deltas."""

    title: str
    """The answer in one sentence."""
    lines: tuple[Shown, ...]
    data: object
    """The same for programs."""
    files: Mapping[str, bytes] = {}
    """What ``--out`` writes, by path; what it is called is how that begins."""
    pairs: tuple[tuple[str, bytes, bytes], ...] = ()
    """Files whose two sides are to be shown beside each other: name, passing, failing."""

    def write(self, out: str) -> Iterator[tuple[str, str]]:
        """Write the files into a folder; yield what each is called, and where it is."""
        for name, content in self.files.items():
            path = Path(out, name)
            where = write_text(path.parent, path.name, content)
            yield Path(Path(name).parts[0]).stem, shown(where)


WordAnswer: TypeAlias = Callable[[str, Deltas], Worded]
"""Words the answer to a question, which is given by name."""
