"""What is typed wrong is told clearly; options may also come from a file."""

import os
import pwd
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

from e2e.programs import NUMBERS, PLAIN, reduced, refused, shell, text, there, told, wynot
from tiers import slow_after

CLOSED = 'exec "$@"'


def nothing_happened(folder: Path) -> bool:
    return (folder / "in.txt").read_bytes() == NUMBERS and not (folder / ".wynot").exists()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--jobs", "0"], ["--jobs is 0", "at least 1"]),
        (["-j", "-3"], ["--jobs is -3", "at least 1"]),
        (["-j", "x"], ["--jobs", "'x'"]),
        (["--timeout", "x"], ["--timeout", "'x' is not a valid time", "10m"]),
        (["--timeout", "0"], ["--timeout is 0"]),
        (["--timeout", "-1"], ["--timeout", "'-1'"]),
        (["--timeout", "inf"], ["--timeout", "'inf'"]),
        (["--memory", "2Q"], ["--memory", "'2Q' is not a valid size", "512M"]),
        (["--memory", "-5"], ["--memory", "'-5'"]),
        (["--max-time", "soon"], ["--max-time", "'soon' is not a valid time"]),
        (["--max-tests", "few"], ["--max-tests", "'few'"]),
        (["--max-tests", "-1"], ["--max-tests is -1"]),
        (["--target-size", "ten"], ["--target-size", "'ten' is not a valid size"]),
        (["--patience", "x"], ["--patience", "'x'"]),
        (["--patience", "-1"], ["--patience is -1"]),
        (["--keep", "["], ["--keep is '['", "not a valid regular expression", "backslash"]),
        (["--atoms", "word"], ["--atoms", "'word'", "'tokens'"]),
        (["--search", "dddmin"], ["--search", "'dddmin'", "'ddmin'"]),
        (["--same", "x"], ["--same", "'x'", "'trace'"]),
        (["--also-interesting", "x"], ["'x' is not a valid exit status"]),
        (["--also-interesting", "0"], ["'0'", "1 to 255"]),
        (["--also-interesting", "1,256"], ["'1,256'", "1 to 255"]),
        (["--resume"], ["nothing to resume"]),
        (["--resume", "--fresh"], ["--fresh", "--resume"]),
        (["--config", "no.toml"], ["no config file 'no.toml'"]),
        (["--exit", "1"], ["--exit looks at how a command ends", "-- CMD"]),
        (["--signal", "SEGV"], ["--signal looks at how a command ends"]),
        (["--stderr", "x"], ["--stderr looks at how a command ends"]),
        (["--hangs"], ["--hangs looks at how a command ends"]),
        (["--differs", "cat"], ["--differs compares two commands"]),
        (["-c", "true", "--", "cat"], ["both -c and a command"]),
        (["--no-such"], ["--no-such"]),
        (["--keep"], ["missing"]),
    ],
    ids=" ".join,
)
def test_a_bad_value_is_named_with_what_would_be_right(
    numbers: Path, given: list[str], words: list[str]
) -> None:
    options, end, command = " ".join(given).partition(" -- ")
    after = [end.strip(), command] if end else []
    refused(told(numbers, "reduce", *options.split(), "test.sh", "in.txt", *after), 2, *words)
    assert nothing_happened(numbers)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["--stdout", "("], ["--stdout is '('", "not a valid regular expression"]),
        (
            ["--not-stderr", "[[:alpha:]]"],
            ["--not-stderr is '[[:alpha:]]'", "not a valid regular"],
        ),
        (["--signal", "FOO"], ["--signal is 'FOO'", "no such signal", "kill -l"]),
        (["--exit", "999"], ["--exit is 999", "0 to 255"]),
        (["--exit", "1", "--signal", "9"], ["not both"]),
        (["--hangs", "--exit", "1"], ["--hangs, or for --exit"]),
        (["--invert"], ["--invert is for scripts"]),
        (["--differs", "cat '"], ["--differs is", "quotation"]),
        (["--differs", "no-such {}"], ["no program 'no-such'"]),
    ],
    ids=lambda each: " ".join(each) if each[0].startswith("-") else "",
)
def test_a_bad_value_of_what_a_command_shows(
    numbers: Path, given: list[str], words: list[str]
) -> None:
    refused(told(numbers, "reduce", *given, "in.txt", "--", "cat", "{}"), 2, *words)
    assert nothing_happened(numbers)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (["reduce"], ["no test and no file", "wynot reduce TEST FILE"]),
        (["reduce", "in.txt"], ["only 'in.txt' is given", "-- CMD {}"]),
        (["reduce", "--", "cat"], ["no file is given"]),
        (["reduce", "in.txt", "--"], ["no command after --"]),
        (["reduce", "-c", "true"], ["no file is given"]),
        (["check", "test.sh"], ["only 'test.sh' is given"]),
        (["check", "--runs", "1", "test.sh", "in.txt"], ["runs is 1", "2 or more"]),
        (["history"], ["FILE"]),
        (["history", "--restore", "x", "in.txt"], ["--restore", "'x'"]),
        (["completion"], ["SHELL"]),
        (["completion", "tcsh"], ["'tcsh'", "'zsh'"]),
        (["redce"], ["'redce'", "'reduce'"]),
        (["-V"], ["-V"]),
    ],
    ids=" ".join,
)
def test_a_command_line_that_lacks_something(
    numbers: Path, given: list[str], words: list[str]
) -> None:
    refused(told(numbers, *given), 2, *words)
    assert nothing_happened(numbers)


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("--jbos", "--jobs"), ("--max-test", "--max-tests"), ("--colour", "wynot reduce --help")],
)
def test_an_unknown_option_is_answered_with_the_nearest(
    numbers: Path, wrong: str, right: str
) -> None:
    ran = told(numbers, "reduce", wrong, "3", "test.sh", "in.txt")
    refused(ran, 2, wrong)
    assert right in ran.hint


