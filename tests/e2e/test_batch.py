"""``wynot batch``: folders of failing inputs, in groups, each group reduced."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from e2e.programs import CALM, Ran, refused, shell, text, there, told

PROGRAM = r"""
case $(cat "$1") in
*boom*) echo "prog: parse.c:12: parse: Assertion \`depth < 9' failed." >&2; kill -ABRT $$;;
*zap*) echo "==7==ERROR: AddressSanitizer: heap-use-after-free on address 0x6020 at pc 0x1"
    echo "READ of size 1 at 0x6020 thread T0"
    echo "    #0 0x55 in next_token lex.c:9"
    echo "    #1 0x56 in parse parse.c:40"; exit 1;;
*pow*) echo "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x6029 at pc 0x1"
    echo "    #0 0x55 in unquote lex.c:77"
    echo "    #1 0x56 in parse parse.c:41"; exit 1;;
*odd*) echo "error: odd input" >&2; exit 1;;
esac
"""
REPORTS = r"""
case $(cat "$1") in
*red*) line=70 buffer=a;; *blue*) line=80 buffer=b;; *green*) line=90 buffer=a;; *) exit 0;;
esac
echo "==7==ERROR: AddressSanitizer: stack-buffer-overflow on address 0x6029 at pc 0x1"
echo "    #0 0x55 in unquote lex.c:$line"
echo "    #1 0x56 in parse parse.c:41"
echo "  This frame has 2 object(s):"
echo "    [32, 42) '$buffer' (line 5) <== Memory access at offset 42 overflows this variable"
exit 1
"""
LINES = "one two three\n[4, 5]\n{six}\n"


def crashes(folder: Path, **contents: str) -> Path:
    """Write a program that logs its runs, and inputs by the words that are in them."""
    shell(folder, f'echo run >>"{folder}/log"{PROGRAM}', "prog.sh")
    for name, word in contents.items():
        text(folder / "crashes" / name, f"{LINES}{name} {word}\n{LINES}")
    return folder


def batch(folder: Path, *arguments: str | Path) -> Ran:
    return told(folder, "batch", "-j1", *CALM, *arguments, "crashes", "--", "./prog.sh", "{}")


def results(folder: Path, name: str = "crashes.reduced") -> dict[str, Any]:
    found: dict[str, Any] = json.loads((folder / name / "results.json").read_text())
    return found


def runs(folder: Path) -> int:
    return (folder / "log").read_text().count("run")


def test_each_cause_is_one_small_case(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap", c="boom", d="fine", e="pow", f="zap", g="odd", h="boom")
    text(tmp_path / "crashes/README.txt", "boom: AFL writes this file")
    text(tmp_path / "crashes/id:000000,sig:06,src:000000,op:flip1", "boom")
    ran = batch(tmp_path)
    assert (ran.code, ran.err) == (0, "")
    found = results(tmp_path)
    members = {group["kind"]: sorted(group["members"]) for group in found["groups"]}
    assert members == {
        "Assertion": ["a", "c", "h", "id:000000,sig:06,src:000000,op:flip1"],
        "AddressSanitizer: heap-use-after-free": ["b", "f"],
        "AddressSanitizer: heap-buffer-overflow": ["e"],
    }
    assert (found["passing"], found["rejected"]) == (["d"], ["g"])
    folder = tmp_path / "crashes.reduced"
    left = {(folder / group["reduced"]).read_text().strip() for group in found["groups"]}
    assert left == {"boom", "zap", "pow"}
    assert "3 causes of 7 failing inputs (9 inputs)" in ran.out
    assert "1 rejected with an ordinary error" in ran.out


def test_a_command_that_was_done_asks_nothing_again(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap")
    assert batch(tmp_path).code == 0
    before, asked = there(tmp_path / "crashes.reduced"), runs(tmp_path)
    assert batch(tmp_path).code == 0
    assert runs(tmp_path) == asked
    now = there(tmp_path / "crashes.reduced")
    assert {name for name in now if now[name] != before[name]} <= {
        *("index.html", "junit.xml", "results.json"),  # they say how long it took
    }


def test_what_another_user_has_left_in_the_results_is_kept_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = crashes(tmp_path, a="boom")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    assert batch(folder).code == 0
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "own"))
    [home] = (folder / "crashes.reduced/.wynot/batch").glob("*/")
    [copy] = home.glob("*/input")
    copy.write_text("boom, as a stranger has it")
    before = runs(folder)
    ran = batch(folder)
    assert ran.code == 0
    assert "starting over: the earlier run was another user's" in ran.out
    assert runs(folder) > before
    assert (home.with_name(f"{home.name}.1") / copy.relative_to(home)).exists()
    [group] = results(folder)["groups"]
    assert group["inputs"][0]["before"] == (folder / "crashes/a").stat().st_size


def test_only_what_is_new_in_the_folder_is_run(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap")
    assert batch(tmp_path).code == 0
    asked = runs(tmp_path)
    text(tmp_path / "crashes/new", f"{LINES}{LINES}{LINES} zap")
    assert batch(tmp_path).code == 0
    assert runs(tmp_path) == asked + 1
    [zap] = [each for each in results(tmp_path)["groups"] if "Sanitizer" in each["kind"]]
    assert zap["members"] == ["b", "new"]


@pytest.mark.slow
def test_a_budget_stops_it_and_the_same_command_goes_on(tmp_path: Path) -> None:
    whole = crashes(tmp_path / "whole", a="boom", b="zap", c="pow")
    assert batch(whole).code == 0
    part = crashes(tmp_path / "part", a="boom", b="zap", c="pow")
    ran = batch(part, "--max-tests", "12")
    assert ran.code == 3
    assert "Stopped by --max-tests. The same command continues from there." in ran.out
    assert {"stopped", "open"} & {group["state"] for group in results(part)["groups"]}
    assert batch(part).code == 0
    assert runs(part) <= runs(whole) + 1  # what a result prints when it is looked at in the end
    assert there(part / "crashes.reduced").keys() == there(whole / "crashes.reduced").keys()
    states = [group["state"] for group in results(part)["groups"]]
    assert states == ["reduced", "reduced", "reduced"]


def test_each_input_has_a_budget_of_its_own(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap")
    ran = batch(tmp_path, "--max-time-each", "0")
    assert ran.code == 3
    assert [group["state"] for group in results(tmp_path)["groups"]] == ["stopped", "stopped"]
    assert "2 groups stopped by --max-time-each" in ran.out
    assert ran.out.count("\n      max-time-each\n") == 2


@pytest.mark.slow
def test_the_result_is_the_same_at_any_width(tmp_path: Path) -> None:
    found = []
    for jobs in ("1", "3"):
        place = crashes(tmp_path / jobs, a="boom", b="zap", c="boom", d="pow", e="zap")
        assert batch(place, "-j", jobs).code == 0
        found.append(
            {
                name: content
                for name, content in there(place / "crashes.reduced").items()
                if "/" in name
            }
        )
    assert found[0] == found[1]


def test_several_inputs_of_a_group_can_be_reduced(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="boom", c="boom")
    assert batch(tmp_path, "--per-group", "2").code == 0
    [group] = results(tmp_path)["groups"]
    assert [each["size"] for each in group["inputs"]] == [group["size"]] * 2


def test_groups_that_slip_together_are_noticed(tmp_path: Path) -> None:
    crashes(tmp_path, a="zap")
    text(tmp_path / "crashes/b", f"{LINES} boom{'m' * 40} zap\n")
    body = f'"{tmp_path}/prog.sh" "$1"; test $? -ne 0'
    shell(tmp_path, body, "test.sh")
    ran = told(tmp_path, "batch", *CALM, "--atoms", "lines", "crashes", "test.sh")
    assert ran.code == 0
    states = [group["state"] for group in results(tmp_path)["groups"]]
    assert states == ["reduced", "reduced"]  # they are two, as long as words stay whole
    found = told(tmp_path, "batch", *CALM, "-o", "fine", "crashes", "test.sh")
    assert found.code == 0
    groups = results(tmp_path, "fine")["groups"]
    assert [group["state"] for group in groups] == ["reduced", "duplicate"]
    assert groups[0]["all_members"] == ["a", "b"]
    assert len([path for path in (tmp_path / "fine").iterdir() if path.is_dir()]) == 2  # .wynot


def test_a_script_can_be_the_test_and_what_it_prints_tells_failures_apart(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap", c="fine", d="zap")
    shell(tmp_path, f'"{tmp_path}/prog.sh" "$1" && exit 1; exit 0', "test.sh")
    assert told(tmp_path, "batch", *CALM, "crashes", "test.sh").code == 0
    assert told(tmp_path, "batch", *CALM, "-o", "other", "test.sh", "crashes").code == 0
    for name in ("crashes.reduced", "other"):
        found = results(tmp_path, name)
        assert sorted(group["members"] for group in found["groups"]) == [["a"], ["b", "d"]]
        assert found["passing"] == ["c"]


def test_hostile_names_and_contents_do_no_harm(tmp_path: Path) -> None:
    crashes(tmp_path)
    (tmp_path / "crashes").mkdir()
    names = ["<script>alert(1)</script>", "a\nb\x1b[31m", "'; touch pwned; '", "]]>&amp;", "\udcff"]
    for name in names:
        path = tmp_path / "crashes" / name.replace("/", "_")
        path.write_bytes(f"</pre><script>x</script>\u202e {name!r} boom {'x' * len(name)}".encode())
    ran = batch(tmp_path, "--keep", "</pre>.*", "--no-rename")
    assert ran.code == 0, ran
    assert "\x1b" not in ran.out
    out = tmp_path / "crashes.reduced"
    page = (out / "index.html").read_text()
    assert page.count("<script") == 1  # our own, which the policy names
    assert "&lt;/pre&gt;&lt;script&gt;" in page
    assert "\u202e" not in page
    assert "default-src &#x27;none&#x27;" in page
    suite = ET.parse(out / "junit.xml").getroot()  # noqa: S314 - our own
    assert suite.attrib["failures"] == "1"
    log = json.loads((out / "results.sarif").read_text())
    assert log["runs"][0]["results"][0]["occurrenceCount"] == len(names)
    assert not list(tmp_path.rglob("pwned"))


def test_files_that_are_no_inputs_are_named(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom")
    secret = text(tmp_path / "secret", "boom")
    (tmp_path / "crashes/link").symlink_to(secret)
    (tmp_path / "crashes/inner").symlink_to("a")
    (tmp_path / "crashes/folder").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "crashes/fifo")
    text(tmp_path / "crashes/deep/a", "boom")  # the same name in another folder is another input
    text(tmp_path / "crashes/.hidden", "boom")
    ran = batch(tmp_path)
    assert ran.code == 0
    found = results(tmp_path)
    assert sorted(found["groups"][0]["members"]) == ["a", "deep/a"]
    assert {each["name"] for each in found["skipped"]} == {"fifo", "folder", "inner", "link"}
    assert "'link' is not taken: a symbolic link: it leads elsewhere" in " ".join(ran.out.split())


def test_of_the_output_of_afl_only_crashes_are_taken(tmp_path: Path) -> None:
    crashes(tmp_path)
    top = tmp_path / "crashes/default"
    text(top / "fuzzer_stats", "boom")
    text(top / "queue/id:000000", "boom")
    text(top / "hangs/id:000000", "boom")
    text(top / "crashes/id:000001,sig:06", "boom")
    text(top / "crashes/README.txt", "boom")
    assert batch(tmp_path).code == 0
    assert results(tmp_path)["groups"][0]["members"] == ["default/crashes/id:000001,sig:06"]


@pytest.mark.parametrize(
    ("given", "code", "words"),
    [
        (["nowhere", "--", "./prog.sh", "{}"], 2, ["[no-such-file]", "there is no folder"]),
        (["prog.sh", "--", "./prog.sh", "{}"], 2, ["[not-a-file]", "wynot reduce FILE"]),
        (["empty", "--", "./prog.sh", "{}"], 2, ["[nothing-to-reduce]", "no inputs in 'empty'"]),
        (["crashes"], 2, ["[invalid-option]", "a folder and a test"]),
        (["a", "b", "--", "./prog.sh", "{}"], 2, ["[invalid-option]", "one folder"]),
        (["-o", "crashes", "crashes", "--", "./prog.sh", "{}"], 2, ["--out is 'crashes'"]),
        (["-o", ".", "crashes", "--", "./prog.sh", "{}"], 2, ["where the inputs are"]),
        (["-o", "prog.sh/x", "crashes", "--", "./prog.sh", "{}"], 2, ["is not a folder"]),
        (["--per-group", "0", "crashes", "--", "./prog.sh", "{}"], 2, ["--per-group is 0"]),
        (["crashes", "--", "true", "{}"], 1, ["[not-interesting]", "2 do not fail", "by hand"]),
        (["crashes", "nowhere.sh"], 2, ["[no-such-file]", "no test 'nowhere.sh'"]),
        (
            ["--timeout", "0.2", "crashes", "--", "sleep", "60"],
            1,
            ["[not-interesting]", "2 do not end in time", "--hangs"],
        ),
    ],
)
def test_mistakes_are_told(tmp_path: Path, given: list[str], code: int, words: list[str]) -> None:
    crashes(tmp_path, a="boom", b="zap")
    (tmp_path / "empty").mkdir()
    before = there(tmp_path / "crashes")
    refused(told(tmp_path, "batch", *given), code, *words)
    assert there(tmp_path / "crashes") == before


def test_inputs_that_fail_once_only_are_not_reduced(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="boom")
    once = f'mkdir "{tmp_path}/$(cksum <"$1" | tr " " _)" 2>/dev/null'
    shell(tmp_path, f"{once} && kill -ABRT $$; exit 0", "once.sh")
    ran = told(tmp_path, "batch", "-j1", *CALM, "crashes", "--", "./once.sh", "{}")
    assert ran.code == 1
    [group] = results(tmp_path)["groups"]
    assert group["state"] == "unusable"
    assert "shows no failure" in group["why"]
    assert "1 group could not be reduced" in ran.out


TABLES = """\
import csv, sys
rows = list(csv.reader(open(sys.argv[1])))
head = rows[0]
for row in rows[1:]:
    first = row[2]
    if first == "x": print(head[5])
