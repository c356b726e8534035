"""Files that are written where they are named."""

import re
from collections.abc import Callable
from pathlib import PurePosixPath

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reduce_inline import reduce_inline
from wynot.core.files import Files
from wynot.passes.merging.merges import merges, whole_merges
from wynot.passes.trees.parsed_files import Trees


def folder(texts: dict[str, str]) -> Files:
    """Return files of a folder."""
    return Files({f"case/{path}": text.encode() for path, text in texts.items()})


def ways(files: Files) -> list[dict[str, str]]:
    """Return what a case may become, by the names in its folder."""
    return [
        {path.removeprefix("case/"): text.decode() for path, text in each.contents.items()}
        for each in merges(files, Trees.of(files).language_name)
    ]


def first(texts: dict[str, str]) -> dict[str, str]:
    return ways(folder(texts))[0]


@pytest.mark.parametrize(
    ("texts", "main"),
    [
        ({"a.c": '#include"b.h"\nint y=X;\n', "b.h": "#define X 1\n"}, "#define X 1\nint y=X;\n"),
        ({"a.rs": "mod b;fn main(){}", "b.rs": "pub fn f(){}\n"},
            "mod b{\npub fn f(){}\n}fn main(){}"),
        ({"a.rs": "mod b;", "b/mod.rs": "fn f(){}"}, "mod b{\nfn f(){}\n}"),
        ({"a.tex": "x \\input{b} y", "b.tex": "more\n"}, "x more y"),
        ({"a.less": '@import "b";p{q:r}', "b.less": "@c:d;\n"}, "@c:d;p{q:r}"),
        ({"a.scss": "@use 'b';", "_b.scss": "$c:1"}, "$c:1"),
        ({"a.css": "@import url('b.css');p{}", "b.css": "q{}"}, "q{}p{}"),
        ({"a.php": "<?php include 'b.php';f();", "b.php": "<?php function f(){}\n?>\n"},
            "<?php  function f(){}\nf();"),
        ({"a.rb": "require_relative 'b'\nf", "b.rb": "def f = 1\n"}, "def f = 1\nf"),
        ({"a.pl": "use B::C;\nf();", "B/C.pm": "package B::C;1;"},
            "BEGIN{\npackage B::C;1;\n}\nf();"),
        ({"a.lua": "local m = require 'b'\nm.f()", "b.lua": "local t={}\nreturn t\n"},
            "local t={}\n\nlocal m= t\nm.f()"),
        ({"a.sh": '. "$(dirname "$0")/b.sh"\nf', "b.sh": "f(){ :; }\n"}, "f(){ :; }\nf"),
        ({"a.jl": 'include("b.jl")\nf()', "b.jl": "f() = 1"}, "f() = 1\nf()"),
        ({"a.sql": ".read b.sql\nSELECT 1;", "b.sql": "CREATE TABLE t(a);\n"},
            "CREATE TABLE t(a);\nSELECT 1;"),
        ({"a.v": '`include "b.vh"\nmodule m;endmodule', "b.vh": "`define X 1"},
            "`define X 1\nmodule m;endmodule"),
        ({"a.j2": "{% include 'b.j2' %}!", "b.j2": "hello"}, "hello!"),
        ({"a.html": '<script src="b.js"></script>', "b.js": "f()"}, "<script>f()</script>"),
        ({"a.zig": 'const b = @import("b.zig");', "b.zig": "pub const x = 1;"},
            "const b = struct{\npub const x = 1;\n};"),
        ({"a.nix": "import ./b.nix + 1", "b.nix": "1"}, "(1) + 1"),
        ({"a.proto": 'syntax="proto3";import "b.proto";message A{}',
            "b.proto": 'syntax="proto3";\nmessage B{}'},
            'syntax="proto3";\nmessage B{}message A{}'),
    ],
)  # fmt: skip
def test_a_file_takes_the_place_of_its_name(texts: dict[str, str], main: str) -> None:
    assert first(texts) == {next(iter(texts)): main}