def test_a_file_with_a_leading_dash_is_told_how_to_name_it(numbers: Path) -> None:
    (numbers / "in.txt").rename(numbers / "-x.txt")
    refused(told(numbers, "reduce", "test.sh", "-x.txt"), 2, "./-x.txt")


def test_a_pattern_that_python_warns_of(numbers: Path) -> None:
    ran = wynot(numbers, "reduce", "--keep", "[[:alpha:]]", "test.sh", "in.txt")
    assert "Warning" not in ran.err


def test_no_memory_at_all_is_refused(numbers: Path) -> None:
    refused(told(numbers, "reduce", "--memory", "0", "test.sh", "in.txt"), 2, "memory is 0")


def test_an_empty_name_of_a_test(numbers: Path) -> None:
    refused(told(numbers, "reduce", "", "in.txt"), 2, "no test ''")


def test_more_workers_than_there_is_work(numbers: Path) -> None:
    reduced(numbers, "-j", "60", "test.sh", "in.txt")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_help_and_version(tmp_path: Path) -> None:
    assert wynot(tmp_path, "--version").out.startswith("wynot ")
    bare = wynot(tmp_path)
    assert (bare.code, bare.out) == (2, wynot(tmp_path, "--help").out)
    for command in ("reduce", "check", "history", "languages", "completion"):
        ran = wynot(tmp_path, command, "--help")
        assert ran.code == 0
        assert f"wynot {command}" in ran.out


def test_the_help_is_not_mangled(tmp_path: Path) -> None:
    shown = told(tmp_path, "reduce", "--help").out
    assert "[tool.wynot]" in shown
    assert "docs/concepts/searches.md" in shown


# Resuming.


