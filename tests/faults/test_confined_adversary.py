"""A confined test gets out of its folder in no command, and leaves no process behind."""

import os
import sys
import time
from collections.abc import Container, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from e2e.programs import CALM, text, wynot
from faults import adversary
from unit.inquiries.changes.repositories import make
from unit.inquiries.packages.shelves import wheel
from wynot.machine import landlock, procfs

pytestmark = pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")

PROGRAM = Path(adversary.__file__)
ATTACK = (sys.executable, "-I", "-S", str(PROGRAM))
"""A test that attacks; the files that it is to look at come after it."""
NAMES = ("config", "HEAD", "index", "objects", "stream", "task.json", "outcomes", "collected.json")
"""What wynot has used, at one time or another, where a test could write."""

INQUIRIES = {"changes", "options", "packages", "tests"}
"""The commands that leave the folder where they run as it is."""


class Scene:
    """A command's own folder, a log that its test may write, and what nobody may touch."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.token = f"adversary-{os.getpid()}-{time.monotonic_ns()}"
        self.work, self.notes, self.sentinel, self.arena = (
            folder / name for name in ("work", "notes", "sentinel", "arena")
        )
        for each in (self.work, self.notes, self.sentinel, self.arena):
            each.mkdir()
        for name in NAMES:
            text(self.sentinel / name, f"precious {name}\n")
        self.log = self.notes / adversary.LOG
        monkeypatch.setenv("TMPDIR", str(self.arena))
        monkeypatch.setenv(adversary.ARENA, str(self.arena))
        monkeypatch.setenv(adversary.SENTINEL, str(self.sentinel))
        monkeypatch.setenv(adversary.NOTES, str(self.notes))
        monkeypatch.setenv(adversary.TOKEN, self.token)

    def run(self, command: str, *arguments: str | Path, codes: Container[int] = (0,)) -> None:
        """Run a command whose tests are confined, and see that none of them has got out."""
        sentinel, work = held(self.sentinel), held(self.work)
        confined = ("-j1", *CALM, "--confine", "--writable", self.notes)
        options = confined if command != "explain" else ()  # those of the reduction
        ran = wynot(self.work, command, *options, *arguments)
        assert ran.code in codes, ran
        log = self.log.read_text().splitlines()
        assert log.count("attack") > 2, "it has attacked"
        assert [line for line in log if line.startswith(adversary.REACHED)] == []
        assert held(self.sentinel) == sentinel
        assert left(self.token) == []
        if command in INQUIRIES:
            assert held(self.work) == work


def held(folder: Path) -> list[tuple[str, bytes]]:
    """Return all that a folder holds; links are what they are."""
    return sorted(
        (str(path.relative_to(folder)), b"" if path.is_dir() else path.read_bytes())
        for path in folder.rglob("*")
    )


def left(token: str) -> list[int]:
    """Return the processes that an adversary has left."""
    found = []
    for pid in procfs.everyone():
        with suppress(OSError):
            words = Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0")
            if token.encode() in words:
                found.append(pid)
    return found


@pytest.fixture
def scene(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Scene]:
    made = Scene(tmp_path, monkeypatch)
    yield made
    for pid in left(made.token):
        with suppress(ProcessLookupError):
            os.kill(pid, 9)


def lines(*words: str) -> str:
    return "".join(f"{word}\n" for word in words)


def test_reduce(scene: Scene) -> None:
    text(scene.work / "in.txt", lines("one", "NEEDLE", "two"))
    scene.run("reduce", "--exit", "3", "in.txt", "--", *ATTACK, "{}")
    assert (scene.work / "in.txt").read_text().strip() == "NEEDLE"


@pytest.mark.slow
def test_reduce_of_a_folder(scene: Scene) -> None:
    """Its subfolders are swapped for links while it is filled."""
    for name in ("a", "b", "c"):
        text(scene.work / "in" / name / "file", lines("one", "two"))
    text(scene.work / "in" / "d" / "file", lines("NEEDLE", "three"))
    attack = f"cat $1/*/* > seen 2>/dev/null; exec {' '.join(ATTACK)} seen"
    scene.run("reduce", "--exit", "3", "in", "--", "sh", "-c", attack, "sh", "{}")


@pytest.mark.slow
def test_explain(scene: Scene) -> None:
    text(scene.work / "in.txt", lines("NEEDLE = 12"))
    scene.run(
        "reduce", "--explain", "--explain-tests", "20", "--exit", "3", "in.txt", "--",
        *ATTACK, "{}",
    )  # fmt: skip
    scene.run("explain", "--explain-tests", "20", "in.txt")


@pytest.mark.slow
def test_isolate(scene: Scene) -> None:
    text(scene.work / "good.txt", lines("one", "two"))
    text(scene.work / "bad.txt", lines("one", "NEEDLE", "two", "three"))
    scene.run("isolate", "--exit", "3", "good.txt", "bad.txt", "--", *ATTACK, "{}")


@pytest.mark.slow
def test_options(scene: Scene) -> None:
    text(scene.work / "bad.txt", "NEEDLE\n")
    bad = str(scene.work / "bad.txt")
    scene.run("options", "--", *ATTACK, bad)


@pytest.mark.slow
def test_batch(scene: Scene) -> None:
    for name in ("a", "b"):
        text(scene.work / "crashes" / name, lines("one", "NEEDLE", name))
    scene.run("batch", "--exit", "3", "crashes", "--", *ATTACK, "{}")


def test_changes(scene: Scene) -> None:
    """What it plants beside its tree would be run by git."""
    trees = [{"n.txt": lines("one", "two").encode()}]
    trees += [{"n.txt": lines("one", f"{n}", "two").encode()} for n in range(3)]
    trees.append({"n.txt": lines("one", "NEEDLE", "two").encode()})
    make(scene.work, trees)
    scene.run("changes", "--good", "HEAD~4", "--", *ATTACK, "n.txt")


PROJECT_TEST = """
import os, sys

