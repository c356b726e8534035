"""What a failure looks like, in every dialect.

The traces were made with the programs themselves where this machine had them: the sanitizers of gcc
12, glibc, gcc, rustc (1.63, 1.94 and a nightly), CPython 3.11, node 20, Java 17, perl, gdb,
valgrind, dot, DuckDB, markdown2 and ruff. The others are written after the documented format.
"""

import random
import re
from pathlib import Path

import pytest

from counting import is_linear
from wynot.core.ending import Ending
from wynot.core.verdict import Verdict
from wynot.failures.dialects import DIALECTS
from wynot.failures.expectation import Expectation
from wynot.failures.signature import Signature, as_signal, function
from wynot.failures.signature import signature as full_signature
from wynot.failures.wording import Vocabulary, worded

TRACES = Path(__file__).parent / "traces"


def ended(stderr: bytes | str = b"", *, status: int = 1, stdout: bytes = b"") -> Ending:
    text = stderr.encode() if isinstance(stderr, str) else stderr
    return Ending(status, 0.1, "", stdout, text)


def signature(ending: Ending) -> Signature:
    """Return all that is compared without a look at the input: not what stands in quotes."""
    return full_signature(ending)._replace(quotes=(), text="")


def trace(name: str) -> str:
    return (TRACES / f"{name}.txt").read_text()