def test_resume_says_why_not(numbers: Path) -> None:
    start = ("reduce", "-q", "test.sh", "in.txt")
    assert told(numbers, *start, "--max-tests", "3").code == 3
    left = there(numbers)
    other = told(numbers, "reduce", "--resume", "-c", "grep -q 33 in.txt", "in.txt")
    refused(other, 2, "nothing to resume", "another command")
    shell(numbers, "grep -q 33 in.txt # changed")
    refused(told(numbers, *start, "--resume"), 2, "nothing to resume", "another command")
    (numbers / "test.sh").write_bytes(left["test.sh"])
    text(numbers / "in.txt", "33\nnew\n")
    refused(told(numbers, *start, "--resume"), 2, "nothing to resume", "not what the earlier")
    (numbers / "in.txt").write_bytes(left["in.txt"])
    assert told(numbers, *start, "--resume").code == 0
    refused(told(numbers, *start, "--resume"), 2, "nothing to resume", "was finished")
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_finished_command_says_so_and_does_nothing_until_it_is_told_to(numbers: Path) -> None:
    assert told(numbers, "reduce", "-q", "test.sh", "in.txt").code == 0
    before = there(numbers)
    for folder in ("", "./", f"{numbers}/"):
        ran = told(numbers, "reduce", f"{folder}test.sh", f"{folder}in.txt")
        assert (ran.code, there(numbers)) == (0, before), ran.out
        assert f"finished before: {len(NUMBERS):,} → 3 bytes" in ran.out
        assert "--fresh starts over" in ran.out
        assert "in.txt.orig" in ran.out
    fresh = told(numbers, "reduce", "--fresh", "test.sh", "in.txt")
    assert (fresh.code, "finished before" in fresh.out) == (0, False)
    text(numbers / "in.txt", "33\nmore\n")
    changed = told(numbers, "reduce", "test.sh", "in.txt")
    assert "starting over: the file is not what the earlier run left" in changed.out
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_finished_command_with_an_output_of_its_own_does_nothing_either(numbers: Path) -> None:
    start = ("reduce", "--exit", "0", "-o", "out.txt", "in.txt", "--", "grep", "33")
    command, again = (*start, "in.txt"), (*start, str(numbers / "in.txt"))
    assert told(numbers, *command).code == 0
    assert "finished before" in told(numbers, *again).out
    (numbers / "out.txt").unlink()
    assert "finished before" not in told(numbers, *command).out
    assert (numbers / "out.txt").read_bytes() == b"33\n"


def test_an_unfinished_run_is_the_same_however_its_paths_are_written(numbers: Path) -> None:
    assert told(numbers, "reduce", "-q", "--max-tests", "3", "test.sh", "in.txt").code == 3
    (numbers / "sub").mkdir()
    ran = told(numbers / "sub", "reduce", "--resume", "../test.sh", "../in.txt")
    assert (ran.code, "of an earlier run known already" in ran.out) == (0, True)


# Config files.


def test_options_of_a_parents_pyproject_are_the_defaults(numbers: Path) -> None:
    text(numbers / "pyproject.toml", "[tool.wynot]\nmax-tests = 2\nquiet = true\n")
    below = numbers / "sub" / "deep"
    below.mkdir(parents=True)
    (below / "in.txt").write_bytes(NUMBERS)
    ran = told(below, "reduce", "../../test.sh", "in.txt")
    assert (ran.code, ran.out.count("\n")) == (3, 1)
    assert "in 2 tests" in ran.out
    ran = told(below, "reduce", "--max-tests", "1000", "../../test.sh", "in.txt")
    assert (ran.code, ran.out.count("\n")) == (0, 1)
    assert (below / "in.txt").read_bytes() == b"33\n"


@pytest.mark.parametrize(
    "content", ["this is not TOML", "x = " + "[" * 9999, "x = " + "1" * 9999, "\udcff"]
)
def test_the_nearest_pyproject_counts_and_a_broken_one_does_not_matter(
    numbers: Path, content: str
) -> None:
    text(numbers / "pyproject.toml", "[tool.wynot]\nmax-tests = 2\n")
    (numbers / "sub").mkdir()
    (numbers / "sub" / "in.txt").write_bytes(NUMBERS)
    (numbers / "sub" / "pyproject.toml").write_bytes(os.fsencode(content))
    reduced(numbers / "sub", "../test.sh", "in.txt")


