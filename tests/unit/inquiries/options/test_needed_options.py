"""Options and variables as deltas, and commands that are really run."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain import drive
from wynot.agents.sandbox import Sandbox
from wynot.agents.workers import LoneSandbox
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.errors import InvalidOption, NoSuchFile, NotAFile, NothingToReduce, Unreadable
from wynot.core.files import Files
from wynot.core.verdict import Verdict
from wynot.inquiries.options.answer import needed, prevented, prevented_alone
from wynot.inquiries.options.circumstance import CommandOptions, CommandRun, Direct
from wynot.inquiries.options.environment import Variable
from wynot.inquiries.options.preventing import Preventing
from wynot.search.lists.chase import chase
from wynot.wire.run_request import Limits, RunRequest

HERE = Path("/nowhere")
LIMITS = Limits(timeout=300)


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    made = LoneSandbox()
    yield made
    made.close()


def options(line: str, *variables: Variable, keep: tuple[str, ...] = ()) -> CommandOptions:
    return CommandOptions.read(line.split(), here=HERE, keep=keep, variables=variables)


def ran(run: CommandRun, sandbox: Sandbox, provisioner: Direct) -> tuple[int, str]:
    given = provisioner.provision(run, sandbox)
    assert given.argv is not None
    request = RunRequest(given.argv, LIMITS, capture=True, env=given.env, folder=given.folder)
    ending = sandbox.run(request)
    return ending.status, ending.stdout.decode()


def test_all_deltas_are_the_command_and_none_is_the_command_without_options() -> None:
    case = options("gcc -O2 a.c -o x -g")
    assert case.chosen(case.deltas).argv == ("gcc", "-O2", "a.c", "-o", "x", "-g")
    assert case.chosen(NONE).argv == ("gcc", "a.c")
    assert case.chosen(Deltas.of([1])).argv == ("gcc", "a.c", "-o", "x")
    assert [case.name(delta) for delta in case.deltas] == ["-O2", "-o x", "-g"]


def test_there_is_one_level_with_every_delta() -> None:
    [level] = options("cc -a -b", Variable("X", "1", None, None)).levels
    assert level.name == "settings"
    assert level.units == [Deltas.of([each]) for each in range(3)]
    assert options("cc -a").levels[0].name == "options"
    assert options("cc", Variable("X", "1", None, None)).levels[0].name == "variables"


def test_what_is_kept_is_no_delta() -> None:
    case = options("gcc -O2 -o x -g a.c", keep=("^-o ", "^-g$"))
    assert case.options == (("-O2",),)
    assert case.chosen(NONE).argv == ("gcc", "-o", "x", "-g", "a.c")


def test_variables_come_after_options() -> None:
    case = options(
        "cc -a", Variable("SET", "new", "old", "old"), Variable("GONE", "now", None, "now")
    )
    assert case.chosen(NONE) == CommandRun(("cc",), {"SET": "old", "GONE": None})
    assert case.chosen(Deltas.of([1, 2])) == CommandRun(("cc",), {"SET": "new", "GONE": "now"})
    assert case.name(1) == "SET=new"
    assert case.name(2) == "GONE", "its value may be a secret"


def test_the_digest_tells_commands_apart() -> None:
    runs = [
        CommandRun(("a", "b")),
        CommandRun(("a b",)),
        CommandRun(("a",), {"b": ""}),
        CommandRun(("a",), {"b": None}),
        CommandRun(("a", "b="), {}),
        CommandRun(("ab", "")),
        CommandRun(("a\udcff", "b")),
    ]
    assert len({run.digest for run in runs}) == len(runs)
    assert (
        CommandRun(("a",), {"x": "1", "y": "2"}).digest
        == CommandRun(("a",), {"y": "2", "x": "1"}).digest
    )


def test_the_digest_of_a_candidate_is_that_of_its_command() -> None:
    case = options("cc -a -a -b")
    digests = [case.digest(Candidate.whole(Deltas.of([each]))) for each in case.deltas]
    assert digests[0] == digests[1] != digests[2]
    assert not case.objection(Candidate.whole(NONE))
    assert case.size(case.deltas) == 3


def test_the_answer_can_be_pasted_into_a_shell(sandbox: Sandbox) -> None:
    script = 'printf "%s." "$@" "${NEW-unset}" "${OLD-unset}"'
    argv = ["sh", "-c", script, "sh", "--x=a b", "--y='", "-z"]
    added = [Variable("NEW", "a'b c", None, None), Variable("OLD", "1", None, "1")]
    case = CommandOptions.read(argv, here=HERE, variables=added)
    answer = needed(case, "cause", Deltas.of([0, 1, 3]))
    [line] = answer.lines
    shell = line.text.removeprefix("fails: ")
    done = subprocess.run(["sh", "-c", shell], capture_output=True, check=True)  # noqa: S603
    assert done.stdout.decode() == "--x=a b.--y='.a'b c.unset."
    expected = ran(case.chosen(Deltas.of([0, 1, 3])), sandbox, Direct())
    assert expected == (0, done.stdout.decode())
    assert answer.title == (
        """it fails with 3 of 5 settings: '--x=a b', '--y='"'"'' """
        """and NEW='a'"'"'b c'"""
    )


def test_other_answers_are_worded() -> None:
    case = options("cc -a -b")
    assert needed(case, "cause", NONE).title == "it fails without any of its 2 options"
    case = options("cc -a")
    assert needed(case, "cause", NONE).title == "it fails without its only option"
    assert needed(case, "cause", case.deltas).title == "it fails with its only option: -a"


def test_a_command_runs_where_it_is_told_to(sandbox: Sandbox, tmp_path: Path) -> None:
    (tmp_path / "mine").touch()
    run = CommandRun(("sh", "-c", "ls; touch left; echo $V"), {"V": "v"})
    assert ran(run, sandbox, Direct(tmp_path)) == (0, "mine\nv\n")
    beside = Direct(None, Files({"beside": b""}))
    assert [ran(run, sandbox, beside) for _ in range(2)] == [(0, "beside\nv\n")] * 2


def test_a_command_without_options_is_refused() -> None:
    with pytest.raises(NothingToReduce, match=r"'gcc a\.c' has no options\n.*--try"):
        options("gcc a.c")
    with pytest.raises(NothingToReduce, match="no options but those that keep matches"):
        options("gcc -g a.c", keep=("g",))
    for nothing in ([], [""]):
        with pytest.raises(InvalidOption, match="no command after --"):
            CommandOptions.read(nothing, here=HERE)
        with pytest.raises(InvalidOption, match="no command after --"):
            Preventing.read(nothing, ["-x"], here=HERE)
    with pytest.raises(InvalidOption, match="not a valid regular expression"):
        options("gcc -g", keep=("(",))


def preventing(line: str, *lists: str) -> Preventing:
    return Preventing.read(line.split(), lists, here=HERE)


def test_tried_options_go_where_the_hole_is() -> None:
    case = preventing("cc {options} a.c", "-a '--b=c d'", "--param x=1")
    assert case.chosen(NONE).argv == ("cc", "-a", "--b=c d", "--param", "x=1", "a.c")
    assert case.chosen(case.deltas).argv == ("cc", "a.c")
    assert case.chosen(Deltas.of([0, 1])).argv == ("cc", "--param", "x=1", "a.c")


def test_without_a_hole_they_go_to_the_end_of_the_options() -> None:
    assert preventing("cc a.c", "-a").chosen(NONE).argv == ("cc", "a.c", "-a")
    assert preventing("tool -x -- a", "-a").chosen(NONE).argv == ("tool", "-x", "-a", "--", "a")


def test_a_list_may_be_in_a_file(tmp_path: Path) -> None:
    listed = tmp_path / "list"
    listed.write_text("# of the manual\n-fa -fb\n\n  # more\n'-DX=#1'\r\n-DÄ\n", newline="")
    tried = preventing("cc a.c", f"@{listed}", "-g").tried
    assert tried == (("-fa",), ("-fb",), ("-DX=#1",), ("-DÄ",), ("-g",))


def test_preventing_answers_are_worded() -> None:
    case = preventing("cc a.c", "-a -b -c")
    one = prevented_alone(case, [1], is_all=True)
    assert one.title == "1 of 3 options prevents the failure: -b"
    assert [shown.text for shown in one.lines] == ["passes: cc a.c -b"]
    two = prevented_alone(case, [0, 2], is_all=True)
    assert two.title == "2 of 3 options prevent the failure, each by itself: -a and -c"
    assert [shown.text for shown in two.lines] == ["passes: cc a.c -a", "passes: cc a.c -c"]
    assert two.data == {
        "alternatives": [
            {"options": [["-a"]], "argv": ["cc", "a.c", "-a"]},
            {"options": [["-c"]], "argv": ["cc", "a.c", "-c"]},
        ]
    }
    together = prevented(case, "cure", Deltas.of([0, 1]))
    assert together.title == "no single option prevents the failure; together -a and -b do"
    assert together.data == {
        "alternatives": [{"options": [["-a"], ["-b"]], "argv": ["cc", "a.c", "-a", "-b"]}]
    }
    only = prevented_alone(preventing("cc a.c", "-a"), [0], is_all=True)
    assert only.title == "-a prevents the failure"


def test_what_was_not_tried_is_said() -> None:
    case = preventing("cc a.c", "-a -b -c")
    none = prevented_alone(case, [], is_all=False)
    assert none.title == "no option that was tried prevents the failure by itself"
    some = prevented_alone(case, [0], is_all=False)
    for found in (none, some):
        assert found.lines[-1].text == "not all of the options were tried"


@pytest.mark.parametrize(
    ("line", "tried", "error", "says"),
    [
        ("cc a.c", "", NothingToReduce, "no options in it"),
        ("cc a.c", "'-x", InvalidOption, "No closing quotation"),
        ("cc a.c", "-g b.c", InvalidOption, "'b.c', which is not an option"),
        ("tool", "x -y", InvalidOption, "'x', which is not an option"),
        ("tool", "-x --", InvalidOption, "'--', which is not an option"),
        ("tool {options} {options}", "-x", InvalidOption, "several arguments cannot go"),
        ("tool --x={options}", "-x", InvalidOption, "several arguments cannot go"),
        ("{options} a", "-x", InvalidOption, "several arguments cannot go"),
        ("tool", "@/nowhere/list", NoSuchFile, "there is no file '/nowhere/list'"),
        ("tool", "@/dev", NotAFile, "'/dev' is a folder"),
        ("tool", "@/dev/null", NotAFile, "'/dev/null' is not a file"),
        ("tool", "@a\0b", Unreadable, "cannot be read"),
    ],
)
def test_a_list_that_makes_no_sense_is_refused(
    line: str, tried: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match="hint: ") as caught:
        preventing(line, tried)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("content", "says"), [(b"-x\n\xff", "not UTF-8"), (b"-x " * 400_000, "larger than")]
)
def test_a_file_that_is_no_list_is_refused(content: bytes, says: str, tmp_path: Path) -> None:
    listed = tmp_path / "list"
    listed.write_bytes(content)
    with pytest.raises(Unreadable, match=says):
        preventing("tool", f"@{listed}")


def test_the_option_of_gcc_that_prevents_a_failure_is_found(
    sandbox: Sandbox, tmp_path: Path
) -> None:
    # Signed overflow: with -O2 the comparison is always true, unless -fwrapv gives it a meaning.
    (tmp_path / "a.c").write_text(
        "#include <limits.h>\n"
        "__attribute__((noinline)) int after(int x) { return x + 1 > x; }\n"
        "int main(int n, char **v) { (void)v; return after(n > 9 ? 0 : INT_MAX); }\n"
    )
    tried = "-fno-inline -fno-ivopts -fno-gcse -fwrapv -fno-tree-vrp -fno-peephole -g -pipe"
    argv = ["sh", "-c", 'gcc "$@" -o a.out && ./a.out', "sh", "-O2", str(tmp_path / "a.c")]
    case = Preventing.read(argv, [tried], here=tmp_path)
    provisioner = Direct()

    def fails(left_out: Deltas) -> Verdict:
        status, _ = ran(case.chosen(left_out), sandbox, provisioner)
        return Verdict.INTERESTING if status else Verdict.UNINTERESTING

    assert fails(case.deltas) is Verdict.INTERESTING
    assert fails(NONE) is Verdict.UNINTERESTING
    asked = list(drive(chase(case.deltas), fails))
    found = [each.kept for each, verdict in asked if verdict is Verdict.INTERESTING][-1]
    assert [case.name(each) for each in found] == ["-fwrapv"]
    assert len(asked) <= 5


def test_tried_options_are_circumstances() -> None:
    case = preventing("cc a.c", "-a -b -a")
    [level] = case.levels
    assert (level.name, level.units) == ("options", [Deltas.of([each]) for each in range(3)])
    without = [Candidate.whole(case.deltas.toggle(Deltas.of([each]))) for each in range(3)]
    assert case.digest(without[0]) == case.digest(without[2]) != case.digest(without[1])
    assert case.render(without[1]) == CommandRun(("cc", "a.c", "-b"))
    assert (case.size(case.deltas), case.objection(without[0])) == (3, "")
