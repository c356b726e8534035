"""What every rewrite promises, in every language: it says the same thing shorter, or says so."""

from collections.abc import Iterator
from importlib import import_module
from inspect import isfunction
from itertools import pairwise
from pathlib import Path
from pkgutil import iter_modules
from typing import get_type_hints

import pytest

from forests import Rewrites, assert_keeps_laws, forest_of
from wynot.core.texts.rewrites import Rewrite
from wynot.passes import rewrites
from wynot.passes.rewrites.bodies import all_bodies
from wynot.passes.rewrites.layout import pretty, tidy
from wynot.passes.rewrites.shorten import by_number
from wynot.passes.trees.forest import Forest


def every() -> Iterator[Rewrites]:
    """Return all rewrites that there are: what makes them of a forest, in any module."""
    for found in iter_modules(rewrites.__path__):
        module = import_module(f"{rewrites.__name__}.{found.name}")
        for each in vars(module).values():
            if isfunction(each) and each.__module__ == module.__name__:
                hints = get_type_hints(each)
                if hints == {"forest": Forest, "return": Iterator[Rewrite]}:
                    yield each


# Two are not to be shorter, a 0 is plainer than any name, also than one that comes before it, and
# one is that of ``declarations`` for sources that are larger than these.
REWRITES = [each for each in every() if each not in {pretty, tidy, by_number, all_bodies}]
SAMPLES = {
    "a.c": """\
typedef unsigned long *number; struct pair { int left, right; } one[2]; struct pair *two;
#define LIMIT 0x10UL
static const char *text = "abc\\n";
int f(int first, char second) { return first + LIMIT; }
int k; int l;
void g(void) { int i = 3, j; if (i) { one[i].left = f(i, 'x'); } else two->left = 1.5e3; { j; } }
int h() { for (;;) { g(); } do g(); while (0); return one[0].left ? f(1, 2) : 0; }
""",
    "a.cpp": """\
template <typename T> class box { public: T inside; virtual T *get() const { return &inside; } };
using other = box<int>; namespace n { other a; } other *b = &n::a;
int main() { auto x = [](int i) { return i; }; try { x(1); } catch (...) { return b->get()[0]; } }
""",
    "b.cpp": """\
namespace { union u { int a; }; } template <class T> struct s { typedef T type; };
struct base { int x; }; class more : public base { s<base>::type y; void f(int); };
std::vector<int> w; int later; char between; int latest;
void more::f(int z) { u v; v.a = z; if (z = x) f(f(1), 2); else { y, z; } }
""",
    "c.cpp": """\
template <std::integral T> T half(T whole) { return whole / 2; }
""",
    "d.cpp": """\
struct late; late *first; struct late { late operator+(late &); int count; };
""",
    "a.rs": """\
pub type Name<'a> = &'a str; const SIZE: usize = 3;
struct Item<'a, T> { name: Name<'a>, of: [T; SIZE] }
impl<'a, T> Item<'a, T> { pub fn name(&self) -> Name<'a> { self.name } }
fn f(x: &mut u8, y: Item<'_, u8>) -> u8 { let z = *x + 1; match z { 1 => z, _ => { 0 } } }
fn g() { let mut a = 2; if a > 1 { f(&mut a, todo!()); } else { loop { unsafe { } } } }
""",
    "a.go": """\
package main
import "net/http"
type item[T any] struct { name string; of T }
type other = item[int]
const size = 0x3
func get(a other, b int) int { return a.of + b }
func main() {
	http.Get()
	x := get(other{"abc", 1}, size)
	if x > 0 {
		get(other{}, 2)
	} else {
		for { }
	}
}
""",
    "a.java": """\
public class A<T> { private static final int SIZE = 3; A<T> next; int of[];
  int f(int a, A<String> b) { int y = 2; if (a > y) { return b.next.f(1, null); } return of[0]; }
  void g() { f(SIZE, this); try { g(); } catch (Exception e) { } while (true) { f(2, next); } } }
""",
    "a.py": """\
import os.path
size = 1 + 2
class Point:
    def move(self, by, of=0):
        if by:
            return os.path.join("abc", 'd') * size
        else:
            for x in by:
                self.move(x, 2)
def twice(a, b):
    return a + b
print(twice(size, 3.5), [1, 2], [3, 4], Point().move(1, b\"\"\"q\"\"\"))
""",
    "a.js": """\
const size = 3, other = { a: [1, 2], b: [3, 4] }; let i, j;
async function f(a, b) { if (a) { return b } else { other.a[0]; other.a[1] } }
var g = (q) => q; f(size, g(`text`)); switch (i) { case 1: j = i + 1; break; default: f(1, 2) }
""",
    "a.ts": """\
type A = string | number; interface B<T> { readonly a: A[]; b: B<T> }
export declare function f<T>(x: B<T>, y: A): B<A>; let z: B<A> = f(null, 1);
""",
    "a.sql": """\
CREATE TABLE t (a INTEGER, b VARCHAR, c DOUBLE); INSERT INTO t VALUES (1, 'abc', 2.5), (3, '', 4);
WITH x AS (SELECT a, b AS d FROM t), y AS (SELECT 1) SELECT x.a, x.d FROM x, y WHERE x.a IN (1, 2);
""",
    "a.smt2": """\
(declare-const a Int)
(declare-fun b (Int Int) Int)
(define-fun f ((x Int) (y Int)) Int (+ x y 10))
(assert (and (= a (f 1 2)) (= a (b 3 4))))
""",
    "a.lisp": '(defun f (x y) (+ x y))\n(define size 3)\n(print (f size "abc"))\n',
    "a.json": '{"ab": [[1, 2], [3, 4]], "c": {"d": -12.50e3, "e": null, "": "fg\\u00e4"}}',
    "deep.json": '{"a":' * 20 + '{"bc":' * 20 + "0" + "}" * 40,
    "a.yaml": 'a: &x\n  b: "cd"\n  e: 123\nf: [1, 2]\ng: [3, 4]\nh: *x\n',
    "a.toml": '[a.b]\nc = "de"\nf = [1, 2]\ng = [3, 4]\nh = 12.5\n',
    "a.csv": "a,b,c\n1,,3\n4,5,\n",
    "a.tsv": "a\tb\n1\t2\n",
    "a.md": "# a\n\n| b | c |\n|---|---|\n| d | e |\n\n- f `g`\n",
    "a.html": "<table><tr><td class='a'>b</td></tr><tr><td>c</td></tr></table>",
    "a.css": ".a { margin: 10px 20px; color: #abcdef; } .b, .c { margin: 1px }",
    "a.xml": "<a b='cd'><e/><f g='h'>i</f></a>",
    "a.sh": 'size=3; f() { echo "$1"; }\nif [ $size ]; then f abc; else f de; fi\n',
    "a.rb": "Size = 3\ndef f(a, b)\n  if a then b else @c[0] end\nend\nputs f(Size, 'abc')\n",
    "a.lua": "local s = 3\nlocal function f(a, b) return a + b end\nprint(f(s, 2), f(1, 4))\n",
    "a.php": "<?php const SIZE = 3; function f($a, $b) { return $a + $b; } echo f(SIZE, 'abc');",
    "a.ll": "define i32 @f(i32 %a) {\n  %b = add i32 %a, 10\n  ret i32 %b\n}\n",
    "a.dot": 'digraph g { a [label="bc", x=1]; d [label="e", x=2]; a -> d; }',
    "a.sv": """\
typedef struct packed { logic [7:0] a; } t; module m; t b[2]; parameter P = 3;
assign x = b[P].a; assign y = b[1].a; endmodule
""",
    "a.f90": """\
module m
integer, parameter :: size = 3
contains
pure function f(x, y) result(z)
integer, intent(in) :: x, y
z = x + size
end function
end module
""",
    "a.diff": "--- a\n+++ b\n@@ -1 +1 @@\n-c\n+d\n",
    "a.txt": "size = (3, [4, 5]) {size}\n",
    "empty.c": "",
    "name.py": "name",
    "broken.c": "int f( { ] ) struct { a->b->; <<<",
    "bytes.txt": "größer \udcff name name",
}

