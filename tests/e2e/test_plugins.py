"""Plug-ins, installed as pip installs them: the package of the reference, and broken ones."""

import importlib
import re
import sys
import tomllib
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given

from contracts.test_formats_trees import holds, texts
from e2e.programs import Ran, shell, text, wynot
from forests import assert_keeps_laws, forest_of
from structure.pages import ROOT
from tiers import slow_after
from wynot.formats.detect import tree_of

PAGE = (ROOT / "docs/reference/plugins.md").read_text()
PROJECT = tomllib.loads("".join(re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)))["project"]
# The last block of the page is not of the package: it checks it.
MODULE = "\n".join(re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)[:-1])
TEXT = """\
let total = 0
---
print "sums" (1 plus 2)
let price = 12
---
print price times (3 plus total)
"""
TIMES = 'grep -qE "[a-z]+ (times|\\*)" "$1"'


def install(folder: Path, name: str, entries: Mapping[str, Mapping[str, str]], code: str) -> Path:
    """Put a package where Python finds it, with its entry points."""
    found = [
        f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in each.items())
        for group, each in entries.items()
    ]
    info = folder / f"{name}-1.0.dist-info"
    text(info / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    text(info / "entry_points.txt", "\n".join(found))
    text(folder / f"{name}.py", code)
    return folder


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """Return where the package of the page is installed."""
    return install(tmp_path / "site", "wynot_toy", PROJECT["entry-points"], MODULE)


@pytest.fixture
def toy_module(toy: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """Return the module of the page's package."""
    monkeypatch.syspath_prepend(toy)
    monkeypatch.delitem(sys.modules, "wynot_toy", raising=False)
    return importlib.import_module("wynot_toy")


def reduce(site: Path, *options: str, test: str = TIMES, content: str = TEXT) -> Ran:
    """Reduce a text of Toy, with what is installed there."""
    folder = site.parent
    text(folder / "sum.toy", content)
    ran = wynot(
        folder, "reduce", "--fresh", *options, "-c", test, "sum.toy", env={"PYTHONPATH": str(site)}
    )
    assert ran.code == 0, ran
    return ran


def left(site: Path) -> str:
    return (site.parent / "sum.toy").read_text()


def steps(ran: Ran) -> list[str]:
    return [
        f"{event['pass_name']}: {event['candidate']}"
        for event in ran.events
        if event["event"] == "accepted"
    ]


def test_the_language_is_in_the_list(toy: Path) -> None:
    ran = wynot(toy.parent, "languages", env={"PYTHONPATH": str(toy)})
    rows = [line.split() for line in ran.out.splitlines() if line.startswith("toy")]
    assert (ran.code, ran.err, rows) == (0, "", [["toy", "wynot", ".toy"]])
    assert "toy" not in wynot(toy.parent, "languages").out


def test_the_rewrite_is_used_on_files_of_the_language(toy: Path) -> None:
    ran = reduce(toy, "--json")
    assert "plug-ins: word to mark" in steps(ran)
    assert left(toy).strip() == "a *"
    history = wynot(toy.parent, "history", "sum.toy", env={"PYTHONPATH": str(toy)})
    assert "plug-ins word to mark" in history.out


@pytest.mark.slow
def test_it_is_told_by_the_suffix_or_by_name(toy: Path) -> None:
    (toy.parent / "sum.txt").write_text(TEXT)
    times = TIMES.replace('"$1"', "sum.txt")
    command = ("reduce", "-q", "--fresh", "-c", times, "sum.txt")
    env = {"PYTHONPATH": str(toy)}
    assert wynot(toy.parent, *command, env=env).code == 0
    assert "times" in (toy.parent / "sum.txt").read_text()  # any text: the rewrite is not for it
    (toy.parent / "sum.txt").write_text(TEXT)
    assert wynot(toy.parent, *command, "--language", "toy", env=env).code == 0
    assert "*" in (toy.parent / "sum.txt").read_text()
    assert wynot(toy.parent, *command, "--language", "toy").code == 2  # it is not installed


def test_the_pass_is_used(toy: Path) -> None:
    ran = reduce(toy, "--json", test='grep -q times "$1" && grep -q -- "^---$" "$1"')
    assert "chapters" in {event["name"] for event in ran.events if event["event"] == "pass_began"}
    assert left(toy).split() == ["---", "times"]


def test_the_container_is_opened_and_written_again(toy: Path) -> None:
    cards = b"".join(bytes([len(card)]) + card for card in (b"ace of spades", b"a knave", b"king"))
    (toy.parent / "cards.deck").write_bytes(b"DECK\3" + cards)
    is_valid = (
        'b = open("cards.deck", "rb").read(); n, rest = b[4], b[5:]\n'
        "for _ in range(n): rest = rest[1 + rest[0]:]\n"
        'assert b[:4] == b"DECK" and not rest and b"kna" in b'
    )
    shell(toy.parent, f"{sys.executable} -c '{is_valid}'")
    env = {"PYTHONPATH": str(toy)}
    ran = wynot(toy.parent, "reduce", "-q", "test.sh", "cards.deck", env=env)
    assert ran.code == 0, ran.err
    assert (toy.parent / "cards.deck").read_bytes() == b"DECK\1\3kna"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("group", "value", "why"),
    slow_after(
        2,
        [
            (
                "wynot.languages",
                "not_there:TOY",
                "ModuleNotFoundError: No module named 'not_there'",
            ),
            ("wynot.languages", "broken:NAME", "it is str"),
            ("wynot.languages", "broken:nothing", "AttributeError"),
            ("wynot.rewrites", "raises:marks", "ZeroDivisionError"),
            ("wynot.rewrites", "broken:NAME", "it is str"),
            ("wynot.passes", "broken:NAME", "it is str"),
        ],
    ),
)
def test_a_broken_one_is_left_out_and_one_line_says_so(
    toy: Path, group: str, value: str, why: str
) -> None:
    install(toy, "broken", {group: {"bad": value}}, 'NAME = "toy"\n')
    text(toy / "raises.py", "1 / 0\n")
    ran = reduce(toy, "--json")
    notices = [event for event in ran.events if event["event"] == "noticed"]
    assert [event["slug"] for event in notices] == ["plug-in"]
    assert f"plug-in 'bad' of {group} ({value}) is left out: {why}" in notices[0]["message"]
    assert left(toy).strip() == "a *"  # the other one works
    printed = reduce(toy, "-q")
    assert printed.out.count("[plug-in]") + printed.err.count("[plug-in]") == 1
    assert "Traceback" not in printed.out + printed.err
    assert wynot(toy.parent, "languages", env={"PYTHONPATH": str(toy)}).code == 0


def test_one_that_raises_when_it_is_used_ends_the_run_with_the_best_so_far(toy: Path) -> None:
    code = "def bad(forest):\n    raise RuntimeError('of the plug-in')\n"
    install(toy, "broken", {"wynot.rewrites": {"bad": "broken:bad"}}, code)
    text(toy.parent / "sum.toy", TEXT)
    shell(toy.parent, "grep -q times sum.toy")
    ran = wynot(toy.parent, "reduce", "test.sh", "sum.toy", env={"PYTHONPATH": str(toy)})
    assert ran.code == 70
    assert "broken.py" in ran.err
    assert "of the plug-in" in ran.err
    assert "times" in left(toy)
    assert len(left(toy)) < len(TEXT)


# The contracts of languages and rewrites, for those of a plug-in.


@given(content=texts)
def test_a_row_of_a_plug_in_goes_through_the_contract_of_languages(content: bytes) -> None:
    names: dict[str, object] = {}
    exec(compile(MODULE, "wynot_toy.py", "exec"), names)  # noqa: S102 - our own documentation
    holds(names["TOY"], content)  # type: ignore[arg-type]  # it is a Language


def test_its_sample_has_a_tree_wherever_it_is_cut_and_the_kinds_of_the_row(
    toy_module: ModuleType,
) -> None:
    row, content = toy_module.TOY, TEXT.encode()
    for stop in range(len(content) + 1):
        holds(row, content[:stop])
    tree = tree_of(row, content)
    there = {tree.kind(node) for node in range(len(tree))}
    assert row.names | row.strings | row.numbers | row.comments | row.replacements.keys() <= there


def test_rewrites_of_a_plug_in_go_through_the_contract_of_rewrites(toy_module: ModuleType) -> None:
    row, marks = toy_module.TOY, toy_module.marks
    several = {"a.toy": TEXT, "b/c.toy": "x minus y", "empty.toy": "", "a.c": "int times;"}
    for files in ({"a.toy": TEXT}, several):
        assert_keeps_laws(marks, forest_of(files, [row]))
        assert list(marks(forest_of(files, [row]))) == list(marks(forest_of(files, [row])))
    found = [patch.path for each in marks(forest_of(several, [row])) for patch in each.patches]
    assert found == ["a.toy", "a.toy", "a.toy", "b/c.toy"]
