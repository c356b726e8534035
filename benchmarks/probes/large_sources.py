"""Large sources: a few lines that fail, behind hundreds of kilobytes that they seem to need.

Nothing is bundled: C and C++ are preprocessed by the compilers that are installed, Python and Java
put together from their libraries, JavaScript from the modules that npm comes with. Each failure
shows only if there is no other error before it. What is not installed is left out. A probe ends
when it is as small as can be expected of so many tests.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator

from benchmarks.probes.large_material import (
    functions_by_name,
    functions_by_number,
    java_home,
    java_text,
    package_folder,
    python_text,
    script_files,
    standard_folder,
)
from benchmarks.probes.large_programs import (
    ADDRESS,
    ADDRESSES,
    C_HEADERS,
    C_PROGRAM,
    CPP,
    INVOICE,
    JAVA,
    JAVA_INTERNALS,
    LEXER,
    LOADER,
    NETWORK,
    OTHER_PYTHON,
    PYGMENTS,
    PYTHON,
    PYTHON_FAILURES,
    SCRIPT_FAILURES,
    SCRIPTS,
    SELECTOR,
    SELECTORS,
    C,
)
from benchmarks.probes.probe import Probe

SIZE = 20_000
"""Bytes within reach."""
TESTS = 400
ENOUGH = ("--target-size", str(SIZE))
"""The question is how soon it gets there; what is left then is as any small source."""
FIRST_ERROR = r"""#!/bin/sh
{command} 2>&1 | grep -m 1 'error:' | grep -q '{pattern}'
"""
SHOWN_ERRORS = r"""#!/bin/sh
{command} > said.txt 2>&1
cat said.txt
grep -m 1 'error:' said.txt | grep -q '{pattern}'
"""
"""The same, by a script that lets through what the compiler says."""
LAST_LINE = r"""#!/bin/sh
{command} 2>&1 | grep -q '{pattern}'
"""


def probes() -> Iterator[Probe]:
    """Yield C++, C, Python, JavaScript and Java."""
    if shutil.which("g++"):
        yield from _cpp()
    if shutil.which("gcc"):
        yield from _c()
    yield from _python()
    if shutil.which("node"):
        yield from _scripts()
    yield from _java()


def _cpp() -> Iterator[Probe]:
    for name, (headers, program, pattern) in CPP.items():
        included = "".join(f"#include <{each}>\n" for each in headers.split())
        text = _preprocessed(["g++", "-std=c++20", "-x", "c++"], included + program)
        command = "g++ -std=c++20 -fsyntax-only large.ii"
        for script, how in ((FIRST_ERROR, ""), (SHOWN_ERRORS, ", errors shown")):
            test = script.format(command=command, pattern=pattern)
            yield Probe(f"C++: {name}{how}", {"large.ii": text}, test, SIZE, TESTS, ENOUGH)


def _c() -> Iterator[Probe]:
    included = "".join(f"#include <{each}.h>\n" for each in C_HEADERS.split())
    for name, (options, failure, pattern) in C.items():
        program = f"#define _GNU_SOURCE\n{included}{C_PROGRAM.replace('FAILURE', failure)}"
        text = _preprocessed(["gcc", "-x", "c"], program)
        test = FIRST_ERROR.format(command=f"gcc {options} -S -o x.s large.i", pattern=pattern)
        yield Probe(f"C: {name}", {"large.i": text}, test, SIZE, TESTS, ENOUGH)


def _preprocessed(compiler: list[str], program: str) -> bytes:
    command = [*compiler, "-E", "-P", "-"]
    return subprocess.run(command, input=program.encode(), capture_output=True, check=True).stdout


def _python() -> Iterator[Probe]:
    whole = python_text(standard_folder(), PYTHON.split())
    for name, (failure, pattern) in PYTHON_FAILURES.items():
        yield _run(f"Python: {name}", "python3 large.py", f"{whole}\n{failure}", pattern)
    other = python_text(standard_folder(), OTHER_PYTHON.split())
    pattern = "ValueError: 10.0.0.1/8 has host bits set"
    yield _run("Python: a network", "python3 large.py", other + NETWORK, pattern)
    pygments = package_folder("pygments")
    if pygments is not None:
        lexers = python_text(pygments, PYGMENTS.split(), "pygments")
        pattern = "OptionError: Invalid value .wide. for option tabsize"
        yield _run("Python: a lexer", "python3 large.py", lexers + LEXER, pattern)


def _run(name: str, command: str, text: str, pattern: str) -> Probe:
    """Return a script that says what is wrong with it when it is run."""
    path = command.rsplit(maxsplit=1)[-1]
    test = LAST_LINE.format(command=command, pattern=pattern)
    return Probe(name, {path: text.encode()}, test, SIZE, TESTS, ENOUGH)


def _scripts() -> Iterator[Probe]:
    files = script_files(SCRIPTS.split())
    if not files:
        return
    modules = ",\n".join(
        f"{json.dumps(name)}: function (module, exports, require) {{\n{text}\n}}"
        for name, text in files.items()
    )
    for name, (failure, pattern) in SCRIPT_FAILURES.items():
        text = f"const modules = {{\n{modules}\n}};\n{LOADER}{failure}"
        yield _run(f"JavaScript: {name}", "node large.js", text, pattern)
    text = functions_by_name(script_files(ADDRESSES.split())) + ADDRESS
    yield _run("JavaScript: an address", "node large.js", text, "AddressError: Invalid IPv4")
    files = script_files(SELECTORS.split())
    number = list(files).index("postcss-selector-parser/dist/index.js")
    text = functions_by_number(files) + SELECTOR.replace("NUMBER", str(number))
    yield _run("JavaScript: a selector", "node large.js", text, "Error: Expected a pseudo-class")


def _java() -> Iterator[Probe]:
    home = java_home()
    if home is None:
        return
    seen = " ".join(
        f"--add-exports java.base/jdk.internal.{name}=ALL-UNNAMED"
        for name in JAVA_INTERNALS.split()
    )
    command = f"{home}/bin/javac -J-XX:TieredStopAtLevel=1 {seen} -proc:none -d out large.java"
    pattern = "error: incompatible types: BigInteger cannot be converted to int"
    test = FIRST_ERROR.format(command=command, pattern=pattern)
    text = java_text(home, "java.math", JAVA.split()) + INVOICE
    yield Probe("Java: an invoice", {"large.java": text.encode()}, test, SIZE, TESTS, ENOUGH)
