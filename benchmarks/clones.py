"""Run `make test` in fresh clones, once in each surrounding.

    python -m benchmarks.clones                  # every surrounding once
    python -m benchmarks.clones plain busy plain # these, in this order
    python -m benchmarks.clones spaces+py312     # both in one clone

Each clone makes its own environment, so the minutes include the set-up. A surrounding that this
machine cannot provide (not root, no second Python) is reported as skipped. Run it on an idle
machine, or read the results and not the minutes.
"""

import argparse
import os
import platform
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from benchmarks.without_syscalls import ARCHITECTURES

REPOSITORY = Path(__file__).parent.parent
USER = "wynot-tester"
BUSY_LOOPS = 3


class Clone(NamedTuple):
    """Where `make test` runs, and what differs there from an ordinary terminal."""

    folder: Path
    prefix: tuple[str, ...] = ()
    arguments: tuple[str, ...] = ()
    env: Mapping[str, str | None] = {}


class Skipped(Exception):
    """This machine cannot provide a surrounding."""


def call(*command: str) -> None:
    """Run a program that must succeed."""
    subprocess.run(command, check=True)


@contextmanager
def plain(folder: Path) -> Iterator[Clone]:
    """Change nothing."""
    yield Clone(folder)


@contextmanager
def user(folder: Path) -> Iterator[Clone]:
    """Run as an ordinary user with an empty home folder, and the system's own Python."""
    if os.geteuid() != 0:
        raise Skipped("needs root")
    if USER not in {entry.pw_name for entry in pwd.getpwall()}:
        call("useradd", "--create-home", USER)
    call("chown", "-R", USER, str(folder))
    home = f"/home/{USER}"
    prefix = ("setpriv", f"--reuid={USER}", f"--regid={USER}", "--init-groups")
    yield Clone(folder, prefix, ("PYTHON=/usr/bin/python3",), {"HOME": home, "USER": USER})


def python(version: str) -> Callable[[Path], AbstractContextManager[Clone]]:
    """Return the surrounding with another Python."""

    @contextmanager
    def surrounding(folder: Path) -> Iterator[Clone]:
        own = sorted(Path("~/.pyenv/versions").expanduser().glob(f"{version}.*/bin/python"))
        found = str(own[-1]) if own else shutil.which(f"python{version}")
        if not found:
            raise Skipped(f"there is no Python {version}")
        yield Clone(folder, arguments=(f"PYTHON={found}",))

    return surrounding


@contextmanager
def lang_c(folder: Path) -> Iterator[Clone]:
    """Set LANG=C and no other variable for the language."""
    others = dict.fromkeys((name for name in os.environ if name.startswith("LC_")), None)
    yield Clone(folder, env={**others, "LANG": "C"})


@contextmanager
def homeless(folder: Path) -> Iterator[Clone]:
    """Leave out HOME, and with it the git identity."""
    nothing = dict.fromkeys(("HOME", "XDG_CONFIG_HOME", "GIT_CONFIG_GLOBAL"), None)
    yield Clone(folder, env={**nothing, "GIT_CONFIG_NOSYSTEM": "1"})


@contextmanager
def spaces(folder: Path) -> Iterator[Clone]:
    """Put the clone in a path with spaces."""
    yield Clone(folder.rename(folder.with_name("a clone with spaces")))


@contextmanager
def tmpfs(folder: Path) -> Iterator[Clone]:
    """Put TMPDIR on a file system of 1 GB in memory."""
    if os.geteuid() != 0:
        raise Skipped("needs root")
    place = folder.with_name("tmp")
    place.mkdir()
    call("mount", "-t", "tmpfs", "-o", "size=1g", "tmpfs", str(place))
    try:
        yield Clone(folder, env={"TMPDIR": str(place)})
    finally:
        call("umount", "--lazy", str(place))


@contextmanager
def one_core(folder: Path) -> Iterator[Clone]:
    """Give it a single core."""
    yield Clone(folder, prefix=("taskset", "--cpu-list", "0"))