"""


@pytest.mark.slow
def test_a_script_without_functions_fails_in_as_many_ways_as_it_has_lines(tmp_path: Path) -> None:
    text(tmp_path / "read.py", TABLES)
    for name, row in {"a": "1,2", "b": "3", "c": "1,2,x", "d": "4,5,x,y"}.items():
        text(tmp_path / f"crashes/{name}.csv", f"one,two,three\n7,8,9\n{row}\n7,8,9\n")
    text(tmp_path / "crashes/fine.csv", "one,two,three\n7,8,9\n")
    line = ("crashes", "--", sys.executable, "read.py", "{}")
    assert told(tmp_path, "batch", "-j1", *CALM, *line).code == 0
    groups = results(tmp_path)["groups"]  # an empty file fails in another line, and is no answer
    assert {tuple(sorted(group["members"])) for group in groups} == {
        ("a.csv", "b.csv"),
        ("c.csv", "d.csv"),
    }
    assert {group["state"] for group in groups} == {"reduced"}
    assert all(0 < group["size"] < group["before"] for group in groups)


def test_a_group_that_fails_on_an_empty_file_too_comes_down_to_that(tmp_path: Path) -> None:
    text(tmp_path / "read.py", TABLES)
    text(tmp_path / "crashes/none.csv", "")
    text(tmp_path / "crashes/lines.csv", "\n\n\n7\n")
    shell(tmp_path, f"exec '{sys.executable}' read.py $(sed '/./!d' $1 >$1.x; echo $1.x)", "run.sh")
    text(tmp_path / "crashes/blank.csv", "\n\n\n\n")
    line = ("--with", "read.py", "crashes", "--", "./run.sh", "{}")
    ran = told(tmp_path, "batch", "-j1", *CALM, *line)
    [empty] = [group for group in results(tmp_path)["groups"] if "none.csv" in group["members"]]
    assert (empty["state"], empty["size"]) == ("reduced", 0)
    assert empty["members"] == ["none.csv", "blank.csv"]
    assert empty["why"] == "an empty file fails in the same way"
    assert ran.code == 0


def test_two_errors_of_one_kind_in_one_function_are_two_groups(tmp_path: Path) -> None:
    shell(tmp_path, REPORTS, "prog.sh")
    for name, word in {"a": "red", "b": "blue", "c": "red", "d": "green"}.items():
        text(tmp_path / "crashes" / name, f"{LINES}{name} {word}\n{LINES}")
    assert batch(tmp_path).code == 0
    members = sorted(sorted(group["members"]) for group in results(tmp_path)["groups"])
    assert members == [["a", "c", "d"], ["b"]]


def test_an_input_that_vanishes_is_named(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap")
    shell(tmp_path, f'rm -f "{tmp_path}/crashes/b"; exec "{tmp_path}/prog.sh" "$1"', "rm.sh")
    ran = told(tmp_path, "batch", "-j1", *CALM, "crashes", "--", "./rm.sh", "{}")
    assert ran.code == 0
    found = results(tmp_path)
    assert [each["name"] for each in found["skipped"]] == ["b"]
    assert [group["members"] for group in found["groups"]] == [["a"]]


@pytest.mark.slow
def test_inputs_that_hang_can_be_asked_for(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="hang")
    shell(
        tmp_path,
        'grep -q hang "$1" && exec sleep 600; grep -q boom "$1" && kill -ABRT $$',
        "slow.sh",
    )
    line = ("crashes", "--", "./slow.sh", "{}")
    assert told(tmp_path, "batch", "-j1", "--timeout", "5", *line).code == 0
    assert results(tmp_path)["hanging"] == ["b"]
    asked = ("--hangs", "--timeout", "4", "-o", "hung", "--max-tests", "3", "--fast")
    assert told(tmp_path, "batch", "-j1", *asked, *line).code == 3
    [group] = results(tmp_path, "hung")["groups"]
    assert group["members"] == ["b"]


def test_programs_are_told_by_events(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap")
    ran = batch(tmp_path, "--json")
    names = [event["event"] for event in ran.events]
    assert (names[0], names[-1]) == ("batch_started", "batch_ended")
    assert names.count("group_ended") == 2
    assert ran.events[-1]["causes"] == 2


def test_quiet_is_one_line(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom")
    ran = batch(tmp_path, "-q")
    assert len(ran.out.splitlines()) == 1


def test_what_is_not_ours_is_not_written_over(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom")
    mine = text(tmp_path / "site/index.html", "mine")
    refused(batch(tmp_path, "-o", "site"), 2, "[invalid-option]", "'site' has files", "-o DIR")
    assert mine.read_text() == "mine"
    assert not (tmp_path / "site/.wynot").exists()


def test_results_of_an_earlier_batch_go_unless_they_were_changed(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap")
    assert batch(tmp_path).code == 0
    out = tmp_path / "crashes.reduced"
    [boom] = [path for path in out.iterdir() if path.name.startswith("Assertion")]
    text(boom / "notes", "mine")
    (tmp_path / "crashes/a").unlink()
    assert batch(tmp_path).code == 0
    assert [path.name for path in boom.iterdir()] == ["notes"]
    assert len(results(tmp_path)["groups"]) == 1


def test_a_line_of_shell_can_be_the_test(tmp_path: Path) -> None:
    crashes(tmp_path, a="boom", b="zap", c="fine")
    assert told(tmp_path, "batch", *CALM, "-c", 'grep -q "[bz][oa]" "$1"', "crashes").code == 0
    found = results(tmp_path)
    assert [group["members"] for group in found["groups"]] == [["b", "a"]]  # the smallest first
    assert found["passing"] == ["c"]


CAUSES = {
    "MissingSectionHeaderError": "{name} = 1\n[s]\na = 2\n",
    "DuplicateSectionError": "[{name}]\na = 1\n[other]\n[{name}]\n",
    "DuplicateOptionError": "[s]\n{name} = 1\nb = 2\n{name} = 3\n",
    "InterpolationSyntaxError": "[s]\na = 1\n{name} = %x\n",
    "InterpolationMissingOptionError": "[s]\n{name} = %(gone{name})s\nb = 2\n",
}
"""What Python's parser of settings refuses, each in a place of its own."""


