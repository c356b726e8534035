"""A folder ``.wynot`` that a stranger has prepared: no command writes where its links lead."""

import os
import shutil
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest

from e2e.programs import NUMBERS, refused, shell, text, told, wynot
from tiers import slow_after, slow_but
from unit.inquiries.changes.repositories import make

SECRET = b"precious\n"
NOBODY = 65534
UNSAFE = "[unsafe-folder]"
CALM = ("--timeout", "300", "-j", "1")


@pytest.fixture(scope="module")
def reduced_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a finished reduction."""
    folder = text(tmp_path_factory.mktemp("reduced") / "in.txt", NUMBERS.decode()).parent
    shell(folder, "grep -q 33 in.txt")
    assert told(folder, "reduce", *CALM, "test.sh", "in.txt").code == 0
    return folder


@pytest.fixture
def outside(tmp_path: Path, reduced_folder: Path) -> Path:
    """Return a folder that nothing may be written to: with files, an empty one, and a journal."""
    folder = shutil.copytree(reduced_folder, tmp_path / "outside")
    (folder / "secret").write_bytes(SECRET)
    (folder / "empty").touch()
    return folder


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """Return a folder to work in, as a stranger has sent it."""
    folder = tmp_path / "place"
    shell(text(folder / "in.txt", NUMBERS.decode()).parent, "grep -q 33 in*")
    text(folder / "inputs" / "one", "3\n33\n")
    text(folder / "inputs" / "two", "33\n4\n")
    text(folder / "passing.txt", "1\n2\n")
    return folder


def state(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    """Return what is in a folder, with owners and modes."""
    seen = {}
    for path in [folder, *sorted(folder.rglob("*"))]:
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        seen[str(path)] = (status.st_mode, status.st_uid, content)
    return seen


NAMES = {"lock", "journal", "journal-wal", "journal-shm", "draft", "draft-wal", "finds"}


def links(home: Path, outside: Path, name: str) -> None:
    """Have every file that wynot keeps of a file of this name be a link."""
    home.mkdir()
    for ending in NAMES:
        to = {"finds": "", "lock": "secret", "draft": "secret"}.get(ending, "empty")
        (home / f"{name}.{ending}").symlink_to(outside / to)
    (home / ".gitignore").symlink_to(outside / "secret")
    (home / "batch").symlink_to(outside)
    (home / "batch.lock").symlink_to(outside / "secret")


def link(home: Path, outside: Path, _name: str) -> None:
    """Have the folder lead to one with a journal."""
    home.symlink_to(outside / ".wynot")


def another_users(home: Path, _outside: Path, _name: str) -> None:
    """Have the folder be another user's."""
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder to another user")
    home.mkdir()
    os.chown(home, NOBODY, NOBODY)


def no_folder(home: Path, _outside: Path, _name: str) -> None:
    """Have a file in the place of the folder."""
    home.write_bytes(SECRET)


Plant = Callable[[Path, Path, str], None]
PLANTS: dict[str, Plant] = {
    "links": links,
    "a link": link,
    "another user's": another_users,
    "a file": no_folder,
}

REFUSING: dict[str, tuple[str, ...]] = {
    "reduce": ("reduce", *CALM, "test.sh", "in.txt"),
    "reduce --fresh": ("reduce", "--fresh", *CALM, "test.sh", "in.txt"),
    "reduce -o": ("reduce", *CALM, "-o", "out/in.txt", "test.sh", "in.txt"),
    "batch": ("batch", *CALM, "-o", "out", "inputs", "--", "sh", "-c", "! grep -q 33 {}"),
    "explain": ("explain", "in.txt"),
    "history": ("history", "in.txt"),
    "history --restore": ("history", "in.txt", "--restore", "1", "-o", "restored"),
    "report": ("report", "in.txt", "-o", "page.html"),
    "repro": ("repro", "in.txt", "-o", "folder"),
    "watch": ("watch", "in.txt"),
}
READING = {"explain", "history", "history --restore", "report", "repro", "watch"}


@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("command", slow_but(("reduce", "batch", "history"), REFUSING))
def test_a_prepared_folder_is_refused(place: Path, outside: Path, command: str, plant: str) -> None:
    (place / "out").mkdir()
    for folder in (place, place / "out"):
        PLANTS[plant](folder / ".wynot", outside, "in.txt")
    before, case = state(outside), (place / "in.txt").read_bytes()
    ran = told(place, *REFUSING[command])
    assert state(outside) == before
    assert (place / "in.txt").read_bytes() == case
    if command in READING and plant in {"another user's", "a file"}:
        assert ran.code != 0  # there is no journal in it
    else:
        refused(ran, 4, UNSAFE, ".wynot")


