"""``wynot packages`` with real packages, real installers, and without a network."""

import re
import shutil
from pathlib import Path

import pytest

from e2e.programs import Ran, refused, text, told, wynot
from unit.inquiries.changes.repositories import make
from unit.inquiries.packages.shelves import wheel

SAMPLES = Path(__file__).parents[1] / "samples"
PYTHON, NODE = SAMPLES / "packages", SAMPLES / "packages-npm"


def answers(ran: Ran) -> dict[str, list[str]]:
    """Return what was found, by question; skip where there is no network to speak of."""
    if ran.code == 5 and "[no-network]" in ran.err:
        pytest.skip(ran.err)
    assert ran.code == 0, ran
    answered = [event for event in ran.events if event["event"] == "answered"]
    assert all(event["minimal"] == "packages" for event in answered)
    return {event["question"]: event["data"]["packages"] for event in answered}


@pytest.fixture
def web(tmp_path: Path) -> Path:
    """Return a folder with a program that uses Flask, and what it worked with and what not."""
    for name in ("good.txt", "bad.txt", "prog.py"):
        shutil.copy(PYTHON / name, tmp_path)
    return tmp_path


@pytest.mark.slow
def test_the_one_of_31_upgrades_that_breaks_a_program(web: Path) -> None:
    out = ("-o", "found")
    ran = wynot(
        web, "packages", "--json", *out, "--good", "good.txt", "--bad", "bad.txt",
        "--", "python", "prog.py",
    )  # fmt: skip
    found = answers(ran)
    assert found == {"cause": ["werkzeug 2.2.3 → 3.0.1"], "cure": ["werkzeug 2.2.3 → 3.0.1"]}
    assert ran.events[-1]["tests"] <= 24
    lines = (web / "found" / "cause" / "requirements.txt").read_text().splitlines()
    good = (web / "good.txt").read_text().lower().split()
    assert sorted({line.lower() for line in lines} - {*good}) == [
        "# the good packages, with only what breaks them",
        "werkzeug==3.0.1",
    ]
    assert sorted(path.name for path in web.iterdir()) == [
        "bad.txt",
        "found",
        "good.txt",
        "prog.py",
    ]


