"""Whatever a test does to its folder, its processes and its output: the result is the same."""

from pathlib import Path

import pytest

from faults.scripts import Place, has, processes, script, text, unique_nap
from tiers import slow_but

WORDS = ("needle", "thread", "button")
RESULT = b"needlethreadbutton\n"

AFTER = {
    "deletes its input": 'rm -f "$1"',
    "fills its input with rubbish": 'head -c 100000 /dev/urandom >"$1"',
    "changes its input, but not its length": 'tr a-z A-Z <"$1" >other; cat other >"$1"; rm other',
    "adds to its input": 'echo needle thread button >>"$1"',
    "puts back the original": 'echo "$original" >"$1"',
    "puts a folder in place of its input": 'rm "$1"; mkdir "$1"; touch "$1/file"',
    "puts a link in place of its input": 'ln -sf "$victim" "$1"',
    "puts a FIFO in place of its input": 'rm "$1"; mkfifo "$1"',
    "renames its folder": 'mv "$PWD" "$PWD.away"',
    "removes its folder": 'rm -rf "$PWD"',
    "removes all folders of the run": 'rm -rf "${PWD%/*/*}"',
    "puts a link in place of its folder": 'rm -rf "$PWD"; ln -s "${victim%/*}" "$PWD"',
    "takes all permissions away": 'mkdir a; touch a/b; chmod -R 000 .; chmod 000 "$TMPDIR"',
    "fills its folder with files": "seq 1500 | xargs touch",
    "digs deep": 'for i in $(seq 30); do mkdir "$(printf %0200d $i)"; cd 0*; done',
    "talks too much": "head -c 200000000 /dev/zero; echo more >&2",
    "leaves processes": "sleep 987.6 & setsid sleep 987.6 & (trap '' HUP; sleep 987.6 &)",
    "leaves a process that writes": '(while :; do echo x >>"$1"; done) 2>/dev/null &',
    "closes its streams": "exec <&- >&- 2>&-",
    "kills its group": "trap '' TERM; kill -TERM 0",
}


QUICK = (
    "removes all folders of the run",
    "leaves processes",
)


@pytest.mark.parametrize("what", slow_but(QUICK, AFTER))
def test_a_test_that_does_harm_comes_to_the_result_of_one_that_does_not(
    tmp_path: Path, what: str
) -> None:
    victim = tmp_path / "outside" / "victim"
    victim.parent.mkdir()
    victim.write_bytes(b"untouched\n")
    place = Place(
        tmp_path / "there",
        text(*WORDS, lines=12),
        env={"victim": str(victim), "original": text(*WORDS, lines=12).decode()},
    )
    test = script(tmp_path / "test", f"{has(*WORDS)}\nr=$?\n{AFTER[what]}\nexit $r")
    # It can take away what the other worker is just using; that is more than can be repaired.
    jobs = "-j1" if "all folders" in what else "-j2"
    how = place.run(jobs, "--atoms", "tokens", test, place.name)
    assert how.code == 0, how.said
    assert "Traceback" not in how.err
    assert place.file.read_bytes() == RESULT
    assert place.backup.read_bytes() == place.original
    assert victim.read_bytes() == b"untouched\n"
    assert [path.name for path in victim.parent.iterdir()] == ["victim"]
    assert not place.others()
    assert not processes(test)
    assert not processes(str(place.folder))


NAP = unique_nap()
ENDS = {
    "hangs": f"sleep {NAP}",
    "stops": "kill -STOP $$",
    "hangs and does not want to end": f"trap '' TERM INT HUP; while :; do sleep {NAP}; done",
    "crashes": "kill -SEGV $$",
    "is killed": "kill -KILL $$",
    "is terminated": "kill -TERM $$",
    "cannot be found": "exit 127",
    "exits with something": "exit 255",
}


HANGING = ("hangs", "stops", "hangs and does not want to end")


@pytest.mark.slow
@pytest.mark.parametrize("how", slow_but(["hangs", "crashes"], ENDS))
def test_a_test_that_does_not_end_well_on_some_candidates_comes_to_the_same_result(
    tmp_path: Path, how: str
) -> None:
    place = Place(tmp_path / "there", text(*WORDS, lines=12))
    # On one in 16 of the candidates without the failure: told by their digests, not by chance.
    seen = tmp_path / "seen"
    some = f'case $(sha256sum <"$1") in 1*) : >{seen}; {ENDS[how]};; esac'
    test = script(tmp_path / "test", f"{has(*WORDS)} && exit 0\n{some}\nexit 1")
    # Two or three of them hang: long enough for the others on any machine, and not too long.
    limit = ("--timeout", "3") if how in HANGING else ()
    ended = place.run("-j2", "--atoms", "tokens", *limit, test, place.name)
    assert ended.code == 0, ended.said
    assert seen.exists()
    assert place.file.read_bytes() == RESULT
    assert not processes(test)
    assert not processes(NAP)


@pytest.mark.slow
def test_a_command_that_talks_too_much_is_known_by_its_failure_all_the_same(
    tmp_path: Path,
) -> None:
    place = Place(tmp_path / "there", text("needle", lines=4))
    talks = "head -c 200000000 /dev/zero | tr '\\0' x; echo boom: needle >&2; exit 3"
    program = script(tmp_path / "program", f"{has('needle')} && {{ {talks}; }}\nexit 0")
    how = place.run("-j2", "--atoms", "lines", "--stderr", "boom", place.name, "--", program, "{}")
    assert how.code == 0, how.said
    assert b"needle" in place.file.read_bytes()
    assert place.file.read_bytes().count(b"\n") == 1