OVERFLOW = "stack overflow"
KNOWN = {
    "asan": ("AddressSanitizer: heap-buffer-overflow", "READ", "parse_number parse_line main"),
    "asan-memcpy": ("AddressSanitizer: heap-buffer-overflow", "WRITE", "copy_name main"),
    "asan-stack-overflow": ("AddressSanitizer: stack-overflow", OVERFLOW, "visit"),
    "asan-c++": ("AddressSanitizer: SEGV", "", "Tree::at operator() main"),
    "lsan": ("LeakSanitizer: detected memory leaks", "", "keep main"),
    "msan": ("MemorySanitizer: use-of-uninitialized-value", "", "hash_name main"),
    "tsan": ("ThreadSanitizer: data race", "", "bump"),
    "ubsan": (
        "UndefinedBehaviorSanitizer: signed integer overflow",
        "N + N cannot be represented in type '…'",
        "",
    ),
    "ubsan-frames": (
        "UndefinedBehaviorSanitizer: signed integer overflow",
        "N + N cannot be represented in type '…'",
        "grow main",
    ),
    "summary": ("AddressSanitizer: heap-use-after-free", "", "List::pop"),
    "assert": ("Assertion", 'd < 3 && "too deep"', "check_depth"),
    "assert-plain": ("Assertion", "first != last", ""),
    "assert-bsd": ("Assertion", "depth < MAX_DEPTH", "push"),
    "assert-mozilla": ("Assertion", "obj->is<ArrayObject>()", ""),
    "check": ("Assertion", "left.size() == right.size()", ""),
    "postgres": ("Assertion", "!bms_is_empty(rel->relids)", ""),
    "clickhouse": ("Logical error", "Bad cast from type A to B", ""),
    "duckdb": (
        "INTERNAL Error",
        "Failed to bind column reference '…' [N] (bindings: [N])",
        "",
    ),
    "v8": ("Fatal error", "Debug check failed: limits.min <= limits.max.", ""),
    "v8-heap": (
        "FATAL ERROR",
        "Reached heap limit Allocation failed - JavaScript heap out of memory",
        "",
    ),
    "clang": (
        "LLVM crash",
        "",
        (
            "clang::Sema::BuildDeclRefExpr clang::TreeTransform::TransformExpr "
            "anonymous::Rebuilder::run"
        ),
    ),
    "clang-assert": ("Assertion", 'D && "no declaration"', "clang::Sema::BuildDeclRefExpr"),
    "llvm-unreachable": ("UNREACHABLE", "Unknown type of shuffle", "lowerShuffle"),
    "llvm-backend": ("error in backend", "Cannot select: N: i32 = X86ISD::FOO N", ""),
    "gcc": ("internal compiler error", "Segmentation fault", ""),
    "gcc-ice": (
        "internal compiler error",
        "in fold_convert_loc, at fold-const.c:N",
        "fold_convert_loc gimplify_modify_expr gimplify_expr",
    ),
    "rustc": (
        "internal compiler error",
        "universal_regions.rs:N: cannot convert '…' to a region vid",
        "mir_borrowck",
    ),
    "rustc-panic": (
        "internal compiler error",
        "lib.rs:N: aborting due to '…'",
        (
            "rustc_hir_typeck::fn_ctxt::FnCtxt::check_decl "
            "rustc_hir_typeck::fn_ctxt::FnCtxt::check_expr_block "
            "rustc_hir_typeck::fn_ctxt::FnCtxt::check_expr_with_expectation_and_args"
        ),
    ),
    "rustc-until-1.72": (
        "internal compiler error",
        "no entry found for key",
        (
            "rustc_mir_transform::coverage::graph::CoverageGraph::from_mir "
            "rustc_mir_transform::coverage::InstrumentCoverage::run_pass "
            "rustc_mir_transform::pass_manager::run_passes"
        ),
    ),
    "go-compiler": (
        "internal compiler error",
        "'…': panic during lower while compiling total:",
        "cmd/compile/internal/ssa.rewriteValueAMD64 cmd/compile/internal/ssa.(*Func).applyRewrite",
    ),
    "tsc": (
        "Debug Failure",
        "Unhandled expression kind: N",
        "getTypeOfExpression Object.checkExpression checkSourceElement",
    ),
    "ghc": ("panic", "refineFromInScope", "pprPanic"),
    "jvm": ("Java VM: SIGSEGV", "(N) at pc=N (sent by kill)", ""),
    "python": ("RuntimeError", "cannot load '…'", "load main"),
    "python-assert": ("AssertionError", "", "_form_paragraphs _run_block_gamut convert"),
    "python-recursion": ("RecursionError", OVERFLOW, "visit"),
    "python-syntax": ("SyntaxError", "invalid syntax", ""),
    "python-fatal": ("Fatal Python error", "Segmentation fault", "string_at poke"),
    "python-group": ("ExceptionGroup", "two (N sub-exceptions)", "work"),
    "java": (
        "java.lang.NumberFormatException",
        "For input string: '…'",
        "T.parse T$Inner.go T.main",
    ),
    "java-source": (
        "java.lang.NumberFormatException",
        "For input string: '…'",
        "T.parse T$Inner.go T.main",
    ),
    "java-recursion": ("java.lang.StackOverflowError", OVERFLOW, "Over.expr Over.term"),
    "java-logged": (
        "org.acme.lang.Compiler$Broken",
        "no symbol x",
        (
            "org.acme.lang.Compiler.resolve org.acme.lang.Compiler.lambda$run$ "
            "org.acme.lang.Compiler.run"
        ),
    ),
    "dotnet": (
        "System.InvalidOperationException",
        "Sequence contains no elements",
        "Shop.Parser.Next Shop.Program.Main",
    ),
    "dotnet-inner": (
        "System.FormatException",
        "Input string was not in a correct format.",
        "Shop.Parser.Number Shop.Program.Main",
    ),
    "rust": (
        "panic",
        "r.rs:N: index out of bounds: the len is N but the index is N",
        "r::Parser::go r::run r::main",
    ),
    "rust-until-1.72": ("panic", "called '…' on a '…' value", ""),
    "rust-stack": ("stack overflow", "", ""),
    "zig": ("panic", "index out of bounds: index N, len N", ""),
    "go": (
        "panic",
        "runtime error: index out of range [N] with length N",
        "main.(*Parser).number main.parse main.main.func",
    ),
    "go-deadlock": ("fatal error", "all goroutines are asleep - deadlock!", "main.wait main.main"),
    "javascript": (
        "TypeError",
        "Cannot read properties of undefined (reading '…')",
        "render Layout.run",
    ),
    "javascript-recursion": ("RangeError", OVERFLOW, "expr term"),
    "javascript-syntax": ("SyntaxError", "Unexpected end of input", ""),
    "php-uncaught": (
        "TypeError",
        "total(): Argument #N ($price) must be of type int, string given in shop.php:N",
        "total Shop->run",
    ),
    "php": ("Parse error", "syntax error, unexpected token '…' in shop.php on line N", ""),
    "ruby": ("NoMethodError", "undefined method '…' for nil:NilClass", "total run"),
    "ocaml": ("Stdlib.Parsing.Parse_error", "", "Shop.total Dune__exe__Main.run"),
    "swift": ("Fatal error", "Index out of range", ""),
    "haskell": ("exception", "sum: Prelude.head: empty list", "errorEmptyList firstOf"),
    "lua": ("Lua error", "attempt to index a nil value (local '…')", "price total"),
    "c++": ("std::out_of_range", "no node N", ""),
    "libc++": ("std::out_of_range", "no node N", ""),
    "glibc": ("stack smashing detected", "", ""),
    "malloc": ("free(): invalid pointer", "", ""),
    "malloc-double-free": ("free(): double free detected in tcache 2", "", ""),
    "malloc-corruption": ("double free or corruption (out)", "", ""),
    "gdb": ("SIGSEGV", "", "Tree::at operator() main"),
    "valgrind": ("valgrind: Invalid free", "", "main"),
    "shell": ("SIGSEGV", "", ""),
    "sh": ("SIGSEGV", "", ""),
    "dot": ("", "Error: trouble in init_rank", ""),
    "perl": ("", "cannot open table N at d.pl line N.", ""),
    "ruff": ("", "error: Autofix introduced a syntax error. Reverting all changes.", ""),
    "gcc-error": (
        "",
        "undecl.c:N: error: '…' undeclared (first use in this function)",
        "",
    ),
}


