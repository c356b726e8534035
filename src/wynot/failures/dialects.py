"""How failures look: one row per tool and language, and nothing but data.

A row is found by its ``needle``, a plain string that is quick to look for and rare in anything
else; only then are its patterns tried. Rows are in order of how much they tell: the internal error
of a database comes before the exception of the language that it was called from.

What a program prints is shaped by the candidate, so that it can be anything. Every pattern is
therefore anchored to the beginning of a line or to a literal; what that leaves to be tried grows
with the length of a line, and lines are cut before (see `wynot.failures.signature`).
"""

import re
from typing import NamedTuple


class Stack(NamedTuple):
    """How the calls that led to a failure are written."""

    frame: str
    """A pattern for one call, with the group f, the function, if that is known, and the group top,
    if a call like this begins a new stack."""
    skip: str = ""
    """A pattern for calls that are not the program's own, looked for in all of the line."""
    native: bool = False
    """The function is in the writing of C++ or Rust: with parameters, templates, a place."""
    inner_last: bool = False
    """The stack is above the message, and the innermost call is its last."""


class Dialect(NamedTuple):
    """How one tool or language says that something went wrong."""

    name: str
    needle: str
    """A string without which it is not this dialect."""
    kind: str
    """A pattern. Its groups: kind, if `label` does not say it; message, if there is one; place, the
    function it happened in, if that is on the same line."""
    label: str = ""
    """What this is called: the text itself, or with {} for the group; empty for the group alone."""
    stack: Stack = Stack("")
    last: bool = False
    """The last of several says what happened (chained exceptions); else the first does."""
    verbatim: bool = False
    """The message is the text of the program itself: it has numbers and quotes of its own."""
    reports: bool = False
    """It tells of another program, on standard output, and ends well itself."""


_HASHED = Stack(
    r"^[ \t]*+(?:(?P<top>#0)|#\d++) ++(?:0x[0-9a-f]++ )?(?:in )?(?P<f>.+)$", native=True
)
_RUST = Stack(r"^ *+(?:(?P<top>0)|\d++): ++(?:0x[0-9a-f]++ - )?(?P<f>.+)$", native=True)
_RUSTC = Stack(
    # The query that it happened in stands for the functions if there are none.
    r"^(?: ++\d++: ++(?:0x[0-9a-f]++ - )?(?=\S)(?P<f>.+)$|(?P<top>#0) \[(?P<query>\w++)\])",
    r"rustc_middle::util::bug|tls::with|::tls::|rustc_errors::|rustc_query_|opt_span_bug|"
    r"rustc_driver|rustc_interface|rustc_data_structures::",
    native=True,
)
_GCC = Stack(r"^0x[0-9a-f]++ (?P<f>.+)$", native=True)
_GO = Stack(
    r"^(?P<f>\S.*)\([^()\n]*\)\n(?=\t)",
    r"^(?:runtime[./]|panic\(|sync\.|testing\.|cmd/compile/internal/base\.)",
)
_JAVA = Stack(
    r"^[^\S\n]++at (?P<f>[\w.$<>/@-]++)\(",
    r"at (?:java|javax|jdk|sun|com\.sun)\.|\$\$Lambda",
)
_JS = Stack(
    r"^    at (?:async )?(?:new )?(?:(?P<f>[^(\n]+?)(?: \[as [^\]\n]*\])? \(|[^ \n]+$)",
    r"node:|\(<anonymous>\)|\(native\)|Object\.<anonymous>|bootstrap_node",
)
_PYTHON = Stack(
    r'^(?: *+\| )? {2}File "[^"\n]*+", line \d++, in (?P<f>.+)$',
    "in <module>|<frozen ",
    inner_last=True,
)
_PYTHON_FATAL = Stack(r'^ {2}File "[^"\n]*+", line \d++ in (?P<f>.+)$', "in <module>|<frozen ")
_DOTNET = Stack(r"^   at (?P<f>[\w.`+<>|\[\],]++)\(", r"at System\.")
_HASKELL = Stack(r"^[^\S\n]++(?P<f>\w[\w.']*+), called at", r"^[^\S\n]+error, ")
_PHP = Stack(r"^#\d++ [^\n(]*\(\d++\): (?P<f>[\w\\:>-]++)\(")
_RUBY = Stack(
    r"^(?:\tfrom )?[^:\n]++:\d++:in [`'](?:(?:block|rescue|ensure)(?: \(.*\))? in )?"
    r"(?P<f>[^'\n]+)'",
    r"<(?:main|top \(required\)|internal)",
)
_OCAML = Stack(
    r"^(?:Raised by primitive operation at|Re-raised at|Raised at|Called from) "
    r"(?P<f>[\w.]++)(?: in file|,)",
    r"\bStdlib\b",
)
_LUA = Stack(
    r"^\t[^\n:]++:\d++: in (?:(?:local|upvalue|method|field|global) )?(?:function )?"
    r"'(?P<f>[^'\n]+)'"
)
_JVM = Stack(r"^# (?:[CVv] {2}\[[^\]\n]*\]|[Jj] (?: \d+ \w+)?) *(?P<f>.+)$", native=True)
_GDB = Stack(r"^(?:(?P<top>#0)|#\d++) ++(?:0x[0-9a-f]++ in )?(?P<f>.+)$", native=True)
_VALGRIND = Stack(r"^==\d++==    (?:(?P<top>at)|by) 0x[0-9A-Fa-f]++: (?P<f>.+)$", native=True)
_ICE = "internal compiler error"

