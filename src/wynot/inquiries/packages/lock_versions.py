"""Versions of a lock file that git has: the one of a revision, or all that came before."""

import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from wynot.core.errors import InvalidLockFile, InvalidOption, NoSuchFile, NothingToReduce
from wynot.inquiries.changes.git import Git, GitFailed
from wynot.inquiries.packages.lock_file import LockFile
from wynot.inquiries.packages.lock_reading import read
from wynot.machine.removal import make_folder

_BESIDE = ("package.json", ".npmrc", "pyproject.toml")
"""What is looked at beside a lock file."""
_INCLUDED = re.compile(r"^[^\S\n]*(?:-r|-c|--requirement|--constraint)[ =]?\s*(\S+)", re.MULTILINE)
_MAX_INCLUDED = 100
_SHOWN_DIGITS = 10


class LockVersion(NamedTuple):
    """A lock file as a commit has it."""

    commit: str
    path: PurePosixPath
    """From the top of the repository."""
    date: str = ""

    @property
    def name(self) -> str:
        """What git knows it by."""
        return f"{self.commit}:{self.path}"

    def __str__(self) -> str:
        """How it is shown."""
        when = f" ({self.date})" if self.date else ""
        return f"{self.commit[:_SHOWN_DIGITS]}:{self.path}{when}"


@dataclass(frozen=True, slots=True)
class LockVersions:
    """The repository of a lock file, and a private folder that old versions are put into."""

    git: Git
    private: Path

    def read(self, version: LockVersion) -> LockFile:
        """Return what a version says, with what it includes; raise if that cannot be read."""
        folder = self.private / version.commit.replace("/", "_")
        make_folder(folder)
        self._extract(version, folder)
        with _named_as(version, folder):
            return read(folder / version.path)

    def _extract(self, version: LockVersion, folder: Path) -> None:
        """Write a version to a folder, with what it includes and what is looked at beside it."""
        beside = [version.path.parent / name for name in _BESIDE]
        waiting, seen = [version.path, *beside], set[PurePosixPath]()
        while waiting and len(seen) < _MAX_INCLUDED:
            path = waiting.pop()
            content = self._content(f"{version.commit}:{path}")
            if path in seen or content is None:
                continue
            seen.add(path)
            target = folder / path
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
            included = _INCLUDED.findall(content.decode("utf-8", "replace"))
            waiting += filter(None, (_inside(path.parent / inner) for inner in included))

    def _content(self, name: str) -> bytes | None:
        try:
            return self.git.run("cat-file", "blob", name)
        except GitFailed:
            return None

    def before(self, path: Path) -> Sequence[LockVersion]:
        """Return the versions of a file that this branch had, newest first, without that of now."""
        now = self.git.line("hash-object", "--no-filters", "--", str(path.resolve()))
        return self._before(LockVersion("HEAD", self._place(path)), now, str(path))

    def before_version(self, version: LockVersion) -> Sequence[LockVersion]:
        """Return the versions that a commit and those before it had, without its own."""
        return self._before(version, self._blobs([version])[0], str(version))

    def _before(self, last: LockVersion, now: str, called: str) -> Sequence[LockVersion]:
        argv = ("rev-list", "--first-parent", "--format=%H %cs", last.commit, "--")
        listed = self.git.run(*argv, f":(top,literal){last.path}").decode().splitlines()
        lines = (line.split() for line in listed if not line.startswith("commit "))
        versions = [LockVersion(commit, last.path, date) for commit, date in lines]
        found: list[LockVersion] = []
        for version, blob in zip(versions, self._blobs(versions), strict=True):
            if blob and blob != now:
                found.append(version)
            now = blob or now  # one commit after the other may have the same, by merges
        if not found:
            raise NothingToReduce(
                f"git has no earlier version of {called!r}",
                hint="give --good FILE: the versions that work",
            )
        return found

    def has(self, version: LockVersion) -> bool:
        """Tell whether there is such a file."""
        return bool(self._blobs([version])[0])

    def _blobs(self, versions: Sequence[LockVersion]) -> Sequence[str]:
        """Return the id of each version's content, empty if there is no such file."""
        names = "".join(f"{version.name}\n" for version in versions).encode()
        lines = self.git.run("cat-file", "--batch-check", given=names).decode().splitlines()
        fields = (line.split() for line in lines)
        return [each[0] if len(each) == 3 and each[1] == "blob" else "" for each in fields]  # noqa: PLR2004

    def _place(self, path: Path) -> PurePosixPath:
        """Return a path from the top of the repository, which git is called in the folder of."""
        return PurePosixPath(self.git.line("rev-parse", "--show-prefix"), path.resolve().name)


def by_doubling(versions: Sequence[LockVersion]) -> Iterator[tuple[int, LockVersion]]:
    """Yield the versions 1, 2, 4, 8 … steps back, the oldest last, and how far back each is."""
    back = 1
    while back < len(versions):
        yield back, versions[back - 1]
        back *= 2
    yield len(versions), versions[-1]


def lock_versions(path: Path, private: Path) -> LockVersions:
    """Return the versions that git has of a file; raise if it is not in a repository."""
    git = Git.at(path.resolve().parent)
    try:
        git.run("rev-parse", "--verify", "--quiet", "HEAD")
    except GitFailed:
        raise InvalidOption(
            f"--good is not given, and {str(path)!r} is not in a git repository with commits",
            hint="give --good FILE: the versions that work",
        ) from None
    return LockVersions(git, private)


def read_revised(given: str, private: Path) -> LockFile:
    """Return what a file says, or a version of one: ``v1.0:uv.lock``, as git names it."""
    found = revised(given, private)
    return found[0].read(found[1]) if found else read(given)


def revised(given: str, private: Path) -> tuple[LockVersions, LockVersion] | None:
    """Return the version that is meant by ``REV:PATH``; None if it is a file, or looks like one."""
    revision, colon, inner = given.partition(":")
    if not colon or not revision or Path(given).exists():
        return None
    git = Git.at(Path.cwd())
    try:
        prefix = PurePosixPath(git.line("rev-parse", "--show-prefix"))
        commit = git.line("rev-parse", "--verify", "--end-of-options", f"{revision}^{{commit}}")
    except GitFailed as error:
        raise InvalidOption(
            f"there is no revision {revision!r}: {error.message}",
            hint="give a file, or REV:PATH in a git repository",
        ) from None
    path = _inside(prefix / inner if inner.startswith(("./", "../")) else PurePosixPath(inner))
    versions = LockVersions(git, private)
    for place in filter(None, (path, _inside(prefix / inner))):
        if versions.has(LockVersion(commit, place)):
            return versions, LockVersion(commit, place)
    raise InvalidOption(
        f"there is no file {inner!r} in {revision!r}", hint=f"git ls-tree -r --name-only {revision}"
    )


def _inside(path: PurePosixPath) -> PurePosixPath | None:
    """Return a path without `..`; None if it leads out of the repository."""
    parts: list[str] = []
    for part in path.parts:
        if part == ".." and not parts:
            return None
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return None if not parts or path.is_absolute() else PurePosixPath(*parts)


@contextmanager
def _named_as(version: LockVersion, folder: Path) -> Iterator[None]:
    """Let messages name the version, and not the private copy of it."""
    try:
        yield
    except (InvalidLockFile, NoSuchFile) as error:
        message = str(error).replace(f"{folder}/", f"{version.commit[:_SHOWN_DIGITS]}:")
        raise InvalidLockFile(message, hint=error.hint) from None
