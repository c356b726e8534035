"""What cannot be removed, disks without room, too few open files: gone around, or said clearly."""

import errno
import os
import re
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agents import agent_in_thread
from faults.scripts import Place, has, root_of, script, text
from tiers import slow_after
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.errors import BrokenRunner, NoSpace, TooManyOpenFiles
from wynot.core.files import Files
from wynot.failures.criteria import ByExitStatus
from wynot.machine.run_folder import RunFolder
from wynot.oracle.command import Command
from wynot.oracle.launch_errors import not_placed, not_started
from wynot.oracle.learned_timeout import LearnedTimeout
from wynot.oracle.oracle import Oracle
from wynot.oracle.provisioner import FilesInFolder, Invocation
from wynot.oracle.trial import OneCommand
from wynot.wire.run_request import Limits, RunRequest

WORDS = ("needle", "thread", "button")
TEST = Limits(timeout=300, is_test=True)
NO_CHATTR = shutil.which("chattr") is None or os.geteuid() != 0
NOBODY = 65534


# What cannot be removed.


@pytest.fixture
def made_mutable() -> Iterator[list[Path]]:
    """Return a list of folders that are removed at the end, immutable or not."""
    folders: list[Path] = []
    yield folders
    for folder in folders:
        subprocess.run(["chattr", "-R", "-f", "-i", str(folder)], check=False)  # noqa: S603
        shutil.rmtree(folder, ignore_errors=True)


@pytest.mark.skipif(NO_CHATTR, reason="nobody but root makes files immutable")
@pytest.mark.parametrize("what", slow_after(2, ["left", "left/in left", "left/in/file", "."]))
def test_immutable_files_that_a_test_leaves_are_gone_around(
    tmp_path: Path, what: str, made_mutable: list[Path]
) -> None:
    root = tmp_path / "root"
    leaving = (
        f"realpath ../../.. >>{root}\n"
        f"mkdir -p left/in; touch left/in/file; chattr +i {what} || touch {root}.refused"
    )
    test = script(tmp_path / "test", f"{has(*WORDS)}\nr=$?\n{leaving}\nexit $r")
    place = Place(tmp_path / "there", text(*WORDS, lines=6))
    how = place.run("-j2", "--atoms", "tokens", test, place.name)
    folders = {*root.read_text().split()}
    made_mutable.extend(map(Path, folders))
    if root.with_suffix(".refused").exists():
        pytest.skip("this file system has no immutable files")
    assert how.code == 0, how.said
    assert place.file.read_bytes() == b"needlethreadbutton\n"
    assert 0 < how.said.count("[left-over]") <= len(folders) == 2
    named = re.findall(r"remove '(.*?)' afterwards", " ".join(how.said.split()))
    assert len(named) == len({*named})
    assert {*named} <= folders