def test_without_a_network(web: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    closed = dict.fromkeys(("HTTPS_PROXY", "HTTP_PROXY", "ALL_PROXY"), "http://127.0.0.1:9")
    empty = {"UV_CACHE_DIR": str(tmp_path_factory.mktemp("cache")), "UV_HTTP_RETRIES": "0"}
    ran = wynot(
        web, "packages", "--good", "good.txt", "--bad", "bad.txt", "--", "python", "prog.py",
        env={**closed, **empty},
    )  # fmt: skip
    refused(ran, 5, "no-network", "are unavailable", "--index-url")


@pytest.mark.skipif(not shutil.which("npm"), reason="there is no npm")
@pytest.mark.slow
def test_an_upgrade_of_npm(tmp_path: Path) -> None:
    shutil.copytree(NODE, tmp_path, dirs_exist_ok=True)
    ran = wynot(
        tmp_path, "packages", "--json", "--no-cure",
        "--good", "good/package-lock.json", "--bad", "bad/package-lock.json",
        "--", "node", "prog.js",
    )  # fmt: skip
    assert answers(ran) == {"cause": ["uuid 3.4.0 → 9.0.1"]}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad", "good", "prog.js"]


@pytest.mark.parametrize(
    ("options", "code", "words"),
    [
        (["--good", "good.txt"], 2, ["--bad is not given"]),
        (["--bad", "bad.txt"], 2, ["--good is not given", "is not in a git repository"]),
        (["--good", "v1:good.txt", "--bad", "bad.txt"], 2, ["there is no revision 'v1'"]),
        (["--good", "none.txt", "--bad", "bad.txt"], 2, ["no-such-file", "none.txt"]),
        (["--good", ".", "--bad", "bad.txt"], 2, ["is a folder"]),
        (["--good", "good.txt", "--bad", "good.txt"], 2, ["nothing-to-reduce"]),
        (["--good", "good.txt", "--bad", "odd.lock"], 2, ["broken-lock", "odd.lock"]),
        (["--good", "good.txt", "--bad", "empty.txt"], 2, ["broken-lock", "is empty"]),
        (["--good", "good.txt", "--bad", "bad.txt", "--installer", "npm"], 2, ["for Python"]),
        (
            ["--good", "good.txt", "--bad", "bad.txt", "--python", "none"],
            5,
            ["is not a Python interpreter"],
        ),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_makes_no_sense_is_refused(
    web: Path, options: list[str], code: int, words: list[str]
) -> None:
    text(web / "odd.lock", "[[package")
    text(web / "empty.txt", "")
    refused(told(web, "packages", *options, "--", "python", "prog.py"), code, *words)


ALONE = """
import os
os.mkdir("busy")  # fails if another test runs in this folder
import core, other, tool
print(core.version, other.version, tool.version, file=open("ran.txt", "a"))
os.rmdir("busy")
tool.old()
"""


@pytest.fixture
def history(tmp_path: Path) -> Path:
    """Return a repository with five versions of a file; the program works with the first two."""
    code = "def old(): pass\n"
    for number in range(1, 6):
        for name in ("core", "tool", "other"):
            is_new = name == "tool" and number > 2
            wheel(tmp_path / "shelf", name, f"{number}.0", code="" if is_new else code)
    folder = tmp_path / "work"
    trees = [
        {
            "lock.txt": f"--no-index\ncore=={each}.0\ntool=={each}.0\nother=={each}.0\n".encode(),
            "prog.py": ALONE.encode(),
        }
        for each in range(1, 5)
    ]
    make(folder, trees)
    text(folder / "lock.txt", trees[0]["lock.txt"].decode().replace("1.0", "5.0"))
    return folder


@pytest.mark.slow
def test_the_good_end_is_found_in_git(history: Path) -> None:
    shelf = ("--find-links", str(history.parent / "shelf"))
    ran = wynot(
        history, "packages", "--json", *shelf, "--bad", "lock.txt", "--", "python", "prog.py"
    )
    assert answers(ran) == {"cause": ["tool 1.0 → 5.0"], "cure": ["tool 1.0 → 5.0"]}
    assert re.findall(r"going back, (\d) of 4 versions", ran.out) == ["1", "2", "4"]
    tests = [line.split() for line in (history / "ran.txt").read_text().splitlines()]
    assert len(tests) == ran.events[-1]["tests"] + ran.events[-1]["extra"]
    left = sorted(path.name for path in history.iterdir())
    assert left == [".git", "lock.txt", "prog.py", "ran.txt"]


@pytest.mark.slow
def test_a_side_can_be_a_file_of_a_revision(history: Path) -> None:
    shelf = ("--find-links", str(history.parent / "shelf"), "--no-cure")
    sides = ("--good", "HEAD~2:lock.txt", "--bad", "HEAD:lock.txt")
    ran = wynot(history, "packages", "--json", *shelf, *sides, "--", "python", "prog.py")
    assert answers(ran) == {"cause": ["tool 2.0 → 4.0"]}


@pytest.mark.slow
def test_the_good_end_of_a_revision(history: Path) -> None:
    shelf = ("--find-links", str(history.parent / "shelf"), "--no-cure")
    sides = ("--bad", "HEAD~1:lock.txt")
    ran = wynot(history, "packages", "--json", *shelf, *sides, "--", "python", "prog.py")
    assert answers(ran) == {"cause": ["tool 2.0 → 3.0"]}


@pytest.mark.slow
def test_no_earlier_version_passes(history: Path) -> None:
    shelf = ("--find-links", str(history.parent / "shelf"))
    ran = wynot(
        history,
        "packages",
        *shelf,
        "--bad",
        "lock.txt",
        "--",
        "python",
        "-c",
        "raise SystemExit('no')",
    )
    refused(ran, 1, "not-passing", "no earlier version of 'lock.txt' passes", "the oldest of 4")


def test_without_a_command(web: Path) -> None:
    ran = wynot(web, "packages", "--good", "good.txt", "--bad", "bad.txt")
    refused(ran, 2, "there is no command")
