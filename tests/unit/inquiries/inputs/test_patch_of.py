"""The patch, as real programs read it."""

import subprocess
from pathlib import Path

import pytest

from wynot.core.files import Files
from wynot.inquiries.inputs.paths import patch_of, unified

LINES = b"".join(b"line %d\n" % number for number in range(40))
PAIRS = {
    "one line": (LINES, LINES.replace(b"line 7\n", b"LINE 7\n")),
    "far apart": (LINES, LINES.replace(b"line 3\n", b"").replace(b"line 33\n", b"a\nb\n")),
    "near": (LINES, LINES.replace(b"line 3\n", b"").replace(b"line 9\n", b"a\n")),
    "no end of line": (b"a\nb", b"a\nc"),
    "an end of line": (b"a\nb", b"a\nb\n"),
    "no end of line any more": (b"a\nb\n", b"a\nb"),
    "crlf": (b"a\r\nb\r\n", b"a\r\nc\r\n"),
    "latin-1": (b"caf\xe9\n", b"caf\xe8\n"),
    "first": (b"", LINES),
    "last": (LINES, b""),
    "only an end of line": (b"", b"\n"),
    "looks like a patch": (b"--- a\n+++ b\n", b"--- a\n@@ -1 +1 @@\n+++ b\n"),
}


def write(files: Files, folder: Path) -> None:
    for path, content in files.contents.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
        (folder / path).chmod(files.modes.get(path, 0o644))
    for path, target in files.links.items():
        (folder / path).symlink_to(target)


def read(folder: Path) -> Files:
    found = [path for path in sorted(folder.rglob("*")) if path.is_symlink() or path.is_file()]
    names = {path.relative_to(folder).as_posix(): path for path in found}
    files = {name: path for name, path in names.items() if not path.is_symlink()}
    modes = {name: path.stat().st_mode & 0o777 for name, path in files.items()}
    return Files(
        {name: path.read_bytes() for name, path in files.items()},
        {name: mode for name, mode in modes.items() if mode != 0o644},
        {name: str(path.readlink()) for name, path in names.items() if name not in files},
    )


def applied(program: list[str], passing: Files, failing: Files, folder: Path) -> Files:
    write(passing, folder)
    patch = patch_of(passing, failing)
    subprocess.run(program, input=patch, cwd=folder, check=True)  # noqa: S603 - one of ours
    return read(folder)


PROGRAMS = [["patch", "-p1", "--binary", "--quiet"], ["git", "apply", "-"]]


@pytest.mark.parametrize("program", PROGRAMS, ids=["patch", "git"])
@pytest.mark.parametrize("pair", PAIRS)
def test_programs_make_the_failing_side_of_the_passing_one(
    pair: str, program: list[str], tmp_path: Path
) -> None:
    passing, failing = (Files({"name": side}) for side in PAIRS[pair])
    assert applied(program, passing, failing, tmp_path) == failing


@pytest.mark.parametrize("program", PROGRAMS, ids=["patch", "git"])
def test_a_folder_is_patched_with_all_that_is_in_it(program: list[str], tmp_path: Path) -> None:
    passing = Files(
        {"d/same": b"x\n", "d/gone": b"y\n", "d/mode": b"z\n", "d/empty": b"", "d/a b": b"1\n"},
    )
    failing = Files(
        {"d/same": b"x\n", "d/new file": b"y\n", "d/mode": b"z\n", "d/none": b"", "d/a b": b"2"},
        {"d/mode": 0o755, "d/new file": 0o755},
    )
    assert applied(program, passing, failing, tmp_path) == failing


def test_git_patches_links_and_odd_names(tmp_path: Path) -> None:
    passing = Files({"ta\tb": b"x\n", "l": b"a\n", 'q"\\': b"1\n"}, links={"m": "l"})
    contents = {"ta\tb": b"y\n", 'q"\\': b"2\n", "ü\udcff": b"3\n"}
    failing = Files(contents, links={"l": "q", "m": "n"})
    assert applied(["git", "apply", "-"], passing, failing, tmp_path) == failing


def test_it_reads_like_one_of_git() -> None:
    passing, failing = Files({"a.txt": b"a\nb"}), Files({"a.txt": b"a\nc\n"})
    assert patch_of(passing, failing).decode() == (
        "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\n-b\n"
        "\\ No newline at end of file\n+c\n"
    )


def test_of_binary_files_it_only_says_that_they_differ() -> None:
    patch = patch_of(Files({"a": b"\0", "b": b"\0"}), Files({"a": b"\1", "c": b"\0"}))
    assert b"Binary files a/a and b/a differ\n" in patch
    assert b"Binary files a/b and /dev/null differ\n" in patch
    assert b"Binary files /dev/null and b/c differ\n" in patch


def test_what_git_cannot_say_is_left_out() -> None:
    assert patch_of(Files({"a": b""}), Files({"a": b""}, {"a": 0o600})) == b""
    assert patch_of(Files({"a": b"x"}), Files({"a": b"x"})) == b""
    assert list(unified(b"x", b"x")) == []
