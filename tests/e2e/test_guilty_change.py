"""``wynot changes`` after it has told the commit: hunks, cause and revert, and their cost."""

from pathlib import Path
from typing import Any

import pytest

from e2e.programs import wynot
from unit.inquiries.changes.repositories import Tree, add, git, make, snapshot

BISECTED = 5
"""What ``git bisect run`` takes for 32 commits."""
CHECK = """
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, "src")
try:
    import shop
except (ImportError, SyntaxError, NameError):
    sys.exit(125)
sys.exit(shop.total([3, -1]) != 2)
"""


def shop(**parts: str) -> Tree:
    """Return a program of three modules, with notes."""
    tax = parts.get("tax", "def tax(n):\n    return n\n")
    log = parts.get("log", "def log(n):\n    return n\n")
    body = parts.get("body", "    return sum(tax(n) for n in items)\n")
    filler = "".join(f"# {each}\n" for each in range(8))
    head = parts.get("head", "from tax import tax\n")
    return {
        "src/tax.py": (tax + filler + parts.get("end", "")).encode(),
        "src/log.py": (log + filler).encode(),
        "src/shop.py": f"{head}{filler}def total(items):\n{body}{filler}".encode(),
        "NOTES": parts.get("notes", "notes\n").encode(),
    }


def noted(count: int, start: int = 0, **parts: str) -> list[Tree]:
    """Return states that differ in their notes only."""
    notes = ["".join(f"note {each}\n" for each in range(start + last)) for last in range(count)]
    return [shop(notes=each, **parts) for each in notes]


GUILTY = {
    "head": "from tax import tax\nfrom log import log\n",
    "body": "    log(items)\n    return sum(tax(n) for n in items if n > 0)\n",
    "log": "def log(n):\n    return [n]\n",
    "tax": "def tax(n):\n    return n * 1\n",
}


def found(folder: Path, *arguments: str) -> dict[str, Any]:
    """Return each answer by its question, and the number of tests under ``tests``."""
    check = folder.parent / "check.py"
    check.write_text(CHECK)
    before = snapshot(folder)
    command = ("python3", str(check))
    ran = wynot(folder, "changes", "--json", "-j", "1", *arguments, "--", *command)
    assert ran.code == 0, ran
    assert snapshot(folder) == before
    answers: dict[str, Any] = {
        each["question"]: each for each in ran.events if each["event"] == "answered"
    }
    return {**answers, "tests": ran.events[-1]["tests"]}


def places(answers: dict[str, Any], question: str) -> dict[str, list[str]]:
    return {each["subject"]: each["places"] for each in answers[question]["data"]["commits"]}


@pytest.mark.slow
def test_one_line_of_five_hunks_in_as_many_tests_as_it_takes(tmp_path: Path) -> None:
    """An import, a call, a filter and two other functions: of these the filter is at fault."""
    folder = tmp_path / "r"
    make(folder, [*noted(21), *noted(12, 20, **GUILTY)])
    answers = found(folder, "--good", "HEAD~32")
    assert [each["subject"] for each in answers["commit"]["data"]["commits"]] == ["commit 21"]
    assert places(answers, "cause") == {"commit 21": ["src/shop.py:13"]}
    assert answers["cause"]["minimal"] == "lines"
    assert places(answers, "cure") == {"commit 21": ["src/shop.py:12"]}
    assert "if n > 0" in answers["cure"]["data"]["patch"]
    assert answers["tests"] <= BISECTED + 12


