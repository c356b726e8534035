"""Which command lines run the candidate, and which only read it."""

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from wynot.commands.shared_options import FailureOptions
from wynot.core.errors import CannotConfine, InvalidOption, NoSuchFile
from wynot.machine import landlock
from wynot.oracle.confining import confinement, runs_candidate
from wynot.oracle.runs_candidate import by_script

RUN = [
    "./{}",
    "{}",
    "sh {}",
    "/bin/bash -e {}",
    "python3 {}",
    "python3.12 -W error -X dev {} --flag",
    "python3 -m pytest {}",
    "pytest -x {}",
    "perl -w {}",
    "node --trace-warnings {}",
    "node case.sh",
    "ruby @@",
    "make -f {}",
    "make -C {} test",
    "awk -f {} data",
    "bash",
    "python3 -",
    "env A=1 B=2 python3 {}",
    "timeout -k 1 10 sh {}",
    "nice -n 5 timeout 10s ./{}",
    "valgrind --error-exitcode=9 ./{}",
    "sh -c 'bash {} 2>&1 | grep x'",
    "bash -ec 'cd x && ./{} > log'",
    "sh -c 'if python3 {}; then exit 1; fi'",
    "sh {}/run.sh",
    "deno run {}",
]
READ = [
    "gcc -c {}",
    "node parse.js {}",
    "python3 tool.py {}",
    "python3 -m json.tool {}",
    "python3 -c 'import sys' {}",
    "perl -ne 'print' {}",
    "sh tool.sh {}",
    "sh -c 'gcc {} -o a && ./a'",
    "make all",
    "java -jar tool.jar {}",
    "cat",
    "grep -q needle case.sh",
    "timeout 10 gcc -c {}",
    "shellcheck {}",
    "sh -c 'grep -q \"unbalanced' {}",
]


@pytest.mark.parametrize("line", RUN)
def test_a_command_that_runs_it(line: str) -> None:

    assert runs_candidate(FailureOptions(command=shlex.split(line)), ["case.sh"])


@pytest.mark.parametrize("line", READ)
def test_a_command_that_reads_it(line: str) -> None:

    assert not runs_candidate(FailureOptions(command=shlex.split(line)), ["case.sh"])


def test_make_runs_a_makefile() -> None:
    assert runs_candidate(FailureOptions(command=["make", "all"]), ["Makefile"])


SCRIPTS_THAT_RUN = [
    "python3 case.py 2>&1 | grep -q Error",
    'set -e\ntimeout 5 python3 "$1"',
    "! ./case.py",
    "chmod +x case.py && ./case.py",
    'F=$1\npython3 "$F" > out.txt 2>&1\ngrep -q Error out.txt',
    'F="${1:-case.py}"\nruby "$F"',
    'cp "$1" t.py\npython3 t.py',
    'tmp=$(mktemp -d)\ncp case.py "$tmp/x.py" && python3 "$tmp/x.py"',
    'cat "$1" > t.py; python3 t.py',
    'for f in "$@"; do sh "$f"; done',
    'out=$(python3 "$1" 2>&1)\necho "$out" | grep -q Error',
    'test "$(bash case.py)" = x',
    "echo `perl case.py` | grep x",
    "if FOO=1 node case.py; then exit 1; fi",
    ". ./case.py",
    'source "$1"',
    'eval "$(cat "$1")"\nbash case.py',
    "bash < case.py",
    "cat case.py | python3 -",
    "sh",
    "awk -f case.py data.txt",
    "gawk --file=case.py data.txt",
    "sed -n -f case.py data.txt",
    "python3 -c 'import case'",
    "python3 -m case",
    "python3 -Bm pytest -q",
    "node -e \"require('./case.py')\"",
    "sh -c 'bash \"$1\"' sh case.py",
    '(cd sub && exec python3 "$PWD/../case.py")',
    "go run case.py",
    "{ sh ./case.py; } 2>/dev/null",
    "while read -r line; do sh case.py; done < list",
    "command time -p ./case.py",
]
SCRIPTS_THAT_READ = [
    "awk '{s+=$1} END {exit s != 3}' case.py",
    'awk \'{s+=$1; if (s > 3) print "x"}\' "$1" >> /tmp/log',
    "awk -F, -v n=1 '$1 == n {print $2}' \"$1\" | sort",
    "gawk -f sums.awk case.py",
    "sed -e 's/$1/x/' -n case.py | grep -q x",
    "sed -i 's/(a|b)/x/; s/;/,/' case.py",
    "perl -ne 'print if /x/' case.py",
    "perl -lane 'print $F[0]; exit if $. > 3' \"$1\"",
    "perl -MData::Dumper -e 'print 1' case.py",
    "python3 -c 'import sys; sys.exit(open(sys.argv[1]).read() == \"x\")' case.py",
    "python3 -uc 'import json, sys; json.load(open(\"case.py\"))'",
    "ruby -rjson -ne 'puts $_; exit 1' case.py",
    "ruby -e 'p $1' \"$1\"",
    "node -e 'JSON.parse(fs.readFileSync(process.argv[1])); process.exit(1)' case.py",
    'node -p \'require("fs").statSync("case.py").size\'',
    "php -r 'echo $argv[1];' case.py",
    "jq '.items[] | select(.a == $1)' \"$1\"",
    "grep -q 'python3 case.py; sh case.py' \"$1\"",
    "bash -c 'grep -c \"$1\" list' sh name",
    "bash -c 'gcc -c \"$1\"' sh case.py",
    "python3 - \"$1\" <<'EOF'\nimport sys\nopen(sys.argv[1])\nsh case.py\nEOF\ngrep x case.py",
    "cat <<EOF > note\npython3 case.py\n./case.py\nEOF",
    "# python3 case.py\nflake8 case.py",
    "echo 'python3 case.py' | grep -q python",
    "echo 'exit 3' | bash",
    "gcc -c case.py && python3 other.py",
    'python3 tool.py "$1" > /tmp/log',
    'out=$(clang -fsyntax-only "$1" 2>&1)\necho "$out" | awk \'{ print $1 }\' | grep -q error',
    'bash tool.sh -x "$1"',
    "java -cp lib Tool case.py",
    "cmp case.py other.py",
    "test -x case.py",
]