@pytest.mark.parametrize(
    ("main", "module", "merged"),
    [
        ("from b import f\nf()\n", "def f(): 1\n", "def f(): 1\nf()\n"),
        ("from b import f as g;g()", "def f(): 1", "def f(): 1\ng=f\ng()"),
        ("from b import*\nf()", "f=1\n", "f=1\nf()"),
        ("import b\nb.f(b.c, a.b.f)", "f=c=1", "f=c=1\nf(c, a.b.f)"),
        ("import os, b as c\nc.f()", "f=1", "f=1\nimport os\nf()"),
        ("import os\ndef g():\n  from b import f\n  f()", "f=1",
            "f=1\nimport os\ndef g():\n  pass\n  f()"),
        ("import b\n1", "from __future__ import x\nf=1", "from __future__ import x\nf=1\n1"),
    ],
)  # fmt: skip
def test_a_module_of_python_takes_the_place_of_its_import(
    main: str, module: str, merged: str
) -> None:
    assert first({"a.py": main, "b.py": module}) == {"a.py": merged}


def test_a_qualifier_can_stand_for_the_text_itself_or_for_a_class() -> None:
    _, itself, of_class = ways(folder({"a.py": "import b\nb.f()", "b.py": "def f():\n  pass"}))
    assert itself == {"a.py": "def f():\n  pass\nimport __main__ as b\nb.f()"}
    assert of_class == {"a.py": "class b:\n def f():\n   pass\nb.f()"}


def test_modules_of_packages_are_found_and_named_anew() -> None:
    texts = {
        "run.py": "from p.q import f\nf()",
        "p/__init__.py": "",
        "p/q.py": "from .r import g\nfrom . import s\ndef f(): s.h(g)",
        "p/r.py": "g=1",
        "p/s.py": "def h(x): x",
    }
    assert first(texts) == {
        "run.py": "g=1\ndef h(x): x\ndef f(): h(g)\nf()",
        "p/__init__.py": "",
    }


@pytest.mark.parametrize(
    ("main", "module", "merged"),
    [
        ("const{f}=require('./b');f()", "function f(){}\nmodule.exports={f}",
            "function f(){}\n\nf()"),
        ("const b=require('./b');b.f()", "exports.f=()=>1;", "var f=()=>1;\nf()"),
        ("const B=require('./b');new B", "module.exports=class{}", "var B=class{}\nnew B"),
        ("var b=require('./b')\nb()", "function c(){}\nmodule.exports=c;",
            "function c(){}\n\nvar b=c;\nb()"),
        ("import d,{e as f} from './b.js';d(f)", "export const e=1;export default x=>x",
            "const e=1;const d=x=>x\nvar f=e;\nd(f)"),
        ("import*as n from'./b.js';n.f()", "export function f(){}", "function f(){}\nf()"),
        ("import{g}from'./b.js';g()", "function f(){}export{f as g}",
            "function f(){}\nvar g=f;\ng()"),
        ("export*from'./b.js'", "export let a=1", "export let a=1"),
    ],
)  # fmt: skip
def test_a_script_takes_the_place_of_its_import(main: str, module: str, merged: str) -> None:
    assert first({"a.js": main, "b.js": module}) == {"a.js": merged}


def test_what_is_required_can_be_run_before() -> None:
    found = ways(folder({"a.js": "let x=0;g(require('./b').f())", "b.js": "exports.f=()=>1"}))
    assert found[0] == {"a.js": "let x=0;exports.f=()=>1\ng(exports.f())"}
    assert found[1] == {"a.js": "let x=0;{exports.f=()=>1\n}\ng(exports.f())"}


def test_data_takes_the_place_of_its_import() -> None:
    assert first({"a.js": "const x=require('./b.json');x.y", "b.json": '{"y":1}\n'}) == {
        "a.js": '\nconst x=({"y":1});x.y'
    }


def test_what_is_named_twice_is_there_once_or_twice() -> None:
    main = '#include "b.h"\n#include "b.h"\n'
    both, once = ways(folder({"a.c": main, "b.h": "x"}))
    assert (both, once) == ({"a.c": "x\nx\n"}, {"a.c": "x\n\n"})


