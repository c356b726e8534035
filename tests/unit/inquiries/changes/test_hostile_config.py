"""A repository's own config names programs: none of them is run."""

import os
from pathlib import Path

import pytest

from hostile_clones import Clone
from unit.inquiries.changes.repositories import PROGRAM, Tree, git, make
from wynot.core.errors import WynotError
from wynot.inquiries.changes.change_sources import of_files, of_index, of_revisions
from wynot.inquiries.changes.git import Git
from wynot.inquiries.changes.uncommitted import Filters

TREE: Tree = {
    "a": b"1\n2\n3\n",
    "b": b"same\n",
    "program": (PROGRAM, b"#!/bin/sh\n"),
}


class Hostile(Clone):
    """A hostile clone with files that are not committed."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder / "r", {**TREE, "a": b"1\n"}, TREE)
        (self.folder / "a").write_bytes(b"1\ntwo\n3\n")
        (self.folder / "new").write_bytes(b"new\n")
        os.utime(self.folder / "b", (1, 1))  # git has to look whether it has changed


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    return Hostile(tmp_path)


def test_no_program_is_run_to_read_what_is_not_committed(hostile: Hostile, private: Path) -> None:
    comparison = of_files(hostile.folder, private)
    assert hostile.was_run == ""
    assert comparison.source.filters == ("x",)
    changes = comparison.changes
    assert {*changes.overlay(changes.deltas).entries} == {"a", "new"}


@pytest.mark.parametrize("required", ["true", "false"])
def test_nor_is_one_that_would_be_kept_running(
    hostile: Hostile, private: Path, required: str
) -> None:
    hostile.set("filter.x.process", str(hostile.program))
    hostile.set("filter.x.required", required)
    of_files(hostile.folder, private)
    assert hostile.was_run == ""


def test_nor_for_what_is_staged_or_for_revisions(hostile: Hostile, private: Path) -> None:
    git(hostile.folder, "-c", "filter.x.clean=", "-c", "filter.x.required=false", "add", "a")
    hostile.trace.unlink(missing_ok=True)
    of_index(hostile.folder, private / "index")
    first, last = hostile.commits
    of_revisions(hostile.folder, first, last, private / "revisions")
    assert hostile.was_run == ""


def test_nor_to_fetch_what_is_missing(hostile: Hostile, private: Path) -> None:
    for key, value in {
        "core.repositoryFormatVersion": "1",
        "extensions.partialClone": "evil",
        "remote.evil.url": f"ext::{hostile.program}",
        "remote.evil.promisor": "true",
        "protocol.ext.allow": "always",
    }.items():
        hostile.set(key, value)
    for pack in (hostile.folder / ".git" / "objects" / "pack").iterdir():
        moved = hostile.folder.parent / pack.name
        pack.rename(moved)
        if moved.suffix == ".pack":
            git(hostile.folder, "unpack-objects", "-q", given=moved.read_bytes())
    missing, last = hostile.commits
    (hostile.folder / ".git" / "objects" / missing[:2] / missing[2:]).unlink()
    hostile.trace.unlink(missing_ok=True)
    with pytest.raises(WynotError):
        of_revisions(hostile.folder, missing, last, private)
    assert hostile.was_run == ""


def test_a_filter_of_the_users_own_config_is_run(
    hostile: Hostile, private: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "gitconfig"
    own.write_text('[filter "x"]\n\tclean = tr a-z A-Z\n')
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(own))
    comparison = of_files(hostile.folder, private)
    assert hostile.was_run == ""
    tree = comparison.changes.steps[-1].tree
    with comparison.source.store.reader() as read:
        blob = comparison.source.store.line("rev-parse", f"{tree}:a")
        assert read(blob) == b"1\nTWO\n3\n"


def test_without_filters_there_is_nothing_to_keep_from_running(tmp_path: Path) -> None:
    make(tmp_path / "r", [{"a": b"1\n"}])
    filters = Filters.of(Git.at(tmp_path / "r"))
    assert filters.names == frozenset()
    assert filters.used(Git.at(tmp_path / "r"), ["a"]) == ()