def test_every_trace_is_expected_to_be_something() -> None:
    assert sorted(KNOWN) == sorted(path.stem for path in TRACES.glob("*.txt"))


@pytest.mark.parametrize("name", KNOWN)
def test_a_failure_is_known(name: str) -> None:
    kind, message, frames = KNOWN[name]
    assert signature(ended(trace(name))) == Signature(1, kind, message, tuple(frames.split()))


@pytest.mark.parametrize("name", KNOWN)
def test_it_is_known_on_standard_output_too(name: str) -> None:
    on_stderr = signature(ended(trace(name)))
    assert signature(ended(stdout=trace(name).encode())) == on_stderr


@pytest.mark.parametrize("name", KNOWN)
def test_carriage_returns_colours_and_broken_bytes_change_nothing(name: str) -> None:
    text = trace(name)
    expected = signature(ended(text))
    coloured = re.sub(r"(?m)^(\S+)", "\x1b[1;31m\\1\x1b[0m", text)
    assert signature(ended(coloured.replace("\n", "\r\n"))) == expected
    assert signature(ended(text.encode() + b"\n\xff\xfe\x00\n")) == expected


def moved(text: str) -> str:
    """Give a failure other addresses, process numbers, lines, columns and folders."""
    text = re.sub(r"0x[0-9a-f]+", "0xabcd12", text)
    text = re.sub(r"==\d+==", "==77==", text)
    text = re.sub(r"(?<=[a-z\d]):\d+\b", ":7", text)
    text = re.sub(r"\bline \d+", "line 1", text)
    return text.replace("/home/ann/work", "/run/x7/1").replace("/usr/lib", "/opt/lib")


@pytest.mark.parametrize("name", KNOWN)
def test_the_same_failure_elsewhere_has_the_same_signature(name: str) -> None:
    changed = moved(trace(name))
    assert signature(ended(changed)) == signature(ended(trace(name)))


@pytest.mark.parametrize(
    ("name", "long", "short"),
    [
        ("python", "{bad", "{"),
        ("java", "x12", ""),
        ("gcc-error", "total_price", "a"),
        ("gcc-ice", "total_price", "a"),
        ("rustc", "ReEarlyBound(1, '_)", "ReEarlyBound(0, 'a)"),
        ("duckdb", "parent_exists", "a"),
        ("duckdb", "14.0 14.2 14.3 14.4 15.0", "3.0"),
        ("ruby", "`price'", "`p'"),
        ("javascript", "'children'", "'c'"),
        ("clang", "'total'", "'t'"),
        ("lua", "'item'", "'i'"),
        ("go-compiler", "'total'", "'t'"),
        ("ubsan", "1 + 2147483647", "-7 + -2147483647"),
        ("c++", "no node 17", "no node 3"),
    ],
)
def test_shorter_names_and_values_of_the_input_change_nothing(
    name: str, long: str, short: str
) -> None:
    assert long in trace(name)
    changed = ended(trace(name).replace(long, short))
    assert signature(changed) == signature(ended(trace(name)))
    given = Vocabulary(lambda: [long.encode()])
    learned = Expectation.learned(ended(trace(name)), vocabulary=given)
    assert learned.judge(changed) is Verdict.INTERESTING


def test_different_failures_have_different_signatures() -> None:
    same = {"java-source", "sh", "libc++"}  # written twice on purpose
    signatures = [signature(ended(trace(name))) for name in KNOWN if name not in same]
    assert len(set(signatures)) == len(signatures)