def test_options_for_reduce_do_not_disturb_check(numbers: Path) -> None:
    text(numbers / "pyproject.toml", '[tool.wynot]\nmax-tests = 2\nsearch = "ddmin"\n')
    assert told(numbers, "check", "test.sh", "in.txt").code == 0


def test_the_file_that_options_come_from_is_named_first(numbers: Path) -> None:
    text(numbers / "pyproject.toml", '[tool.wynot]\njobs = 1\nmax_time = "1m"\n')
    ran = told(numbers, "reduce", "test.sh", "in.txt")
    assert (ran.code, ran.err) == (0, "wynot: options from pyproject.toml: jobs, max-time\n")
    again = told(numbers, "reduce", "-q", "--fresh", "test.sh", "in.txt")
    assert (again.code, again.err) == (0, "")


def test_every_command_reads_the_file_and_a_table_of_its_own(numbers: Path) -> None:
    config = "[tool.wynot]\njobs = 1\njson = true\nexit = 4\n[tool.wynot.options]\nexit = 3\n"
    text(numbers / "pyproject.toml", config)
    ran = wynot(numbers, "options", "--", "sh", "-c", "exit 3", "-x")
    assert (ran.code, ran.err) == (0, "wynot: options from pyproject.toml: jobs, json, exit\n")
    [begun] = [event for event in ran.events if event["event"] == "inquired"]
    assert begun["options"] == {"exit": 3, "jobs": 1, "json": True}
    ran = wynot(numbers, "changes", "--exit", "5", "--good", "v1", "--", "true")
    assert "wynot: options from pyproject.toml: jobs, json, exit" in ran.err


@pytest.fixture
def stranger() -> int:
    """Return the number of another user, to whom files can be given."""
    if os.geteuid():
        pytest.skip("only root can give files away")
    return 12345


def test_a_file_above_that_another_user_owns_is_not_obeyed(numbers: Path, stranger: int) -> None:
    below = numbers / "sub"
    below.mkdir()
    (below / "in.txt").write_bytes(NUMBERS)
    config = numbers / "pyproject.toml"
    text(config, f'[tool.wynot]\nmax-tests = 2\nout = "{numbers}/stolen"\n')
    for owned in (config, numbers):  # the file, then only its folder
        os.chown(owned, stranger, -1)
        ran = told(below, "reduce", "--fresh", "../test.sh", "in.txt")
        assert (ran.code, (numbers / "stolen").exists()) == (0, False)
        said = " ".join(ran.err.split())
        assert f"{config} " in said
        assert f"belongs to user {stranger}, not to you: these options in it are ignored:" in said
        assert "ignored: --max-tests, --out" in said
        os.chown(owned, os.geteuid(), -1)
    assert told(below, "reduce", "--fresh", "../test.sh", "in.txt").code == 3
    assert not (numbers / "stolen").exists()


@pytest.mark.parametrize("how", ["theirs", "everybody's", "a link"])
def test_of_a_strangers_file_only_what_is_harmless_is_taken(
    numbers: Path, stranger: int, how: str
) -> None:
    ran_it = numbers / "ran"
    config = numbers / "pyproject.toml"
    text(config, f'[tool.wynot]\nmax-tests = 2\npasses = ["touch {ran_it}"]\nout = "stolen"\n')
    if how == "theirs":
        os.chown(config, stranger, -1)
    elif how == "everybody's":
        config.chmod(0o666)
    else:
        config.rename(numbers / "mine.toml")
        config.symlink_to("mine.toml")
        os.chown(config, stranger, -1, follow_symlinks=False)
    ran = told(numbers, "reduce", "test.sh", "in.txt")
    assert (ran.code, ran_it.exists(), (numbers / "stolen").exists()) == (3, False, False)
    said = " ".join(ran.err.split())
    assert "these options in it are ignored: --passes, --out" in said
    assert "options from pyproject.toml: max-tests" in said
    trusted = ("reduce", "--fresh", "--config", "pyproject.toml", "test.sh", "in.txt")
    assert told(numbers, *trusted).code == 3
    assert ran_it.exists()


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return where the user's own configuration belongs."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    return tmp_path / "settings" / "wynot" / "config.toml"


