"""Lock files: which kind they are, what they say, and what is the matter with them."""

import json
import os
from pathlib import Path

import pytest

from unit.inquiries.packages.questioning import read_pair
from wynot.core.errors import (
    InvalidLockFile,
    NoSuchFile,
    NotAFile,
    NothingToReduce,
    Unreadable,
    WynotError,
)
from wynot.inquiries.packages.lock_file import LockFile, Option
from wynot.inquiries.packages.lock_reading import read

SAMPLES = Path(__file__).parents[3] / "samples"
HASH = "sha256:" + "0" * 64

UV = f"""
version = 1
requires-python = ">=3.11"

[[package]]
name = "app"
version = "0.1"
source = {{ editable = "." }}
dependencies = [
    {{ name = "Requests", extra = ["socks"] }},
    {{ name = "pywin32", marker = "sys_platform == 'win32'" }},
]
[package.dev-dependencies]
dev = [{{ name = "numpy" }}]

[[package]]
name = "requests"
version = "2.31.0"
source = {{ registry = "https://pypi.org/simple" }}
dependencies = [{{ name = "idna" }}]
sdist = {{ url = "https://h/r.tar.gz", hash = "{HASH}", size = 1 }}
wheels = [{{ url = "https://h/r.whl", hash = "{HASH}" }}]

[[package]]
name = "idna"
version = "3.4"
source = {{ registry = "https://me@private/simple" }}

[[package]]
name = "pywin32"
version = "306"
source = {{ registry = "https://pypi.org/simple" }}

[[package]]
name = "numpy"
version = "1.26.4"
source = {{ registry = "https://pypi.org/simple" }}
resolution-markers = ["python_full_version < '3.12'"]

[[package]]
name = "numpy"
version = "2.0.0"
source = {{ registry = "https://pypi.org/simple" }}
resolution-markers = ["python_full_version >= '3.12'"]

[[package]]
name = "lib"
version = "1"
source = {{ git = "https://h/lib?subdirectory=py&rev=main#0123abcd" }}
"""

POETRY = f"""
[[package]]
name = "Requests"
version = "2.31.0"
files = [{{file = "r.whl", hash = "{HASH}"}}]

[package.dependencies]
idna = ">=2.5,<4"

[[package]]
name = "idna"
version = "3.4"

[[package]]
name = "colorama"
version = "0.4.6"
markers = "platform_system == \\"Windows\\""

[[package]]
name = "both"
version = "2"
[package.markers]
main = "os_name == \\"nt\\""
dev = "os_name == \\"posix\\""

[[package]]
name = "lib"
version = "1"
[package.source]
type = "git"
url = "https://h/lib.git"
reference = "main"
resolved_reference = "0123abcd"

[[package]]
name = "own"
version = "1"
[package.source]
type = "directory"
url = "../own"

[metadata]
lock-version = "2.1"
content-hash = "00"
"""

PYLOCK = """
lock-version = "1.0"
created-by = "test"
[[packages]]
name = "attrs"
version = "25.1.0"
wheels = [{url = "https://h/a.whl", hashes = {sha256 = "00000000000000000000"}}]
[[packages]]
name = "cattrs"
version = "24.1.2"
marker = "python_version >= '3.9'"
[[packages]]
name = "docs"
version = "1"
marker = "'docs' in dependency_groups"
[[packages]]
name = "lib"
vcs = {type = "git", url = "https://h/lib.git", commit-id = "0123abcd"}
"""

NPM = {
    "name": "app",
    "lockfileVersion": 3,
    "packages": {
        "": {"dependencies": {"a": "^1"}, "devDependencies": {"@s/b": "2"}},
        "node_modules/a": {"version": "1.0.0", "integrity": "sha512-x", "license": "MIT"},
        "node_modules/@s/b": {"version": "2.0.0", "resolved": "https://r/b.tgz", "dev": True},
        "node_modules/a/node_modules/@s/b": {"version": "1.0.0"},
        "node_modules/c": {"version": "3.0.0", "resolved": "git+ssh://git@h/c.git#0123"},
    },
}
OLD_NPM = {
    "lockfileVersion": 1,
    "dependencies": {
        "a": {
            "version": "1.0.0",
            "requires": {"@s/b": "^1"},
            "dependencies": {"@s/b": {"version": "1.0.0"}},
        },
        "@s/b": {"version": "2.0.0"},
    },
}


def read_text(folder: Path, name: str, text: str) -> LockFile:
    (folder / name).write_text(text)
    return read(folder / name)


