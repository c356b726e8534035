"""The trees of our own parsers, as lines: tokens as they are written, the rest as kind(…)."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trees import shape
from wynot.formats.detect import tree_of
from wynot.formats.language_table import BY_NAME


def parsed(name: str, content: bytes) -> str:
    return shape(tree_of(BY_NAME[name], content), content)


@pytest.mark.parametrize(
    ("name", "content", "tree"),
    [
        (
            "smt-lib",
            b'(assert (> |a b| "x""y")) ; c\n:k',
            'lists(form(( assert list(( > |a b| "x""y" )) )) ; c :k)',
        ),
        ("smt-lib", b'(a "\\") "b"', 'lists(form(( a "\\" )) "b")'),
        (
            "lisp",
            b"(f 'a '(b) `(c ,d ,@e) #'g #\\a #(1))",
            (
                "lists(form(( f quoted(' a) quoted(' list(( b )))"
                " quoted(` list(( c quoted(, d) quoted(,@ e) ))) quoted(#' g) #\\a"
                " quoted(# list(( 1 ))) )))"
            ),
        ),
        ("lisp", b'"a\\"b" #| c |# |odd name|', 'lists("a\\"b" #| c |# |odd name|)'),
        (
            "wat",
            b"(module (; c ;) (func $f i32.const 0x1f))",
            "lists(form(( module (; c ;) list(( func $f i32.const 0x1f )) )))",
        ),
    ],
)
def test_lists(name: str, content: bytes, tree: str) -> None:
    assert parsed(name, content) == tree


def test_a_list_that_is_not_closed_is_a_flaw() -> None:
    assert parsed("smt-lib", b'(a (b "c') == 'lists(!form(( a !list(( b " c)))'
    assert tree_of(BY_NAME["smt-lib"], b"(a)) ]").syntax_errors == 2
    assert parsed("lisp", b"(f ')") == "lists(form(( f !quoted(') )))"


@pytest.mark.parametrize(
    ("content", "tree"),
    [
        (
            b'digraph g { a -> b:p:n -> {c; d} [x=1, y="z"]; }',
            (
                "graphs(graph(digraph g body({ edge(a -> b : p : n -> body({ node(c ;) node(d) })"
                ' attributes([ attribute(x = 1) , attribute(y = "z") ]) ;) })))'
            ),
        ),
        (
            b"graph { node [shape=box]; k=v; subgraph s { e } f g }",
            (
                "graphs(graph(graph body({ defaults(node attributes([ attribute(shape = box) ]) ;)"
                " attribute(k = v ;) subgraph(subgraph s body({ node(e) })) node(f) node(g) })))"
            ),
        ),
        (
            b"strict graph { a [label=<<b>x</b>>] // c\n a -- b }",
            (
                "graphs(graph(strict graph body({ node(a attributes([ attribute(label = <<b>x</b>>)"
                " ])) // c edge(a -- b) })))"
            ),
        ),
        (b"digraph { a -> b", "graphs(node(digraph) { edge(a -> b))"),
        (b"{ a -> }", "graphs(subgraph(body({ edge(a ->) })))"),
        (
            b"a [(x) y=(z)]",
            "graphs(node(a attributes([ group(( node(x) )) y = group(( node(z) )) ])))",
        ),
        (
            b"{ a } -> subgraph b { c }; [x]",
            (
                "graphs(edge(body({ node(a) }) -> subgraph b body({ node(c) }) ;)"
                " node(attributes([ x ])))"
            ),
        ),
    ],
)
def test_graphs(content: bytes, tree: str) -> None:
    assert parsed("dot", content) == tree


@pytest.mark.parametrize(
    ("content", "tree"),
    [
        (b'a,"b,""c",\n\nd e;f,1\n', 'table(record(a , "b,""c" , ) record(d e;f , 1))'),
        (b"a;b\n1,5;2\n", "table(record(a ; b) record(1,5 ; 2))"),
        (b"a\tb\r\nc\td", "table(record(a \t b) record(c \t d))"),
        (
            b'"two\nlines",x\n"open,y\nz',
            'table(record("two\nlines" , x) record("open , y) record(z))',
        ),
    ],
)
def test_tables(content: bytes, tree: str) -> None:
    assert parsed("csv", content) == tree


@pytest.mark.parametrize(
    ("content", "tree"),
    [
        (
            b"hello\n--- a\n+++ b\n@@ -1,2 +1,2 @@ f\n x\n--- y\n+++ z\n\\ No newline\ntail\n",
            (
                "patch(hello file(--- a +++ b"
                " hunk(@@ -1,2 +1,2 @@ f  x --- y +++ z \\ No newline) tail))"
            ),
        ),
        (
            b"diff --git a b\n--- a\n+++ b\n@@ -1 +1 @@\n-x\n+y\ndiff --git c d\nrename\n",
            (
                "patch(file(diff --git a b --- a +++ b hunk(@@ -1 +1 @@ -x +y))"
                " file(diff --git c d rename))"
            ),
        ),
        (b"@@ -1,3 +1 @@\n-x\n", "patch(!hunk(@@ -1,3 +1 @@ -x))"),
    ],
)
def test_patches(content: bytes, tree: str) -> None:
    assert parsed("diff", content) == tree


@pytest.mark.parametrize(
    ("content", "tree"),
    [
        (
            b"f(a, b c, [1 2]);\n",
            "text(line(f group(( a , element(b c) , group([ statement(1 2) ]) )) ;))",
        ),
        (b"{ a = 1; b, c\n d }", "text(group({ statement(a = 1 ;) statement(b , c) d }))"),
        (b"{\n  a,\n  b c,\n}", "text(group({ a , element(b c) , }))"),
        (
            b"if x:\n  a\n  b\nelse:\n  c\nend\nlast",
            "text(group(if element(x : a b) else element(: c) end) last)",
        ),
        (b"if x:\n  a\n  b\nelse:\n  c\nlast", "text(block(line(if x :) a b line(else :) c) last)"),
        (b"  while a do b; c end\n", "text(group(while a do element(statement(b ;) c) end))"),
        (
            b"begin if a then b elsif c then d end end end",
            "text(line(group(begin group(if a then b elsif c then d end) end) end))",
        ),
        (
            b"begin a\n  end b\nwhat do (x) end",
            "text(block(line(begin a) line(end b)) line(what group(do group(( x )) end)))",
        ),
        (
            b'x "a\\(b c) d ${e[0]}"',
            'text(line(x string("a\\( element(b c) ) d ${ element(e group([ 0 ])) }")))',
        ),
        (
            b'"\\(a | "b)")" "\\(f[)" "\\(" )',
            'text(line(string("\\( element(a | "b)") )") "\\(f[)" "\\(" )))',
        ),
        (b"a b; c d; e", "text(line(statement(a b ;) statement(c d ;) e))"),
        (b'(] x->y "s(" it\'s )', 'text(group(( statement(] x -> y "s(" it \' s) )))'),
        (b"\ta\n        b\n   c", "text(a b c)"),
    ],
)
def test_any_text(content: bytes, tree: str) -> None:
    assert parsed("brackets", content) == tree


def test_a_bracket_without_partner_is_a_flaw() -> None:
    assert tree_of(BY_NAME["brackets"], b"a ) ( b [").syntax_errors == 3
    assert tree_of(BY_NAME["brackets"], b"( [ )").syntax_errors == 1


def test_there_is_room_for_any_number_of_marks() -> None:
    content = b" ".join(map(bytes, product(b"-+*/%=<>!&", repeat=5)))
    tree = tree_of(BY_NAME["brackets"], content)
    assert len(tree.tokens) > 2**16
    assert len(tree.names) < 10


def test_assembly_of_llvm() -> None:
    content = b"""\
