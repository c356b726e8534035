"""A folder holds exactly what it is to hold, whatever a test has done there."""

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from agents import LoneHostedSandbox
from wynot.core.files import Files
from wynot.machine.removal import remove
from wynot.wire.run_request import Limits, RunRequest

LIMITS = Limits(timeout=300)
ONE = Files({"case.c": b"int x;\n"})
OTHER = Files({"case.c": b"int y = 1;\n"})
SHORT = Files({"case.c": b""})
MANY = Files(
    {"a": b"1", "d/b": b"2", "d/e/c": b"3", "s.sh": b"exit 3\n"},
    {"s.sh": 0o750},
    {"d/link": "../a", "out": "/etc/passwd"},
)


@pytest.fixture
def bench() -> Iterator[LoneHostedSandbox]:
    made = LoneHostedSandbox()
    yield made
    made.close()


def held(folder: Path) -> Files:
    contents, modes, links = {}, {}, {}
    for path in sorted(folder.rglob("*")):
        name = str(path.relative_to(folder))
        if path.is_symlink():
            links[name] = os.readlink(path)  # noqa: PTH115 - a string, as it was given
        elif path.is_file():
            contents[name] = path.read_bytes()
            mode = stat.S_IMODE(path.stat().st_mode)
            if mode != 0o644:
                modes[name] = mode
        else:
            assert path.is_dir()
    return Files(contents, modes, links)


def run(bench: LoneHostedSandbox, script: str) -> None:
    bench.run(RunRequest(["sh", "-c", script], limits=LIMITS))


@pytest.mark.parametrize("second", [ONE, OTHER, SHORT, MANY, Files({})])
@pytest.mark.parametrize("first", [ONE, SHORT, MANY, Files({})])
def test_it_holds_what_is_placed(bench: LoneHostedSandbox, first: Files, second: Files) -> None:
    for files in (first, second, second, first):
        bench.place(files)
        assert held(bench.folder) == files
        run(bench, "true")
    bench.place(Files(first.contents, dict.fromkeys(first.contents, 0o600), first.links))
    assert {path.stat().st_mode & 0o777 for path in bench.folder.glob("*.c")} <= {0o600}


HOSTILE = {
    "writes over it": "echo 666 > case.c",
    "same length": "printf 'int z;\\n' > case.c",
    "appends": "echo 666 >> case.c",
    "removes it": "rm case.c",
    "leaves files": "touch $(seq 3000); mkdir x; touch x/y",
    "leaves odd names": "touch \"$(printf 'a\\377b')\" ' ' \"$(printf 'n\\nl')\" -rf; mkdir .d",
    "a fifo in its place": "rm case.c; mkfifo case.c",
    "a fifo": "mkfifo p",
    "a folder in its place": "rm case.c; mkdir case.c; touch case.c/x",
    "a link in its place": "rm case.c; ln -s $OUTSIDE/precious case.c",
    "a hard link to it": "ln case.c $OUTSIDE/linked || ln case.c ../linked",
    "a hard link in its place": "rm case.c; ln $OUTSIDE/precious case.c || touch y",
    "links to folders": "ln -s $OUTSIDE a; mkdir b; ln -s $OUTSIDE b/c; ln -s / root",
    "no permissions": "mkdir a a/b; touch a/b/c; chmod 0 a/b a case.c .",
    "read-only": "mkdir a; touch a/b; chmod 500 a; chmod 400 case.c; chmod 500 .",
    "removes the folder": "rm -rf $PWD",
    "removes the bench": "rm -rf $PWD/..",
    "removes the root": "rm -rf $PWD/../../..",
    "renames the folder": "mv $PWD $PWD/../other; mkdir $PWD; touch $PWD/new",
    "renames the scratch folder": "mv $PWD/.. $PWD/../../other",
    "renames the bench": "mv $PWD/../.. $PWD/../../../other",
    "the folder is a link": "mv $PWD ../gone; ln -s $OUTSIDE $PWD",
    "the scratch folder is a link": "mv $PWD/.. $PWD/../../gone; ln -s $OUTSIDE ${PWD%/*}",
    "the bench is a link": "mv $PWD/../.. $PWD/../../../gone; ln -s $OUTSIDE ${PWD%/*/*}",
    "the folder is a file": "mv $PWD ../gone; echo 1 > $PWD",
    "another in its place": "mkdir ../new; cp case.c ../new; mv $PWD ../old; mv ../new $PWD",
    "swaps": "cp case.c d; mv d case.c",
    "deep": "p=$(printf 'ddddddddd/%.0s' $(seq 400)); for i in 1 2 3; do mkdir -p $p; cd $p; done",
    "immutable": "chattr +i case.c 2> /dev/null || chmod 400 case.c",
}


