"""Work trees: a private one in each sandbox, and a command as it is run there.

Git does it, as it would in the user's own: it writes the files that differ from what is there, and
no others, so that a build is done again only where it has to be. Whatever a test has changed is
restored, whatever it left behind is removed; but what the repository ignores stays, as it is what
builds are made of.
"""

import os
import shutil
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from posixpath import basename, dirname
from typing import NamedTuple

from wynot.agents.sandbox import Sandbox
from wynot.core.errors import BrokenRunner, NoSpace
from wynot.core.files import Files
from wynot.core.system.beneath import PERMISSION_BITS
from wynot.core.system.folder_files import USUAL_MODE
from wynot.inquiries.changes.change_sources import ChangesSource
from wynot.inquiries.changes.commit_history import repository
from wynot.inquiries.changes.git import (
    GIT_TIMEOUT,
    IMPORT,
    QUIET,
    REDIRECTING,
    SETTINGS,
    SHA1_DIGITS,
    link,
    message_in,
    no_git,
)
from wynot.inquiries.changes.overlay import Overlay
from wynot.machine.removal import make_folder, put_file, remove
from wynot.oracle.command import naming
from wynot.oracle.provisioner import Inapplicable, Invocation
from wynot.wire.run_request import Limits, RunRequest

_LIMITS = Limits(timeout=GIT_TIMEOUT, disk=1 << 50)
_STREAM = "stream"
_ATTRIBUTES = ".gitattributes"
_CANDIDATE = "candidate"
_CONFIG = b"[core]\n\tbare = false\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n"

_GIT_ENV: Mapping[str, str | None] = {
    **dict.fromkeys(REDIRECTING),
    **QUIET,
    "GIT_LFS_SKIP_SMUDGE": "1",
}
_TEST_ENV: Mapping[str, str | None] = {
    # A test that calls git means the one in its tree.
    **dict.fromkeys(REDIRECTING),
    # Python takes a file for unchanged that was written in the same second and is as long.
    "PYTHONDONTWRITEBYTECODE": "1",
}


class _Spoiled(Exception):
    """A work tree with which git cannot do anything; the message is what git says."""


class _Place(NamedTuple):
    """A work tree in a sandbox, and the repository that files are put there from.

    That is not the one that a test finds in its tree: what a test does to its own is no matter. It
    is where a confined test cannot write: a repository's settings name programs.
    """

    tree: Path
    repository: Path
    given: Path
    """What the repository of a tree is made of, as a test finds it."""


def _write_head(path: Path, good: bytes) -> None:
    """Let HEAD be this commit, wherever a test has gone: the passing one, as a rule."""
    if path.read_bytes() != good:
        put_file(path, good)


def _refuse_other_attributes(subject: Overlay, repository: Path) -> None:
    """Raise if attributes change: git would write only those files in their way that change, too.

    Then what a test finds would depend on which tree was there before.
    """
    entries = {path: at for path, at in subject.entries.items() if basename(path) == _ATTRIBUTES}
    digest, known = Overlay(subject.base, entries).digest, repository / "attributes of wynot"
    if known.exists() and known.read_bytes() != digest:
        raise _Spoiled("other attributes")
    put_file(known, digest)


def _refuse_links(place: _Place) -> None:
    """Raise if a test has put a link to elsewhere where files are written, or removed."""
    packs = place.repository / "objects" / "pack"
    for path in (*place, packs.parent, packs):
        if path.is_symlink():
            raise _Spoiled(f"{str(path)!r} is a link")


def _give(place: _Place) -> None:
    """Put a repository into the tree, with HEAD at the passing commit and the index of now."""
    inner = place.tree / ".git"
    remove(inner)
    shutil.copytree(place.given, inner)
    for name in ("HEAD", "index"):
        shutil.copyfile(place.repository / name, inner / name)


def _take_out(tree: Path, path: str) -> None:
    """Remove a file of a tree; never through a link to elsewhere."""
    if (tree / path).parent.resolve() == tree.resolve() / dirname(path):
        remove(tree / path)


def _put_beside(tree: Path, path: str, content: bytes, mode: int) -> None:
    """Put a file into a tree that has none of that name; never through a link to elsewhere."""
    _make_within(tree, dirname(path))
    place = tree / path
    if os.path.lexists(place) or place.parent.resolve() != (tree.resolve() / dirname(path)):
        return
    place.write_bytes(content)
    place.chmod(mode)


