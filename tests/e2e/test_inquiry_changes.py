"""``wynot changes`` on real repositories: what it finds, what it refuses, what it leaves alone."""

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from e2e.programs import CALM, Ran, refused, shell, text, told, wynot
from faults.scripts import unique_nap
from tiers import slow_after
from unit.inquiries.changes.repositories import (
    LINK,
    PROGRAM,
    SUBMODULE,
    Tree,
    add,
    git,
    make,
    snapshot,
)

pytestmark = pytest.mark.usefixtures("temporary")

FIRST, LAST, AGAIN = 7, 33, 20
"""The commits of the cause; and one that changes a line of the first again."""

CHECK = b"""#!/bin/sh
[ "$(cat src/* | wc -l)" = 600 ] || exit 125
grep -q '^v10 = on' src/m2 && grep -q '^v50 = on' src/m8 && exit 1
exit 0
"""
"""Says that it does not build if a line is there twice, or not at all."""

NO_BUG = ("sh", "-c", "! grep -q BUG n.txt")


class Found(NamedTuple):
    """What was answered."""

    ran: Ran

    def answer(self, question: str) -> dict[str, Any]:
        [found] = [
            event
            for event in self.ran.events
            if event["event"] == "answered" and event["question"] == question
        ]
        data: dict[str, Any] = found
        return data

    def places(self, question: str = "cause") -> dict[str, list[str]]:
        commits = self.answer(question)["data"]["commits"]
        return {each["subject"]: each["places"] for each in commits}

    def blamed(self) -> list[str]:
        return [each["subject"] for each in self.answer("commit")["data"]["commits"]]

    def patch(self, question: str = "cause") -> str:
        return str(self.answer(question)["data"]["patch"])

    @property
    def tests(self) -> int:
        return int(self.ran.events[-1]["tests"])


def changes(folder: Path, *arguments: str | Path, code: int = 0, **more: Any) -> Found:
    ran = wynot(folder, "changes", "--json", *arguments, **more)
    assert ran.code == code, ran
    return Found(ran)


def history() -> list[Tree]:
    """Return the trees of 40 commits, of five hunks and more each, after a first one."""
    chance = random.Random(5)
    files = {f"src/m{number}": [f"v{line} = 0" for line in range(60)] for number in range(10)}
    taken = {("src/m2", 10), ("src/m8", 50)}

    def tree() -> Tree:
        texts = {path: ("\n".join(lines) + "\n").encode() for path, lines in files.items()}
        return {**texts, "check.sh": (PROGRAM, CHECK)}

    trees = [tree()]
    for number in range(1, 41):
        for path in chance.sample(sorted(files), 5):
            line = chance.choice([each for each in range(0, 60, 2) if (path, each) not in taken])
            files[path][line] = f"v{line} = {number}"
        if number == FIRST:
            files["src/m2"][10] = "v10 = on"
        if number == AGAIN:
            files["src/m2"][10] = "v10 = on again"
        if number == LAST:
            files["src/m8"][50] = "v50 = on"
        trees.append(tree())
    return trees