def test_all_is_put_together_from_where_it_is() -> None:
    texts = {
        "src/a.c": '#include "../inc/b.h"\n',
        "inc/b.h": '#include "d/e.h"\nb\n',
        "inc/d/e.h": "e\n",
    }
    whole, inner, outer = ways(folder(texts))
    assert whole == {"src/a.c": "e\nb\n"}
    assert inner["inc/b.h"] == "e\nb\n"
    assert outer["src/a.c"] == '#include "../inc/d/e.h"\nb\n'


@pytest.mark.parametrize(
    "texts",
    [
        {"a.c": '#include "gone.h"\n', "b.h": "x"},
        {"a.c": "int x;", "b.c": "int y;"},
        {"a.py": "import b.c.d", "b.txt": "x"},
        {"a.c": '#include "a.c"\n', "b.h": ""},
    ],
)
def test_what_is_not_named_stays(texts: dict[str, str]) -> None:
    assert ways(folder(texts)) == []


def test_files_that_were_named_one_by_one_stay_but_are_empty() -> None:
    files = Files({"a.c": b'#include "b.h"\n', "b.h": b"int x;\n"})
    [merged] = whole_merges(files, Trees.of(files).language_name)
    assert merged.contents == {"a.c": b"int x;\n", "b.h": b""}


def expanded(files: Files, path: str, depth: int = 0) -> bytes:
    """Do what a preprocessor does."""

    def included(found: re.Match[bytes]) -> bytes:
        other = str(PurePosixPath(path).parent / found[1].decode("utf-8", "replace"))
        if other not in files.contents or depth > 5:
            raise LookupError(other)
        return expanded(files, other, depth + 1)

    return re.sub(rb'(?m)^#include ?"(.*)"$', included, files.contents[path])


def compiles_with(words: list[bytes]) -> Callable[[Files], bool]:
    def test(files: Files) -> bool:
        try:
            text = expanded(files, "case/main.c")
        except LookupError:
            return False
        return all(word in text for word in words)

    return test


def test_a_folder_ends_in_one_file() -> None:
    files = folder(
        {
            "main.c": '#include "h.h"\nint main(void) { return f(3); }\n',
            "h.h": '#include "deep/i.h"\nstatic int f(int a) { return a / ZERO; }\n',
            "deep/i.h": "#define ZERO 0\n#define ONE 1\n",
        }
    )
    reduced = reduce_inline(files, compiles_with([b"ZERO", b"f(", b"main"]))
    assert [*reduced.files.contents] == ["case/main.c"]


def test_a_file_that_is_needed_in_two_goes_only_if_that_is_shorter() -> None:
    def both(files: Files) -> bool:
        try:
            texts = [expanded(files, f"case/{name}.c") for name in "ab"]
        except (LookupError, KeyError):
            return False
        return all(b"magic" in text for text in texts)

    line = '#include "a_rather_long_name.h"\n'
    files = folder({"a.c": line, "b.c": line, "a_rather_long_name.h": "int magic;\n"})
    assert {*reduce_inline(files, both).files.contents} == {"case/a.c", "case/b.c"}


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a.py", "b.py", "a.js", "b/c.js", "x.c", "x.h", "y.rs", "t.tex"]),
            st.text("#include \"'x.hba;pyfromrequire(){}*\\\n<>%/mod,=$@", max_size=60).map(
                str.encode
            )
            | st.binary(max_size=30)
            | st.sampled_from(
                [
                    *(b"from b import *", b"import a,b", b'#include "x.h"', b"from . import a"),
                    *(b"require('./b')", b"import{a}from'./b/c'", b"mod y;", b"\\input{t}"),
                ]
            ),
        ),
        min_size=2,
        max_size=6,
    )
)
def test_hostile_texts_do_not_raise(texts: list[tuple[str, bytes]]) -> None:
    files = Files({f"case/{path}": text for path, text in texts})
    for each in merges(files, Trees.of(files).language_name):
        assert each.contents.keys() <= files.contents.keys()