def _make_within(tree: Path, folder: str) -> None:
    """Make a folder, unless in this tree there is something else, maybe a link to elsewhere."""
    for name in filter(None, folder.split("/")):
        tree /= name
        if tree.is_symlink() or (tree.exists() and not tree.is_dir()):
            return
        tree.mkdir(exist_ok=True)


def _forget(packs: Path) -> None:
    """Remove the objects of earlier candidates, or there would be more and more of them."""
    for path in packs.iterdir() if packs.is_dir() else ():
        path.unlink()


class Worktrees:
    """Puts trees in place, each sandbox in a work tree of its own."""

    def __init__(
        self,
        source: ChangesSource,
        *,
        clean: bool = False,
        beside: Files | None = None,
        is_confined: bool = False,
    ) -> None:
        """Take where the trees come from, and whether even ignored files are removed.

        ``beside`` are files that every tree has, unless it has one of that name itself. If tests
        are confined, so is git: it writes trees and their repositories only.
        """
        self._source = source
        self._is_confined = is_confined
        self._beside = beside or Files({})
        everything = clean or not source.is_repository
        self._clean = ("clean", "-ffdxq" if everything else "-ffdq")

    def provision(self, subject: Overlay, sandbox: Sandbox) -> Invocation:
        """Make the sandbox's work tree hold this tree."""
        make_folder(sandbox.private)
        place = _Place(sandbox.scratch / "tree", sandbox.private / "git", sandbox.private / "given")
        try:
            _refuse_links(place)
            self._put(subject, place, sandbox)
        except _Spoiled:  # by the last test; or there is none yet
            self._put_anew(subject, place, sandbox)
        return Invocation(folder=place.tree, env=_TEST_ENV)

    def _begin(self, place: _Place, sandbox: Sandbox) -> None:
        """Make a new repository for the tree, which finds all objects of the source."""
        for path in place:
            if not remove(path):
                raise BrokenRunner(
                    f"{str(path)!r} cannot be removed", hint="has a test made it immutable?"
                )
        place.tree.mkdir()
        source, inner = self._source, place.repository
        kind = "sha1" if len(source.good) == SHA1_DIGITS else "sha256"
        for folder in (inner, place.given):
            folder.mkdir()
        for folder in (inner, place.given):
            git = f"--git-dir={folder}"
            new = ("init", "--quiet", "--template=", f"--object-format={kind}")
            self._run(sandbox, place, git, *new)
            link(folder / "objects", source.store.objects)
            (folder / "packed-refs").write_bytes(source.tags)
            with (folder / "config").open("ab") as config:
                config.write(_CONFIG)
            if not source.is_repository:  # files are what they are, whatever attributes they have
                attributes = Path("info", "attributes")
                (folder / "info").mkdir(exist_ok=True)
                shutil.copyfile(source.store.folder / attributes, folder / attributes)
            shallow = source.store.folder / "shallow"
            if shallow.exists():
                (folder / "shallow").write_bytes(shallow.read_bytes())
        link(place.given / "objects", inner / "objects")

    def _put_anew(self, subject: Overlay, place: _Place, sandbox: Sandbox) -> None:
        """Put a tree where nothing was: if that fails, the tree itself is at fault, or the disk."""
        try:
            self._begin(place, sandbox)
            self._put(subject, place, sandbox)
        except _Spoiled as refusal:
            if "No space left" in str(refusal):
                raise NoSpace(f"no room for a work tree: {refusal}", hint="make room") from None
            if not subject.entries and subject.base == self._source.good:
                raise BrokenRunner(
                    f"the passing side cannot be checked out: {refusal}",
                    hint="does `git worktree add` work there?",
                ) from None
            raise Inapplicable(str(refusal)) from None

    def _put(self, subject: Overlay, place: _Place, sandbox: Sandbox) -> None:
        """Put a tree where another one was; raise `_Spoiled` if git says no."""
        wanted = subject.base
        try:
            for path in self._beside.contents:  # what a test has made of them
                _take_out(place.tree, path)
            _write_head(place.repository / "HEAD", f"{wanted}\n".encode())
            _refuse_other_attributes(subject, place.repository)
            if subject.entries:
                _forget(place.repository / "objects" / "pack")
                put_file(sandbox.private / _STREAM, *subject.stream(_CANDIDATE))
        except OSError as error:
            raise _Spoiled(str(error)) from None
        if subject.entries:
            self._git(sandbox, place, *IMPORT, stdin=_STREAM)
            wanted = f"refs/wynot/{_CANDIDATE}"
        self._git(sandbox, place, "read-tree", "--reset", "-u", wanted)
        self._git(sandbox, place, *self._clean)
        for folder in self._source.empty_folders:
            _make_within(place.tree, folder)
        try:
            for path, content in self._beside.contents.items():
                _put_beside(place.tree, path, content, self._beside.modes.get(path, USUAL_MODE))
            if self._source.is_repository:
                _give(place)
        except OSError as error:  # shutil's is one as well
            raise _Spoiled(str(error)) from None

    def _git(self, sandbox: Sandbox, place: _Place, *args: str, stdin: str | None = None) -> None:
        where = (f"--git-dir={place.repository}", f"--work-tree={place.tree}")
        self._run(sandbox, place, *where, *args, stdin=stdin)

    def _run(self, sandbox: Sandbox, place: _Place, *args: str, stdin: str | None = None) -> None:
        argv = ("git", *SETTINGS, *args)
        limits = _LIMITS
        if self._is_confined:
            limits = limits._replace(writable=(str(place.repository), str(place.given)))
        request = RunRequest(
            argv, limits, stdin, capture=True, env=_GIT_ENV, folder=sandbox.private
        )
        try:
            ending = sandbox.run(request)
        except FileNotFoundError:
            raise no_git() from None
        if ending.status or ending.limit:
            raise _Spoiled(message_in(ending.stderr) or ending.description)