SAMPLES |= {
    file.name: file.read_text(encoding="utf-8", errors="surrogateescape")
    for file in sorted((Path(__file__).parents[1] / "samples").glob("*"))
    if file.is_file()
}


@pytest.mark.parametrize("path", SAMPLES)
def test_a_rewrite_is_in_bounds_in_order_and_shorter(path: str) -> None:
    for each in REWRITES:
        assert_keeps_laws(each, forest_of({path: SAMPLES[path]}))


@pytest.mark.parametrize("rewrites", REWRITES, ids=lambda rewrites: rewrites.__name__)
def test_rewrites_are_the_same_each_time_and_know_several_files(
    rewrites: Rewrites,
) -> None:
    found = list(rewrites(forest_of(SAMPLES)))
    assert found == list(rewrites(forest_of(SAMPLES)))
    forest = forest_of(SAMPLES)
    for rewrite in found:
        for one, other in pairwise(rewrite.patches):
            assert one.path != other.path or one.stop <= other.start
        assert all(patch.stop <= len(forest.contents[patch.path]) for patch in rewrite.patches)


@pytest.mark.parametrize("rewrites", REWRITES, ids=lambda rewrites: rewrites.__name__)
def test_every_kind_of_rewrite_finds_something_somewhere(
    rewrites: Rewrites,
) -> None:
    assert any(list(rewrites(forest_of({path: text}))) for path, text in SAMPLES.items())
