"""What nothing needs, of sources in several languages."""

import pytest

from counting import is_linear
from forests import forest_of
from wynot.core.candidate import Candidate
from wynot.core.files import Files
from wynot.passes.large.unused_code import Care, Needed
from wynot.passes.trees.forest import ROOT_NODE
from wynot.passes.trees.mentions import Mentions
from wynot.passes.trees.tokens import TokensCase


def left(path: str, text: str, *, last: int = 1, care: Care = Care.BY_SPELLING) -> str:
    """Return what is left of a text without what its last parts do not need, in one line."""
    forest = forest_of({path: text})
    case = TokensCase(Files(dict(forest.contents)), forest.tokens)
    parts = forest.named(forest.innermost(ROOT_NODE))[:-last]
    gone = Needed(forest).useless(parts, case.deltas, care)
    rest = case.render(Candidate.whole(case.deltas.toggle(gone)))
    return " ".join(rest.contents[path].decode().split())


CASES = {
    "a function and what it calls": (
        "a.c",
        (
            "int a() { return 1; } int b() { return a(); } int c() { return b(); } int d() { c(); }"
            " int main() { b(); }"
        ),
        "int a() { return 1; } int b() { return a(); } int main() { b(); }",
    ),
    "types, and enumerators by their own names": (
        "a.c",
        (
            "typedef int one; typedef int two; enum e { red, blue }; enum g { up };"
            " struct s { one x, y; }; struct t { two x; };"
            " int main() { struct s v; return red + v.x; }"
        ),
        (
            "typedef int one; enum e { red, blue }; struct s { one x, y; };"
            " int main() { struct s v; return red + v.x; }"
        ),
    ),
    "a template with its specialisations, in a namespace that is opened again": (
        "a.cpp",
        (
            "namespace n { template <class T> struct A; template <class T> struct B; }"
            " namespace n { template <> struct A<int> { int x; }; }"
            " namespace m { template <> struct B<int> { int x; }; }"
            " int main() { n::A<int>().x; }"
        ),
        (
            "namespace n { template <class T> struct A; }"
            " namespace n { template <> struct A<int> { int x; }; }"
            " int main() { n::A<int>().x; }"
        ),
    ),
    "a class with its members elsewhere, and all overloads": (
        "a.cpp",
        (
            "struct A { void f(); void g(); }; void A::f() {} void A::g() {} void h(int);"
            " void h(long); void k(int); int main() { A().f(); h(1); }"
        ),
        (
            "struct A { void f(); }; void A::f() {} void h(int); void h(long);"
            " int main() { A().f(); h(1); }"
        ),
    ),
    "what has no name comes with all that it mentions": (
        "a.cpp",
        (
            "struct A {}; struct B {}; bool operator==(A, A); bool operator==(B, B);"
            " using n::other; static_assert(sizeof(B)); int main() { A a; }"
        ),
        "struct A {}; bool operator==(A, A); using n::other; int main() { A a; }",
    ),
    "parameters are no mentions": (
        "a.cpp",
        "int size; int f(int &size) { return size; } int main() { f(1); }",
        "int f(int &size) { return size; } int main() { f(1); }",
    ),
    "methods, but none that are called by the language": (
        "a.py",
        (
            "class A:\n    def __init__(self): pass\n    def f(self): pass\n    def g(self): pass\n"
            "class B:\n    pass\nA().f()\n"
        ),
        "class A: def __init__(self): pass def f(self): pass A().f()",
    ),
    "a class that loses all its methods is not empty": (
        "a.py",
        "class A:\n    def f(self): pass\n    def gg(self): pass\nA()\n",
        "class A: def f(self): pass A()",
    ),
    "statements of a script": (
        "a.js",
        "function a() {} function b() {} a.x = 1; b.x = 2; const c = 1, d = 2; let e = c; a();",
        "function a() {} a.x = 1; a();",
    ),
    "classes of classes": (
        "a.java",
        (
            "class A { int f() { return 1; } int g() { return 2; } } class B { }"
            " class Main { void run() { new A().f(); } }"
        ),
        "class A { int f() { return 1; } } class Main { void run() { new A().f(); } }",
    ),
    "items and implementations": (
        "a.rs",
        (
            "struct A; struct B; impl A { fn f() {} } impl B { fn h() {} } fn g() {}"
            " fn main() { A::f(); }"
        ),
        "struct A; impl A { fn f() {} } fn main() { A::f(); }",
    ),
}
BY_SCOPE = {
    "a member is not what is called like it elsewhere": (
        "a.py",
        "def fill(): pass\ndef use(x): x.fill()\nuse(1)\n",
        "def use(x): x.fill() use(1)",
    ),
    "nor is a parameter, a local variable or an argument": (
        "a.py",
        (
            "def a(): pass\ndef b(): pass\ndef c(): pass\n"
            "def use(a):\n    b = a\n    return f(b, c=1)\nuse(1)\n"
        ),
        "def use(a): b = a return f(b, c=1) use(1)",
    ),
    "a default is worked out outside": (
        "a.py",
        "KEEP = 1\nALL = 2\ndef use(x=KEEP, KEEP=KEEP): pass\nuse()\n",
        "KEEP = 1 def use(x=KEEP, KEEP=KEEP): pass use()",
    ),
    "what is global is not local": (
        "a.py",
        "n = 1\nm = 2\ndef use():\n    global n\n    n = 3\n    m = 4\nuse()\n",
        "n = 1 def use(): global n n = 3 m = 4 use()",
    ),
    "imports stay by what they give, or if they do not say": (
        "a.py",
        "import a, b\nfrom c import d, e as f\nfrom g import *\nimport h as i\nd(a.x)\n",
        "import a, b from c import d, e as f from g import * d(a.x)",
    ),
    "what a choice gives": (
        "a.py",
        "try:\n    import fast\nexcept E:\n    fast = None\nif x:\n    y = 1\nprint(fast)\n",
        "try: import fast except E: fast = None print(fast)",
    ),
    "what is only said, or how it begins": (
        "a.py",
        (
            "class A:\n    def do_one(self): pass\n    def two(self): pass\n"
            "    def three(self): pass\n"
            "    def run(self, x): getattr(self, 'do_' + x); getattr(self, 'two')\nA().run(1)\n"
        ),
        (
            "class A: def do_one(self): pass def two(self): pass"
            " def run(self, x): getattr(self, 'do_' + x); getattr(self, 'two') A().run(1)"
        ),
    ),
    "statements without effect": (
        "a.py",
        "'about'\n__all__ = ['x']\nx = 1\nprint(x)\n",
        "x = 1 print(x)",
    ),
    "keys and patterns of a script": (
        "a.js",
        "function a() {} function b() {} const {c, d: e} = f(); g({a: 1, b}); h(e);",
        "function b() {} const {c, d: e} = f(); g({a: 1, b}); h(e);",
    ),
    "fields of a structure": (
        "a.c",
        (
            "struct s { int name, other; }; struct t { int x; }; int name; struct s v;"
            " int f(int name) { return v.name + name; }"
        ),
        "struct s { int name, other; }; struct s v; int f(int name) { return v.name + name; }",
    ),
}


