"""An option is one line: everything that there is to it is made from that line."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import pytest

from structure.option_tables import table
from wynot.cli import completion, config
from wynot.cli.main import _options
from wynot.cli.parser import parser
from wynot.commands.reduce_options import ReduceOptions
from wynot.commands.table import COMMANDS
from wynot.core.errors import InvalidArgument, InvalidOption, UnknownOption
from wynot.core.options.option import Heading, OptionRecord, limit_option, option, safe_option


@dataclass(frozen=True, kw_only=True)
class More(ReduceOptions):
    depth: int = safe_option("--depth N", "how deep to look", 3, least=1)  # the one line


@pytest.fixture
def _reduce(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Have ``wynot reduce`` take one option more."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(COMMANDS, "reduce", COMMANDS["reduce"]._replace(records=lambda: More))


def reduce(*given: str) -> Any:
    """Return what a command line asks of ``wynot reduce``."""
    values = vars(parser(["reduce", *given]).parse_args(["reduce", *given]))
    return _options(values.pop("action"), values, ())


@pytest.mark.usefixtures("_reduce")
def test_a_line_is_all_that_an_option_takes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # The parser, and the record that the job is given.
    assert (reduce("t", "f").depth, reduce("--depth", "5", "t", "f").depth) == (3, 5)
    with pytest.raises(InvalidOption, match="--depth: invalid int value: 'x'"):
        reduce("--depth", "x", "t", "f")
    # What it may be.
    with pytest.raises(InvalidOption, match="depth is 0"):
        reduce("--depth", "0", "t", "f").validate()
    # The help.
    with pytest.raises(SystemExit):
        reduce("--help")
    helped = capsys.readouterr().out
    assert "--depth N" in helped
    assert "how deep to look (default: 3)" in " ".join(helped.split())
    # Config files: for all commands, for this one, and whether strangers may set it.
    (tmp_path / "pyproject.toml").write_text("[tool.wynot]\ndepth = 7\n")
    assert (reduce("t", "f").depth, reduce("--depth", "5", "t", "f").depth) == (7, 5)
    (tmp_path / "pyproject.toml").write_text("[tool.wynot.reduce]\ndepth = 'x'\n")
    with pytest.raises(InvalidOption, match=r"reduce\.depth is 'x'"):
        reduce("t", "f")
    assert config.entries("reduce")["depth"].option.is_harmless
    # Shells.
    assert "--depth" in completion.bash()
    assert "-l depth -r -d 'how deep to look (default: 3)'" in completion.fish()
    # Whether an earlier run can be gone on with, and what programs are told.
    assert More(depth=4).identity != More().identity
    assert More(depth=4).given == {"depth": 4}
    # The reference.
    assert "| `--depth N` | how deep to look | `3` |" in table("reduce")


@dataclass(frozen=True, kw_only=True)
class Few(OptionRecord):
    heading = Heading.LIMITS
    name: str = ""
    often: int = limit_option("-n --often N", "how often", 1, least=1)
    loud: bool = option("--quiet", "say nothing", default=True)
    sure: bool | None = option("--sure", "be sure", off="--unsure do not be")
    words: tuple[str, ...] = option("--word WORD ...", "a word")


@dataclass(frozen=True, kw_only=True)
class Fewer(Few):
    heading = Heading.OUTPUT
    often: int = option("-n --often N", "how often, here", 2)
    loud: bool = True


def test_a_record_takes_over_changes_and_leaves_out_options() -> None:
    assert [each.name for each in Few.options()] == ["often", "loud", "sure", "words"]
    assert [each.name for each in Fewer.options()] == ["often", "sure", "words"]
    assert Fewer().often == 2
    assert Fewer.option("often").heading is Heading.LIMITS


def test_what_does_not_matter_is_not_part_of_what_is_asked() -> None:
    assert Few(often=3).identity == Few().identity
    assert Few(name="x").identity != Few().identity
    assert Few(loud=False, words=("a",)).given == {"quiet": False, "word": ("a",)}


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ({"often": "1"}, InvalidArgument),
        ({"often": True}, InvalidArgument),
        ({"often": 0}, InvalidOption),
        ({"loud": 1}, InvalidArgument),
        ({"sure": "yes"}, InvalidArgument),
    ],
)
def test_values_are_of_the_kind_that_the_line_says(values: Any, kind: type[Exception]) -> None:
    Few(sure=None).validate()
    with pytest.raises(kind):
        Few(**values).validate()


def test_every_option_has_a_field_of_its_own_name() -> None:
    for command in COMMANDS.values():
        names = {each.name for each in fields(command.record)}
        assert {each.name for each in command.record.options()} <= names


@pytest.mark.usefixtures("_reduce")
def test_what_means_another_thing_elsewhere_is_read_from_the_commands_own_table(
    tmp_path: Path,
) -> None:
    path = tmp_path / "c.toml"
    path.write_text("jobs = 5\natoms = 'chars'\n[changes]\natoms = 'hunks'\n[tests]\njobs = 2\n")
    values = {
        name: dict(read.values)
        for name in ("reduce", "changes", "tests", "packages", "options")
        for read in config.read(str(path), name)
    }
    assert values == {
        "reduce": {"jobs": 5, "atoms": "chars"},
        "changes": {"jobs": 5, "atoms": "hunks"},
        "tests": {"jobs": 2},
        "packages": {},
        "options": {"jobs": 5},
    }
    path.write_text("good = 'v1'\n")
    with pytest.raises(InvalidOption, match="good means something else in each command") as told:
        config.read(str(path), "changes")
    assert "[tool.wynot.changes]" in told.value.hint
    path.write_text("[changes]\nserach = 'x'\n")
    with pytest.raises(UnknownOption, match="no option changes"):
        config.read(str(path), "changes")
    path.write_text("reduce = 3\n")
    with pytest.raises(InvalidOption, match="reduce is 3"):
        config.read(str(path), "changes")