@contextmanager
def busy(folder: Path) -> Iterator[Clone]:
    """Run busy loops beside it."""
    loop = [sys.executable, "-c", "while True: pass"]
    loops = [subprocess.Popen(loop) for _ in range(BUSY_LOOPS)]
    try:
        yield Clone(folder)
    finally:
        for each in loops:
            each.kill()
            each.wait()


def without(calls: str) -> Callable[[Path], AbstractContextManager[Clone]]:
    """Return the surrounding on a kernel that lacks some system calls."""

    @contextmanager
    def surrounding(folder: Path) -> Iterator[Clone]:
        if sys.platform != "linux" or platform.machine() not in ARCHITECTURES:
            raise Skipped("needs Linux on x86-64 or aarch64")
        program = str(folder / "benchmarks" / "without_syscalls.py")
        yield Clone(folder, prefix=(sys.executable, program, calls))

    return surrounding


SURROUNDINGS: dict[str, Callable[[Path], AbstractContextManager[Clone]]] = {
    "plain": plain,
    "user": user,
    "py312": python("3.12"),
    "py313": python("3.13"),
    "lang-c": lang_c,
    "homeless": homeless,
    "spaces": spaces,
    "tmpfs": tmpfs,
    "one-core": one_core,
    "busy": busy,
    "no-openat2": without("openat2"),
    "no-landlock": without("landlock"),
}


@contextmanager
def all_of(names: str, folder: Path) -> Iterator[Clone]:
    """Prepare a clone for several surroundings; a moved folder is passed on to the next."""
    whole = Clone(folder)
    with ExitStack() as stack:
        for name in names.split("+"):
            each = stack.enter_context(SURROUNDINGS[name](whole.folder))
            whole = Clone(
                each.folder,
                (*whole.prefix, *each.prefix),
                (*whole.arguments, *each.arguments),
                {**whole.env, **each.env},
            )
        yield whole


def test_clone(name: str, logs: Path, number: int) -> str:
    """Run `make test` in a fresh clone; return a row of the table."""
    place = Path(tempfile.mkdtemp(prefix="wynot-clone-", dir="/var/tmp"))
    place.chmod(0o755)
    folder = place / "clone"
    call("git", "clone", "--quiet", str(REPOSITORY), str(folder))
    log = logs / f"{number:02}-{name}.log"
    start = monotonic()
    try:
        with all_of(name, folder) as clone, log.open("wb") as out:
            env = {**os.environ, **clone.env}
            ended = subprocess.run(
                [*clone.prefix, "make", "-C", str(clone.folder), "test", *clone.arguments],
                env={key: value for key, value in env.items() if value is not None},
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                check=False,
            )
    except Skipped as error:
        return f"{name:11}  skipped  {error}"
    finally:
        shutil.rmtree(place, ignore_errors=True)
    lines = log.read_text(errors="replace").splitlines()
    counts = [line.strip("= ") for line in lines if line.startswith("=") and " in " in line]
    result = "passed " if ended.returncode == 0 else "FAILED "
    return f"{name:11}  {result}  {(monotonic() - start) / 60:5.1f}  {(counts or lines)[-1]}"


def main() -> None:
    """Run what the command line names, one after the other."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("surrounding", nargs="*", help=", ".join(SURROUNDINGS))
    parser.add_argument("--logs", type=Path, default=Path(".bench/clones"))
    options = parser.parse_args()
    named = {name for each in options.surrounding for name in each.split("+")}
    if unknown := named - SURROUNDINGS.keys():
        parser.error(f"unknown surroundings: {', '.join(sorted(unknown))}")
    options.logs.mkdir(parents=True, exist_ok=True)
    rows = []
    for number, name in enumerate(options.surrounding or SURROUNDINGS):
        rows.append(test_clone(name, options.logs, number))
        print(rows[-1], flush=True)
    sys.exit(any("FAILED" in row for row in rows))


if __name__ == "__main__":
    main()