# A table is read by its rows.
# fmt: off
DIALECTS = (
    # Databases and engines: called from some language whose exception says less.
    Dialect("duckdb", "INTERNAL Error: ", r"INTERNAL Error: (?P<message>.*)", "INTERNAL Error"),
    Dialect("clickhouse", "Logical error: ",
        r"Logical error: (?P<message>[^.\n]*)", "Logical error"),
    Dialect("postgres", "TRAP: ",
        r'TRAP: (?:FailedAssertion|failed Assert)\("(?P<message>.*?)"[,)]',
        "Assertion", verbatim=True),
    # Sanitizers.
    Dialect("sanitizer", "Sanitizer: ",
        r"(?:ERROR|WARNING): (?P<kind>[A-Z]\w*?Sanitizer: [A-Za-z][\w-]*+"
        r"(?: (?:double-free|free|race|memory leaks|allocation size|to allocate))?)"
        r".*(?:\n(?P<message>READ|WRITE) of size)?", "", _HASHED),
    Dialect("ubsan", "runtime error: ",
        r"^[^:\n]++:\d++(?::\d++)?: runtime error: (?P<kind>[a-z][a-z -]*?)(?:: |(?= of | -?\d|$))"
        r"(?P<message>.*)", "UndefinedBehaviorSanitizer: {}", _HASHED),
    Dialect("summary", "SUMMARY: ",
        r"^SUMMARY: (?P<kind>[A-Z]\w*?Sanitizer: [A-Za-z][\w-]*+)(?:.* in (?P<place>\S.*))?"),
    # Assertions: the text is the program's own, and better than any frame.
    Dialect("assert", "Assertion",
        r"(?:^(?:[^:\n]*+: )?[^:\n]*+:\d++: (?:(?P<place>.*): )?|\b)"
        r"Assertion [`'](?P<message>.*)' failed", "Assertion", _HASHED, verbatim=True),
    Dialect("assert-bsd", "Assertion failed: ",
        r"Assertion failed: \(?(?P<message>.+?)\)?(?:,? (?:in )?function (?P<place>[^,\n]+))?"
        r"(?:, file .*|, at .*)?$", "Assertion", verbatim=True),
    Dialect("assert-mozilla", "Assertion failure: ",
        r"Assertion failure: (?P<message>.+?)(?:, at [^,\n]*)?$",
        "Assertion", _HASHED, verbatim=True),
    Dialect("v8", "# Fatal error in ",
        r"^# Fatal error in [^\n]*\n# (?P<message>.*)", "Fatal error"),
    Dialect("check", "heck failed: ",
        r"\b[Cc]heck failed: (?P<message>.+?)(?: \(.* vs\. .*\))?\.?$", "Assertion", verbatim=True),
    Dialect("llvm-unreachable", "UNREACHABLE executed",
        r"^(?:(?P<message>[^\n]*)\n)?UNREACHABLE executed", "UNREACHABLE", _HASHED),
    # Compilers.
    Dialect("rustc", "error: internal compiler error: ",
        r"^error: internal compiler error: (?P<message>.*)", _ICE, _RUSTC),
    Dialect("rustc-panic", "thread 'rustc'",
        r"thread 'rustc'(?: \(\d+\))? panicked at (?!')(?P<message>.*(?:(?<=:)\n.*)?)",
        _ICE, _RUSTC),
    Dialect("rustc-panic-until-1.72", "thread 'rustc'",
        r"thread 'rustc' panicked at '(?P<message>.*)', ", _ICE, _RUSTC),
    Dialect("go-compiler", "cmd/compile/", r"internal compiler error: (?P<message>.*)", _ICE, _GO),
    Dialect("llvm-backend", "error in backend: ",
        r"fatal error: error in backend: (?P<message>.*)", "error in backend"),
    Dialect("llvm", "Stack dump:", r"^Stack dump:", "LLVM crash", _HASHED),
    Dialect("gcc", "internal compiler error: ",
        r"internal compiler error: (?P<message>.*)", _ICE, _GCC),
    Dialect("tsc", "Debug Failure", r"Debug Failure\.? ?(?P<message>.*)", "Debug Failure", _JS),
    Dialect("ghc", "panic! (the 'impossible' happened)",
        r"panic! \(the 'impossible' happened\)(?:\n[ \t]*(?:\(?GHC version|for ).*)*"
        r"\n\s*(?P<message>\S.*)", "panic", _HASKELL),
    # Virtual machines that fall over themselves.
    Dialect("jvm", "# A fatal error has been detected by the Java",
        r"^# {2}(?P<kind>SIG\w++|Internal Error|Out of Memory Error)(?P<message>[^\n,]*)",
        "Java VM: {}", _JVM),
    Dialect("v8-heap", "FATAL ERROR: ", r"^FATAL ERROR: (?P<message>.*)", "FATAL ERROR"),
    Dialect("python-fatal", "Fatal Python error: ",
        r"^Fatal Python error: (?P<message>.*)", "Fatal Python error", _PYTHON_FATAL),
    # Languages.
    Dialect("python", "Traceback (most recent call last):",
        r"^(?: *+\| )?(?P<kind>(?!Traceback\b)[A-Za-z_][\w.]*+)(?:: (?P<message>.*))?$",
        "", _PYTHON, last=True),
    Dialect("java-cause", "\nCaused by: ",
        r"^Caused by: (?P<kind>[\w.$]++)(?:: (?P<message>.*))?", "", _JAVA, last=True),
    Dialect("java", "Exception in thread ",
        r'^Exception in thread "[^"\n]*" (?P<kind>[\w.$]++)(?:: (?P<message>.*))?', "", _JAVA),
    Dialect("java-logged", "\n\tat ",
        r"^(?P<kind>(?:[\w$]++\.)++[A-Z][\w$]*)(?:: (?P<message>.*))?\n\tat ", "", _JAVA),
    Dialect("dotnet-inner", "\n ---> ",
        r"^ ---> (?P<kind>[\w.+]++)(?: \([^)\n]*\))?: (?P<message>.*)", "", _DOTNET, last=True),
    Dialect("dotnet", "Unhandled exception",
        r"^Unhandled exception[.:] (?P<kind>[\w.+]++)(?: \([^)\n]*\))?: (?P<message>.*)",
        "", _DOTNET),
    Dialect("rust", "panicked at ",
        r"panicked at (?!')(?P<message>.*(?:(?<=:)\n.*)?)", "panic", _RUST),
    Dialect("rust-until-1.72", "panicked at '", r"panicked at '(?P<message>.*)', ", "panic", _RUST),
    Dialect("rust-stack", "has overflowed its stack", "has overflowed its stack", "stack overflow"),
    Dialect("zig", " panic: ", r"^thread \d++ panic: (?P<message>.*)", "panic"),
    Dialect("go", "\ngoroutine ", r"^(?P<kind>panic|fatal error): (?P<message>.*)", "", _GO),
    Dialect("javascript", "\n    at ",
        r"^(?:Uncaught )?(?:\w++:? )?(?P<kind>[\w$.]*Error)(?: \[\w+\])?(?:: (?P<message>.*))?"
        r"(?:\n(?!    at ).*){0,4}\n    at ", "", _JS),
    Dialect("syntax", "Error: ",
        r"^(?P<kind>SyntaxError|IndentationError|TabError): (?P<message>.*)"),
    Dialect("php-uncaught", "Fatal error: ",
        r"Fatal error: +Uncaught (?P<kind>[\w\\]+)(?:: (?P<message>.*))?", "", _PHP),
    Dialect("php", "PHP ",
        r"^PHP (?P<kind>Fatal error|Parse error|Recoverable fatal error): +(?P<message>.*)"),
    Dialect("ruby", ":in ",
        r"^[^:\n]++:\d++:in [`'].*': (?P<message>.*) \((?P<kind>[A-Z][\w:]*)\)$", "", _RUBY),
    Dialect("ocaml", "Fatal error: exception ",
        r"^Fatal error: exception (?P<kind>[\w.]+)(?P<message>.*)", "", _OCAML),
    Dialect("swift", ": Fatal error: ",
        r"^[^:\n]++:\d++: Fatal error: (?P<message>.*)", "Fatal error"),
    Dialect("haskell", "CallStack (from HasCallStack):",
        r"^(?P<message>[^\n]*)\nCallStack \(from HasCallStack\):", "exception", _HASKELL),
    Dialect("lua", "\nstack traceback:",
        r"^(?:\S+: )?[^:\n]++:\d++: (?P<message>.*)\nstack traceback:", "Lua error", _LUA),
    Dialect("c++", "terminate called ",
        r"^terminate called after throwing an instance of '(?P<kind>[^'\n]+)'"
        r"(?:\n +what\(\): +(?P<message>.*))?"),
    Dialect("libc++", "uncaught exception of type ",
        r"uncaught exception of type (?P<kind>[^:\n]++(?:::[^:\n]++)*)(?:: (?P<message>.*))?"),
    # The C library and debuggers.
    Dialect("glibc", " detected ***", r"^\*\*\* (?P<kind>[a-z ]+ detected) \*\*\*"),
    Dialect("malloc", "(): ",
        r"^(?P<kind>(?:malloc|free|realloc|calloc|munmap_chunk|malloc_consolidate)\(\): [a-z].*)"),
    Dialect("malloc-corruption", "corrupt",
        r"^(?:\*\*\* Error in .*: )?(?P<kind>(?:double free or corruption|corrupted size vs|"
        r"corrupted double-linked|corrupted unsorted)[^:\n]*)"),
    Dialect("gdb", " signal SIG",
        r"(?:received|terminated with) signal (?P<kind>SIG\w++)", "", _GDB, reports=True),
    Dialect("valgrind", "== ",
        r"^==\d++== (?P<kind>Invalid (?:read|write|free)|Mismatched free|Conditional jump or move|"
        r"Use of uninitialised value|Jump to the invalid|Source and destination overlap|"
        r"Syscall param|Stack overflow|Process terminating)", "valgrind: {}", _VALGRIND),
)
# fmt: on