KINDS: dict[str, Callable[[Path, Path], None]] = {
    "a link": lambda path, secret: path.symlink_to(secret),
    "a link to nothing": lambda path, secret: path.symlink_to(secret.with_name("new")),
    "a FIFO": lambda path, _: os.mkfifo(path),
    "a hard link": lambda path, secret: path.hardlink_to(secret),
}
QUICK = [
    ("lock", "a hard link"),
    ("lock", "a link"),
    ("journal-wal", "a link"),
    ("draft", "a FIFO"),
]
FILES = dict.fromkeys([*QUICK, *product(sorted(NAMES), sorted(KINDS.keys() - {"a hard link"}))])


@pytest.mark.parametrize(("ending", "kind"), slow_after(len(QUICK), FILES))
def test_each_file_is_looked_at(place: Path, outside: Path, ending: str, kind: str) -> None:
    path = place / ".wynot" / f"in.txt.{ending}"
    path.parent.mkdir()
    KINDS[kind](path, outside / "secret")
    before = state(outside)
    ran = told(place, "reduce", *CALM, "test.sh", "in.txt")
    assert state(outside) == before
    refused(ran, 4, UNSAFE, str(path))


OTHERS: dict[str, tuple[str, ...]] = {
    "check": ("check", "test.sh", "in.txt"),
    "isolate": (
        *("isolate", "-o", ".", "passing.txt", "in.txt"),
        *("--", "sh", "-c", "! grep -q 33 {}"),
    ),
    "options": ("options", "--", "sh", "-c", "exit $#", "x", "-a", "-b"),
    "changes": (
        *("changes", "-o", "found.patch", "--good", "HEAD~1"),
        *("--", "sh", "-c", "! grep -q 33 in.txt"),
    ),
    "packages": (
        *("packages", "--index-url", "http://127.0.0.1:9/simple", "--installer", "pip"),
        *("--good", "good.txt", "--bad", "bad.txt", "--python", sys.executable, "--", "false"),
    ),
    "tests": ("tests", "test_it.py::test_b", "--", sys.executable, "-m", "pytest"),
}
SUITE = """
seen = []
def test_a(): seen.append(1)
def test_b(): assert not seen
"""


@pytest.mark.slow
@pytest.mark.parametrize("plant", PLANTS)
@pytest.mark.parametrize("command", OTHERS)
def test_other_commands_write_nothing_outside(
    tmp_path: Path,
    place: Path,
    outside: Path,
    command: str,
    plant: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if command == "changes":
        place = tmp_path / "repository"
        make(place, [{"in.txt": b"1\n"}, {"in.txt": b"33\n"}])
    text(place / "good.txt", "wheel==1.0\n")
    text(place / "bad.txt", "wheel==2.0\n")
    text(place / "test_it.py", SUITE)
    monkeypatch.setenv("PIP_RETRIES", "0")
    PLANTS[plant](place / ".wynot", outside, "in.txt")
    before = state(outside)
    ran = told(place, *OTHERS[command])
    assert state(outside) == before
    assert "Traceback" not in ran.err


@pytest.mark.parametrize("name", ["in.txt.orig", "page.html"])
def test_a_planted_fifo_is_not_waited_for(tmp_path: Path, name: str) -> None:
    text(tmp_path / "in.txt", "one\nNEEDLE\n")
    os.mkfifo(tmp_path / name)
    ran = wynot(
        tmp_path, "reduce", "--report", "page.html", "--exit", "0", "in.txt", "--",
        "grep", "NEEDLE", "{}",
    )  # fmt: skip
    assert ran.code == (0 if name == "in.txt.orig" else 2), ran
    assert (tmp_path / name).is_fifo()


def test_a_planted_file_without_end_is_not_read(tmp_path: Path) -> None:
    text(tmp_path / "in.txt", "one\nNEEDLE\n")
    with (tmp_path / "in.txt.orig").open("wb") as file:
        file.truncate(1 << 42)
    ran = wynot(tmp_path, "reduce", "--exit", "0", "in.txt", "--", "grep", "NEEDLE", "{}")
    assert ran.code == 0, ran
    assert (tmp_path / "in.txt.orig.1").read_text() == "one\nNEEDLE\n"
