"""What was probably meant by a command line that is wrong."""

from pathlib import Path

import pytest

from wynot.cli.usage_messages import near, with_dashes


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be in a folder with some files; one of them is a script."""
    (tmp_path / "sub").mkdir()
    for name in ("in.txt", "prog.c", "Makefile", "sub/deep.json", "good.json", ".hidden"):
        (tmp_path / name).write_text("x")
    (tmp_path / "test.sh").write_text("#!/bin/sh\n")
    (tmp_path / "test.sh").chmod(0o755)
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        ("reduce in.txt sh -c {}", "wynot reduce in.txt -- sh -c {}"),
        ("reduce -j 2 in.txt cat -n in.txt", "wynot reduce -j 2 in.txt -- cat -n in.txt"),
        ("reduce in.txt cat", "wynot reduce in.txt -- cat"),
        ("reduce in.txt ./test.sh -x {}", "wynot reduce in.txt -- ./test.sh -x {}"),
        ("reduce --stderr cat in.txt sh {}", "wynot reduce --stderr cat in.txt -- sh {}"),
        ("check in.txt cat {}", "wynot check in.txt -- cat {}"),
        ("isolate good.json in.txt cat {}", "wynot isolate good.json in.txt -- cat {}"),
        ("options sh -e -u", "wynot options -- sh -e -u"),
        ("changes --good v1 sh x", "wynot changes --good v1 -- sh x"),
        ("tests test_b sh -c x", "wynot tests test_b -- sh -c x"),
        # A test, and then files.
        ("reduce ./test.sh in.txt", ""),
        ("reduce ./test.sh cat", ""),
        ("reduce in.txt ./test.sh", ""),
        ("reduce cat in.txt", ""),
        # There is one.
        ("reduce in.txt -- cat {}", ""),
        ("reduce in.txt no-such-program {}", ""),
        ("history in.txt cat", ""),
        ("", ""),
    ],
)
def test_the_dashes_that_were_forgotten(given: str, meant: str) -> None:
    assert with_dashes(given.split()) == meant


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        ("in.tx", "in.txt"),
        ("ni.txt", "in.txt"),
        ("IN.TXT", "in.txt"),
        ("./prog.cc", "prog.c"),
        ("makefile", "Makefile"),
        ("sub/deep.jsn", "sub/deep.json"),
        ("sbu/deep.json", "sub/deep.json"),
        # Nothing that is like it: a suffix alone is not enough.
        ("no.txt", ""),
        ("other", ""),
        ("sub/in.txt", ""),
        ("hidden", ""),
        ("in.txt", ""),
        ("", ""),
        ("in.txt/x", ""),
    ],
)
def test_the_file_that_was_meant(wrong: str, right: str) -> None:
    assert near(wrong) == right
