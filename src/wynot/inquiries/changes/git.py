"""Calling git: always with a list, never with a lock, a hook or a setting that could write.

A repository may be a stranger's, with a config that names programs: no call runs one of them.

The user's repository is only read. Whatever has to be written goes to a *store*, a private bare
repository that finds the user's objects as alternates.
"""

import os
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Protocol

from wynot.core.errors import RUNNER, NotExecutable, WynotError

GIT_TIMEOUT = 600.0
"""Seconds for one call: long enough for the history of years."""

SHA1_DIGITS = 40
"""The length of an id; those of the other kind, sha256, have more."""

REDIRECTING = (
    *("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_COMMON_DIR"),
    *("GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_SHALLOW_FILE"),
    *("GIT_GRAFT_FILE", "GIT_REPLACE_REF_BASE", "GIT_CONFIG", "GIT_CONFIG_PARAMETERS"),
    *("GIT_IMPLICIT_WORK_TREE", "GIT_EXTERNAL_DIFF", "GIT_DIFF_OPTS", "GIT_ATTR_SOURCE"),
    *("GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS"),
    *("GIT_ICASE_PATHSPECS", "GIT_INTERNAL_SUPER_PREFIX", "GIT_DEFAULT_HASH"),
)
"""Variables that lead git elsewhere: a hook that calls wynot has some of them set."""

QUIET: Mapping[str, str] = {
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_TERMINAL_PROMPT": "0",
    "LC_ALL": "C",
}
"""Variables that keep git from writing, asking, fetching and speaking other languages."""

_OVERRIDES = (
    # A repository's own config names programs. Those that commands used here could run are unset;
    # filters need their names (`Filters`), and difference drivers the options of `DIFFERENCE`.
    *("core.hooksPath=/dev/null", "core.fsmonitor=false", "log.showSignature=false"),
    *("gpg.program=", "gpg.openpgp.program=", "gpg.x509.program=", "gpg.ssh.program="),
    *("gpg.ssh.defaultKeyCommand=", "core.sshCommand=", "core.alternateRefsCommand="),
    *("core.askPass=", "core.editor=", "credential.helper=", "diff.external="),
    # It may also name endless files to read.
    *("log.mailmap=false", "mailmap.file=", "mailmap.blob="),
    *("gc.auto=0", "maintenance.auto=false", "core.quotePath=true", "color.ui=false"),
)

SETTINGS = ("--no-pager", *(word for each in _OVERRIDES for word in ("-c", each)))
"""What every call of git begins with: no setting of a repository makes it run a program."""

IMPORT = ("-c", "fastimport.unpackLimit=0", "fast-import", "--quiet", "--force")
"""Import into a pack: to make single files of objects, git touches those that the user has."""

FILE_MODE, PROGRAM_MODE, LINK_MODE, GITLINK_MODE = 0o100644, 0o100755, 0o120000, 0o160000
"""What git has at a path: a file, one that can be run, a symbolic link, a submodule."""

DIFFERENCE = (
    *("-r", "-M50%", "-l1000", "--full-index", "--no-color", "--no-ext-diff", "--no-textconv"),
    *("--diff-algorithm=histogram", "--indent-heuristic", "--ignore-submodules=none"),
    *("--submodule=short", "--src-prefix=a/", "--dst-prefix=b/"),
)
"""Options of diff-tree, so that settings of the user change nothing."""


_TO_THE_BYTE = "* -text -filter -ident -working-tree-encoding\n"
"""Attributes: files are as they are, whatever those of the user say."""


class GitFailed(WynotError, exit_code=RUNNER):
    """Git says no, and this is not what it was expected to say no to."""

    def __init__(self, doing: str, message: str) -> None:
        super().__init__(
            f"{doing} failed: {message or 'without any output'}",
            hint="does git itself work there? git fsck shows damage",
        )
        self.message = message


class BlobReader(Protocol):
    """Returns the content of a blob."""

    def __call__(self, blob: str) -> bytes:
        """Return the content of the blob of this id."""


