"""``wynot changes`` on histories of all shapes: the commit that ``git bisect`` names, and why."""

import os
import random
import subprocess
import sys
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import pytest

from e2e.programs import CALM, PLAIN, Ran, refused, shell, told
from tiers import slow_after, slow_but
from unit.inquiries.changes.repositories import (
    LINK,
    PROGRAM,
    commit,
    git,
    snapshot,
)

# Single cases are in `test_inquiry_changes`; these are all shapes.
pytestmark = [pytest.mark.usefixtures("temporary"), pytest.mark.slow]

NO_BUG = ("sh", "-c", "! grep -qs BUG *.txt")


Files = Mapping[str, bytes | tuple[int, bytes] | None]
"""Files by path: a content, or a mode and a content; None if it goes."""


class Planned(NamedTuple):
    """A commit to be made: it has what its parents have, a file of its own, and these."""

    name: str
    parents: Sequence[str] = ()
    files: Files = MappingProxyType({})


def grown(folder: Path, plan: Sequence[Planned], *, object_format: str = "sha1") -> dict[str, str]:
    """Make a repository with a branch for each commit; return their ids by name."""
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "unborn", f"--object-format={object_format}")
    trees: dict[str, dict[str, Any]] = {}
    stream = b""
    for number, (name, parents, files) in enumerate(plan, 1):
        tree: dict[str, Any] = {}
        for parent in parents:
            tree.update(trees[parent])
        trees[name] = {**tree, f"{name}.txt": f"{name}\n".encode() * 3, **files}
        there = {path: given for path, given in trees[name].items() if given is not None}
        marks = [f"refs/heads/{parent}" for parent in parents]
        stream += commit(there, name, name, *marks).replace(b"\n", b"\nmark :%d\n" % number, 1)
    git(folder, "fast-import", "--quiet", given=stream)
    last = plan[-1].name
    git(folder, "checkout", "-q", last)
    names = git(folder, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads")
    return dict(line.split() for line in names.decode().splitlines())


class Answered(NamedTuple):
    """What was told about a history."""

    ran: Ran

    def data(self, question: str) -> dict[str, Any]:
        for event in self.ran.events:
            if event["event"] == "answered" and event["question"] == question:
                found: dict[str, Any] = event["data"]
                return found
        return {"commits": []}

    def commits(self, question: str) -> list[dict[str, Any]]:
        return list(self.data(question)["commits"])

    def subjects(self, question: str = "commit") -> list[str]:
        return [each["subject"] for each in self.commits(question)]

    def patch(self, question: str) -> bytes:
        return str(self.data(question)["patch"]).encode("utf-8", "surrogateescape")


def asked(
    folder: Path, good: str, *arguments: str, test: Sequence[str] = NO_BUG, code: int = 0
) -> Answered:
    """Ask which change it was; the checkout must be what it was before."""
    before = snapshot(folder)
    ran = told(folder, "changes", "--json", *CALM, "--good", good, *arguments, "--", *test)
    assert ran.code == code, ran
    assert snapshot(folder) == before
    return Answered(ran)


def bisected(folder: Path, good: str, bad: str, script: Path, log: Path) -> tuple[set[str], int]:
    """Return the commits that git suspects in the end, and how often it ran the test."""
    clone = folder.with_name(f"{folder.name} bisected")
    git(folder.parent, "clone", "-q", str(folder), str(clone))
    log.unlink(missing_ok=True)
    git(clone, "bisect", "start", bad, good)
    done = subprocess.run(  # noqa: S603 - git
        ["git", "-C", str(clone), "bisect", "run", str(script)], capture_output=True, check=False
    )
    lines = done.stdout.decode().splitlines()
    found = {line.split()[0] for line in lines if line.endswith(" is the first bad commit")}
    found |= {line for line in lines if len(line) == 40 and " " not in line}
    return found, log.read_bytes().count(b"\n")


# --- Shapes of histories


def test_the_commit_inside_a_merge_is_named(tmp_path: Path) -> None:
    plan = [
        Planned("base"),
        Planned("main1", ["base"]),
        Planned("side1", ["base"]),
        Planned("side2", ["side1"], {"x.txt": b"one\nBUG\n"}),
        Planned("side3", ["side2"], {"x.txt": b"one\nBUG\nmore\n"}),
        Planned("main2", ["main1"]),
        Planned("merge", ["main2", "side3"]),
        Planned("tip", ["merge"]),
    ]
    grown(tmp_path / "r", plan)
    found = asked(tmp_path / "r", "base")
    assert found.subjects() == ["side2"]
    assert found.subjects("cause") == ["side2"]


def test_an_octopus(tmp_path: Path) -> None:
    arms = [
        Planned(f"arm{n}{m}", [f"arm{n}{m - 1}" if m else "base"]) for n in "abc" for m in (0, 1)
    ]
    arms[-1] = arms[-1]._replace(files={"x.txt": b"BUG\n"})
    plan = [Planned("base"), *arms, Planned("merge", ["arma1", "armb1", "armc1"])]
    grown(tmp_path / "r", [*plan, Planned("tip", ["merge"])])
    assert asked(tmp_path / "r", "base").subjects() == ["armc1"]


@pytest.mark.slow
def test_branches_that_cross(tmp_path: Path) -> None:
    plan = [
        Planned("base"),
        Planned("a1", ["base"]),
        Planned("b1", ["base"]),
        Planned("a2", ["a1", "b1"]),
        Planned("b2", ["b1", "a1"]),
        Planned("b3", ["b2"], {"x.txt": b"BUG\n"}),
        Planned("a3", ["a2"]),
        Planned("a4", ["a3", "b3"]),
        Planned("b4", ["b3", "a3"]),
        Planned("tip", ["b4", "a4"]),
    ]
    grown(tmp_path / "r", plan)
    for good in ("base", "a3", "b2"):
        assert asked(tmp_path / "r", good, "--no-cure").subjects() == ["b3"]


def test_a_merge_that_brings_something_of_its_own(tmp_path: Path) -> None:
    plan = [
        Planned("base"),
        Planned("main", ["base"]),
        Planned("side", ["base"]),
        Planned("merge", ["main", "side"], {"x.txt": b"BUG\n"}),
        Planned("tip", ["merge"]),
    ]
    grown(tmp_path / "r", plan)
    found = asked(tmp_path / "r", "base")
    assert found.subjects() == found.subjects("cause") == found.subjects("cure") == ["merge"]


@pytest.mark.slow
def test_a_merge_of_two_changes_that_fail_only_together(tmp_path: Path) -> None:
    plan = [
        Planned("base"),
        Planned("main1", ["base"], {"one.txt": b"ONE\n"}),
        Planned("main2", ["main1"]),
        Planned("side1", ["base"], {"two.txt": b"TWO\n"}),
        Planned("side2", ["side1"]),
        Planned("merge", ["main2", "side2"]),
        Planned("tip", ["merge"]),
    ]
    grown(tmp_path / "r", plan)
    both = ("sh", "-c", "! { grep -q ONE one.txt && grep -q TWO two.txt; }")
    found = asked(tmp_path / "r", "base", test=both)
    assert found.subjects() == ["merge"]
    clone = tmp_path / "clone"
    for question, revision, status in (("cause", "base", 1), ("cure", "tip", 0)):
        applied(tmp_path / "r", clone, revision, found.patch(question))
        done = subprocess.run(both, cwd=clone, check=False, capture_output=True)  # noqa: S603
        assert done.returncode == status


def applied(folder: Path, clone: Path, revision: str, patch: bytes) -> None:
    """Check a revision out and apply a patch to it."""
    if not clone.exists():
        git(folder.parent, "clone", "-q", str(folder), str(clone))
    git(clone, "checkout", "-q", "-f", f"origin/{revision}")
    git(clone, "clean", "-fdq")
    git(clone, "apply", "--index", "-", given=patch)
    for path in git(clone, "ls-files", "-z").split(b"\0")[:-1]:
        (clone / os.fsdecode(path)).unlink()
    git(clone, "checkout-index", "--all")


def test_a_history_with_two_beginnings(tmp_path: Path) -> None:
    plan = [
        Planned("base"),
        Planned("main", ["base"]),
        Planned("other0"),
        Planned("other1", ["other0"], {"x.txt": b"BUG\n"}),
        Planned("other2", ["other1"]),
        Planned("merge", ["main", "other2"]),
        Planned("tip", ["merge"]),
    ]
    grown(tmp_path / "r", plan)
    assert asked(tmp_path / "r", "base").subjects() == ["other1"]


def test_a_repository_that_names_objects_by_sha256(tmp_path: Path) -> None:
    plan = [
        Planned("base"),
        Planned("side1", ["base"], {"x.txt": b"BUG\n"}),
        Planned("side2", ["side1"]),
        Planned("main", ["base"]),
        Planned("tip", ["main", "side2"]),
    ]
    grown(tmp_path / "r", plan, object_format="sha256")
    assert asked(tmp_path / "r", "base").subjects() == ["side1"]


def test_the_good_side_is_on_another_branch(tmp_path: Path) -> None:
    plan = [
        Planned("base"),
        Planned("good1", ["base"]),
        Planned("good2", ["good1"]),
        Planned("bad1", ["base"]),
        Planned("bad2", ["bad1"], {"x.txt": b"BUG\n"}),
        Planned("bad3", ["bad2"]),
    ]
    grown(tmp_path / "r", plan)
    assert asked(tmp_path / "r", "good2").subjects() == ["bad2"]


def test_what_was_mended_on_the_good_side_only(tmp_path: Path) -> None:
    plan = [
        Planned("base", (), {"x.txt": b"BUG\n"}),
        Planned("good1", ["base"]),
        Planned("mended", ["good1"], {"x.txt": b"mended\n"}),
        Planned("good3", ["mended"]),
        Planned("bad1", ["base"]),
        Planned("bad2", ["bad1"]),
    ]
    grown(tmp_path / "r", plan)
    found = asked(tmp_path / "r", "good3")
    assert found.subjects() == ["mended"]
    assert [each["undone"] for each in found.commits("cause")] == [True]


def test_two_sides_with_nothing_in_common(tmp_path: Path) -> None:
    plan = [
        Planned("good0"),
        Planned("good1", ["good0"]),
        Planned("bad0"),
        Planned("bad1", ["bad0"], {"x.txt": b"BUG\n"}),
        Planned("bad2", ["bad1"]),
    ]
    grown(tmp_path / "r", plan)
    assert asked(tmp_path / "r", "good1").subjects() == ["bad1"]


def test_commits_that_change_nothing(tmp_path: Path) -> None:
    names = ["base", *(f"c{number}" for number in range(6))]
    plan = [Planned("base", (), {"base.txt": b"base\n"})]
    for before, name in pairwise(names):
        files: Files = {f"{name}.txt": None}
        plan.append(
            Planned(name, [before], {**files, **({"x.txt": b"BUG\n"} if name == "c3" else {})})
        )
    grown(tmp_path / "r", plan)
    for extra in ((), ("--atoms", "commits")):
        found = asked(tmp_path / "r", "base", *extra)
        assert found.subjects() == found.subjects("cause") == ["c3"]


# --- Beside git bisect


def random_plan(chance: random.Random, size: int) -> list[Planned]:
    """Return a history with many merges; one commit, and all that come from it, fail."""
    plan = [Planned("c0")]
    tips = ["c0"]
    for number in range(1, size):
        name = f"c{number}"
        kind = chance.random()
        if kind < 0.3 and len(tips) > 1:
            merged = chance.sample(tips, 2)
            tips = [each for each in tips if each not in merged]
            plan.append(Planned(name, merged))
        elif kind < 0.5:
            plan.append(Planned(name, [chance.choice(plan).name]))
        else:
            tip = chance.choice(tips)
            tips.remove(tip)
            plan.append(Planned(name, [tip]))
        tips.append(name)
    while len(tips) > 1:
        name = f"c{len(plan)}"
        plan.append(Planned(name, tips[:2]))
        tips = [*tips[2:], name]
    return plan


@pytest.mark.parametrize("seed", slow_after(2, range(12)))
def test_the_same_commit_as_git_in_no_more_tests(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    plan = random_plan(chance, 40)
    guilty = chance.randrange(1, len(plan))
    plan[guilty] = plan[guilty]._replace(files={"x.txt": b"BUG\n"})
    folder, log = tmp_path / "r", tmp_path / "log"
    names = grown(folder, plan)
    script = shell(tmp_path, f"echo >>'{log}'; ! grep -qs BUG *.txt")
    first, tests = bisected(folder, names["c0"], names[plan[-1].name], script, log)
    assert first == {names[plan[guilty].name]}
    found = asked(folder, "c0", "--max-tests", str(tests), test=[str(script)], code=3)
    assert found.subjects() == [plan[guilty].name]


@pytest.mark.parametrize("seed", slow_after(2, range(12)))
def test_commits_that_cannot_be_built_are_gone_around(tmp_path: Path, seed: int) -> None:
    """Runs of commits after which nothing works, but neither next to the one that is to blame."""
    chance = random.Random(seed)
    guilty = chance.randrange(8, 56)
    broken: set[int] = set()
    for _ in range(4):
        start = chance.randrange(1, 60)
        broken |= set(range(start, min(63, start + chance.randint(1, 6))))
    broken -= {guilty, guilty - 1}
    plan = [Planned("c0", (), {"built.txt": b"yes\n"})]
    for number in range(1, 64):
        files = {"built.txt": b"no\n" if number in broken else b"yes\n"}
        more = {"x.txt": b"BUG\n"} if number == guilty else {}
        plan.append(Planned(f"c{number}", [f"c{number - 1}"], {**files, **more}))
    folder, log = tmp_path / "r", tmp_path / "log"
    names = grown(folder, plan)
    script = shell(
        tmp_path, f"echo >>'{log}'; grep -q yes built.txt || exit 125; ! grep -qs BUG *.txt"
    )
    first, _ = bisected(folder, names["c0"], names["c63"], script, log)
    assert first == {names[f"c{guilty}"]}
    found = asked(folder, "c0", "--no-cure", test=[str(script)])
    assert found.subjects() == [f"c{guilty}"]


def test_all_that_can_be_said_where_nothing_between_can_be_built(tmp_path: Path) -> None:
    plan = [Planned("c0", (), {"built.txt": b"yes\n"})]
    for number in range(1, 8):
        files = {"built.txt": b"yes\n" if number == 7 else b"no\n"}
        bug = {"x.txt": b"BUG\n"} if number == 4 else {}
        plan.append(Planned(f"c{number}", [f"c{number - 1}"], {**files, **bug}))
    grown(tmp_path / "r", plan)
    test = ("sh", "-c", "grep -q yes built.txt || exit 125; ! grep -qs BUG *.txt")
    found = asked(tmp_path / "r", "c0", test=test)
    assert found.subjects() == [f"c{number}" for number in range(1, 8)], "any of them, as git says"
    assert [each["places"] for each in found.commits("cause")] == [["x.txt"]]


def test_a_bug_that_came_and_went(tmp_path: Path) -> None:
    bug, none = {"x.txt": b"BUG\n"}, {"x.txt": b"fine\n"}
    plan = [Planned("c0", (), none)]
    for number in range(1, 24):
        files = {4: bug, 9: none, 17: bug}.get(number, {})
        plan.append(Planned(f"c{number}", [f"c{number - 1}"], files))
    grown(tmp_path / "r", plan)
    assert asked(tmp_path / "r", "c0").subjects() in (["c4"], ["c17"])


# --- Kinds of files


KINDS: dict[str, tuple[Files, Files, str]] = {
    "spaces": ({"a b.txt": b"1\n"}, {"a b.txt": b"BUG\n"}, "! grep -q BUG 'a b.txt'"),
    "newline": ({"a\nb.txt": b"1\n"}, {"a\nb.txt": b"BUG\n"}, "! grep -q BUG a?b.txt"),
    "not UTF-8": ({"a\udcffb": b"1\n"}, {"a\udcffb": b"\xff\nBUG\n"}, "! grep -aq BUG a*b"),
    "a dash": ({"-f": b"1\n"}, {"-f": b"BUG\n"}, "! grep -q BUG ./-f"),
    "CRLF": ({"a": b"1\r\n2\r\n3\r\n"}, {"a": b"1\r\nBUG\r\n3\r\n"}, "! grep -q BUG a"),
    "ends": ({"a": b"1\n2\n"}, {"a": b"1\r\n2\n"}, "! grep -q '\r' a"),
    "no end": ({"a": b"1\n2"}, {"a": b"1\nBUG"}, "! grep -q BUG a"),
    "mode": ({"a": (PROGRAM, b"#!/bin/sh\n")}, {"a": b"#!/bin/sh\n"}, "test -x a"),
    "binary": ({"a": b"\0" * 99}, {"a": b"\0" * 98 + b"\1"}, "! grep -aq '\1' a"),
    "link": ({"a": (LINK, b"base.txt")}, {"a": (LINK, b"nowhere")}, "test -e a"),
    "a link out": ({"a": (LINK, b"base.txt")}, {"a": (LINK, b"/")}, "! test -d a"),
    "rename": ({"a": b"1\n2\n3\n" * 9}, {"a": None, "b": b"1\n2\n3\n" * 9}, "test -e a"),
    "rename and edit": (
        {"a": b"1\n2\n3\n" * 9},
        {"a": None, "b/c": b"1\n2\n3\n" * 8 + b"BUG\n"},
        "! grep -qs BUG b/c",
    ),
    "a file for a folder": ({"a/b": b"1\n"}, {"a/b": None, "a": b"BUG\n"}, "! grep -qs BUG a"),
    "attributes": ({"a": b"1\n"}, {".gitattributes": b"* text eol=crlf\n"}, "! grep -q '\r' a"),
}


@pytest.mark.parametrize(
    "kind", slow_but(["not UTF-8", "newline", "rename and edit", "attributes"], KINDS)
)
def test_a_change_on_a_side_branch_is_found_and_taken_back(tmp_path: Path, kind: str) -> None:
    """The patches are applied by git, and do what is said of them."""
    before, after, line = KINDS[kind]
    plan = [
        Planned("base", (), before),
        Planned("main1", ["base"]),
        Planned("side1", ["base"]),
        Planned("side2", ["side1"], after),
        Planned("side3", ["side2"]),
        Planned("merge", ["main1", "side3"], after),
        Planned("tip", ["merge"]),
    ]
    folder = tmp_path / "r"
    grown(folder, plan)
    test = ("sh", "-c", line)
    found = asked(folder, "base", test=test)
    assert found.subjects() == ["side2"]
    assert found.subjects("cause") == ["side2"]
    clone = tmp_path / "clone"
    for question, revision, status in (("cause", "base", 1), ("cure", "tip", 0)):
        applied(folder, clone, revision, found.patch(question))
        done = subprocess.run(test, cwd=clone, check=False, capture_output=True)  # noqa: S603
        assert bool(done.returncode) == bool(status), question


MOVED = """
[ -e lib/f0.txt ] && cd lib || cd src/lib || exit 125
[ "$(ls | wc -l)" = 12 ] || exit 125
! grep -q BUG *.txt
"""


def test_a_folder_is_moved_in_the_commit_that_does_the_harm(tmp_path: Path) -> None:
    """Half a package works nowhere; but that it was moved is not what broke it."""
    texts = {f"f{n}.txt": [b"%d\n" % line for line in range(30)] for n in range(12)}
    old = {f"lib/{name}": b"".join(lines) for name, lines in texts.items()}
    for number, lines in enumerate(texts.values()):
        lines[3 + number] = b"changed\n"
    texts["f7.txt"][20] = b"BUG\n"
    new = {f"src/lib/{name}": b"".join(lines) for name, lines in texts.items()}
    plan = [
        Planned("base", (), old),
        Planned("c1", ["base"]),
        Planned("c2", ["c1"], {**dict.fromkeys(old), **new}),
        Planned("c3", ["c2"]),
    ]
    grown(tmp_path / "r", plan)
    found = asked(tmp_path / "r", "base", test=("sh", "-c", MOVED))
    assert found.subjects() == ["c2"]
    for question in ("cause", "cure"):
        assert [each["places"] for each in found.commits(question)] == [["src/lib/f7.txt:21"]]


# --- States of the checkout


LINE = [
    Planned("base", (), {"x.txt": b"fine\n"}),
    Planned("c1", ["base"]),
    Planned("c2", ["c1"], {"x.txt": b"BUG\n"}),
    Planned("c3", ["c2"]),
]


def test_a_head_that_is_on_no_branch(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    grown(folder, LINE)
    git(folder, "checkout", "-q", "--detach", "c3")
    for name in ("c2", "c3"):
        git(folder, "branch", "-q", "-D", name)
    assert asked(folder, "base").subjects() == ["c2"]


def test_a_checkout_in_the_middle_of_something(tmp_path: Path) -> None:
    """A bisection of the user's own, and a merge with conflicts."""
    folder = tmp_path / "r"
    grown(folder, [*LINE, Planned("other", ["base"], {"c3.txt": b"other\n"})])
    git(folder, "checkout", "-q", "c3")
    git(folder, "bisect", "start", "c3", "base")
    assert asked(folder, "base", "--bad", "c3").subjects() == ["c2"]
    git(folder, "bisect", "reset")
    done = subprocess.run(
        ["git", "merge", "-q", "other"], cwd=folder, check=False, capture_output=True
    )
    assert done.returncode
    assert git(folder, "ls-files", "--unmerged")
    assert asked(folder, "base").subjects() == ["c2"]


def test_a_shallow_clone_whose_merge_goes_further_back(tmp_path: Path) -> None:
    plan = [
        Planned("base"),
        *(Planned(f"side{n}", [f"side{n - 1}" if n else "base"]) for n in range(6)),
        Planned("main1", ["base"]),
        Planned("main2", ["main1"], {"x.txt": b"BUG\n"}),
        Planned("tip", ["main2", "side5"]),
    ]
    grown(tmp_path / "r", plan)
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "3", f"file://{tmp_path / 'r'}", str(shallow))
    before = snapshot(shallow)
    ran = told(shallow, "changes", "--good", "HEAD~2", "--", *NO_BUG)
    refused(ran, 2, "shallow clone")
    assert "--unshallow" in ran.hint
    assert snapshot(shallow) == before


def test_sides_that_are_swapped(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    grown(folder, LINE)
    before = snapshot(folder)
    ran = told(folder, "changes", "--good", "c3", "--bad", "base", "--", *NO_BUG)
    refused(ran, 1, "the bad side (base) does not fail")
    assert snapshot(folder) == before


# --- How it ends


@pytest.mark.parametrize("most", slow_but([0, 2, 5], range(12)))
def test_whatever_a_budget_leaves_is_true(tmp_path: Path, most: int) -> None:
    """The guilty commit is among the suspects, and what is called the cause does fail."""
    plan = [Planned("c0", (), {"x.txt": b"1\n2\n3\n4\n5\n6\n7\n8\n9\n"})]
    for number in range(1, 20):
        text = b"1\n2\n3\nx\n5\n6\n7\nBUG\n9\n"
        files = {"x.txt": text, "y.txt": b"y\n"} if number == 13 else {}
        plan.append(Planned(f"c{number}", [f"c{number - 1}"], files))
    folder = tmp_path / "r"
    grown(folder, plan)
    before = snapshot(folder)
    ran = told(
        folder, "changes", "--json", *CALM, "--good", "c0", "--max-tests", str(most), "--", *NO_BUG
    )
    found = Answered(ran)
    assert ran.code in {0, 3}, ran
    assert snapshot(folder) == before
    assert "c13" in found.subjects()
    if found.subjects("cause"):
        clone = tmp_path / "clone"
        applied(folder, clone, "c0", found.patch("cause"))
        done = subprocess.run(NO_BUG, cwd=clone, check=False, capture_output=True)  # noqa: S603
        assert done.returncode == 1


@pytest.mark.parametrize("at", slow_but([4, 9], range(3, 14)))
def test_who_interrupts_it_is_told_the_commits_that_are_left(tmp_path: Path, at: int) -> None:
    plan = [Planned("c0", (), {"x.txt": b"1\n2\n3\n"})]
    for number in range(1, 40):
        files = {"x.txt": b"1\nBUG\n3\n", "y.txt": b"y\n"} if number == 29 else {}
        plan.append(Planned(f"c{number}", [f"c{number - 1}"], files))
    folder, log = tmp_path / "r", tmp_path / "log"
    grown(folder, plan)
    before = snapshot(folder)
    # The test itself sends the signal, so that it comes at a known moment.
    script = shell(
        tmp_path,
        f"echo >>'{log}'; [ $(wc -l <'{log}') = {at} ] && kill -INT $(cat '{tmp_path}/pid');"
        " ! grep -qs BUG *.txt",
    )
    process = subprocess.Popen(  # noqa: S603 - our own command
        [
            sys.executable,
            "-m",
            "wynot",
            "changes",
            "--json",
            "-j",
            "1",
            *CALM,
            "--good",
            "c0",
            "--",
            script,
        ],
        cwd=folder,
        env={**os.environ, **PLAIN},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    (tmp_path / "pid").write_text(str(process.pid))
    out, err = process.communicate(timeout=400)
    found = Answered(Ran(process.returncode, out.decode(), err.decode()))
    assert process.returncode in {130, 0}, found
    assert "Traceback" not in found.ran.err
    assert snapshot(folder) == before
    assert "c29" in found.subjects()
