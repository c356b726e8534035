"""Which files a test consists of, and when they have changed."""

import os
from pathlib import Path

import pytest

from wynot.commands.shared_options import FailureOptions
from wynot.core.errors import ChangedTest
from wynot.oracle.watch import Watch

SH = "/bin/sh"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("run.sh", "tool", "data.txt", "case.sh"):
        (tmp_path / name).write_text("#!/bin/sh\n")
    (tmp_path / "tool").chmod(0o755)
    return tmp_path


@pytest.mark.parametrize(
    ("failure", "names"),
    [
        (FailureOptions(test="run.sh"), {"run.sh"}),
        (FailureOptions(test="./run.sh"), {"run.sh"}),
        (FailureOptions(test="sh"), {"sh"}),
        (FailureOptions(command=["./tool", "{}"]), {"tool"}),
        (FailureOptions(command=["sh", "run.sh", "{}"]), {"sh", "run.sh"}),
        (FailureOptions(command=["env", "A=1", "./tool"]), {"env", "tool"}),
        (FailureOptions(command=["sh", "--rules=run.sh"]), {"sh", "run.sh"}),
        (FailureOptions(passes=["./tool -x {}"]), {"tool"}),
        (FailureOptions(command=["sh", "-c", './tool "$1" | cat']), {"sh", "tool"}),
        (FailureOptions(shell="./tool $1"), {"tool"}),  # noqa: S604
        (FailureOptions(command=["sh"], differs="./tool {}"), {"sh", "tool"}),
        # What a command reads, or writes, is not run.
        (FailureOptions(command=["sh", "data.txt"]), {"sh"}),
        (FailureOptions(command=["sh", "-o", "tool"]), {"sh"}),
        (FailureOptions(command=["sh", "--output=tool"]), {"sh"}),
        # The candidate may change.
        (FailureOptions(command=["sh", "case.sh"]), {"sh"}),
        # There is nothing to be looked at.
        (FailureOptions(command=["no-such-program", "x" * 5000, "\0"]), set()),
        (FailureOptions(shell="it's"), set()),  # noqa: S604
        (FailureOptions(), set()),
    ],
)
def test_the_test_and_what_is_run_by_a_command_is_watched(
    folder: Path, failure: FailureOptions, names: set[str]
) -> None:
    watch = Watch.of(failure, [folder / "case.sh"])
    assert {os.path.basename(watched.path) for watched in watch.files} == names  # noqa: PTH119


def test_what_is_in_a_folder_that_is_the_candidate_may_change(folder: Path) -> None:
    assert not Watch.of(FailureOptions(test="run.sh"), [folder]).files


def test_a_change_is_told(folder: Path) -> None:
    watch = Watch.of(FailureOptions(test="run.sh"))
    watch.require_unchanged()
    (folder / "run.sh").write_text("exit 0\n")
    for _ in range(2):  # and it stays one
        with pytest.raises(ChangedTest, match=r"the test 'run.sh' has changed"):
            watch.require_unchanged()


def test_the_same_content_is_no_change(folder: Path) -> None:
    watch = Watch.of(FailureOptions(test="run.sh"))
    os.utime(folder / "run.sh", ns=(1, 1))
    watch.require_unchanged()
    (folder / "new").write_bytes((folder / "run.sh").read_bytes())
    (folder / "new").replace(folder / "run.sh")
    watch.require_unchanged()
    (folder / "run.sh").write_text("exit 0\n")
    with pytest.raises(ChangedTest):
        watch.require_unchanged()


def test_a_link_that_leads_elsewhere_is_a_change(folder: Path) -> None:
    (folder / "link.sh").symlink_to("run.sh")
    watch = Watch.of(FailureOptions(test="link.sh"))
    (folder / "tool").write_text("exit 1\n")
    (folder / "link.sh").unlink()
    (folder / "link.sh").symlink_to("tool")
    with pytest.raises(ChangedTest):
        watch.require_unchanged()


def test_what_is_gone_has_changed(folder: Path) -> None:
    watch = Watch.of(FailureOptions(test="run.sh"))
    (folder / "run.sh").unlink()
    with pytest.raises(ChangedTest, match="can no longer be read"):
        watch.require_unchanged()


def test_the_identity_is_that_of_the_contents(folder: Path) -> None:
    before = Watch.of(FailureOptions(test="run.sh")).identity
    assert Watch.of(FailureOptions(test="./run.sh")).identity == before
    (folder / "run.sh").write_text("exit 0\n")
    assert Watch.of(FailureOptions(test="run.sh")).identity != before