SHELL_WORDS = {
    "Segmentation fault": "SIGSEGV",
    "Aborted": "SIGABRT",
    "Bus error": "SIGBUS",
    "Floating point exception": "SIGFPE",
    "Illegal instruction": "SIGILL",
    "Trace/breakpoint trap": "SIGTRAP",
    "Bad system call": "SIGSYS",
}
"""What a shell says of a program that a signal ended."""

COMPILERS = frozenset(
    {"internal compiler error", "LLVM crash", "error in backend", "UNREACHABLE", "Debug Failure"}
)
"""Kinds that only a compiler has: with an ordinary error beside it, it is often another bug."""

ORDINARY = re.compile(
    r"^error(?:\[E\d++\])?: (?!internal compiler).*\n *+--> |"
    r"^[^:\n]++:\d++(?::\d++)?: (?:fatal )?error: |^[^(\n]++\(\d++,\d++\): error ",
    re.MULTILINE,
)
"""How compilers report that a program is wrong: rustc; gcc and clang; tsc."""

SPOKEN = frozenset({"Assertion", "UNREACHABLE"})
"""Kinds whose message says more than the calls that led there."""

OVERFLOWS = re.compile(
    r"stack.?overflow|RecursionError|goroutine stack exceeds|call stack size|"
    r"SystemStackError|maximum recursion",
    re.IGNORECASE,
)
"""Where the stack ran out: which of the calls that go in a circle was the last one is chance."""

