"""Clean-up stays in the private folders, whatever a test has mounted or linked there.

All of it is done in a mount namespace that ends with the program: as root, and as an ordinary user
where such a user may have one. Only folders of the test are mounted: a clean-up that went too far
would lose nothing else.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

TESTS = Path(__file__).parents[1]
NAMESPACES = {"root": ("unshare", "-m"), "user": ("unshare", "-Urm")}

MOUNTING = {
    "in its folder": "mkdir m; mount --bind $OUTSIDE m",
    "deep below": "mkdir -p x/y/m; mount --bind $OUTSIDE x/y/m; touch x/y/z",
    "below a folder that is read-only": "mkdir -p x/m; mount --bind $OUTSIDE x/m; chmod 500 x .",
    "at a path with blanks": "mkdir 'a b'; mount --bind $OUTSIDE 'a b'",
    "twice at one place": "mkdir m; mount --bind $OUTSIDE m; mount --bind $OUTSIDE m",
    "over its folder": "mount --bind $OUTSIDE $PWD",
    "its folder over itself": "mount --bind . $PWD",
    "over the temporary folder": "mount --bind $OUTSIDE $TMPDIR",
    "beside its folder": "mkdir ../m; mount --bind $OUTSIDE ../m",
    "over the folder around": 'mount --bind $OUTSIDE "$(realpath ..)"',
    "over the private folder": 'mount --bind $OUTSIDE "$(realpath ../..)"',
    "over the root": 'mount --bind $OUTSIDE "$(realpath ../../..)"',
    "over a folder of the candidate": "mount --bind $OUTSIDE d",
    "over a file of the candidate": "mount --bind $OUTSIDE/file a",
    "another file system": "mkdir t; mount -t tmpfs none t; touch t/x; mount --bind $OUTSIDE d",
    "with what is mounted in it": "mkdir r; mount --rbind $OUTSIDE r",
}
LINKING = {
    "a link for the root": 'r="$(realpath ../../..)"; rm -rf $r; ln -s $OUTSIDE $r',
    "a link for the folder around": 'r="$(realpath ..)"; rm -rf $r; ln -s $OUTSIDE $r',
    "a link for the private folder": 'r="$(realpath ../..)"; rm -rf $r; ln -s $OUTSIDE $r',
    "links for its folder": 'r="$(realpath .)"; rm -rf $r $TMPDIR; ln -s $OUTSIDE $r',
    "a hard link for a file": "ln -f $OUTSIDE/file a; ln $OUTSIDE/file d/c",
    "a hard link for a file of the same text": "ln -f a $OUTSIDE/../a; ln -f $OUTSIDE/../a d/b",
    "a link for a folder": "rm -r d; ln -s $OUTSIDE d",
}

PROGRAM = """
import json, os, stat, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from agents import LoneHostedSandbox
from wynot.core.files import Files
from wynot.wire.run_request import Limits, RunRequest
from wynot.machine.removal import mount_points

outside = Path(os.environ["OUTSIDE"])
files = Files({"a": b"1", "d/b": b"2"})

def seen():
    return {
        str(path): (oct(path.lstat().st_mode), path.read_bytes() if path.is_file() else None)
        for path in sorted([outside, *outside.rglob("*")])
    }

def held(folder):
    found = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in found}

wrong = {}
before = seen()
for name, script in json.load(sys.stdin).items():
    bench = LoneHostedSandbox()
    try:
        bench.place(files)
        for _ in range(2):
            ending = bench.run(RunRequest(
                ["sh", "-ec", script], limits=Limits(is_test=True), capture=True
            ))
            bench.place(files)
            found = [
                ending.stderr.decode() if ending.status else "",
                "changed outside" if seen() != before else "",
                "" if held(bench.folder) == files.contents else "not as placed",
                *map(str, filter(None, [bench.stuck])),
                *map(str, mount_points(bench.private.parent)),
            ]
            if any(found):
                wrong[name] = found
    except OSError as error:
        wrong[name] = [error.strerror]
    finally:
        bench.close()
    left = mount_points(bench.private.parent)
    if bench.private.parent.exists() or left or seen() != before:
        wrong.setdefault(name, []).append([*map(str, left), seen() == before])