def test_uv_asks_for_what_the_project_needs_and_binds_the_rest(tmp_path: Path) -> None:
    locked = read_text(tmp_path, "uv.lock", UV)
    assert locked.kind == "uv.lock"
    assert {name: (pin.version, pin.spec, pin.role) for name, pin in locked.pins.items()} == {
        "requests": ("2.31.0", "requests[socks]==2.31.0", "direct"),
        "idna": ("3.4", "idna==3.4", "bound"),
        "pywin32": ("306", 'pywin32==306 ; sys_platform == "win32"', "direct"),
        "numpy": (
            "1.26.4 or 2.0.0",
            (
                'numpy==1.26.4 ; python_full_version < "3.12"\n'
                'numpy==2.0.0 ; python_full_version >= "3.12"'
            ),
            "direct",
        ),
        "lib": ("1", "lib @ git+https://h/lib@0123abcd#subdirectory=py", "bound"),
    }
    assert locked.pins["requests"].sealed.count(f"--hash={HASH}") == 2
    assert locked.options == (Option("--extra-index-url", "https://me@private/simple"),)
    assert locked.left_out == ("app",)


def test_poetry_asks_for_what_nothing_else_needs(tmp_path: Path) -> None:
    locked = read_text(tmp_path, "old.lock", POETRY)
    assert locked.kind == "poetry.lock"
    assert {name: (pin.spec, pin.role) for name, pin in locked.pins.items()} == {
        "requests": ("requests==2.31.0", "direct"),
        "idna": ("idna==3.4", "bound"),
        "colorama": ('colorama==0.4.6 ; platform_system == "Windows"', "direct"),
        "both": ('both==2 ; os_name == "nt" or os_name == "posix"', "direct"),
        "lib": ("lib @ git+https://h/lib.git@0123abcd", "direct"),
    }
    assert locked.left_out == ("own",)


def test_the_standard_format_is_read(tmp_path: Path) -> None:
    locked = read_text(tmp_path, "pylock.toml", PYLOCK)
    assert {name: (pin.spec, pin.role) for name, pin in locked.pins.items()} == {
        "attrs": ("attrs==25.1.0", "direct"),
        "cattrs": ('cattrs==24.1.2 ; python_version >= "3.9"', "direct"),
        "docs": ("docs==1", "bound"),
        "lib": ("lib @ git+https://h/lib.git@0123abcd", "direct"),
    }


@pytest.mark.parametrize(
    ("marker", "role"),
    [
        ("extra=='dev'", "bound"),
        ("os_name=='nt'and(extra=='dev')", "bound"),
        ("'dev'in extras", "bound"),
        ("platform_version == 'extra'", "direct"),
    ],
)
def test_what_only_the_project_can_decide_is_a_bound(
    tmp_path: Path, marker: str, role: str
) -> None:
    lines = [POETRY.partition("[metadata]")[0], f'name = "x"\nversion = "1"\nmarkers = "{marker}"']
    whole = "\n[[package]]\n".join(lines) + "\n[metadata]\nlock-version = '2.1'\n"
    pin = read_text(tmp_path, "poetry.lock", whole).pins["x"]
    assert pin.role == role
    assert ("extra" in pin.spec) == (role == "direct")


def test_packages_of_npm_are_called_by_their_place(tmp_path: Path) -> None:
    locked = read_text(tmp_path, "package-lock.json", json.dumps(NPM))
    assert locked.ecosystem == "node"
    assert {name: (pin.version, pin.role) for name, pin in locked.pins.items()} == {
        "a": ("1.0.0", "direct"),
        "@s/b": ("2.0.0", "direct"),
        "a/node_modules/@s/b": ("1.0.0", "bound"),
        "c": ("3.0.0", "bound"),
    }
    assert locked.pins["c"].spec == "git+ssh://git@h/c.git#0123"


def test_the_old_format_of_npm_is_read(tmp_path: Path) -> None:
    pins = read_text(tmp_path, "package-lock.json", json.dumps(OLD_NPM)).pins
    assert {name: pin.version for name, pin in pins.items()} == {
        "a": "1.0.0",
        "a/node_modules/@s/b": "1.0.0",
        "@s/b": "2.0.0",
    }
    assert "dependencies" not in json.loads(pins["a"].sealed)


def test_only_metadata_of_npm_is_no_difference(tmp_path: Path) -> None:
    first = read_text(tmp_path, "a.json", json.dumps(NPM)).pins
    assert first == read_text(tmp_path, "a.json", json.dumps(NPM).replace("MIT", "BSD")).pins


@pytest.mark.parametrize("name", ["packages/good.txt", "packages/uv/good.lock"])
def test_real_files_are_read(name: str) -> None:
    locked = read(SAMPLES / name)
    assert len(locked.pins) == 34
    assert locked.pins["werkzeug"].version == "2.2.3"
    assert not locked.unpinned