@dataclass(frozen=True, slots=True)
class Git:
    """A repository to call git in."""

    where: tuple[str, ...]
    """The options that name it: ``-C FOLDER`` or ``--git-dir=FOLDER``."""

    @classmethod
    def at(cls, folder: Path) -> "Git":
        """Return the repository that a folder belongs to."""
        return cls(("-C", str(folder)))

    def run(self, *args: str, given: bytes = b"", env: Mapping[str, str] | None = None) -> bytes:
        """Return what a git command prints; raise `GitFailed` if it does not end well."""
        try:
            ended = subprocess.run(  # noqa: S603 - a list, no shell
                self._argv(args),
                input=given,
                capture_output=True,
                check=False,
                timeout=GIT_TIMEOUT,
                env=environ(env),
            )
        except FileNotFoundError:
            raise no_git() from None
        except subprocess.TimeoutExpired:
            raise GitFailed(f"git {args[0]}", f"not done after {GIT_TIMEOUT:.0f} s") from None
        if ended.returncode:
            raise GitFailed(f"git {args[0]}", message_in(ended.stderr))
        return ended.stdout

    def line(self, *args: str) -> str:
        """Return the one line that a command prints."""
        return os.fsdecode(self.run(*args)).rstrip("\n")

    @contextmanager
    def reader(self) -> Iterator[BlobReader]:
        """Read any number of blobs with one process."""
        with subprocess.Popen(  # noqa: S603 - a list, no shell
            self._argv(("cat-file", "--batch")),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environ(),
        ) as process:
            requests, answers = _pipe(process.stdin), _pipe(process.stdout)

            def read(blob: str) -> bytes:
                requests.write(f"{blob}\n".encode())
                requests.flush()
                head = answers.readline().split()
                if len(head) != len((blob, "blob", "size")):
                    raise GitFailed("git cat-file", f"there is no object {blob}")
                content = answers.read(int(head[2]))
                answers.read(1)
                return content

            try:
                yield read
            finally:
                requests.close()

    def _argv(self, args: Sequence[str]) -> list[str]:
        return ["git", *SETTINGS, *self.where, *args]


@dataclass(frozen=True, slots=True)
class Store(Git):
    """A private repository: new objects are written here, and those of the user are found."""

    folder: Path

    @classmethod
    def make(cls, folder: Path, objects: Path | None, object_format: str = "sha1") -> "Store":
        """Make one in a folder that is not there yet; ``objects`` are those of the user."""
        folder = folder.resolve()  # it is named from other folders too
        store = cls((f"--git-dir={folder}",), folder)
        settings = ("--quiet", "--bare", "--template=", f"--object-format={object_format}")
        Git(()).run("init", *settings, str(folder))
        (folder / "info").mkdir(exist_ok=True)
        (folder / "info" / "attributes").write_text(_TO_THE_BYTE)
        if objects is not None:
            link(folder / "objects", objects)
        return store

    @property
    def objects(self) -> Path:
        """The folder of its objects."""
        return self.folder / "objects"

    def commit(self, stream: Iterable[bytes], name: str) -> str:
        """Return the id of the commit ``refs/wynot/name`` that a stream for fast-import makes."""
        with subprocess.Popen(  # noqa: S603 - a list, no shell
            self._argv(IMPORT),
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=environ(),
        ) as process:
            with suppress(BrokenPipeError):  # it has given up, and says why
                for piece in stream:
                    _pipe(process.stdin).write(piece)
            _, errors = process.communicate()
        if process.returncode:
            raise GitFailed("git fast-import", message_in(errors))
        return self.line("rev-parse", "--verify", "--quiet", f"refs/wynot/{name}")

    def tree_of(self, revision: str) -> str:
        """Return the id of the tree of a commit."""
        return self.line("rev-parse", "--verify", f"{revision}^{{tree}}")


def _pipe(stream: IO[bytes] | None) -> IO[bytes]:
    """Return a pipe that was asked for, and so is there."""
    if stream is None:
        raise GitFailed("git", "it has no pipe")
    return stream


def link(objects: Path, others: Path) -> None:
    """Let a private folder of objects find those of another one."""
    info = objects / "info"
    info.mkdir(exist_ok=True)
    (info / "alternates").write_bytes(quoted(os.fsencode(others)) + b"\n")


def environ(more: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment for a call of git."""
    kept = {name: value for name, value in os.environ.items() if name not in REDIRECTING}
    return {**kept, **QUIET, **(more or {})}


def quoted(path: bytes) -> bytes:
    """Return a path in the quotes of C, which git understands wherever paths are read."""
    plain = {ord('"'): b'\\"', ord("\\"): b"\\\\"}
    return b'"%s"' % b"".join(
        plain.get(byte) or (b"%c" % byte if 0x20 <= byte < 0x7F else b"\\%03o" % byte)  # noqa: PLR2004
        for byte in path
    )


def message_in(errors: bytes) -> str:
    """Return the first thing that git said that says why."""
    lines = [line for line in errors.decode(errors="replace").splitlines() if line.strip()]
    telling = [line for line in lines if line.startswith(("fatal:", "error:"))] or lines
    return telling[0].partition(": ")[2] or telling[0] if telling else ""


def no_git() -> NotExecutable:
    """Return what to raise where there is no git."""
    return NotExecutable("there is no program 'git'", hint="install git, or add it to the PATH")