@pytest.mark.parametrize("name", BY_SCOPE)
def test_names_mean_what_they_mean_where_they_are(name: str) -> None:
    path, text, rest = BY_SCOPE[name]
    last = 2 if path == "a.js" else 1
    assert left(path, text, last=last, care=Care.BY_SCOPE) == rest


@pytest.mark.parametrize("name", BY_SCOPE | CASES)
def test_whole_classes_leave_no_less_than_spelling(name: str) -> None:
    path, text, _ = (BY_SCOPE | CASES)[name]
    by_spelling, whole = (
        set(left(path, text, care=care).split()) for care in (Care.BY_SPELLING, Care.WHOLE_CLASSES)
    )
    assert by_spelling <= whole


@pytest.mark.parametrize("name", CASES)
def test_what_the_last_part_needs_stays_and_nothing_else(name: str) -> None:
    path, text, rest = CASES[name]
    assert left(path, text) == rest


def test_members_stay_where_classes_are_not_looked_into() -> None:
    text = "struct A { int f(); int g(); }; struct B {}; int main() { A().f(); }"
    assert left("a.cpp", text, care=Care.WHOLE_CLASSES) == text.replace("struct B {}; ", "")


def test_what_is_needed_by_one_of_the_parts_that_stay_stays() -> None:
    text = "int a; int b; int c; int f() { return a; } int g() { return b; }"
    assert left("a.c", text, last=2) == text.replace("int c; ", "")


def test_a_bracket_that_closes_what_goes_goes_with_it() -> None:
    # The grammar takes the end of the class for that of the namespace.
    text = "namespace n { struct A { int f( { ; }; int g; } int x; int main() { return x; }"
    assert left("a.cpp", text).count("{") == left("a.cpp", text).count("}")


def test_a_language_of_data_has_no_units() -> None:
    text = '{"a": [1, 2], "b": {"c": "a"}}'
    assert left("a.json", text) == text


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.css", "a{{%s:%s}}"), ("a.ts", 'import "%s/";'), ("a.css", "a{b:url(%s)}")],
)
def test_long_words_take_time_in_proportion(name: str, text: str) -> None:
    def look(size: int) -> None:
        forest = forest_of({name: text.replace("%s", "u" * size)})
        Needed(forest)
        Mentions(forest)

    assert is_linear(look, 4_000)
