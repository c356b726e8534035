"""``wynot packages`` with real packages, real installers, and without a network."""

import shutil
from pathlib import Path

import pytest

from e2e.programs import Ran, refused, text, told, wynot

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
        (["--bad", "bad.txt"], 2, ["--good is not given"]),
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


def test_without_a_command(web: Path) -> None:
    ran = wynot(web, "packages", "--good", "good.txt", "--bad", "bad.txt")
    refused(ran, 2, "there is no command")