@pytest.mark.parametrize("quiet", ["", "-q", "quiet = true"])
def test_a_project_needs_trust_to_run_programs_and_to_write(
    numbers: Path, own: Path, quiet: str
) -> None:
    ran_it, config = numbers / "ran", numbers / "pyproject.toml"
    more = quiet if "=" in quiet else ""
    text(config, f'[tool.wynot]\npasses = ["touch {quote(str(ran_it))}"]\nmax-tests = 2\n{more}\n')
    flags = ["-q"] if quiet == "-q" else []
    ran = told(numbers, "reduce", *flags, "--fresh", "test.sh", "in.txt")
    assert (ran.code, ran_it.exists()) == (3, False)
    said = " ".join(ran.err.split())
    assert "pyproject.toml is not trusted: these options in it are ignored: --passes" in said
    assert "give them on the command line, or give --config pyproject.toml" in said
    line = f'trusted = ["{numbers}"]'
    assert f"or trust the folder: write {line} into {own}" in said
    assert ("options from pyproject.toml: max-tests" in said) is (quiet != "-q")
    text(own, f"{line}\n")
    ran = told(numbers, "reduce", *flags, "--fresh", "test.sh", "in.txt")
    assert (ran.code, ran_it.exists(), "ignored" in ran.err) == (3, True, False)


def test_only_the_folder_itself_is_trusted(numbers: Path, own: Path) -> None:
    below = numbers / "vendored"
    below.mkdir()
    (below / "in.txt").write_bytes(NUMBERS)
    text(below / "pyproject.toml", f'[tool.wynot]\npasses = "touch {quote(str(numbers))}/ran"\n')
    text(own, f'trusted = ["{numbers}"]\n')
    ran = told(below, "reduce", "../test.sh", "in.txt")
    assert (ran.code, (numbers / "ran").exists(), "ignored: --passes" in ran.err) == (
        0,
        False,
        True,
    )


def test_a_trusted_project_counts_more_than_the_users_own_options_and_another_less(
    numbers: Path, own: Path
) -> None:
    text(own, "[tool.wynot]\nmax-tests = 2\n[tool.wynot.check]\nruns = 3\n")
    ran = told(numbers, "reduce", "--fresh", "test.sh", "in.txt")
    where = own.relative_to(numbers)
    assert (ran.code, ran.err) == (3, f"wynot: options from {where}: max-tests\n")
    text(numbers / "pyproject.toml", "[tool.wynot]\nmax-tests = 5\n")
    for trusted, tests in (("", "2 tests"), (f'trusted = ["{numbers}"]', "5 tests")):
        text(own, f"max-tests = 2\n{trusted}\n")
        text(numbers / "in.txt", NUMBERS.decode())
        ran = told(numbers, "reduce", "-q", "--fresh", "test.sh", "in.txt")
        assert (ran.code, tests in ran.out) == (3, True), ran
    ran = told(numbers, "reduce", "-q", "--max-tests", "1000", "--fresh", "test.sh", "in.txt")
    assert ran.code == 0


def test_the_users_own_options_hold_beside_a_named_file(numbers: Path, own: Path) -> None:
    text(own, f'passes = "touch {quote(str(numbers))}/own"\n')
    text(numbers / "c.toml", f'passes = "touch {quote(str(numbers))}/named"\n')
    reduced(numbers, "--config", "c.toml", "test.sh", "in.txt")
    assert (numbers / "own").exists()
    assert (numbers / "named").exists()


