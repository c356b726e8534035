"""Whether files are still what they were: by their content, or if they are many by their times."""

import os
from collections.abc import Iterable
from hashlib import file_digest, sha256
from pathlib import Path

MAX_FILES = 20_000
"""So many files of a folder are looked at."""
PASSING = frozenset({".git", ".hg", "__pycache__", "node_modules", ".venv", ".tox", ".wynot"})
"""Folders of which the content is not the user's, or comes and goes."""


def of_named(words: Iterable[str]) -> dict[str, str]:
    """Return digests of the files that are named among the words of a command."""
    found = {}
    for word in words:
        if "\0" not in word and os.path.isfile(word) and os.access(word, os.R_OK):  # noqa: PTH113
            with open(word, "rb") as file:  # noqa: PTH123
                found[word] = file_digest(file, "sha256").hexdigest()
    return found


def of_folder(folder: Path, apart: Iterable[str] = ()) -> str:
    """Return a digest of the names, sizes and times of all files in a folder, up to some number.

    Those that are ``apart`` are our own, and change as we go.
    """
    own = {os.path.realpath(path) for path in apart}
    whole, count = sha256(os.fsencode(folder)), 0
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(set(folders) - PASSING)
        for name in sorted(names):
            path = os.path.join(place, name)  # noqa: PTH118 - there are many
            if own and os.path.realpath(path) in own:
                continue
            try:
                seen = os.lstat(path)
            except FileNotFoundError:  # it has gone meanwhile
                continue
            whole.update(os.fsencode(path) + b"\0%d %d\n" % (seen.st_size, seen.st_mtime_ns))
            count += 1
        if count > MAX_FILES:
            break
    return whole.hexdigest()
