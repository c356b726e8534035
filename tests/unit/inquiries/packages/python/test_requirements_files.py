"""Requirements files: what is read out of them, and what is not."""

import os
from pathlib import Path

import pytest

from wynot.core.errors import InvalidLockFile, NoSuchFile
from wynot.inquiries.packages.lock_file import LockFile, Option
from wynot.inquiries.packages.lock_reading import read
from wynot.inquiries.packages.python.requirements import read_lines

HASH = "sha256:" + "ab" * 32


def read_text(folder: Path, text: str) -> LockFile:
    (folder / "requirements.txt").write_text(text)
    return read(folder / "requirements.txt")


@pytest.mark.parametrize(
    ("line", "name", "version", "spec"),
    [
        ("requests==2.31.0", "requests", "2.31.0", "requests==2.31.0"),
        ("Foo_Bar.baz == 1.0", "foo-bar-baz", "1.0", "foo-bar-baz==1.0"),
        ("requests [socks,Use_Chardet]==2", "requests", "2", "requests[socks,use-chardet]==2"),
        ("torch==2.1.0+cpu", "torch", "2.1.0+cpu", "torch==2.1.0+cpu"),
        ("a===1.0", "a", "1.0", "a===1.0"),
        ("a==1.0  # why", "a", "1.0", "a==1.0"),
        ("a (==1.0)", "a", "1.0", "a==1.0"),
        ("a===2004d", "a", "2004d", "a===2004d"),
        ("a==2004d;os_name=='nt'", "a", "2004d", 'a===2004d ; os_name == "nt"'),
        ('a==1;python_version<"3.12"', "a", "1", 'a==1 ; python_version < "3.12"'),
        ("a==1 ; os.name=='nt'", "a", "1", 'a==1 ; os_name == "nt"'),
        ("a", "a", "", "a"),
        ("a>=1,<2", "a", "", "a<2,>=1"),
        ("a==1.*", "a", "", "a==1.*"),
        ("a @ https://h/a.zip#x=1", "a", "", "a @ https://h/a.zip#x=1"),
        ("a@ https://h/a.zip ; os_name=='nt'", "a", "", 'a @ https://h/a.zip ; os_name == "nt"'),
        ("git+https://h/r.git@v1#egg=My.Name", "my-name", "", None),
        ("-e git+https://h/r.git@0123#egg=r", "r", "", "-e git+https://h/r.git@0123#egg=r"),
        ("https://h/some_thing-1.0-py3-none-any.whl", "some-thing", "", None),
    ],
)
def test_a_line_is_a_package(
    tmp_path: Path, line: str, name: str, version: str, spec: str | None
) -> None:
    pins = read_text(tmp_path, f"{line}\n").pins
    assert list(pins) == [name]
    assert pins[name].version == version
    assert spec is None or pins[name].spec == spec


def test_the_order_is_that_of_the_file_and_names_are_normal(tmp_path: Path) -> None:
    assert list(read_text(tmp_path, "b==1\nA==2\n\n# c\nc.c==3").pins) == ["b", "a", "c-c"]


def test_lines_go_on_after_a_backslash_and_hashes_are_kept_apart(tmp_path: Path) -> None:
    locked = read_text(tmp_path, f"a==1 \\\n    --hash={HASH} \\\n    --hash={HASH}\nb==2\n")
    assert locked.pins["a"].spec == "a==1"
    assert locked.pins["a"].sealed == f"a==1 --hash={HASH} --hash={HASH}"
    assert list(locked.pins) == ["a", "b"]


def test_hashes_make_no_difference(tmp_path: Path) -> None:
    first = read_text(tmp_path, f"a==1 --hash={HASH}\n").pins
    assert first == read_text(tmp_path, "a==1\n").pins


def test_the_same_in_other_words_makes_no_difference(tmp_path: Path) -> None:
    first = read_text(tmp_path, "a >=1, <2\nb ; os_name=='nt' and(extra=='x')\n").pins
    assert first == read_text(tmp_path, 'A<2,>=1\nb;os_name == "nt" and extra == "x"\n').pins


