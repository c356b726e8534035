"""White space, made plain to read or as short as can be."""

import pytest

from forests import forest_of
from wynot.core.texts.rewrites import rewritten
from wynot.passes.rewrites.layout import pretty, short, tidy


def prettied(path: str, text: str) -> str:
    forest = forest_of({path: text})
    found = list(pretty(forest))
    assert len(found) <= 1  # one for each file
    patches = [patch for rewrite in found for patch in rewrite.patches]
    return rewritten(forest.contents[path], patches).decode()


@pytest.mark.parametrize(
    ("path", "text", "left"),
    [
        # No empty lines, no blanks at the ends of lines, one blank where there are several.
        ("a.c", "int a;\n\n\nint  b;  \n", "int a;\nint b;\n"),
        ("a.c", "int a;\r\n\r\nint b;\r\n", "int a;\nint b;\n"),
        # Lines are indented as brackets nest.
        ("a.c", "int f() {\n g();\n      if (1) {\nh();\n  }\n }\n", None),
        ("a.json", "[\n1, [\n2\n]\n]", "[\n    1, [\n        2\n    ]\n]"),
        ("a.json", "[1,\n  2]", "[1,\n    2]"),
        # Nothing before the first token; after the last a line end if there was one.
        ("a.json", "\n\n  [1]\n\n\n", "[1]\n"),
        ("a.json", " [1]  ", "[1]"),
        ("a.c", "\t int a;", "int a;"),
        # Where lines mean something, indentation stays as it is.
        ("a.py", "if x:\n\n\n  f( 1 )  \n  g()\n\n", "if x:\n  f( 1 )\n  g()\n"),
        ("a.yaml", "a:\n\n   - b\n   - c\n", "a:\n   - b\n   - c\n"),
        # No white space is put where there is none.
        ("a.c", "int f(){g();}", "int f(){g();}"),
        ("a.c", "", ""),
        ("a.c", "\n", "\n"),
    ],
)
def test_plain_to_read(path: str, text: str, left: str | None) -> None:
    wanted = left
    if left is None:
        wanted = "int f() {\n    g();\n    if (1) {\n        h();\n    }\n}\n"
    assert prettied(path, text) == wanted


@pytest.mark.parametrize(
    "text",
    [
        "int f() {\n g();\n      if (1) {\nh();\n  }\n }\n\n",
        "f)\n(\n)\n]",
        "a(\n(\nb\n\n)\n",
    ],
)
def test_what_is_pretty_stays_as_it_is(text: str) -> None:
    once = prettied("a.c", text)
    assert prettied("a.c", once) == once
    assert list(pretty(forest_of({"a.c": once}))) == []


@pytest.mark.parametrize(
    ("path", "text", "left"),
    [
        ("a.c", "int a;\n\n\nint  b;\n", "int a;\nint b;\n"),
        ("a.c", "int f() {\n    g( );\n}\n", "int f(){\ng();\n}\n"),
        ("a.json", " [1,\n  2 ]  ", "[1,\n2]"),
        # Where lines mean something, their indentation stays at first; then it is tried without.
        ("a.py", "if x:\n\n  f( 1 )\n", "if x:\n  f(1)\n"),
        ("a.py", "if x:\n  f(1)\n", "if x:\nf(1)\n"),
        # A quote makes no other token of a mark, but of another quote.
        ("a.toml", '"" = 1\n', '""=1\n'),
        ("a.py", "f('a' + 'b' 'c')\n", "f('a'+'b' 'c')\n"),
        ("a.c", "a = - b;", "a= -b;"),
        ("a.c", "x\ny", "x\ny"),
    ],
)
def test_lines_stay_but_no_blanks_that_nobody_needs(path: str, text: str, left: str) -> None:
    forest = forest_of({path: text})
    found = list(tidy(forest))
    patches = [patch for rewrite in found for patch in rewrite.patches]
    assert rewritten(forest.contents[path], patches).decode() == left
    assert all(rewrite.gain > 0 for rewrite in found)
    assert {rewrite.category for rewrite in found} <= {
        *("without blanks", "without empty lines", "without indentation"),
    }


def test_each_file_is_a_rewrite_of_its_own() -> None:
    forest = forest_of({"a.json": "[  1]", "b.json": "[1]", "c.json": "[2 ,  3]"})
    assert [[patch.path for patch in each.patches] for each in pretty(forest)] == [
        *(["a.json"], ["c.json"]),
    ]


@pytest.mark.parametrize(
    ("text", "left"),
    [
        (
            "int a;\n\nint b;",
            {"without line ends": ["int a;int b;"], "shorter line ends": ["int a;\nint b;"]},
        ),
        ("a = - b;", {"without blanks": ["a= - b;", "a = -b;"]}),
        ("return x;", {}),
        ("return  x;", {"without blanks": ["return x;"]}),
        (
            "f ( x );\n",
            {
                "without blanks": ["f( x );\n", "f (x );\n", "f ( x);\n"],
                "without line ends": ["f ( x );"],
            },
        ),
        ("x\ny", {}),
        ("x \n y", {"without line ends": ["x y"], "shorter line ends": ["x\ny"]}),
        ("  x", {"without blanks": ["x"]}),
    ],
)
def test_as_little_as_can_be(text: str, left: dict[str, list[str]]) -> None:
    forest = forest_of({"a.c": text})
    found: dict[str, list[str]] = {}
    for rewrite in short(forest):
        new = rewritten(forest.contents["a.c"], list(rewrite.patches)).decode()
        found.setdefault(rewrite.category, []).append(new)
    assert found == left