@pytest.mark.slow
def test_the_causes_of_a_real_parser_are_told_apart(tmp_path: Path) -> None:
    text(
        tmp_path / "read.py",
        "import configparser, sys\n"
        "parser = configparser.ConfigParser()\n"
        "parser.read_string(open(sys.argv[1]).read())\n"
        "{name: dict(parser[name]) for name in parser.sections()}\n",
    )
    names = {"red": "x = 1\n", "green": "y = 2\nz = 3\n", "blue": "[t]\nq = 4\n"}
    for cause, content in CAUSES.items():
        for name, more in names.items():
            whole = content.format(name=name) + more
            text(tmp_path / "crashes" / f"{cause},{name}.ini", whole)
    command = (sys.executable, "-S", "read.py", "{}")
    ran = told(tmp_path, "batch", *CALM, "crashes", "--", *command)
    assert ran.code == 0, ran
    groups = results(tmp_path)["groups"]
    assert {group["kind"].rpartition(".")[2] for group in groups} == CAUSES.keys()
    assert len(groups) == len(CAUSES)
    for group in groups:
        cause = group["kind"].rpartition(".")[2]
        assert sorted(group["members"]) == sorted(f"{cause},{name}.ini" for name in names)
        left = tmp_path / "crashes.reduced" / group["reduced"]
        argv = [str(left) if word == "{}" else word for word in command]
        said = subprocess.run(argv, cwd=tmp_path, capture_output=True, text=True, check=False)  # noqa: S603
        assert cause in said.stderr.splitlines()[-1] or f"{cause}:" in said.stderr