def test_options_are_kept_for_the_installer_and_never_shown_with_passwords(tmp_path: Path) -> None:
    text = "-i https://me:secret@h/simple\n--extra-index-url=https://o/\n--pre\n-f wheels\na==1\n"
    locked = read_text(tmp_path, text)
    assert locked.options == (
        Option("--index-url", "https://me:secret@h/simple"),
        Option("--extra-index-url", "https://o/"),
        Option("--pre"),
        Option("--find-links", str(tmp_path / "wheels")),
    )
    pin = read_text(tmp_path, "a @ https://me:secret@h/a.zip\n").pins["a"]
    assert pin.shown == "https://***@h/a.zip"
    with pytest.raises(InvalidLockFile) as caught:
        read_text(tmp_path, "--frobnicate https://me:secret@h/\n")
    assert "secret" not in str(caught.value)


def test_included_files_are_read_and_constraints_bind(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    (tmp_path / "more/base.txt").write_text("-r again.txt\nb==2\n-r ../requirements.txt\n")
    (tmp_path / "more/again.txt").write_text("c==3\n")
    (tmp_path / "bounds.txt").write_text("a==1\nd==4\nb==9\ne==5\n")
    locked = read_text(tmp_path, "a[x]\ne>4\n-r more/base.txt\n-c bounds.txt\n")
    assert {name: (pin.spec, pin.role) for name, pin in locked.pins.items()} == {
        "a": ("a[x]==1", "direct"),
        "e": ("e>4,==5", "direct"),
        "c": ("c==3", "direct"),
        "b": ("b==2", "direct"),
        "d": ("d==4", "bound"),
    }


def test_one_package_may_have_a_line_for_each_marker(tmp_path: Path) -> None:
    text = 'n==1 ; python_version < "3.12"\nn==2 ; python_version >= "3.12"\n'
    pin = read_text(tmp_path, text).pins["n"]
    assert pin.version == "1 or 2"
    assert len(pin.spec.splitlines()) == 2


def test_what_is_not_pinned_is_told(tmp_path: Path) -> None:
    locked = read_text(tmp_path, "a==1\nb>=2\nc\nd @ https://h/d.zip\n-e git+https://h/e#egg=e\n")
    assert locked.unpinned == ("b", "c")


def test_what_powershell_writes_is_read(tmp_path: Path) -> None:
    path = tmp_path / "frozen.txt"
    path.write_bytes("a==1\r\nb==2\r\n".encode("utf-16"))
    assert list(read(path).pins) == ["a", "b"]
    path.write_bytes(b"\xef\xbb\xbfa==1\r\n")
    assert list(read(path).pins) == ["a"]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a==1\n\n!!!\n", "line 3: this is not a requirement ("),
        ("a==1\n\n!!!\n", ": '!!!'"),
        ("a==1 b\n", "line 1: this is not a requirement"),
        ("a>=2004d\n", "line 1: this is not a requirement"),
        ("a==1\\\n\n../../x==1 ; \x00\n", "line 3"),
        ("--frobnicate yes\n", "line 1: wynot does not know this option"),
        ("--trusted-host h\n", "line 1: a file cannot switch off the check of certificates"),
        ("--index-url\n", "line 1"),
        ("--index-url --pre\n", "line 1: the value of an option is missing"),
        ("-r https://h/r.txt\n", "are included"),
        ("-r /etc/hostname\n", "are included"),
        ("-r ../outside.txt\n", "are included"),
        ("a==1 --hash=md5\n", "'md5' is not a valid hash"),
        ("a==1 --global-option=x\n", "wynot does not know --global-option"),
        ("a ; python_version # --x\n", "line 1: this is not a requirement ("),
        ("a\n\na ; system == 'x'\n", "line 3: this is not a requirement ("),
        ("a ; os_name == 'x -e y'\n", "is not a valid environment marker"),
        (
            f"a ; {'(' * 9999}os_name == 'x'{')' * 9999}\n",
            "line 1: this is not a requirement (nested",
        ),
        ("a\n\na[-x]==1\n", "line 3: this is not a requirement"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(InvalidLockFile) as caught:
        read_text(tmp_path, text)
    assert words in str(caught.value)
    assert caught.value.hint


def test_an_included_file_that_is_not_there_is_told_with_who_includes_it(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile, match=r"requirements.txt, line 2: .*gone.txt"):
        read_text(tmp_path, "a==1\n-r gone.txt\n")


def test_lines_can_be_given_without_a_file(tmp_path: Path) -> None:
    options, specs = read_lines(["--find-links wheels", "pytest", "-e ."], tmp_path)
    assert options == (Option("--find-links", os.fspath(tmp_path / "wheels")),)
    assert specs == ["pytest", f"-e {tmp_path.as_uri()}"]
