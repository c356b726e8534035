"""Paths in command lines: found where people write them, and made absolute or a hole."""

from pathlib import Path

import pytest

from wynot.oracle.trials import in_full, line


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Be in a folder with some files."""
    for name in ("sub", "include", "build", "tree"):
        (tmp_path / name).mkdir()
    for name in ("in.txt", "conf.ini", "sub/deep.txt", "m", "tree/x.ini", "out.txt"):
        (tmp_path / name).write_text("x")
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("given", "full"),
    [
        ("--config=conf.ini", "--config={here}/conf.ini"),
        ("-Dconf=conf.ini", "-Dconf={here}/conf.ini"),
        ("if=conf.ini", "if={here}/conf.ini"),
        ("--config=sub/deep.txt", "--config={here}/sub/deep.txt"),
        ("--config=./sub", "--config={here}/sub"),
        ("--include-dir=include", "--include-dir={here}/include"),
        ("-Iinclude", "-I{here}/include"),
        ("-isysteminclude", "-isystem{here}/include"),
        ("-I include", "-I {here}/include"),
        ("-I conf.ini", "-I {here}/conf.ini"),
        ("conf.ini", "{here}/conf.ini"),
        # What is no path, or may well be something else.
        ("--config=no.ini", "--config=no.ini"),
        ("--mode=build", "--mode=build"),
        ("build", "build"),
        ("-x build", "-x build"),
        ("-lm", "-lm"),
        ("-Ino", "-Ino"),
        ("--config=/etc/passwd", "--config=/etc/passwd"),
        ("a=b=conf.ini", "a=b=conf.ini"),
        ("==", "=="),
        # What is written must not be written over a file of the user's.
        ("--output=out.txt", "--output=out.txt"),
        ("--log-file=out.txt", "--log-file=out.txt"),
        ("of=out.txt", "of=out.txt"),
        ("-o out.txt", "-o out.txt"),
    ],
)
def test_a_path_is_made_absolute_wherever_it_stands(tmp_path: Path, given: str, full: str) -> None:
    assert in_full(["cat", *given.split()]) == ["cat", *full.format(here=tmp_path).split()]


@pytest.mark.parametrize(
    ("given", "files", "filled"),
    [
        ("--input=in.txt", ["in.txt"], "--input=in.txt"),
        ("--input=./sub/deep.txt", ["sub/deep.txt"], "--input=deep.txt"),
        ("if=sub/deep.txt -o in.txt", ["in.txt", "sub/deep.txt"], "if=deep.txt -o in.txt"),
        ("--conf=tree/x.ini", ["tree"], "--conf=./tree/x.ini"),
        ("--source-dir=tree", ["tree"], "--source-dir=tree"),
        ("--conf=conf.ini in.txt", ["in.txt"], "--conf={here}/conf.ini in.txt"),
        ("--in={{}} --conf=conf.ini", ["in.txt"], "--in=in.txt --conf={here}/conf.ini"),
    ],
)
def test_the_candidate_is_named_as_it_is_called_in_the_private_folder(
    tmp_path: Path, given: str, files: list[str], filled: str
) -> None:
    command = line(["cat", *given.replace("{{}}", "{}").split()], files)
    names = [Path(file).name for file in files]
    assert command.filled("/private", names) == ["cat", *filled.format(here=tmp_path).split()]
