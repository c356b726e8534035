"""Filters that a repository brings along: programs which git would run on files that are read.

Who only has a copy of a repository, say from an archive, has not chosen what its ``.git/config``
names. So its filters are not run, and files are taken as they are on disk. Filters of the user's
own config, as ``git lfs install`` makes them, are run as ever; and what git converts by itself, as
line ends, it still does.
"""

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wynot.core.quantities import bounded_integer
from wynot.inquiries.changes.git import Git, GitFailed

_TRUSTED = {"system", "global", "command"}
_ASKED = ("config", "--show-scope", "-z", "--get-regexp", r"^filter\..*\.(clean|smudge|process)$")
_CONFIG_FIELDS = 3


@dataclass(frozen=True, slots=True)
class Filters:
    """The filters of a repository that are not run."""

    names: frozenset[str] = frozenset()
    env: Mapping[str, str] | None = None
    """Variables that keep git from running them."""

    @classmethod
    def of(cls, git: Git) -> "Filters":
        """Return those that the config of the repository itself names."""
        own: dict[str, str] = {}
        foreign: set[str] = set()
        for scope, key, value in _settings(git):
            if scope in _TRUSTED:
                own[key] = value
            else:
                foreign.add(key)
        names = frozenset(key.removeprefix("filter.").rpartition(".")[0] for key in foreign)
        settings = {key: own.get(key, "") for key in sorted(foreign)}
        settings |= {f"filter.{name}.required": "false" for name in sorted(names)}
        return cls(names, _variables(settings))

    def used(self, git: Git, paths: Iterable[str]) -> tuple[str, ...]:
        """Return the names of those that would have been run on some of the files."""
        if not self.names:
            return ()
        given = b"".join(os.fsencode(path) + b"\0" for path in paths)
        said = git.run("check-attr", "-z", "--stdin", "filter", given=given).split(b"\0")
        return tuple(sorted(self.names & {os.fsdecode(each) for each in said[2::_CONFIG_FIELDS]}))


def _settings(git: Git) -> Iterable[tuple[str, str, str]]:
    """Yield the programs of all filters: where each is set, its key and its value."""
    try:
        said = os.fsdecode(git.run(*_ASKED)).split("\0")
    except GitFailed:  # that is what git says if there are none
        return
    for scope, setting in zip(said[::2], said[1::2], strict=False):
        key, _, value = setting.partition("\n")
        yield scope, key, value


def _variables(settings: Mapping[str, str]) -> dict[str, str]:
    """Return variables that set these, after those that the user has set so."""
    count = os.environ.get("GIT_CONFIG_COUNT", "")
    first = bounded_integer(count) or 0
    variables = {"GIT_CONFIG_COUNT": str(first + len(settings))}
    for number, (key, value) in enumerate(settings.items(), start=first):
        variables |= {f"GIT_CONFIG_KEY_{number}": key, f"GIT_CONFIG_VALUE_{number}": value}
    return variables
