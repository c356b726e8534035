"""From two revisions to a chain of trees."""

from itertools import pairwise
from pathlib import Path

import pytest

from unit.inquiries.changes.repositories import add, git, make
from wynot.core.errors import InvalidOption, NoSuchFile, NotExecutable, NothingToReduce
from wynot.inquiries.changes.commit_history import Chain, chain, repository
from wynot.inquiries.changes.git import Git


def tree(text: str) -> dict[str, bytes]:
    return {"a": text.encode()}


def way(folder: Path, good: str, bad: str) -> Chain:
    return chain(repository(folder), good, bad)


def told(found: Chain) -> list[str]:
    return [f"{'un' if step.is_undone else ''}{step.subject}" for step in found.steps]


def check(folder: Path, found: Chain, bad: str) -> None:
    """The last tree is that of the failing side, and no two in a row are the same."""
    trees = [found.good.tree, *(step.tree for step in found.steps)]
    assert trees[-1] == git(folder, "rev-parse", f"{bad}^{{tree}}").decode().strip()
    assert all(one != other for one, other in pairwise(trees))


def test_each_commit_is_a_step(tmp_path: Path) -> None:
    commits = make(tmp_path, [tree("0"), tree("1"), tree("1"), tree("2")])
    found = way(tmp_path, "HEAD~3", "main")
    check(tmp_path, found, "main")
    assert told(found) == ["commit 1", "commit 3"]  # the second one changes nothing
    first = found.steps[0]
    assert first.commit == commits[1]
    assert first.author == "Ann <ann@example.org>"
    assert first.date.startswith("2020-01-02T03:04:05")
    assert first.name == commits[1][:10]
    assert found.good.id == commits[0]


def test_where_the_failing_side_is_older_commits_are_undone(tmp_path: Path) -> None:
    make(tmp_path, [tree("0"), tree("1"), tree("2")])
    found = way(tmp_path, "main", "main~2")
    check(tmp_path, found, "main~2")
    assert told(found) == ["uncommit 2", "uncommit 1"]
    assert found.steps[0].name.startswith("the reversal of ")


def test_a_merge_is_one_step(tmp_path: Path) -> None:
    first, second = make(tmp_path, [tree("0"), tree("1")])
    add(tmp_path, {"b": b"0"}, "side 1", "side", first)
    side = add(tmp_path, {"b": b"1"}, "side 2", "side")
    add(tmp_path, {**tree("1"), "b": b"1"}, "the merge", "main", second, side)
    found = way(tmp_path, first, "main")
    check(tmp_path, found, "main")
    assert told(found) == ["commit 1", "the merge"]


def test_where_histories_part_one_is_undone_and_the_other_done(tmp_path: Path) -> None:
    first, _ = make(tmp_path, [tree("0"), tree("1")])
    add(tmp_path, tree("x"), "side 1", "side", first)
    add(tmp_path, tree("y"), "side 2", "side")
    found = way(tmp_path, "side", "main")
    check(tmp_path, found, "main")
    assert told(found) == ["unside 2", "unside 1", "commit 1"]


def test_a_side_branch_that_was_merged_is_left_first(tmp_path: Path) -> None:
    first, second = make(tmp_path, [tree("0"), tree("1")])
    side = add(tmp_path, {"b": b"1"}, "side", "side", first)
    add(tmp_path, {**tree("1"), "b": b"1"}, "the merge", "main", second, side)
    found = way(tmp_path, "side", "main")
    check(tmp_path, found, "main")
    assert told(found)[1:] == ["commit 1", "the merge"]
    assert not found.steps[0].commit
    assert found.steps[0].name.startswith(f"what {side[:10]} has")
    back = way(tmp_path, "main", "side")
    check(tmp_path, back, "side")
    assert told(back)[:2] == ["unthe merge", "uncommit 1"]


def test_histories_without_a_common_commit(tmp_path: Path) -> None:
    make(tmp_path, [tree("0"), tree("1")])
    git(tmp_path, "checkout", "-q", "--orphan", "other")
    (tmp_path / "a").write_text("other")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "other")
    found = way(tmp_path, "main", "other")
    check(tmp_path, found, "other")
    assert told(found) == ["uncommit 1", "other"]


def test_a_subject_in_another_encoding_and_an_empty_one(tmp_path: Path) -> None:
    make(tmp_path, [tree("0")])
    for number, subject in enumerate(("gr\u00fc\u00df", "")):
        (tmp_path / "a").write_text(f"{number} new")
        git(tmp_path, "add", "-A")
        settings = ("-c", "i18n.commitEncoding=latin-1")
        given = subject.encode("latin-1")
        git(tmp_path, *settings, "commit", "-q", "--allow-empty-message", "-F", "-", given=given)
    assert told(way(tmp_path, "main~2", "main")) == ["gr\u00fc\u00df", ""]


@pytest.mark.parametrize(
    "revision", ["nowhere", "", "--all", "-h", "HEAD:a", "main..", "^main", "a b"]
)
def test_an_unknown_revision_is_named(tmp_path: Path, revision: str) -> None:
    make(tmp_path, [tree("0"), tree("1")])
    with pytest.raises(InvalidOption, match="there is no commit") as caught:
        way(tmp_path, revision, "main")
    assert repr(revision) in str(caught.value)
    assert caught.value.hint


def test_the_same_on_both_sides(tmp_path: Path) -> None:
    make(tmp_path, [tree("0"), tree("1"), tree("0")])
    git(tmp_path, "tag", "v1")
    with pytest.raises(NothingToReduce, match="are the same commit"):
        way(tmp_path, "main", "v1")
    with pytest.raises(NothingToReduce, match="do not differ in any file"):
        way(tmp_path, "main~2", "main")


def test_a_shallow_clone_lacks_commits(tmp_path: Path) -> None:
    commits = make(tmp_path / "r", [tree("0"), tree("1"), tree("2"), tree("3")])
    url = (tmp_path / "r").as_uri()
    git(tmp_path, "clone", "-q", "--depth=2", url, str(tmp_path / "s"))
    found = way(tmp_path / "s", "main~1", "main")
    assert told(found) == ["commit 3"]
    with pytest.raises(InvalidOption, match="there is no commit"):
        way(tmp_path / "s", commits[0], "main")
    git(tmp_path / "s", "fetch", "-q", "--depth=1", url, f"{commits[0]}:refs/tags/old")
    with pytest.raises(InvalidOption, match="this is a shallow clone") as caught:
        way(tmp_path / "s", "old", "main")
    assert "--unshallow" in caught.value.hint


def test_no_repository_no_folder_no_git(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(InvalidOption, match="is not in a git repository"):
        repository(tmp_path)
    with pytest.raises(NoSuchFile, match="there is no folder"):
        repository(tmp_path / "none")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(NotExecutable, match="there is no program 'git'"):
        repository(tmp_path)


def test_a_hook_that_calls_us_does_not_lead_us_astray(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(tmp_path / "other", [tree("0")])
    commits = make(tmp_path / "r", [tree("0"), tree("1")])
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "other" / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(tmp_path / "nowhere"))
    assert Git.at(tmp_path / "r").line("rev-parse", "HEAD") == commits[1]


def test_a_repository_of_another_hash(tmp_path: Path) -> None:
    make(tmp_path / "r", [tree("0"), tree("1")], object_format="sha256")
    found = way(tmp_path / "r", "main~1", "main")
    check(tmp_path / "r", found, "main")