@pytest.mark.parametrize(
    ("name", "one", "other"),
    [
        ("asan", "parse_number", "parse_name"),
        ("asan", "heap-buffer-overflow", "heap-use-after-free"),
        ("assert", "d < 3", "d < 4"),
        ("python", "RuntimeError", "ValueError"),
        ("rustc", "to a region vid", "to a type"),
        ("dot", "init_rank", "rank1"),
    ],
)
def test_another_place_or_kind_or_text_is_another_failure(name: str, one: str, other: str) -> None:
    assert signature(ended(trace(name).replace(one, other))) != signature(ended(trace(name)))


def test_every_dialect_has_a_trace_in_which_nothing_else_wins() -> None:
    texts = [trace(name) for name in KNOWN]
    for dialect in DIALECTS:
        kind = re.compile(dialect.kind, re.MULTILINE)
        assert any(dialect.needle in text and kind.search(text) for text in texts), dialect.name


# Status


@pytest.mark.parametrize(
    ("status", "seen"),
    [
        (0, 0),
        (1, 1),
        (-11, -11),
        (139, -11),
        (134, -6),
        (136, -8),
        (124, 124),
        (137, 137),
        (128, 128),
    ],
)
def test_what_a_shell_makes_of_a_crash_is_a_crash(status: int, seen: int) -> None:
    assert as_signal(status) == seen
    assert signature(ended(status=status)).status == seen


def test_a_signal_alone_is_its_name_and_what_was_complained_about() -> None:
    assert signature(ended(status=-11)) == Signature(-11, "SIGSEGV")
    said = signature(ended("reading 5 rows\nfatal: tree is out of order\n", status=-6))
    assert said == Signature(-6, "SIGABRT", "fatal: tree is out of order")
    assert signature(ended("reading 5 rows\n", status=-6)).message == ""


def test_success_has_no_signature() -> None:
    assert signature(ended("0 errors, warning: x is unused\n", status=0)) == Signature(0)


def test_a_failure_of_a_known_kind_is_one_whatever_the_status() -> None:
    assert signature(ended(trace("ubsan"), status=0)).kind.startswith("UndefinedBehavior")


def test_what_is_printed_may_be_the_input_and_no_failure() -> None:
    listing = trace("python").encode()
    assert signature(ended(status=0, stdout=listing)) == Signature(0)
    said = signature(ended("error: cannot parse a.py\n", stdout=listing))
    assert said == Signature(1, "", "error: cannot parse a.py")
    assert signature(ended(status=0, stdout=trace("gdb").encode())).kind == "SIGSEGV"


# What was said, if nothing is known


@pytest.mark.parametrize(
    ("stderr", "stdout", "message"),
    [
        ("", "", ""),
        ("\n\n", " \n", ""),
        ("reading\nError: bad thing\nError: other\n", "", "Error: bad thing"),
        ("warning: error ahead\nx: cannot go on\n", "", "x: cannot go on"),
        ("a.c:1:2: warning: invalid x\na.c:3: error: y\n", "", "a.c:N: error: y"),
        ("it is invalid\nfatal: no\n", "", "fatal: no"),
        ("one\ntwo\n", "", "two"),
        ("one\n", "error: in the other one\n", "error: in the other one"),
        ("", "first\nlast 3\n\n", "last N"),
        ("2 errors generated.\n", "", "N error generated."),
    ],
)
def test_the_line_that_says_what_is_wrong(stderr: str, stdout: str, message: str) -> None:
    seen = signature(ended(stderr, stdout=stdout.encode()))
    assert seen == Signature(1, "", message)


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("can't open 'a b' or \"c\" or `d' or ‘e’", "can't open '…'"),  # noqa: RUF001
        ("expected `;`, found `}`", "expected '…', found '…'"),
        ("bad &'a str in `&'a T`", "bad &'a str in '…'"),
        ("at /usr/x/a.c:12:3, b/c.h:4", "at a.c:N, c.h:N"),
        ("/scratch/ccAbC123.s: Error", "cc.s: Error"),
        ("0x7ffe1234 -12 3.5e-7 1,000", "N"),
        ("x86_64 utf8 i32 v1", "x86_64 utf8 i32 v1"),
        ("2024-01-02T03:04:05.678Z failed", "N failed"),
        ("id 0123456789abcdef-0f and deadbeef", "id N and deadbeef"),
        ("[14.0 14.2 15.0] {#[1.0], #[1.1]}", "[N] {#[N]}"),
        ("1 error and 2 errors, 1 byte of 8 bytes", "N error and N error, N byte of N byte"),
        ("  a\t b  ", "a b"),
        ("--- FAIL: TestSum (0.11s)", "--- FAIL: TestSum (N)"),
        ("in 12ms of 3.5 seconds, 142kB at 9.5MB/s, 1.2x", "in N of N at N"),
        ("after 1m30s of 1h 2m 3.5s: 3/5", "after N of N: N/N"),
        ("50% of 12.5%", "N% of N%"),
        ("Mon Jan  2 15:04:05 2006 to Tue, 03 Mar 2026 10:00:00 GMT", "N to N"),
        ("2026/10/03 15:04:05 at 3:04 PM on 5-Mar-2026", "N at N on N"),
        ("localhost:34567 [4567] 127.0.0.1:8080", "localhost:N [N] N"),
        ("550E8400-E29B-41D4-A716-446655440000", "N"),
        ("/scratch/tmpab12cd34/x, tmpab12cd34 to tmp.AbCdEfGhIj", "x, tmp. to tmp."),
        ("no function total/2", "no function total/N"),
        ("May 5 2D arrays of 1st 2to3", "May N 2D arrays of 1st 2to3"),
        ("invalid literal '12x'", "invalid literal '…'"),
        ("y" * 500, "y" * 200),
    ],
)
def test_messages_lose_what_depends_on_the_input(message: str, expected: str) -> None:
    assert worded(message).bare == expected