@pytest.mark.parametrize("how", ["theirs", "everybody's"])
def test_own_options_that_somebody_else_can_write_end_the_run(
    numbers: Path, own: Path, how: str
) -> None:
    text(own, "max-tests = 2\n")
    if how == "everybody's":
        own.chmod(0o666)
    elif os.geteuid():
        pytest.skip("only root can give files away")
    else:
        os.chown(own, 12345, -1)
    why = "can be written by anyone" if how == "everybody's" else "belongs to user 12345"
    refused(told(numbers, "reduce", "test.sh", "in.txt"), 2, str(own), why, "chown and chmod")
    assert nothing_happened(numbers)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x = \n", ["cannot be read", "TOML"]),
        ("nonsense = 1", ["no option 'nonsense'"]),
        ("trusted = ['relative']", ["trusted has 'relative'", 'trusted = ["/path/to/project"]']),
        ("trusted = 3", ["trusted has 3"]),
    ],
)
def test_mistakes_in_the_users_own_options_are_told(
    numbers: Path, own: Path, content: str, words: list[str]
) -> None:
    text(own, content)
    refused(told(numbers, "reduce", "test.sh", "in.txt"), 2, str(own), *words)
    assert nothing_happened(numbers)


@pytest.mark.parametrize("home", [None, "", "relative"])
def test_a_user_without_a_home_has_no_options(
    numbers: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    text(numbers / "relative/.config/wynot/config.toml", "max-tests = 2\n")
    if home is None:
        monkeypatch.delenv("HOME")
    else:
        monkeypatch.setenv("HOME", home)
    monkeypatch.setattr(pwd, "getpwuid", {}.__getitem__)  # as in a container without such a user
    assert told(numbers, "reduce", "-q", "test.sh", "in.txt").code == 0


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("x = \n", ["c.toml cannot be read", "TOML"]),
        ("\udcff", ["c.toml cannot be read", "TOML"]),
        ("nonsense = 1", ["c.toml", "no option 'nonsense'", "'jobs'"]),
        ("max_test = 1", ["c.toml", "no option 'max_test'", "did you mean 'max-tests'?"]),
        ("resume = true", ["c.toml", "no option 'resume'"]),
        ("max-tests = 'x'", ["c.toml", "max-tests is 'x'"]),
        ("jobs = true", ["c.toml", "jobs is True"]),
        ("jobs = 0", ["--jobs is 0", "at least 1"]),
        ("quiet = 3", ["c.toml", "quiet is 3", "true or false"]),
        ("search = 'ddmni'", ["c.toml", "search is 'ddmni'", "did you mean 'ddmin'?"]),
        ("timeout = 'x'", ["c.toml", "timeout is 'x'", "10m"]),
        ("keep = '['", ["--keep is '['", "not a valid regular expression"]),
        ("[tool]\nwynot = 3", ["c.toml", "tool.wynot is not a table"]),
    ],
    ids=ascii,
)
def test_a_bad_config_file(numbers: Path, content: str, words: list[str]) -> None:
    (numbers / "c.toml").write_bytes(content.encode("utf-8", "surrogateescape"))
    refused(told(numbers, "reduce", "--config", "c.toml", "test.sh", "in.txt"), 2, *words)
    assert nothing_happened(numbers)


@pytest.mark.parametrize("place", ["", "[tool.wynot]\n"])
def test_a_good_config_file(numbers: Path, place: str) -> None:
    text(
        numbers / "c.toml",
        f"{place}max_tests = 100\nkeep = ['3', '44']\nsearch = 'ddmin'\ntimeout = '1m'\n"
        "also-interesting = [101, 102]\njson = false\nquiet = true\n",
    )
    ran = told(numbers, "reduce", "--config", "c.toml", "test.sh", "in.txt")
    assert ran.code == 0, ran
    left = (numbers / "in.txt").read_bytes()
    assert left.count(b"3") == NUMBERS.count(b"3")
    assert b"44" in left


def test_a_list_where_one_value_belongs(numbers: Path) -> None:
    text(numbers / "c.toml", "jobs = [1, 2]")
    refused(told(numbers, "reduce", "--config", "c.toml", "test.sh", "in.txt"), 2, "jobs is [1, 2")


