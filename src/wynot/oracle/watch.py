"""Notices that the test itself changes while wynot runs.

Verdicts of two different tests say nothing together. So after each run, and before its verdict is
believed, the test script and the programs it is made of are looked at: what the system says of a
file takes a microsecond or two. Only if that differs is the file read again, so that a ``touch`` or
a build that comes to the same is no change.
"""

import os
import shlex
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from pathlib import Path
from typing import NamedTuple

from wynot.commands.shared_options import FailureOptions
from wynot.core.errors import ChangedTest
from wynot.oracle.command import is_written, naming

MAX_READ_BYTES = 32 << 20
"""Bytes of a file that is read; of larger ones the facts alone have to do."""

SCRIPTS = frozenset(
    {
        *(".awk", ".bash", ".bat", ".cmake", ".cts", ".el", ".fish", ".groovy", ".jl", ".js"),
        *(".ksh", ".lua", ".mjs", ".mk", ".mts", ".php", ".pl", ".ps1", ".py", ".r", ".rb"),
        *(".rkt", ".scm", ".sed", ".sh", ".tcl", ".ts", ".zsh"),
    }
)
"""What the names of scripts end in. Other files that a command names may be what it writes."""


class FileFacts(NamedTuple):
    """What the system says of a file: if all of it is the same, so is the file."""

    device: int
    inode: int
    size: int
    modified: int

    @classmethod
    def of(cls, path: str) -> "FileFacts":
        """Look at a file."""
        seen = os.stat(path)  # noqa: PTH116 - this is done after every test
        return cls(seen.st_dev, seen.st_ino, seen.st_size, seen.st_mtime_ns)


@dataclass(slots=True)
class Watched:
    """A file as it was when it was looked at first."""

    path: str
    called: str
    """What it is called in messages."""
    facts: FileFacts
    content: str
    """A digest, or the facts where the file is too large to be read."""


@dataclass(frozen=True, slots=True)
class Watch:
    """The files that a test consists of, none of which may change."""

    files: Sequence[Watched] = ()

    @classmethod
    def of(cls, failure: FailureOptions, apart: Iterable[str | Path] = ()) -> "Watch":
        """Look at what the options have run, but not at what is in ``apart``: the candidate."""
        inside = [Path(path).resolve() for path in apart]
        found: dict[str, str] = {}
        for path, called in _named(failure):
            if _is_file(path) and not any(map(path.resolve().is_relative_to, inside)):
                found.setdefault(str(path.absolute()), called)
        looked_at = [_looked_at(path, called) for path, called in found.items()]
        return cls([watched for watched in looked_at if watched is not None])

    @property
    def identity(self) -> list[str]:
        """What is the same if all of the files are."""
        return sorted(watched.content for watched in self.files)

    def require_unchanged(self) -> None:
        """Raise if one of the files is not what it was."""
        for watched in self.files:
            try:
                now = FileFacts.of(watched.path)
                if now != watched.facts:
                    if _content(watched.path, now) != watched.content:
                        raise _changed(watched.called, "has changed")
                    watched.facts = now
            except OSError as error:
                raise _changed(watched.called, "can no longer be read") from error


def _changed(called: str, what: str) -> ChangedTest:
    return ChangedTest(
        f"{called} {what} while wynot was running: verdicts from then on are not used",
        hint="leave the test alone until wynot ends; the same command begins again with the test "
        "as it is now, or continues if the test is restored",
    )


def _looked_at(path: str, called: str) -> Watched | None:
    try:
        facts = FileFacts.of(path)
        return Watched(path, called, facts, _content(path, facts))
    except OSError:  # it is not there, or cannot be read: whoever runs it will say so
        return None


def _content(path: str, facts: FileFacts) -> str:
    if facts.size > MAX_READ_BYTES:
        return repr(facts)
    with open(path, "rb") as file:  # noqa: PTH123
        return file_digest(file, "sha256").hexdigest()


def _named(failure: FailureOptions) -> Iterator[tuple[Path, str]]:
    """Yield the files that the options name to be run, and what to call them."""
    if failure.test:
        path = Path(failure.test)
        yield path if _is_file(path) else _program(failure.test), f"the test {failure.test!r}"
    yield from _of_line(failure.command)
    for line in (failure.differs, failure.shell, failure.serve, *failure.passes):
        yield from _of_line(_split(line))


def _of_line(line: Sequence[str]) -> Iterator[tuple[Path, str]]:
    """Yield the program and the scripts of a command line, and of one that is an argument."""
    for before, word in zip(("", *line), line, strict=False):
        path = Path(naming(word, before).path)
        if word is line[0]:
            yield _program(word), f"the program {word!r}"
        elif _is_file(path):
            if not is_written(word, before) and _is_run(path):
                yield path, f"the script {str(path)!r}"
        elif " " in word:
            yield from _of_line(_split(word))


def _is_run(path: Path) -> bool:
    """Tell whether a file that a command names is there to be run, by that command or another."""
    return path.suffix.lower() in SCRIPTS or os.access(path, os.X_OK)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # too long for a name, or with a NUL
        return False


def _program(name: str) -> Path:
    return Path(shutil.which(name) or name)


def _split(line: str) -> list[str]:
    """Return the words of a line of shell, none if it cannot be told what they are."""
    try:
        return shlex.split(line)
    except ValueError:
        return []


UNWATCHED = Watch()