# Functions


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("parse /home/ann/x.c:4:2", "parse"),
        ("parse (/usr/bin/prog+0x10e0) (BuildId: 12ab)", "parse"),
        ("parse at x.c:5", "parse"),
        ('parse (this=0x0, s=0x1 "a<b") at x.c:5', "parse"),
        ("(/usr/lib/libc.so.6+0x123)", ""),
        ("??", ""),
        ("<unknown module>", ""),
        ("", ""),
        ("Tree<std::vector<int> >::at(std::map<int, T>, int*) const /x.cc:5", "Tree::at"),
        ("void Tree<int>::insert<char>(char) /x.cc:5", "Tree::insert"),
        ("(anonymous namespace)::run(int)", "anonymous::run"),
        ("main::{lambda(int)#2}::operator()(int) const", "main::{lambda"),
        ("std::function<int (int*)>::operator()(int*) const", "std::function::operator()"),
        ("bool operator< <int>(A<int> const&)", "operator<"),
        ("A::operator->() const", "A::operator->"),
        ("operator new(unsigned long) /x/new.cc:1", "operator new"),
        ("<usize as core::slice::index::SliceIndex<[T]>>::index", "usize::index"),
        ("<r::Parser<i32> as r::Go>::go", "r::Parser::go"),
        (
            "core::slice::index::<impl core::ops::Index<I> for [T]>::index",
            "core::slice::index::index",
        ),
        ("r::run::{{closure}}::h0123456789abcdef", "r::run::{{closure}}"),
        ("r::run::{closure#1}", "r::run::{closure#}"),
        ("fold.constprop.0 /x.c:1", "fold"),
        ("Compile::Code_Gen()+0x2a5", "Compile::Code_Gen"),
        ("<<<<", ""),
        ("a>b<c>d", "a>bd"),
    ],
)
def test_a_function_is_its_bare_name(written: str, name: str) -> None:
    assert function(written) == name


@pytest.mark.parametrize(
    ("stack", "frames"),
    [
        (["___interceptor_memcpy", "__memcpy_avx_unaligned_erms", "copy", "main"], "copy main"),
        (["operator new(unsigned long)", "_strip", "wrap_text", "main"], "_strip wrap_text main"),
        (["core::panicking::panic", "<u8 as a::B>::c", "rust_lexer::next"], "rust_lexer::next"),
        (["(/lib/libc.so.6+0x12)", "??", "__GI_abort", "strings::split"], "strings::split"),
        (["raise", "abort", "__assert_fail", "A::check(int)"], "A::check"),
    ],
)
def test_what_every_failure_goes_through_is_left_out(stack: list[str], frames: str) -> None:
    calls = "\n".join(f"    #{at} 0x1 in {each}" for at, each in enumerate(stack))
    seen = signature(ended(f"==1==ERROR: AddressSanitizer: SEGV on x\n{calls}"))
    assert seen.frames == tuple(frames.split())