@pytest.fixture(scope="module")
def long_history(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("long") / "repository"
    git(folder, "tag", "good", make(folder, history())[0])
    return folder


def numbers(**changed: str) -> bytes:
    """Return the numbers from 1 to 20, some of them replaced."""
    return "".join(f"{changed.get(f'_{each}', each)}\n" for each in range(1, 21)).encode()


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """Return a repository of four commits; the third one is to blame."""
    folder = tmp_path / "small"
    bug = numbers(_5="five", _15="BUG")
    make(
        folder,
        [
            {"n.txt": numbers(), "k.txt": b"keep\n"},
            {"n.txt": numbers(_5="five"), "k.txt": b"keep\n"},
            {"n.txt": bug, "k.txt": b"keep\n"},
            {"n.txt": bug, "k.txt": b"keep\nmore\n"},
        ],
    )
    return folder


BLAMED = {"commit 2": ["n.txt:15"]}


def status(folder: Path, *command: str) -> int:
    return subprocess.run(command, cwd=folder, check=False).returncode  # noqa: S603 - of this test


@pytest.mark.slow
def test_two_hunks_far_apart_in_a_long_history(long_history: Path, tmp_path: Path) -> None:
    before = snapshot(long_history)
    found = []
    for jobs in ("1", "2"):
        out = tmp_path / jobs
        found.append(
            changes(
                long_history, "-j", jobs, *CALM, "--good", "good", "-o", out, "--", "./check.sh"
            )
        )
        assert snapshot(long_history) == before
    one, two = found
    [begin] = [event for event in one.ran.events if event["event"] == "inquired"]
    assert begin["subject"] == "40 commits, 10 files"
    for each in found:
        assert each.blamed() == [f"commit {LAST}"]
        assert each.places() == {"commit 7": ["src/m2:11"], "commit 33": ["src/m8:51"]}
        assert each.places("cure") == {"commit 33": ["src/m8:51"]}
        minimal = [each.answer(question)["minimal"] for question in ("cause", "cure")]
        assert minimal == ["hunks", "hunks"], "each hunk is one line"
    assert one.tests == two.tests <= 30
    assert one.patch() == two.patch()

    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(long_history), str(clone))
    git(clone, "checkout", "-q", "good")
    assert status(clone, "./check.sh") == 0
    git(clone, "apply", str(tmp_path / "1" / "cause.patch"))
    assert status(clone, "./check.sh") == 1
    git(clone, "checkout", "-q", "-f", "main")
    assert status(clone, "./check.sh") == 1
    git(clone, "apply", str(tmp_path / "1" / "revert.patch"))
    assert status(clone, "./check.sh") == 0


def test_a_line_that_is_changed_again_needs_the_change_before(long_history: Path) -> None:
    found = changes(
        long_history, "--good", "good", "--no-cure", "--", "sh", "-c", "! grep -q 'on again' src/m2"
    )
    assert found.places() == {
        f"commit {FIRST}": ["src/m2:11"],
        f"commit {AGAIN}": ["src/m2:11"],
    }
    assert "+v10 = on again" in found.patch()


@pytest.mark.parametrize(
    "mess",
    slow_after(
        3,
        [
            "for f in *; do echo junk >$f; done; mkdir -p a/b; echo x >a/b/c; rm -f .git/index",
            'rm -rf "$PWD"',
            "chmod -R a-w .; chmod 0 .",
            "rm -rf .git; ln -s / .git",
            "rm n.txt; mkdir -p n.txt/d/.git; rm k.txt; ln -s /etc k.txt; mkfifo pipe",
            "touch .git/index.lock .git/HEAD.lock; echo '*' >.gitignore; git config core.bare true",
            "git update-index --assume-unchanged n.txt; echo rubbish >n.txt",
            (
                "mkdir -p .git/info; git config core.sparseCheckout true; "
                "echo >.git/info/sparse-checkout"
            ),
        ],
    ),
)
def test_what_a_command_does_to_its_tree_harms_nobody(small: Path, mess: str) -> None:
    before = snapshot(small)
    line = f"r=0; grep -q BUG n.txt && r=1; {mess}; exit $r"
    found = changes(small, "--good", "HEAD~3", "--no-cure", "--", "sh", "-c", line)
    assert found.places() == BLAMED
    assert snapshot(small) == before


@pytest.mark.parametrize(
    "mess",
    slow_after(
        2,
        [
            'rm -rf "$PWD"; ln -s $USERS "$PWD"',
            "rm -rf .git; ln -s $USERS/.git .git",
            "rm -rf .git/objects; ln -s $USERS/.git/objects .git/objects",
            "rm -f .git/HEAD; ln -s $USERS/.git/HEAD .git/HEAD",
        ],
    ),
)
def test_a_command_that_leads_wynot_to_the_users_files_in_vain(small: Path, mess: str) -> None:
    git(small, "repack", "-adq")
    before = snapshot(small)
    line = f"r=0; grep -q BUG n.txt && r=1; {mess}; exit $r"
    found = changes(
        small, "--good", "HEAD~3", "--no-cure", "--", "sh", "-c", line, env={"USERS": str(small)}
    )
    assert snapshot(small) == before
    assert found.places() == BLAMED


