from forests import outcomes
from wynot.passes.rewrites.inlining import inline_calls

CATEGORY = "inline all of a function"


def test_all_lines_of_a_function_stand_where_it_is_called() -> None:
    text = "def f(a):\n    g(a)\n    if a:\n        h()\nif x:\n  f(1)\n"
    assert outcomes(inline_calls, "a.py", text) == {
        CATEGORY: ["if x:\n  g(1)\n  if 1:\n      h()\n"]
    }


def test_what_is_returned_at_the_end_stands_for_the_call() -> None:
    text = "int f(int a) { g(a); return a + 1; } int main() { int y = f(2); }"
    assert outcomes(inline_calls, "a.c", text) == {
        CATEGORY: ["int main() { g(2);\nint y = 2 + 1; }"]
    }


def test_what_a_method_is_called_on_stands_for_its_receiver() -> None:
    text = "class A:\n    def f(self, a):\n        self.x = a\n    y = 1\nb = A()\nb.f(2)\n"
    assert outcomes(inline_calls, "a.py", text) == {
        CATEGORY: ["class A:\n    y = 1\nb = A()\nb.x = 2\n"]
    }
    text = "class A { f(a) { g(this.x); return a } } let y = b.f(3);"
    assert outcomes(inline_calls, "a.js", text) == {CATEGORY: ["class A {  } g(b.x);\nlet y = 3;"]}


def test_names_of_the_function_are_told_apart_from_those_of_the_caller() -> None:
    text = "function h(b) { let x = b; k(x) }\nfunction m() { let x = 1; h(x); }"
    assert outcomes(inline_calls, "a.js", text) == {
        CATEGORY: ["function m() { let x = 1; let h_x = x; k(h_x) }"]
    }
    text = "def f(x):\n    g(x.x, y.x)\nf(z)\n"
    assert outcomes(inline_calls, "a.py", text) == {CATEGORY: ["g(z.x, y.x)\n"]}


def test_a_function_that_calls_itself_or_returns_early_stays() -> None:
    assert outcomes(inline_calls, "a.py", "def f():\n    f()\n    g()\nf()\n") == {}
    text = "def f():\n    if a:\n        return 1\n    return 2\nx = f()\n"
    assert outcomes(inline_calls, "a.py", text) == {}