print(json.dumps(wrong))
"""


def in_namespace(kind: str, command: str, tmp_path: Path, given: object = None) -> Any:
    """Run a command of the shell in a new mount namespace; return what it prints, as JSON."""
    permitted = subprocess.run([*NAMESPACES[kind], "true"], capture_output=True, check=False)  # noqa: S603 - our own words
    if permitted.returncode:
        pytest.skip(f"{' '.join(NAMESPACES[kind])} is not permitted here")
    outside = tmp_path / "outside"
    inner = ("scratch", "scratch/case", "scratch/tmp")
    for each in ("", "0", *inner, *(f"0/{name}" for name in inner), "case", "tmp", "d"):
        (outside / each).mkdir()
        (outside / each / "file").write_text(f"precious: {each}")
        (outside / each).chmod(0o755)
    (outside / "file").chmod(0o640)
    ended = subprocess.run(  # noqa: S603 - our own words
        [*NAMESPACES[kind], "sh", "-c", command, sys.executable, PROGRAM, str(TESTS), RERUN],
        input=json.dumps(given),
        env={**os.environ, "OUTSIDE": str(outside), "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return json.loads(ended.stdout)


RUN = 'mount -t tmpfs none "$OUTSIDE/d"; touch "$OUTSIDE/d/file"; exec "$0" -c "$1" "$2"'


@pytest.mark.parametrize("kind", NAMESPACES)
def test_clean_up_does_not_go_into_mounts_and_undoes_them(kind: str, tmp_path: Path) -> None:
    assert in_namespace(kind, RUN, tmp_path, {**MOUNTING, **LINKING}) == {}


def test_unmounting_a_copy_leaves_what_is_mounted_in_the_original(tmp_path: Path) -> None:
    """Most systems share all mounts: what happens to a copy happens to the original, too."""
    name = "with what is mounted in it"
    command = f"mount --make-rshared /; {RUN}"
    assert in_namespace("root", command, tmp_path, {name: MOUNTING[name]}) == {}


REFUSED = """
mkfifo "$OUTSIDE/../ask" "$OUTSIDE/../done"
(exec > "$OUTSIDE/../log"; while read line < "$OUTSIDE/../ask"; do
    $line; echo > "$OUTSIDE/../done"
done) &
setpriv --bounding-set=-sys_admin "$0" -c "$1" "$2"
kill $!
"""


@pytest.mark.parametrize("kind", NAMESPACES)
def test_a_mount_that_cannot_be_undone_is_left_alone_and_named(kind: str, tmp_path: Path) -> None:
    """As that of another user is, or one by FUSE: here somebody else mounts it for the test."""
    if shutil.which("setpriv") is None:
        pytest.skip("there is no setpriv")
    ask = '{ echo "mount --bind $OUTSIDE %s" > $OUTSIDE/../ask; read _ < $OUTSIDE/../done; }'
    scripts = {
        "inside": f"mkdir m; {ask % '$PWD/m'}",
        "around": ask % "$(realpath ../..)",
    }
    found = in_namespace(kind, REFUSED, tmp_path, scripts)
    *fine, stuck, first, second, at_the_end = found["inside"]
    assert fine == ["", "", ""]
    assert stuck == second
    assert stuck.endswith("/0-1/scratch/case/m")
    assert at_the_end == [first, second, True]
    message, at_the_end = found["around"]
    assert message == "Device or resource busy"
    assert at_the_end[1:] == [True]


RERUN = """
import json, os, sys
from pathlib import Path
from types import SimpleNamespace
from wynot.pytesting.rerun import Reruns

outside = Path(os.environ["OUTSIDE"])
base = outside.parent / "base"
desk = SimpleNamespace(base=base, folders=[base / "test0"])
before = sorted(outside.rglob("*"))
Reruns(SimpleNamespace(funcargs={}, user_properties=[]), desk).remove_folders()
print(json.dumps([sorted(outside.rglob("*")) == before, (base / "test0" / "file").exists()]))
"""


@pytest.mark.parametrize("kind", NAMESPACES)
def test_a_rerun_of_pytest_does_not_remove_what_is_mounted(kind: str, tmp_path: Path) -> None:
    mounting = 'cd "$OUTSIDE/.."; mkdir -p base/test0/m; touch base/test0/file'
    command = f'{mounting}; mount --bind "$OUTSIDE" base/test0/m; exec "$0" -c "$3"'
    assert in_namespace(kind, command, tmp_path) == [True, False]