def test_the_cause_is_something_that_somebody_wrote(tmp_path: Path) -> None:
    """Without the old line alone it would fail as well, but nobody took it out."""
    folder = tmp_path / "repository"
    text = "def number(t):\n    t = t.strip()\n    return int(t){}\n\n\nassert number('1') == 1\n"
    make(folder, [{"n.py": text.format("").encode()}, {"n.py": text.format(" + 1").encode()}])
    found = changes(folder, "--good", "HEAD~1", "--", "python3", "n.py")
    assert found.places() == {"commit 1": ["n.py:3"]}
    changed = [line for line in found.patch().split("\n") if line[:1] in "+-" and line[1:2] == " "]
    assert changed == ["-    return int(t)", "+    return int(t) + 1"]


SUITE = """
from shop import price, tax

def test_price():
    assert price(2) == 20

def test_tax():
    assert tax(100) == 19
"""


@pytest.mark.slow
def test_the_test_that_fails_is_learned_from_pytest(tmp_path: Path) -> None:
    """Neither another test that failed meanwhile nor one that could not be imported counts."""
    folder = tmp_path / "repository"
    fine, other, broken = ("", 10, 19), ("", 10, 7), ("import nothing_there\n", 10, 19)
    states = [fine, fine, fine, other, other, other, broken, fine, ("", 11, 19), ("\n", 11, 19)]
    shop = "{}def price(n):\n    return n * {}\n\n\ndef tax(n):\n    return n * {} // 100\n"
    test = SUITE.encode()
    make(
        folder, [{"shop.py": shop.format(*each).encode(), "test_shop.py": test} for each in states]
    )
    pytest_here = ("python3", "-m", "pytest", "-q", "-p", "no:cacheprovider")
    found = changes(
        folder, "--good", "HEAD~9", "--no-cure", "--", *pytest_here,
        env={"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
             "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
    )  # fmt: skip
    assert found.places() == {"commit 8": ["shop.py:2"]}
    [begin] = [event for event in found.ran.events if event["event"] == "inquired"]
    assert "test_shop.py::test_price fails with AssertionError" in begin["keeps"], begin


def test_processes_that_a_command_leaves_are_ended(small: Path) -> None:
    nap = unique_nap()
    line = f"(setsid sleep {nap} &); sleep {nap} & ! grep -q BUG n.txt"
    found = changes(small, "--good", "HEAD~3", "--no-cure", "--", "sh", "-c", line)
    assert found.places() == BLAMED
    assert status(small, "pgrep", "-f", f"^sleep {nap}$") == 1


def test_a_checkout_that_is_dirty_is_left_so(small: Path) -> None:
    """A script that is not committed, something staged, something new, and called from below."""
    script = shell(small, "! grep -q BUG n.txt")
    (small / "n.txt").write_bytes(b"other\n")
    text(small / "staged", "staged\n")
    git(small, "add", "staged")
    text(small / "below" / "new", "new\n")
    before = snapshot(small)
    for folder, name in ((small, "./test.sh"), (small / "below", f"../{script.name}")):
        found = changes(folder, "--good", "HEAD~3", "--no-cure", "--", name)
        assert found.places() == BLAMED
        assert snapshot(small) == before


@pytest.mark.slow
def test_what_is_staged_and_what_is_not(small: Path) -> None:
    (small / "k.txt").write_bytes(b"keep\nSTAGED\nmore\n")
    git(small, "add", "k.txt")
    (small / "n.txt").write_bytes(numbers(_3="DIRTY", _9="other"))
    text(small / "new.txt", "NEW\n")
    before = snapshot(small)
    look = "! grep -q {} k.txt n.txt new.txt"
    for option, word, place in (
        ("--staged", "STAGED", "k.txt:2"),
        ("--worktree", "DIRTY", "n.txt:3"),
        ("--worktree", "NEW", "new.txt"),
    ):
        found = changes(small, option, "--no-cure", "--", "sh", "-c", look.format(word))
        assert list(found.places().values()) == [[place]]
        assert snapshot(small) == before
    refused(
        told(small, "changes", "--staged", "--", "sh", "-c", look.format("DIRTY")),
        1, "the bad side (what is staged) does not fail",
    )  # fmt: skip


def test_a_staged_file_that_nothing_else_has_is_not_touched(small: Path) -> None:
    text(small / "staged", "staged\n")
    git(small, "add", "staged")
    before = snapshot(small)
    found = changes(small, "--staged", "--", "sh", "-c", "! test -e staged")
    assert found.places() == {"what is staged": ["staged"]}
    assert snapshot(small) == before


@pytest.mark.slow
def test_a_bare_repository_a_linked_tree_and_a_shallow_clone(small: Path, tmp_path: Path) -> None:
    bare, linked, shallow = (tmp_path / name for name in ("bare.git", "linked", "shallow"))
    git(tmp_path, "clone", "-q", "--bare", str(small), str(bare))
    git(small, "worktree", "add", "-q", str(linked), "HEAD~1")
    git(tmp_path, "clone", "-q", "--depth", "2", f"file://{small}", str(shallow))
    before = [snapshot(each) for each in (small, bare, linked, shallow)]

    assert changes(bare, "--good", "HEAD~3", "--no-cure", "--", *NO_BUG).places() == BLAMED
    found = changes(tmp_path, "--repo", bare, "--good", "HEAD~3", "--no-cure", "--", *NO_BUG)
    assert found.places() == BLAMED
    refused(told(bare, "changes", "--worktree", "--", *NO_BUG), 2, "has no files on disk")
    assert changes(linked, "--good", "HEAD~2", "--no-cure", "--", *NO_BUG).places() == BLAMED
    more = ("sh", "-c", "! grep -q more k.txt")
    assert changes(shallow, "--good", "HEAD~1", "--no-cure", "--", *more).places() == {
        "commit 3": ["k.txt:2"]
    }
    refused(told(shallow, "changes", "--good", "HEAD~3", "--", *NO_BUG), 2, "'HEAD~3'")

    assert [snapshot(each) for each in (small, bare, linked, shallow)] == before


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a repository in which all kinds of things happen to files, one in each commit."""
    tree: dict[str, Any] = {
        "old.txt": numbers(),
        "bin": b"a\0b",
        "gone.txt": b"gone\n",
        "run.sh": (PROGRAM, b"#!/bin/sh\n"),
        "link": (LINK, b"old.txt"),
        "place/file": b"x\n",
        "turns": b"text\n",
    }
    trees = [dict(tree)]
    for path, new in (
        ("old.txt", None),
        ("bin", b"a\0c"),
        ("gone.txt", None),
        ("run.sh", b"#!/bin/sh\n"),
        ("link", (LINK, b"nowhere")),
        ("place/file", None),
        ("turns", (LINK, b"bin")),
        ("empty", b""),
        ('sp ace "q" \u00e9\n', b"no end"),
    ):
        tree.pop(path) if new is None else tree.update({path: new})
        if path == "old.txt":
            tree["new.txt"] = numbers()
        if path == "place/file":
            tree["place"] = b"a file now\n"
        trees.append(dict(tree))
    folder = tmp_path_factory.mktemp("kinds") / "repository"
    git(folder, "tag", "good", make(folder, trees)[0])
    return folder


@pytest.mark.parametrize(
    ("number", "command", "place", "shown"),
    slow_after(
        3,
        [
            (1, "test -e old.txt", "new.txt", "rename from old.txt"),
            (2, "! grep -q c bin", "bin", "GIT binary patch"),
            (3, "test -e gone.txt", "gone.txt", "deleted file mode 100644"),
            (4, "test -x run.sh", "run.sh", "new mode 100644"),
            (5, '[ "$(readlink link)" = old.txt ]', "link", "+nowhere"),
            (6, "test -d place", "place/file", "deleted file mode 100644"),
            (7, "! test -L turns", "turns", "new file mode 120000"),
            (8, "! test -e empty", "empty", "new file mode 100644"),
            (9, "! ls | grep -q '^sp ace'", 'sp ace "q" \u00e9\n', r"\303\251\n"),
        ],
    ),
)
def test_what_can_happen_to_a_file(
    kinds: Path, tmp_path: Path, number: int, command: str, place: str, shown: str
) -> None:
    before = snapshot(kinds)
    found = changes(kinds, "--good", "good", "--", "sh", "-c", command)
    assert found.places() == {f"commit {number}": [place]}
    assert shown in found.patch()
    assert f"commit {number}" in found.places("cure")
    assert snapshot(kinds) == before
    clone = tmp_path / "clone"
    git(tmp_path, "clone", "-q", str(kinds), str(clone))
    git(clone, "checkout", "-q", "good")
    git(clone, "apply", "-", given=found.patch().encode("utf-8", "surrogateescape"))
    assert status(clone, "sh", "-c", command) == 1
    git(clone, "reset", "-q", "--hard", "main")
    git(clone, "apply", "-", given=found.patch("cure").encode("utf-8", "surrogateescape"))
    assert status(clone, "sh", "-c", command) == 0


@pytest.mark.slow
def test_submodules_are_left_empty_or_refused(tmp_path: Path, small: Path) -> None:
    head = git(small, "rev-parse", "HEAD").strip()
    other = git(small, "rev-parse", "HEAD~1").strip()
    folder = tmp_path / "outer"
    inner = {"inner": (SUBMODULE, head)}
    make(
        folder,
        [
            {"n.txt": numbers(), **inner},
            {"n.txt": numbers(_3="BUG"), **inner},
            {"n.txt": numbers(_3="BUG"), "inner": (SUBMODULE, other)},
        ],
    )
    arguments = ("--good", "HEAD~2", "--bad", "HEAD~1", "--no-cure", "--", *NO_BUG)
    found = changes(folder, *arguments)
    assert found.places() == {"commit 1": ["n.txt:3"]}
    [notice] = [event for event in found.ran.events if event["event"] == "noticed"]
    assert "'inner'" in notice["message"]
    ran = told(folder, "changes", "--good", "HEAD~2", "--", *NO_BUG)
    refused(ran, 2, "the submodule 'inner' changes")


@pytest.mark.slow
def test_merges_and_the_way_back(small: Path) -> None:
    base, tip = (git(small, "rev-parse", name).decode().strip() for name in ("HEAD~3", "HEAD"))
    side: Tree = {"n.txt": numbers(), "k.txt": b"keep\n", "side": b"SIDE\n"}
    other = add(small, side, "on the side", "side", base)
    bug = numbers(_5="five", _15="BUG")
    merged: Tree = {"n.txt": bug, "k.txt": b"keep\nmore\n", "side": b"SIDE\n"}
    add(small, merged, "merge", "main", tip, other)
    line = ("sh", "-c", "! test -e side")
    found = changes(small, "--good", base, "--bad", "main", "--no-cure", "--", *line)
    assert found.blamed() == ["on the side"]
    assert found.places() == {"on the side": ["side"]}, "a merge is entered"
    found = changes(
        small, "--good", "main", "--bad", base, "--no-cure", "--", "grep", "BUG", "n.txt"
    )
    [blamed] = found.answer("cause")["data"]["commits"]
    assert (blamed["subject"], blamed["undone"]) == ("commit 2", True)
    found = changes(small, "--good", "side", "--bad", "main", "--no-cure", "--", *NO_BUG)
    assert found.places() == BLAMED


@pytest.mark.slow
def test_two_folders_and_patches(tmp_path: Path) -> None:
    good, bad = tmp_path / "the good", tmp_path / "the bad"
    for folder, content in ((good, numbers()), (bad, numbers(_4="four", _15="BUG"))):
        (folder / "empty").mkdir(parents=True)
        (folder / "n.txt").write_bytes(content)
        shell(folder, "test -d empty && ! grep -q BUG n.txt")
    (bad / "new").write_bytes(b"\0")
    before = snapshot(good), snapshot(bad)
    found = changes(tmp_path, good, bad, "--no-cure", "--", "./test.sh")
    assert list(found.places().values()) == [["n.txt:15"]]
    ran = subprocess.run(["diff", "-ruN", good, bad], capture_output=True, check=False)  # noqa: S603
    patch = tmp_path / "all.patch"
    lines = ran.stdout.split(b"\n")
    patch.write_bytes(b"\n".join(line for line in lines if not line.startswith(b"Binary")))
    text(patch, patch.read_text().replace(f"{good}/", "a/").replace(f"{bad}/", "b/"))
    found = changes(tmp_path, "--patch", patch, good, "--no-cure", "--", "./test.sh")
    assert list(found.places().values()) == [["n.txt:15"]]
    assert (snapshot(good), snapshot(bad)) == before

    for broken, words in (
        ("rubbish\n", "No valid patches"),
        ("", "No valid patches"),
        (patch.read_text().replace("-15\n", "-51\n"), "patch failed: n.txt"),
        ("--- a/../x\n+++ b/../x\n@@ -0,0 +1 @@\n+x\n", "invalid path"),
    ):
        file = text(tmp_path / "broken.patch", broken)
        ended = told(tmp_path, "changes", "--patch", file, good, "--", "true")
        refused(ended, 2, "does not apply", words)
    assert not (tmp_path / "x").exists()


def test_a_patch_of_the_head_of_a_repository(small: Path, tmp_path: Path) -> None:
    (small / "n.txt").write_bytes(numbers(_5="five", _8="PATCHED", _15="BUG"))
    patch = tmp_path / "it.patch"
    patch.write_bytes(git(small, "diff"))
    git(small, "checkout", "-q", "n.txt")
    before = snapshot(small)
    line = ("sh", "-c", "! grep -q PATCHED n.txt")
    found = changes(small, "--patch", patch, "--no-cure", "--", *line)
    assert found.places() == {"the patch it.patch": ["n.txt:8"]}
    assert snapshot(small) == before


HINTED = [
    (("--good", "nope", "--", "true"), 2, ["there is no commit 'nope'"]),
    (("--good=-x", "--", "true"), 2, ["there is no commit '-x'"]),
    (("--good", "HEAD:n.txt", "--", "true"), 2, ["'HEAD:n.txt'"]),
    (("--good", "HEAD", "--", "true"), 2, ["'HEAD' and 'HEAD' are the same commit"]),
    (("--good", "HEAD~3", "--", "false"), 1, ["the good side (HEAD~3) does not pass", "status 1"]),
    (("--good", "HEAD~3", "--", "true"), 1, ["the bad side (HEAD) does not fail", "status 0"]),
    (("--good", "HEAD~3", "--", "nosuchcommand"), 2, ["no program 'nosuchcommand'"]),
    (("--good", "HEAD~3", "--", "sh", "-c", "exit 125"), 1, ["does not fail", "status 125"]),
    (("--good", "HEAD~3", "--"), 2, ["there is no command"]),
    (("--", "true"), 2, ["no changes to search are given"]),
    (("--good", "HEAD~3", "--staged", "--", "true"), 2, ["--good and --staged"]),
    (("no", "where", "--", "true"), 2, ["there is no folder 'no'"]),
    ((".", "n.txt", "--", "true"), 2, ["'n.txt' is not a folder"]),
    ((".", ".", "--", "true"), 2, ["nothing differs"]),
    (("--staged", "--", "true"), 2, ["nothing differs"]),
    (("--patch", "nope", "--", "true"), 2, ["'nope'"]),
    (("--good", "HEAD~3", "--repo", "nowhere", "--", "true"), 2, ["no folder 'nowhere'"]),
    (("--good", "HEAD~3", "--repo", "/", "--", "true"), 2, ["'/' is not in a git repository"]),
    (("--good", "HEAD~3", "-j", "0", "--", "true"), 2, ["jobs is 0"]),
]


@pytest.mark.parametrize(("arguments", "code", "words"), HINTED, ids=lambda each: str(each)[:40])
def test_what_cannot_be_is_refused(
    small: Path, arguments: tuple[str, ...], code: int, words: list[str]
) -> None:
    before = snapshot(small)
    refused(told(small, "changes", *arguments), code, *words)
    assert snapshot(small) == before


def test_without_git(small: Path) -> None:
    ran = wynot(small, "changes", "--good", "HEAD~3", "--", "/bin/true", env={"PATH": "/nowhere"})
    refused(ran, 2, "there is no program 'git'")


def test_an_out_folder_that_is_a_file_loses_no_answer(small: Path) -> None:
    ran = told(small, "changes", "--good", "HEAD~3", "-o", "k.txt", "--", *NO_BUG)
    refused(ran, 2, "k.txt")
    assert (small / "k.txt").read_bytes() == b"keep\nmore\n"


def logged(log: Path, test: str) -> tuple[str, ...]:
    """Return a command that appends a line to a log for each run."""
    return ("sh", "-c", f"echo >>'{log}'; {test}")


def runs(log: Path) -> int:
    return log.read_bytes().count(b"\n")


@pytest.mark.slow
def test_a_budget_ends_it_with_what_is_true_so_far(small: Path, tmp_path: Path) -> None:
    log = tmp_path / "log"
    command = logged(log, "! grep -q BUG n.txt")
    arguments = ("-j", "1", "--good", "HEAD~3")
    found = changes(small, *arguments, "--max-tests", "2", "--", *command, code=3)
    assert found.blamed() == ["commit 2"]
    assert found.places() == BLAMED
    assert found.ran.events[-1]["stopped"] == "max-tests"
    first = runs(log)
    assert first == 4
    found = changes(small, *arguments, "--", *command)
    resumed = runs(log) - first
    assert found.places() == BLAMED
    [begin] = [event for event in found.ran.events if event["event"] == "inquired"]
    assert begin["known"] == 2, "what was asked after both sides"
    log.unlink()
    assert changes(small, *arguments, "--", *command).places() == BLAMED
    assert runs(log) == resumed + 2, "and it was forgotten at the end"
    found = changes(small, *arguments, "--max-time", "0", "--", *command, code=3)
    assert len(found.blamed()) == 3
    assert found.ran.events[-1]["stopped"] == "max-time"


@pytest.mark.slow
def test_verdicts_of_another_script_are_not_believed(small: Path) -> None:
    """The command is the same, but the script that it names is not."""
    shell(small, "! grep -q BUG n.txt")
    arguments = ("-j", "1", "--good", "HEAD~3", "--no-cure")
    changes(small, *arguments, "--max-tests", "2", "--", "./test.sh", code=3)
    shell(small, "! grep -q five n.txt")
    found = changes(small, *arguments, "--", "./test.sh")
    [begin] = [event for event in found.ran.events if event["event"] == "inquired"]
    assert (begin["known"], found.places()) == (0, {"commit 1": ["n.txt:5"]})


def test_what_is_found_can_be_read(small: Path) -> None:
    ran = told(small, "changes", "--good", "HEAD~3", "--", *NO_BUG)
    name = git(small, "rev-parse", "HEAD~1").decode()[:10]
    for words in (
        f"{name} is the first bad commit: commit 2",
        "1 change of 1 commit, put into the good side, makes it fail:",
        f"{name}  commit 2",
        "Ann <ann@example.org>, 2020-01-02",
        "n.txt:15  +1 -1",
        "+BUG",
        "the smallest revert: without 1 change of 1 commit the bad side passes:",
        "-BUG",
    ):
        assert words in ran.out
    assert os.fspath(small) not in ran.out