@g = global i32 0, align 4
define i32 @f(i32 %a) #0 {
  %c = add i32 %a, 1
  br label %x
x: ; c
  switch i32 %c, label %x [
    i32 0, label %x
  ]
}
"""
    assert parsed("llvm", content) == (
        "module(entity(element(@g = global i32 0) , element(align 4))"
        " function(head(define i32 @f group(( statement(i32 %a) )) #0)"
        " body({ block(instruction(element(%c = add i32 %a) , 1) instruction(br label %x))"
        " block(x: ; c instruction(element(switch i32 %c) ,"
        " element(label %x group([ element(i32 0) , element(label %x) ])))) })))"
    )


def test_a_function_of_llvm_without_a_body_is_a_line() -> None:
    assert parsed("llvm", b"define void @f() {\n}\n") == (
        "module(function(head(define void @f group(( ))) body({ })))"
    )
    assert parsed("llvm", b"define void @f()\n") == "module(entity(define void @f group(( ))))"


@given(
    st.sampled_from(["smt-lib", "lisp", "wat"]),
    st.text(alphabet="()[]{}'`,@#|\";a1\\ \n$", max_size=60),
)
def test_flaws_of_lists_are_counted_without_a_tree(name: str, text: str) -> None:
    language = BY_NAME[name]
    assert language.flaws is not None
    assert language.flaws(text.encode()) == tree_of(language, text.encode()).syntax_errors