def test_first():
    os.environ["DIRTY"] = "1"

def test_second():
    pass

def test_last():
    sys.path.insert(0, {folder!r})
    import adversary
    adversary.attack()
    assert "DIRTY" not in os.environ
"""


@pytest.mark.parametrize("kind", [("test_it.py::test_last",), ("--shuffle", "--tries", "6")])
def test_tests(scene: Scene, monkeypatch: pytest.MonkeyPatch, kind: tuple[str, ...]) -> None:
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    monkeypatch.setenv("PYTHONDONTWRITEBYTECODE", "1")
    body = PROJECT_TEST.format(folder=str(PROGRAM.parent))
    if len(kind) > 1:
        body = body.replace("def test_last", "def test_before").replace("test_first", "test_z")
    text(scene.work / "test_it.py", body)
    text(scene.work / "pytest.ini", "[pytest]\naddopts = -p no:cacheprovider\n")
    # Who spoils what is reported ends the search for an order: no test runs any more.
    codes = (0, 1, 2, 5) if "--shuffle" in kind else (0,)
    scene.run("tests", *kind, "--", sys.executable, "-m", "pytest", codes=codes)


@pytest.mark.slow
@pytest.mark.parametrize("installer", ["pip", "uv"])
def test_packages(scene: Scene, installer: str) -> None:
    """What it plants in the environment would be run by the installer."""
    for number in (1, 2):
        for name in ("core", "tool", "other"):
            code = "NEEDLE = 1\n" if (name, number) == ("tool", 2) else ""
            wheel(scene.work / "shelf", name, f"{number}.0", code=code)
        pins = lines(*(f"{name}=={number}.0" for name in ("core", "tool", "other")))
        text(scene.work / f"{number}.txt", f"--no-index\n{pins}")
    attack = "import tool, runpy, sys; sys.argv[1:] = [tool.__file__]"
    run = f"{attack}; runpy.run_path({str(PROGRAM)!r}, run_name='__main__')"
    scene.run(
        "packages", "--installer", installer, "--find-links", scene.work / "shelf",
        "--good", "1.txt", "--bad", "2.txt", "--", "python", "-c", run,
    )  # fmt: skip
