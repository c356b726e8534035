"""Versions of lock files that git has."""

from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import git
from wynot.core.errors import InvalidLockFile, InvalidOption, NothingToReduce, WynotError
from wynot.inquiries.packages.lock_versions import by_doubling, lock_versions, read_revised


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """Make a repository in which a file has had seven versions; the last is not committed."""
    folder = tmp_path / "project"
    folder.mkdir()
    git(folder, "init")
    for number in range(6):
        (folder / "lock.txt").write_text(f"core=={number}.0\n-c more/bounds.txt\n")
        (folder / "more").mkdir(exist_ok=True)
        (folder / "more" / "bounds.txt").write_text(f"six==1.{number}\n")
        (folder / "other.txt").write_text(f"{number}")
        git(folder, "add", ".")
        git(folder, "commit", "-m", f"version {number}")
        git(folder, "commit", "--allow-empty", "-m", "nothing")
        git(folder, "tag", f"v{number}")
    (folder / "lock.txt").write_text("core==6.0\n")
    return folder


def versions_of(path: Path, private: Path) -> list[str]:
    """Return what each earlier version has of a package, newest first."""
    private.mkdir()
    versions = lock_versions(path, private)
    return [versions.read(each).pins["core"].version for each in versions.before(path)]


def test_earlier_versions_come_newest_first_without_that_of_now(
    project: Path, tmp_path: Path
) -> None:
    path = project / "lock.txt"
    every = [f"{number}.0" for number in range(6)][::-1]
    assert versions_of(path, tmp_path / "a") == every
    git(project, "commit", "-am", "version 6")
    assert versions_of(path, tmp_path / "b") == every
    path.unlink()
    git(project, "commit", "-am", "gone")
    path.write_text("core==7.0\n")
    assert versions_of(path, tmp_path / "c") == ["6.0", *every]


def test_a_work_tree_that_a_config_puts_elsewhere_does_not_matter(
    project: Path, tmp_path: Path
) -> None:
    git(project, "config", "core.worktree", str(tmp_path / "elsewhere"))
    assert versions_of(project / "lock.txt", tmp_path / "a")[0] == "5.0"


def test_steps_back_are_doubled_and_end_with_the_oldest(project: Path, tmp_path: Path) -> None:
    found = lock_versions(project / "lock.txt", tmp_path).before(project / "lock.txt")
    assert [back for back, _ in by_doubling(found)] == [1, 2, 4, 6]
    assert [back for back, _ in by_doubling(found[:4])] == [1, 2, 4]
    assert [back for back, _ in by_doubling(found[:1])] == [1]
    assert [version for _, version in by_doubling(found)][-1] == found[-1]


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        (".", "v2:lock.txt"),
        (".", "v2~1:./lock.txt"),
        ("more", "v2:lock.txt"),
        ("more", "v2:../lock.txt"),
    ],
)
def test_a_file_of_a_revision_comes_with_what_it_includes(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, name: str
) -> None:
    monkeypatch.chdir(project / folder)
    found = read_revised(name, tmp_path).pins.values()
    assert {pin.name: pin.version for pin in found} == {"core": "2.0", "six": "1.2"}
    assert read_revised(str(project / "lock.txt"), tmp_path).pins["core"].version == "6.0"


def test_a_version_that_cannot_be_read_is_called_as_the_user_knows_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "lock.txt").write_text("-r ../../outside.txt\n")
    git(project, "commit", "-am", "outside")
    monkeypatch.chdir(project)
    with pytest.raises(InvalidLockFile, match=r"outside\.txt") as caught:
        read_revised("HEAD:lock.txt", tmp_path)
    assert str(tmp_path / "project") not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("v9:lock.txt", "there is no revision 'v9'"),
        ("--all:lock.txt", "there is no revision '--all'"),
        ("v1:none.txt", "there is no file 'none.txt' in 'v1'"),
        ("v1:../../etc/passwd", "there is no file"),
        ("none.txt", "there is no file"),
    ],
)
def test_what_git_does_not_have_is_told(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, message: str
) -> None:
    monkeypatch.chdir(project)
    with pytest.raises(WynotError, match=message):
        read_revised(name, tmp_path)


def test_without_a_repository_or_an_earlier_version(tmp_path: Path) -> None:
    path = tmp_path / "lock.txt"
    path.write_text("core==1.0\n")
    with pytest.raises(InvalidOption, match="is not in a git repository"):
        lock_versions(path, tmp_path)
    git(tmp_path, "init")
    with pytest.raises(InvalidOption, match="is not in a git repository with commits"):
        lock_versions(path, tmp_path)
    git(tmp_path, "commit", "--allow-empty", "-m", "empty")
    with pytest.raises(NothingToReduce, match="git has no earlier version of"):
        lock_versions(path, tmp_path).before(path)
    git(tmp_path, "add", "lock.txt")
    git(tmp_path, "commit", "-m", "first")
    with pytest.raises(NothingToReduce, match="git has no earlier version of"):
        lock_versions(path, tmp_path).before(path)