@pytest.mark.parametrize(
    ("body", "runs"),
    [(f"#!/bin/sh\n{body}\n", True) for body in SCRIPTS_THAT_RUN]
    + [(f"#!/usr/bin/env bash\n{body}\n", False) for body in SCRIPTS_THAT_READ]
    + [("#!/usr/bin/python3\nsubprocess.run(['python3', 'case.py'])", False)],
)
def test_script_runs_or_reads_the_candidate(tmp_path: Path, body: str, runs: bool) -> None:
    test = tmp_path / "test"
    test.write_text(body)
    assert by_script(test, [Path("case.py")]) is runs
    assert runs_candidate(FailureOptions(test=str(test)), ["case.py"]) is runs


@pytest.mark.parametrize(
    ("name", "content", "mode", "runs"),
    [
        ("a.sh", "true", 0o644, True),
        ("Makefile", "all:", 0o644, True),
        ("tool", "#!/usr/bin/perl", 0o755, True),
        ("tool", "#!/usr/bin/perl", 0o644, False),
        ("a.c", "int x;", 0o755, False),
    ],
)
def test_a_file_that_is_there_to_be_run_is_run(
    tmp_path: Path, name: str, content: str, mode: int, runs: bool
) -> None:
    file = tmp_path / name
    file.write_text(content)
    file.chmod(mode)
    assert runs_candidate(FailureOptions(test="/bin/true"), [str(file)]) is runs
    line = FailureOptions(shell="grep -q x")  # noqa: S604 - it is only looked at
    assert runs_candidate(line, [str(file)]) is runs


# What follows from it.

SCRIPT = FailureOptions(command=["sh", "{}"])
READER = FailureOptions(command=["cat", "{}"])


@pytest.mark.skipif(not landlock.version(), reason="this system has no Landlock")
def test_the_options_decide_and_else_what_is_run(tmp_path: Path) -> None:

    folder = str(tmp_path)
    assert confinement(SCRIPT, ["a.sh"])[:2] == ((), True)
    assert confinement(READER, ["a.sh"])[:2] == (None, False)
    assert confinement(replace(SCRIPT, confine=False), ["a.sh"]).writable is None
    assert confinement(replace(READER, confine=True), ["a.sh"])[:2] == ((), False)
    assert confinement(replace(READER, writable=[folder]), ["a.sh"])[:2] == ((folder,), False)
    assert confinement(replace(SCRIPT, confine=True)).writable == ()
    with pytest.raises(InvalidOption, match="both --writable and --no-confine"):
        confinement(replace(SCRIPT, confine=False, writable=[folder]))
    with pytest.raises(NoSuchFile, match="there is no folder"):
        confinement(replace(SCRIPT, writable=[f"{folder}/none"]))


def test_a_system_without_landlock_is_told(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(landlock, "version", lambda: 0)
    usual = confinement(SCRIPT, ["a.sh"])
    assert usual.writable is None
    assert "no Landlock" in usual.missing
    assert not confinement(READER, ["a.sh"]).missing
    with pytest.raises(CannotConfine, match="no Landlock"):
        confinement(replace(READER, confine=True), ["a.sh"])


@pytest.mark.parametrize("word", ["sub/case.sh", "./sub/case.sh", "sub/../sub/case.sh", None])
def test_a_file_is_the_candidate_however_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, word: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "case.sh").write_text("exit 3\n")
    (tmp_path / "tool.sh").write_text("exit 3\n")
    written = word or str(tmp_path / "sub" / "case.sh")
    for file in ("sub/case.sh", "./sub", str(tmp_path / "sub")):
        assert runs_candidate(FailureOptions(command=["sh", written]), [file])
        assert not runs_candidate(FailureOptions(command=["sh", "./tool.sh", written]), [file])