RUNTIME = re.compile(
    r"_{2,3}(?:libc_|interceptor|asan|ubsan|msan|tsan|lsan|hwasan|sanitizer|GI_|pthread|assert|"
    r"fortify|chk_fail|stack_chk|restore_rt|clone|cxxabi|cxa_|gnu_cxx::__verbose|rust|invoke)|"
    r"_start$|_Unwind|_dl_|_M_invoke|_exit$|raise$|gsignal$|abort$|start_thread$|clone3?$|"
    r"pthread_(?:kill|create)|(?:core|std|alloc|backtrace)::|"
    r"(?:[iu](?:8|16|32|64|128|size)|f32|f64|str|bool|char|\[.*|&.*)::|"
    r"rust_(?:begin_unwind|panic)|operator (?:new|delete)|"
    r"(?:wrap_)?(?:malloc|calloc|realloc|free)$|"
    r"(?:__)?(?:mem(?:cpy|move|set|cmp|chr)|str(?:len|n?cpy|n?cmp|n?cat|chr|n?dup|str))"
    r"(?:$|_avx|_sse|_evex)|"
    r"llvm::sys::|SignalHandler|llvm::(?:llvm_unreachable|report_fatal_error|CrashRecovery)|"
    r"crash_signal|internal_error|fancy_abort"
)
"""Functions that every failure goes through: they tell nothing about this one."""