def _npm(**packages: object) -> str:
    return json.dumps({"lockfileVersion": 3, "packages": packages})


def _uv(*lines: str) -> str:
    return "\n".join(["version = 1", "[[package]]", *lines])


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("r.txt", "", "is empty"),
        ("r.txt", " \n", "is empty"),
        ("r.txt", "# nothing\n", "names no package"),
        ("uv.lock", "version = 1\n[[package]\n", "this is not valid TOML"),
        ("uv.lock", "<<<<<<< HEAD\n[[package]]\n", "this is not valid TOML"),
        ("x.lock", "a = 1\n", "not of a known kind; it begins with 'a = 1'"),
        ("uv.lock", _uv("name = 1"), "name should be a string, and is '1'"),
        ("uv.lock", _uv("version = '1'"), "name should be a string, and is nothing"),
        ("uv.lock", _uv("name = '../x'", "version = '1'"), "'../x' is not a valid package name"),
        ("uv.lock", _uv("name = 'a'", r'version = "1\n--pre"'), "is not a valid version"),
        (
            "uv.lock",
            _uv("name = 'a'", "version = '1'", "resolution-markers = ['system == 1']"),
            "'(system == 1)' is not a valid environment marker",
        ),
        ("uv.lock", "version = 1\npackage = 3", "package should be a list"),
        ("uv.lock", _uv("name='a'", "version='1'", "source='x'"), "source should be a table"),
        (
            "p.json",
            "{",
            "this is not valid JSON: Expecting property name enclosed in double quotes: l",
        ),
        ("p.json", "{}", "not of a known kind"),
        ("p.json", "[" * 100_000, "not of a known kind"),
        ("p.json", '{"a":' * 100_000, "nested too deeply"),
        ("p.json", '{"lockfileVersion": 9}', "lockfileVersion should be 1, 2 or 3, and is '9'"),
        (
            "p.json",
            _npm(**{"node_modules/../../x": {"version": "1"}}),
            "is not a valid package location",
        ),
        (
            "p.json",
            _npm(**{"node_modules/-x": {"version": "1"}}),
            "is not a valid package location",
        ),
        ("p.json", _npm(**{"node_modules/x": {"version": "; rm"}}), "is not a valid URL"),
        ("p.json", _npm(**{"libs/x": {"version": "1"}}), "(a workspace)"),
        ("p.json", _npm(**{"/".join(["node_modules/x"] * 70): {"version": "1"}}), "64 deep"),
        ("p.json", _npm(**{"node_modules/x": {"link": True}}), "(a workspace)"),
        ("p.json", _npm(**{"node_modules/x": 1}), "should be a table"),
        ("yarn.lock", "# yarn lockfile v1\n", "cannot be read here"),
        ("Pipfile.lock", "{}", "cannot be read here"),
    ],
)
def test_a_broken_file_is_told(tmp_path: Path, name: str, text: str, words: str) -> None:
    with pytest.raises(InvalidLockFile) as caught:
        read_text(tmp_path, name, text)
    assert words in str(caught.value)
    assert caught.value.hint
    assert len(str(caught.value)) < 600


def test_bytes_that_are_no_text_are_told(tmp_path: Path) -> None:
    (tmp_path / "r.txt").write_bytes(b"a==1\n\xff\xfe\x00")
    with pytest.raises(InvalidLockFile, match="not text: byte 0xff at 5"):
        read(tmp_path / "r.txt")


def test_files_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    wrong: dict[Path, type[WynotError]] = {tmp_path / "gone": NoSuchFile, tmp_path: NotAFile}
    os.mkfifo(tmp_path / "fifo")
    wrong[tmp_path / "fifo"] = NotAFile
    wrong[tmp_path / ("x" * 300)] = Unreadable
    for path, error in wrong.items():
        with pytest.raises(error) as caught:
            read(path)
        assert caught.value.hint


def test_two_kinds_of_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("a==1\n")
    (tmp_path / "uv.lock").write_text(UV)
    with pytest.raises(
        InvalidLockFile, match=r"two kinds of files: .* a requirements file, .* a uv"
    ):
        read_pair(tmp_path / "good.txt", tmp_path / "uv.lock")


def test_the_same_packages_are_refused(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("a==1\nb==2\n")
    (tmp_path / "bad.txt").write_text("# later\nB==2\na==1\n")
    with pytest.raises(NothingToReduce, match="the same 2 packages"):
        read_pair(tmp_path / "good.txt", tmp_path / "bad.txt")