# A test of one user's, in whose folder another user takes something away: as root does in a
# container that the test starts.
ANOTHERS = """
import os, sys
from wynot.core.files import Files
from wynot.agent.serve import Agent
from wynot.agent.hosted_sandbox import HostedSandbox
from wynot.wire.run_request import Limits, RunRequest
from wynot.machine.run_folder import RunFolder
os.setgroups([])
os.setresgid(65534, 65534, 65534)
os.setresuid(65534, 65534, 65534)
os.environ["HOME"] = "/"
root = RunFolder.make()
bench = HostedSandbox(root, "0", Agent([]))
limits = Limits(is_test=True)
for number in range(3):
    bench.place(Files({"a": b"%d" % number}))
    assert os.listdir(bench.folder) == ["a"]
    run = bench.begin(RunRequest(["sh", "-c", "mkdir -p left/in; touch left/in/file"], limits))
    run.see_through()
    run.clear()
    print(bench.folder, flush=True)
    sys.stdin.readline()
print(bench.stuck)
bench.close()
root.close()
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="nobody but root gives files away")
def test_files_of_another_user_that_a_test_leaves_are_gone_around() -> None:
    with subprocess.Popen(  # noqa: S603 - our own interpreter
        [sys.executable, "-c", ANOTHERS], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as owner:
        assert owner.stdin is not None
        assert owner.stdout is not None
        for _ in range(3):
            folder = Path(owner.stdout.readline().strip())
            for each in (folder / "left" / "in", folder / "left"):
                os.chown(each, 0, 0)
                each.chmod(0o700)
            owner.stdin.write("\n")
            owner.stdin.flush()
        stuck = Path(owner.stdout.readline().strip())
        root = root_of(folder)
        assert stuck.is_relative_to(root)
        owner.stdin.close()
        assert owner.wait() == 0
    shutil.rmtree(root)


@pytest.mark.parametrize(
    "script",
    [
        "echo 1 > ../x",
        "mkdir -p ../x/y; touch ../x/y/z",
        "touch $TMPDIR/../x",
        "ln -s /etc ../x",
        "mkdir ../x; chmod 0 ../x",
    ],
)
def test_what_a_test_leaves_beside_its_folder_is_gone_before_the_next(script: str) -> None:
    sandbox = LoneSandbox()
    limits = Limits(is_test=True)
    kept = sandbox.private / "kept"
    sandbox.run(RunRequest(["sh", "-c", f"mkdir -p {kept}; touch {kept}/file"], limits=Limits()))
    for number in range(20):
        sandbox.place(Files({"a": b"%d" % number}))
        before = sandbox.run(
            RunRequest(["ls", "-A", ".."], limits=limits, capture=True)
        ).stdout.split()
        assert b"x" not in before
        sandbox.run(RunRequest(["sh", "-c", script], limits=limits))
    assert [path.name for path in kept.iterdir()] == ["file"]
    assert Path("/etc").is_dir()
    root = sandbox.private.parent
    sandbox.close()
    assert not root.exists()


# No room.


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """Return a folder on a file system of its own, with room for very little."""
    folder = tmp_path / "disk"
    folder.mkdir()
    argv = ["mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(folder)]
    if subprocess.run(argv, capture_output=True, check=False).returncode:  # noqa: S603
        pytest.skip("mounting is not allowed here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)  # noqa: S603


LARGE = Files({"a": b"x" * (1 << 20)})


def asked(sandbox: Sandbox, files: Files) -> str:
    command = Command(("wc", "-c", "a"), appends=False)
    provisioner = FilesInFolder(Invocation(("a",)))
    oracle = Oracle(OneCommand(command, ByExitStatus()), provisioner, TEST, LearnedTimeout(60))
    return oracle.once(files, sandbox, capture=True).ending.stdout.decode()


@pytest.fixture
def root(disk: Path, monkeypatch: pytest.MonkeyPatch) -> RunFolder:
    """Return the root that the next agent of this process has."""
    made = RunFolder(disk)
    monkeypatch.setattr(RunFolder, "make", lambda **_: made)
    return made


def test_a_full_disk_is_left_for_another(
    root: RunFolder, disk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("TMPDIR", str(other))
    with agent_in_thread(2) as sandboxes:
        for sandbox in sandboxes:
            assert asked(sandbox, Files({"a": b"x"})) == "1 a\n"
            assert sandbox.folder.is_relative_to(disk)
            assert asked(sandbox, LARGE) == f"{1 << 20} a\n"
            assert sandbox.folder.is_relative_to(other)
        assert len(list(other.iterdir())) == 1
        assert sandboxes[0].folder != sandboxes[1].folder
    assert not root.folder.exists()
    assert list(other.iterdir()) == list(disk.iterdir()) == []


def test_what_names_a_full_folder_names_the_one_that_is_used_instead(
    root: RunFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with agent_in_thread() as (sandbox,):
        before = sandbox.folder
        assert before.is_relative_to(root.folder)
        sandbox.place(LARGE)
        argv = ["sh", "-c", "pwd; wc -c <$0", f"{before}/a"]
        said = sandbox.run(RunRequest(argv, limits=TEST, capture=True)).stdout.decode()
        assert said == f"{sandbox.folder}\n{1 << 20}\n"
        assert sandbox.folder != before


def test_without_another_disk_that_there_is_no_room_is_said(
    root: RunFolder, disk: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(disk))
    with agent_in_thread() as (sandbox,):
        with pytest.raises(NoSpace, match=f"no room for the tests in '{root.folder}'") as caught:
            asked(sandbox, LARGE)
        assert "TMPDIR=DIR" in caught.value.hint


@pytest.mark.usefixtures("root")
def test_what_stays_for_later_candidates_is_not_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    with agent_in_thread() as (sandbox,):
        (sandbox.private / "environment").mkdir()
        with pytest.raises(NoSpace):
            asked(sandbox, LARGE)
        assert (sandbox.private / "environment").is_dir()


# Too few.


def bounded(soft: int, hard: int) -> Callable[[], None]:
    return lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.slow
def test_more_tests_at_a_time_than_files_could_be_open(tmp_path: Path) -> None:
    """Our own limit is raised; the tests have the one that they would have without us."""
    seen = tmp_path / "seen"
    test = script(tmp_path / "test", f"ulimit -n >>{seen}\n{has(*WORDS)}")
    place = Place(tmp_path / "there", text(*WORDS, lines=6))
    how = place.run("-j64", "--atoms", "tokens", test, place.name, before=bounded(256, 1024))
    assert how.code == 0, how.said
    assert place.file.read_bytes() == b"needlethreadbutton\n"
    assert set(seen.read_text().split()) == {"256"}


def test_more_tests_at_a_time_than_files_can_be_open(tmp_path: Path) -> None:
    test = script(tmp_path / "test", has(*WORDS))
    place = Place(tmp_path / "there", text(*WORDS, lines=6))
    how = place.run("-j200", test, place.name, before=bounded(256, 256))
    assert how.code == 5, how.said
    assert "200 tests at a time need 464 open files, and the limit is 256" in how.err
    assert "[too-many-open-files]" in how.err
    assert "hint: -j 96, or a higher limit: ulimit -n 464" in how.err
    assert place.file.read_bytes() == place.original


@pytest.mark.parametrize(
    ("number", "error", "words"),
    [
        (errno.EMFILE, TooManyOpenFiles, "no more files can be opened"),
        (errno.EAGAIN, BrokenRunner, "no more processes can be started"),
        (errno.EPERM, BrokenRunner, "a candidate cannot be put into"),
    ],
)
def test_what_the_system_refuses_has_its_own_words(
    number: int, error: type[Exception], words: str
) -> None:
    sandbox = LoneSandbox()
    refused = OSError(number, os.strerror(number), str(sandbox.private / "case"))
    for obstacle in (not_placed(refused, sandbox), not_started(refused, sandbox)):
        assert isinstance(obstacle, error)
        assert words in str(obstacle)
        assert "None" not in str(obstacle)
        assert obstacle.hint
    sandbox.close()