STRONG = re.compile(r"error|fatal|panic|exception", re.IGNORECASE)
WEAK = re.compile(
    r"fail|assert|abort|cannot|can't|could not|unable|trouble|invalid|unexpected|undefined|"
    r"not found|no such|denied|illegal|corrupt|overflow|unsupported|unknown|missing|exceed|crash|"
    r"mismatch|\bbad\b|\bwrong\b|\bbug\b|line \d+\.$",
    re.IGNORECASE,
)
"""How a line looks that says what is wrong, if no dialect knows it."""
MILD = re.compile(
    r"^\W*(?:warn|note|info|debug|help|hint|usage|trace\b)|: (?:warning|note|remark)[: ]|"
    r"\b(?:0|no) errors?\b|\b\d+ errors?\b|ld returned \d|linker command failed|"
    r"^(?:g?make|ninja)(?:\[\d+\])?: (?:\*\*\* \[|build stopped)",
    re.IGNORECASE,
)
"""How a line looks that only has such words in it."""

HEADING = re.compile(
    r"\b(?:error|Error|ERROR)(?: at \S+(?: \([^()\n]*\))?)?:?(?: \[[\w-]+\]| \|-?)?\s*$|"
    r"^-- [A-Z][A-Z ]+ -{3,}"
)
"""A line that only says that there is an error: the message follows below (GHC, CMake, Elm)."""

BEHIND = re.compile(r"^ {2}(?:symbol|required|found|reason): +\S.*")
"""A line below the message that belongs to it: javac's."""

POINTER = re.compile(r"^ *(?:-->|\u256d\u2500|\u250c\u2500)")
"""The line below a message that tells where it is (rustc, ruff and what looks like them)."""

LABEL = re.compile(r"^ *\| +(?:[|/_ ]*)\^+ (\S.*)")
"""What such a tool writes beside the mark under the code: rustc names the types there."""