@pytest.mark.parametrize("script", HOSTILE.values(), ids=list(HOSTILE))
@pytest.mark.parametrize("then", [ONE, OTHER, MANY])
def test_whatever_a_test_does_is_gone(
    bench: LoneHostedSandbox, tmp_path: Path, script: str, then: Files
) -> None:
    precious = tmp_path / "precious"
    precious.write_text("precious")
    root = bench.private.parent
    bench.place(ONE)
    for _ in range(2):
        bench.run(RunRequest(["sh", "-c", script], limits=LIMITS, env={"OUTSIDE": str(tmp_path)}))
        bench.place(then)
        assert held(bench.folder) == then
        assert not bench.folder.is_symlink()
        ending = bench.run(RunRequest(["sh", "-c", "pwd -P; ls"], limits=LIMITS, capture=True))
        assert ending.stdout.decode().split() == [
            str(bench.folder),
            *sorted(os.listdir(bench.folder)),  # noqa: PTH208 - names
        ]
        bench.place(ONE)
        assert held(bench.folder) == ONE
    assert precious.read_text() == "precious"
    assert {path.name for path in tmp_path.iterdir()} <= {"precious", "linked", "0", "tmp", "case"}
    if "chattr" in script:
        bench.run(RunRequest(["sh", "-c", f"chattr -R -i {root} || true"], limits=LIMITS))
    bench.close()
    assert not root.exists()


def test_what_did_not_change_is_not_written_again(bench: LoneHostedSandbox) -> None:
    many = {f"d{n % 7}/f{n}": b"%d" % n for n in range(200)}
    bench.place(Files(many))
    run(bench, "sleep 0.02")
    before = {name: (bench.folder / name).stat().st_ino for name in many}
    bench.place(Files(many))
    run(bench, "rm d0/f0; echo x > d1/f1; touch d2/new; printf 9 > d2/f9; mkdir d3/sub; rm -r d4")
    fewer = {name: content for name, content in many.items() if not name.endswith("99")}
    changed = {**fewer, "d5/f5": b"changed"}
    bench.place(Files(changed))
    assert held(bench.folder).contents == changed
    again = {name: (bench.folder / name).stat().st_ino for name in changed}
    kept = {name for name in changed if again[name] == before[name]}
    gone = {name for name in changed if name.startswith("d4/")}
    assert len(changed.keys() - kept - gone) <= 4  # f0, f1, f9 and f5
    assert len(kept) > 160


def test_a_change_within_the_grain_of_the_clock_is_seen(bench: LoneHostedSandbox) -> None:
    """A test can be over before the clock of the files has moved on."""
    files = Files({"a": b"1", "b": b"2"})
    for _ in range(50):
        bench.place(files)
        (bench.folder / "a").write_bytes(b"3")
        assert bench.run(RunRequest(["/bin/true"], limits=LIMITS)).status == 0
        bench.place(files)
        assert (bench.folder / "a").read_bytes() == b"1"
        bench.run(RunRequest(["sh", "-c", "printf 4 > b"], limits=LIMITS))


@pytest.mark.parametrize("path", ["/etc/x", "../x", "a/../../x", "a//b", "", ".", "a/./b", "a\0b"])
@pytest.mark.parametrize("make", [lambda p: Files({p: b""}), lambda p: Files({}, links={p: "x"})])
def test_a_path_that_leads_out_is_refused(
    bench: LoneHostedSandbox, path: str, make: Callable[[str], Files]
) -> None:
    with pytest.raises(ValueError, match="a path inside its folder"):
        bench.place(make(path))
    assert held(bench.folder) == Files({})


@pytest.mark.parametrize(
    "files",
    [
        Files({"a/b": b""}, links={"a": "/etc"}),
        Files({"a": b""}, links={"a": "/etc"}),
        Files({"a": b"", "a/b": b""}),
    ],
)
def test_a_path_through_a_link_or_a_file_is_refused(bench: LoneHostedSandbox, files: Files) -> None:
    with pytest.raises(ValueError, match="a path leads through"):
        bench.place(files)


def test_removal_tells_whether_it_is_gone(tmp_path: Path) -> None:
    assert remove(tmp_path / "never")
    (tmp_path / "folder").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "folder")
    assert remove(tmp_path / "link")
    assert remove(tmp_path / "folder")
    assert list(tmp_path.iterdir()) == []
    assert not remove("/proc/self")