def test_how_deep_a_recursion_went_is_no_part_of_the_failure() -> None:
    def nested(depth: int) -> str:
        calls = "".join(f"    #{at} 0x1 in block /x.c:1\n" for at in range(1, depth))
        return (
            "==1==ERROR: AddressSanitizer: SEGV on unknown address 0x0\n    #0 0x1 in leaf /x.c:9\n"
            f"{calls}    #{depth} 0x1 in main /x.c:2\n"
        )

    assert signature(ended(nested(3))).frames == ("leaf", "block", "main")
    assert signature(ended(nested(3))) == signature(ended(nested(90)))


@pytest.mark.parametrize("name", ["java-recursion", "javascript-recursion", "asan-stack-overflow"])
def test_which_call_was_the_last_before_the_stack_was_full_is_chance(name: str) -> None:
    lines = trace(name).splitlines()
    first = next(at for at, line in enumerate(lines) if re.match(r"\s+(?:at|#0) ", line))
    earlier = "\n".join(lines[:first] + lines[first + 1 :])
    assert signature(ended(earlier)) == signature(ended(trace(name)))


# Hostile output

MARKS = "\n".join(dialect.needle for dialect in DIALECTS).encode()
UNITS = [
    *(b"a", b"(", b" ", b"at ", b"1", b"\n", b"<", b"'", b"`", b'"', b"/", b"a/", b"a.", b": "),
    *(b"a:1: ", b"    at \n", b"x\n\tat a.b(\n", b"#0 ", b"\x1b[", b"\xff", b"1 ", b"N, ", b"1.1:"),
    *(
        b"Traceback (most recent call last):\n ",
        b"panicked at a:\n 1: <<<<a\n",
        b"a" * 1999 + b"\n",
    ),
    *(b"ERROR: ASanitizer: a\n#1 0x1 in <a<b\n", b":1:in `a': b (", b"Error: \n    at ", b"a(\n\t"),
]


@pytest.mark.parametrize("around", [b"", MARKS])
@pytest.mark.parametrize("unit", UNITS)
def test_a_flood_is_read_in_proportion_to_its_length(unit: bytes, around: bytes) -> None:
    def read(size: int) -> None:
        flood = around + unit * (size // len(unit)) + around
        assert signature(ended(flood, stdout=flood)).status == 1

    assert is_linear(read, 2**15)


def test_noise_is_no_failure_of_any_kind() -> None:
    noise = random.Random(7).randbytes(2**20)
    assert signature(ended(noise)).kind == ""
    assert signature(ended(noise, status=0)) == Signature(0)


def test_only_the_beginning_and_the_end_are_looked_at() -> None:
    failure = trace("python").encode()
    filler = b"x\n" * 2**18
    assert signature(ended(failure + filler * 2)).kind == "RuntimeError"
    assert signature(ended(filler * 2 + failure)).kind == "RuntimeError"
    assert signature(ended(filler + failure + filler)).kind == ""


@pytest.mark.parametrize(
    ("output", "message"),
    [
        (
            "Shop.hs:4:20: error: [GHC-88464]\n    Variable not in scope: prises :: [Int]\n  |\n",
            "Shop.hs:N: error: [GHC-N] Variable not in scope: prises",
        ),
        (
            "-- NAMING ERROR ---- src/Main.elm\n\nI cannot find a `prises` variable:\n",
            "-- NAMING ERROR ---- Main.elm I cannot find a '…' variable:",
        ),
        (
            (
                "CMake Error at CMakeLists.txt:4 (add_executable):\n  Cannot find source file:\n\n"
                "    shops.c\n\n\nmore\n"
            ),
            "CMake Error at CMakeLists.txt:N (add_executable): Cannot find source file: shops.c",
        ),
        (
            "shop.swift:2:5: error: cannot find 'prises' in scope\n    prises\n    ^~~~~~\n",
            "shop.swift:N: error: cannot find '…' in scope",
        ),
        ("error:\nnot indented\n", "error:"),
        ("make: *** [Makefile:5: all] Error 1\n", "make: *** [Makefile:N: all] Error N"),
        ("a.c: undefined total\nmake: *** [Makefile:5: all] Error 1\n", "a.c: undefined total"),
    ],
)
def test_a_message_is_read_with_the_lines_that_belong_to_it(output: str, message: str) -> None:
    assert signature(ended(output)).message == message