def test_a_config_file_never_makes_the_test_a_file_to_reduce(numbers: Path) -> None:
    text(numbers / "pyproject.toml", "[tool.wynot]\nshell = 'grep -q 33 in.txt'\n")
    before = (numbers / "test.sh").read_bytes()
    told(numbers, "reduce", "test.sh", "in.txt")
    assert (numbers / "test.sh").read_bytes() == before


# Streams.


def through_shell(folder: Path, line: str, *arguments: str) -> tuple[int, str, str]:
    """Run the command by a line of bash, in which it is "$@"."""
    done = subprocess.run(  # noqa: S603 - our own line
        ["bash", "-c", line, "bash", sys.executable, "-m", "wynot", *arguments],
        cwd=folder,
        env={**os.environ, **PLAIN},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


REDUCE = ("reduce", "test.sh", "in.txt")


@pytest.mark.parametrize(
    "line",
    slow_after(
        3,
        [
            '"$@" < /dev/null',
            '"$@" <&-',
            '"$@" 2>&-',
            '"$@" > /dev/full',
            '"$@" | head -1; exit ${PIPESTATUS[0]}',
            '"$@" | true; exit ${PIPESTATUS[0]}',
            'LC_ALL=POSIX PYTHONUTF8=0 PYTHONIOENCODING=ascii "$@"',
            '"$@" >&-',
            '"$@" <&- >&- 2>&-',
        ],
    ),
)
def test_a_reduction_ends_well_whatever_becomes_of_its_streams(numbers: Path, line: str) -> None:
    code, _, err = through_shell(numbers, line, *REDUCE)
    assert (code, err) == (0, "")
    assert (numbers / "in.txt").read_bytes() == b"33\n"
    assert there(numbers).keys() == {"in.txt", "in.txt.orig", "test.sh"}


@pytest.mark.parametrize("line", slow_after(1, ['"$@" | true', '"$@" >&-', '"$@" > /dev/full']))
@pytest.mark.parametrize(
    "arguments", [("check", "test.sh", "in.txt"), ("completion", "bash")], ids=["check", "complete"]
)
def test_the_other_commands_take_a_reader_that_goes_away(
    numbers: Path, line: str, arguments: tuple[str, ...]
) -> None:
    assert "Traceback" not in through_shell(numbers, line, *arguments)[2]


def test_a_terminal_without_abilities_gets_lines(numbers: Path) -> None:
    command = [
        "script",
        "-qec",
        f"{quote(sys.executable)} -m wynot reduce test.sh in.txt",
        "/dev/null",
    ]
    done = subprocess.run(  # noqa: S603 - our own line
        command,
        cwd=numbers,
        env={**os.environ, "TERM": "dumb"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert b"1-minimal" in done.stdout
    assert b"\x1b" not in done.stdout
    assert (numbers / "in.txt").read_bytes() == b"33\n"


def test_a_terminal_without_colours_gets_none(numbers: Path) -> None:
    command = [
        "script",
        "-qec",
        f"{quote(sys.executable)} -m wynot reduce test.sh in.txt",
        "/dev/null",
    ]
    done = subprocess.run(  # noqa: S603 - our own line
        command,
        cwd=numbers,
        env={**os.environ, "TERM": "xterm-256color", "NO_COLOR": "1"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        check=False,
    )
    assert b"1-minimal" in done.stdout
    for colour in (b"\x1b[36m", b"\x1b[32m", b"\x1b[33m", b"\x1b[2;36m"):
        assert colour not in done.stdout
    assert done.stdout.rindex(b"\x1b[?25h") > done.stdout.rfind(b"\x1b[?25l")


def test_help_is_a_command_too(tmp_path: Path) -> None:
    assert told(tmp_path, "help") == told(tmp_path, "--help")
    assert told(tmp_path, "help", "reduce") == told(tmp_path, "reduce", "--help")
    refused(told(tmp_path, "help", "rduce"), 2, "no command 'rduce'", "did you mean 'reduce'?")
