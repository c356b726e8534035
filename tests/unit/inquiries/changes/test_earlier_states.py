"""What comes before a commit that fails."""

from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import add, git, make
from wynot.core.deltas import NONE
from wynot.core.errors import NothingToReduce
from wynot.inquiries.changes.commit_history import commits_before, repository, tags_before
from wynot.inquiries.changes.overlay import Overlay


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """Return a repository of six commits of the same second, the last one a merge."""
    folder = tmp_path / "r"
    commits = make(folder, [{"a": b"%d\n" % number} for number in range(5)])
    side = add(folder, {"a": b"side\n"}, "side", "side", commits[1])
    add(folder, {"a": b"merged\n"}, "merge", "main", commits[4], side)
    git(folder, "branch", "other", commits[2])
    return folder


def test_first_parents_back_to_the_first_commit(repo: Path) -> None:
    states = commits_before(repository(repo), "main")
    assert [each.name for each in states.earlier] == [f"main~{number}" for number in range(1, 6)]
    subjects = [each.commit.subject for each in states.earlier]
    assert subjects == [f"commit {number}" for number in (4, 3, 2, 1, 0)]
    assert states.at(states.deltas).commit.subject == "merge"
    assert [states.at(states.back(steps)).name for steps in (1, 5)] == ["main~1", "main~5"]
    assert states.chosen(NONE) == Overlay(states.earlier[-1].commit.id, {})
    assert not states.is_cut


def test_tags_from_the_latest_on(repo: Path) -> None:
    """Annotated or not, of a branch that was merged, in the order of the history."""
    git(repo, "tag", "v1", "main~5")
    git(repo, "tag", "-a", "-m", "second", "v2", "main~3")
    git(repo, "tag", "v10", "main~1")
    git(repo, "tag", "also-v10", "main~1")
    git(repo, "tag", "on-side", "side")
    git(repo, "tag", "here", "main")
    elsewhere = add(repo, {"a": b"x\n"}, "elsewhere", "elsewhere", "main~2")
    git(repo, "tag", "elsewhere", elsewhere)
    git(repo, "tag", "a-file", "main:a")
    found = [each.name for each in tags_before(repository(repo), "main").earlier]
    assert sorted(found) == ["on-side", "v1", "v10", "v2"]
    assert [name for name in found if name != "on-side"] == ["v10", "v2", "v1"]


def test_where_there_is_nothing_before(repo: Path) -> None:
    with pytest.raises(NothingToReduce, match="no commit before 'main~5'"):
        commits_before(repository(repo), "main~5")
    git(repo, "tag", "here", "main")
    with pytest.raises(NothingToReduce, match="no tag before 'main'"):
        tags_before(repository(repo), "main")


def test_a_shallow_clone_ends_before_the_history_does(repo: Path, tmp_path: Path) -> None:
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", "--depth", "3", f"file://{repo}", str(clone))
    states = commits_before(repository(clone), "main")
    assert states.is_cut
    assert len(states.earlier) == 2