class InTree(NamedTuple):
    """A command as it is run at the top of a private work tree."""

    command: list[str]
    beside: Files
    """Files of the checkout that it names, and that are in no commit: each tree has them too."""


def in_tree(
    command: Sequence[str],
    top: Path,
    source: ChangesSource,
    changed: Collection[str],
    *,
    from_disk: bool,
) -> InTree:
    """Return a command with its paths as they are in a work tree.

    What it names of the repository is there, and may differ from one candidate to the next. A test
    script that is not committed is put beside it; one from elsewhere is named in full. A file that
    changes is put there too if it is the one on disk that is asked about.
    """
    listed = source.store.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", source.good)
    committed = {os.fsdecode(path) for path in listed.split(b"\0")}
    argv, named = [], {}
    for previous, argument in zip(("", *command), command, strict=False):
        before, word, _ = naming(argument, previous)
        inside = _inside(word, top)
        is_uncommitted = bool(inside) and inside not in committed and (top / inside).is_file()
        if is_uncommitted and (from_disk or inside not in changed):
            named[inside] = top / inside
        if inside and (top / inside).exists():
            argv.append(before + (f"./{inside}" if "/" in word else inside))
        else:
            argv.append(before + _in_full(word))
    contents = {inside: path.read_bytes() for inside, path in named.items()}
    modes = {inside: path.stat().st_mode & PERMISSION_BITS for inside, path in named.items()}
    return InTree(argv, Files(contents, modes))


def _inside(word: str, top: Path) -> str:
    """Return the path in the repository that a word names, empty if it names none."""
    if not _is_path(word):
        return ""
    full = Path(word).absolute()
    inside = os.path.relpath(full.parent.resolve() / full.name, top)
    return "" if inside.startswith("..") or inside == "." else inside


def _in_full(word: str) -> str:
    """Return a path in full, any other word as it is."""
    return str(Path(word).absolute()) if _is_path(word) else word


def _is_path(word: str) -> bool:
    """Tell whether a word is a relative path to something that is there."""
    if "\0" in word or Path(word).is_absolute() or not os.path.lexists(word):
        return False
    return "/" in word or Path(word).is_file()


def top_of(folder: Path) -> Path:
    """Return the top of a checkout; of a repository without one, the folder itself."""
    git = repository(folder)
    if git.line("rev-parse", "--is-inside-work-tree") != "true":
        return folder.resolve()
    return Path(git.line("rev-parse", "--show-toplevel")).resolve()
