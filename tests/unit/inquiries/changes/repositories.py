"""Repositories for tests: made by git itself, the same on every machine."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path

FILE, PROGRAM, LINK, SUBMODULE = 0o100644, 0o100755, 0o120000, 0o160000

Tree = Mapping[str, bytes | tuple[int, bytes]]
"""Files by path: a content, or a mode and a content."""

SETTINGS = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_SYSTEM": os.devnull,
    "GIT_AUTHOR_NAME": "Ann",
    "GIT_AUTHOR_EMAIL": "ann@example.org",
    "GIT_COMMITTER_NAME": "Ann",
    "GIT_COMMITTER_EMAIL": "ann@example.org",
    "GIT_AUTHOR_DATE": "2020-01-02T03:04:05Z",
    "GIT_COMMITTER_DATE": "2020-01-02T03:04:05Z",
}


def git(folder: Path, *args: str, given: bytes = b"") -> bytes:
    done = subprocess.run(  # noqa: S603 - a list, no shell
        ["git", "-C", str(folder), *args],
        input=given,
        capture_output=True,
        check=False,
        env={**os.environ, **SETTINGS},
    )
    assert not done.returncode, done.stderr
    return done.stdout


def make(folder: Path, trees: Sequence[Tree] = (), *, object_format: str = "sha1") -> list[str]:
    """Make a repository with a commit for each tree; return their ids."""
    folder.mkdir(parents=True, exist_ok=True)
    git(folder, "init", "-q", "-b", "main", f"--object-format={object_format}")
    if not trees:
        return []
    stream = b"".join(commit(tree, f"commit {number}", "main") for number, tree in enumerate(trees))
    git(folder, "fast-import", "--quiet", given=stream)
    git(folder, "reset", "--hard", "--quiet", "main")
    return git(folder, "rev-list", "--reverse", "main").decode().split()


def commit(tree: Tree, subject: str, branch: str, *parents: str) -> bytes:
    """Return a commit for fast-import; without parents it goes on where the branch is."""
    who = b"Ann <ann@example.org> 1577934245 +0000"
    text = subject.encode()
    lines = [b"commit refs/heads/%s\nauthor %s\ncommitter %s\n" % (branch.encode(), who, who)]
    lines.append(b"data %d\n%s\n" % (len(text), text))
    for word, parent in zip((b"from", b"merge", b"merge"), parents, strict=False):
        lines.append(b"%s %s\n" % (word, parent.encode()))
    lines.append(b"deleteall\n")
    for path, given in tree.items():
        mode, content = given if isinstance(given, tuple) else (FILE, given)
        name = b'"%s"' % b"".join(b"\\%03o" % byte for byte in os.fsencode(path))
        if mode == SUBMODULE:
            lines.append(b"M 160000 %s %s\n" % (content, name))
        else:
            lines.append(b"M %o inline %s\ndata %d\n%s\n" % (mode, name, len(content), content))
    return b"".join(lines)


def add(folder: Path, tree: Tree, subject: str, branch: str, *parents: str) -> str:
    """Add one commit, where the branch is unless there are parents; return its id."""
    parents = parents or (git(folder, "rev-parse", branch).decode().strip(),)
    git(folder, "fast-import", "--quiet", "--force", given=commit(tree, subject, branch, *parents))
    return git(folder, "rev-parse", branch).decode().strip()


def snapshot(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Return all there is in a folder: mode, time and content."""
    found = {}
    for path in sorted(folder.rglob("*")):
        seen = path.lstat()
        content = path.read_bytes() if path.is_file() and not path.is_symlink() else b""
        found[str(path)] = (seen.st_mode, seen.st_mtime_ns, sha256(content).hexdigest())
    return found


def on_disk(folder: Path) -> dict[str, tuple[int, bytes]]:
    """Return the files of a folder as a tree, its repository left out."""
    found = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if name.split("/")[0] == ".git":
            continue
        if path.is_symlink():
            found[name] = (LINK, os.fsencode(path.readlink()))
        elif path.is_file():
            is_program = path.stat().st_mode & 0o100
            found[name] = (PROGRAM if is_program else FILE, path.read_bytes())
    return found


def full(tree: Tree) -> dict[str, tuple[int, bytes]]:
    """Return a tree with all modes written out."""
    return {
        path: given if isinstance(given, tuple) else (FILE, given) for path, given in tree.items()
    }