@pytest.mark.slow
def test_a_later_change_of_the_same_line_is_taken_back_as_well(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    bad = {"body": "    return sum(tax(n) for n in items if n > 0)\n"}
    later = {"body": "    return sum(tax(n) for n in items if n >= 1)\n"}
    make(folder, [*noted(20), *noted(6, 19, **bad), *noted(7, 25, **later)])
    answers = found(folder, "--good", "HEAD~32")
    assert places(answers, "cause") == {"commit 20": ["src/shop.py:11"]}
    assert "commit 20" in places(answers, "cure")
    assert "+    return sum(tax(n) for n in items)\n" in answers["cure"]["data"]["patch"]
    assert answers["tests"] <= BISECTED + 12


@pytest.mark.slow
def test_what_it_needs_of_an_earlier_commit_is_named(tmp_path: Path) -> None:
    """What is at fault is a line that calls a function which the good side does not have."""
    folder = tmp_path / "r"
    new = {"end": "def net(n):\n    return max(n, 0)\n"}
    use = {"head": "from tax import tax, net\n", "body": "    return sum(net(n) for n in items)\n"}
    make(folder, [*noted(8), *noted(12, 7, **new), *noted(13, 18, **new, **use)])
    answers = found(folder, "--good", "HEAD~32")
    assert [each["subject"] for each in answers["commit"]["data"]["commits"]] == ["commit 20"]
    assert set(places(answers, "cause")) == {"commit 8", "commit 20"}
    assert "the good side" in answers["cause"]["title"]
    assert set(places(answers, "cure")) == {"commit 20"}


@pytest.mark.slow
def test_a_merge_that_is_itself_at_fault(tmp_path: Path) -> None:
    """Both sides pass; what was done to bring them together does not."""
    folder = tmp_path / "r"
    commits = make(folder, noted(6))
    side = commits[2]
    for number in range(5):
        side = add(folder, shop(log=f"def log(n):\n    return {number}\n"), "side", "side", side)
    merged = shop(
        log="def log(n):\n    return 4\n",
        notes="note 0\nmerged\n",
        body="    return sum(tax(n) for n in items if n > 0)\n",
    )
    add(folder, merged, "the merge", "main", commits[-1], side)
    git(folder, "reset", "-q", "--hard", "main")
    for number in range(3):
        add(folder, {**merged, "NOTES": b"%d\n" % number}, "later", "main")
    git(folder, "reset", "-q", "--hard", "main")
    answers = found(folder, "--good", commits[0])
    assert [each["subject"] for each in answers["commit"]["data"]["commits"]] == ["the merge"]
    assert places(answers, "cause") == {"the merge": ["src/shop.py:11"]}
    assert places(answers, "cure") == {"the merge": ["src/shop.py:11"]}


@pytest.mark.slow
def test_a_file_that_was_renamed_and_changed_at_once(tmp_path: Path) -> None:
    folder = tmp_path / "r"
    trees = []
    for number in range(33):
        name = "tax" if number < 9 else "vat" if number < 25 else "rate"
        head = {"head": f"from {name} import tax\n"}
        fault = {"tax": "def tax(n):\n    return abs(n)\n"} if number >= 15 else {}
        made = shop(notes=f"note {number}\n", **head, **fault)
        trees.append({path.replace("tax", name): content for path, content in made.items()})
    make(folder, trees)
    answers = found(folder, "--good", "HEAD~32")
    assert places(answers, "cause") == {"commit 15": ["src/vat.py:2"]}
    assert "+    return abs(n)" in answers["cause"]["data"]["patch"]
    assert "src/tax.py" in answers["cause"]["data"]["patch"], "there it is in the good side"
    assert "src/rate.py" in answers["cure"]["data"]["patch"], "and there in the bad one"
    assert answers["tests"] <= BISECTED + 12


@pytest.mark.slow
def test_where_nothing_that_is_taken_back_helps_that_is_said(tmp_path: Path) -> None:
    """Each of two commits breaks it, so that without one of them it still fails."""
    folder = tmp_path / "r"
    bad = {"body": "    return sum(tax(n) for n in items if n > 0)\n"}
    both = {**bad, "tax": "def tax(n):\n    return n + 1\n"}
    make(folder, [*noted(20), *noted(6, 19, **bad), *noted(7, 25, **both)])
    answers = found(folder, "--good", "HEAD~32")
    assert places(answers, "cause") == {"commit 20": ["src/shop.py:11"]}
    assert answers["cure"]["title"].startswith("no revert: ")
    assert answers["cure"]["data"]["patch"] == ""
    proved = found(folder, "--good", "HEAD~32", "--prove")
    assert set(places(proved, "cure")) == {"commit 20", "commit 26"}
