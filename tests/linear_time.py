"""Work on repeated text, so long that more than linear time shows; the patterns of the source.

As a program it looks at the patterns: ``python tests/linear_time.py PAIRS LONGEST`` prints those
that take more than linear time, each with the text that shows it. It is a process of its own,
since it replaces `re.compile` before it imports the source.
"""

import ast
import gc
import importlib
import inspect
import pkgutil
import random
import re
import re._constants as codes  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import sys
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from pathlib import Path
from time import thread_time
from typing import Any, NamedTuple

FACTOR, MOST_GROWTH = 4, 8.0
"""Four times as much text may take eight times as long: quadratic work takes sixteen."""
MOST_GROWTH_OF_SHORT = 40.0
"""The same for a text whose length is limited, where quadratic work is cheap and cubic is not."""
LEAST_SECONDS = 0.02
"""Processor time below which a measurement says nothing."""
LEAST_CHARS = 64
TRIES = 4
"""How often growth must be seen: another program can spoil a measurement, but not all of them."""
ALPHABET = "\"'()[]{}<> \n\\/*-a0.:,"
SOURCE = Path(__file__).resolve().parents[1] / "src"
PACKAGES = ("wynot", "wynot_binaries")
SCRIPTS = ("wynot.__main__", "wynot.inquiries.tests.ordering", "wynot.warm.hook.")
"""Modules that cannot be imported here; they have no patterns."""


class Limit(NamedTuple):
    """Why a pattern may take more than linear time on long texts."""

    chars: int
    methods: tuple[str, ...]
    reason: str
    by_lines: bool = False
    """Whether it is a line that is no longer, of a text that may be."""


LIMITS = {
    "wynot/formats/detect.py": Limit(4096, ("match",), "the head of a text, SNIFFED_HEAD_BYTES"),
    "wynot/failures/wording.py": Limit(2000, (), "a line of an output, LONGEST_LINE"),
    "wynot/failures/failure_class.py": Limit(2000, (), "a line of an output, LONGEST_LINE"),
    "wynot/passes/trees/mentions.py": Limit(256, (), "a path, LONGEST_PATH"),
    "wynot/failures/dialects.py": Limit(
        2000, (), "a line of an output, LONGEST_LINE", by_lines=True
    ),
    "RUNNERS": Limit(2000, (), "a line of an output, LONGEST_LINE", by_lines=True),
    "wynot/core/options/pattern.py": Limit(0, (), "a pattern of the user"),
    "wynot/inquiries/splitting.py": Limit(1 << 20, ("fullmatch",), "the name of a program"),
    "wynot/inquiries/packages/package_names.py": Limit(1 << 20, ("fullmatch",), "a name"),
    "wynot_binaries/java/java_types.py": Limit(
        1 << 20, ("match", "fullmatch"), "found only in what _METHOD has matched"
    ),
}


def growth(
    work: Callable[[str], object], prefix: str, unit: str, longest: int, most: float = MOST_GROWTH
) -> str:
    """Return how much longer work takes on four times as many units; empty: not too much."""

    def seconds(size: int) -> float:
        text = prefix + unit * max(1, size // len(unit))
        gc.disable()  # its share depends on what ran before
        try:
            before = thread_time()
            work(text)
            return thread_time() - before
        finally:
            gc.enable()

    size = LEAST_CHARS
    while seconds(size) < LEAST_SECONDS:
        if size >= longest:
            return ""
        size = min(FACTOR * size, longest)
    factor = 0.0
    for _ in range(TRIES):
        little = min(seconds(size // FACTOR) for _ in range(3))
        much = seconds(size)
        if much < LEAST_SECONDS or much <= most * little:
            return ""
        factor = much / little
    return f"{prefix!r} and {size} characters of {unit!r}: {factor:.0f} times as long"


def atoms(pattern: str | bytes, flags: int) -> list[str]:
    """Return the characters that a pattern names, and its literal words, the longest first."""
    found: set[str] = set()

    def walk(items: Any) -> None:
        word = ""
        for code, value in items:
            if code is codes.LITERAL:
                word += chr(value)
                found.add(chr(value))
                continue
            found.add(word)
            word = ""
            if code is codes.IN:
                found.update(chr(first) for first in map(_first, value) if first is not None)
            elif code is codes.NOT_LITERAL:
                found.add(chr(value))
            for inner in _inside(code, value):
                walk(inner)
        found.add(word)

    walk(parser.parse(pattern, flags))
    return sorted(found - {""}, key=lambda each: (-len(each), each))


def _first(member: Any) -> int | None:
    """Return the first character of a member of a set; None: it names none."""
    code, value = member
    if code is codes.RANGE:
        return int(value[0])
    return int(value) if code is codes.LITERAL else None


def _inside(code: Any, value: Any) -> Sequence[Any]:
    """Return the patterns inside of an item of a pattern."""
    if code is codes.BRANCH:
        return list(value[1])
    if code is codes.ATOMIC_GROUP:
        return [value]
    at = {codes.SUBPATTERN: 3, codes.ASSERT: 1, codes.ASSERT_NOT: 1}
    at |= dict.fromkeys((codes.MAX_REPEAT, codes.MIN_REPEAT, codes.POSSESSIVE_REPEAT), 2)
    return [value[at[code]]] if code in at else []


def units(own: Sequence[str], pairs: int, seed: str) -> Iterator[str]:
    """Yield what to repeat: all atoms, and so many pairs, threes and fours of them."""
    pool = [*own, *sorted(set(ALPHABET) - set(own))]
    yield from pool
    chance = random.Random(seed)
    twos = list(map("".join, product(pool, repeat=2)))
    yield from chance.sample(twos, min(pairs, len(twos)))
    for _ in range(pairs):
        yield "".join(chance.choices(pool, k=chance.choice((3, 4))))


class Found(NamedTuple):
    """A pattern of the source, and what is called of it."""

    place: str
    pattern: Any
    methods: frozenset[str]


def patterns() -> Iterator[Found]:
    """Yield the patterns of the source: those of modules, and those that functions name."""
    compiled: list[tuple[str, int, Any]] = []
    compile_pattern = re.compile

    def recorded(pattern: Any, flags: int = 0) -> Any:
        frame = inspect.currentframe()
        caller = frame and frame.f_back
        assert caller is not None
        made = compile_pattern(pattern, flags)
        path = Path(caller.f_code.co_filename)
        if path.is_relative_to(SOURCE):
            compiled.append((path.relative_to(SOURCE).as_posix(), caller.f_lineno, made))
        return made

    re.compile = recorded
    for package in map(importlib.import_module, PACKAGES):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if not module.name.startswith(SCRIPTS):
                importlib.import_module(module.name)
    re.compile = compile_pattern
    trees = {
        path.relative_to(SOURCE).as_posix(): ast.parse(path.read_text("utf-8"))
        for package in PACKAGES
        for path in sorted((SOURCE / package).rglob("*.py"))
    }
    names, calls = _names(trees), _calls(trees)
    for place, line, made in compiled:
        name = names.get((place, line), "")
        used = calls.get((place if name.startswith("_") else "", name))
        yield Found(f"{place}:{line}", made, frozenset(used or {"finditer"}))
    for place, tree in trees.items():
        yield from _in_functions(place, tree)
    yield from _compiled_later()


def _compiled_later() -> Iterator[Found]:
    """Yield the patterns of tables, which are compiled when an output needs them."""
    dialects = importlib.import_module("wynot.failures.dialects").DIALECTS
    runners = importlib.import_module("wynot.failures.failed_tests").RUNNERS
    for each in dialects:
        for pattern in filter(None, (each.kind, each.stack.frame, each.stack.skip)):
            made = re.compile(pattern, re.MULTILINE)
            yield Found(f"wynot/failures/dialects.py: {each.name}", made, frozenset({"finditer"}))
    for each in runners:
        made = re.compile(each.head, re.MULTILINE)
        yield Found(f"RUNNERS: {each.name}", made, frozenset({"finditer"}))


def _names(trees: dict[str, ast.Module]) -> dict[tuple[str, int], str]:
    """Return what the patterns of modules are called, by where they are compiled."""
    found = {}
    for place, tree in trees.items():
        for statement in tree.body:
            if isinstance(statement, ast.Assign) and isinstance(statement.targets[0], ast.Name):
                value = statement.value
                if isinstance(value, ast.Call) and ast.unparse(value.func) == "re.compile":
                    found[place, value.lineno] = statement.targets[0].id
    return found


def _calls(trees: dict[str, ast.Module]) -> dict[tuple[str, str], set[str]]:
    """Return which methods are called of a name, in its module and, if it is public, anywhere."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    for place, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name = node.value.id
                found[place if name.startswith("_") else "", name].add(node.attr)
    return found


def _in_functions(place: str, tree: ast.Module) -> Iterator[Found]:
    """Yield the patterns that functions give to `re`, if those of the module are all they need."""
    name = place.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
    if name.startswith(SCRIPTS):
        return
    known = vars(importlib.import_module(name))
    for function in ast.walk(tree):
        if not isinstance(function, ast.FunctionDef):
            continue
        for call in ast.walk(function):
            if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
                continue
            method = call.func.attr
            if ast.unparse(call.func.value) != "re" or method in {"escape", "compile"}:
                continue
            try:
                value = eval(ast.unparse(call.args[0]), dict(known))  # noqa: S307 - our own source
            except NameError:
                continue  # of a name in the input, which is escaped
            flags = [each.value for each in call.keywords if each.arg == "flags"]
            made = re.compile(value, eval(ast.unparse(flags[0]), dict(known)) if flags else 0)  # noqa: S307
            yield Found(
                f"{place}:{call.lineno}",
                made,
                frozenset({method if method in {"match", "fullmatch"} else "finditer"}),
            )


def work_of(pattern: Any, method: str) -> Callable[[str], object]:
    """Return what a program does with a pattern and a text."""
    encode = isinstance(pattern.pattern, bytes)

    def work(text: str) -> None:
        subject: Any = text.encode("latin-1", "replace") if encode else text
        if method == "finditer":
            deque(pattern.finditer(subject), maxlen=0)
        else:
            getattr(pattern, method)(subject)

    return work


def slow_patterns(pairs: int, longest: int) -> Iterator[str]:
    """Yield the patterns that take more than linear time."""
    seen = set()
    for place, pattern, used in patterns():
        limit = LIMITS.get(place.partition(":")[0])
        if (place, pattern.pattern) in seen or (limit and not limit.chars):
            continue
        seen.add((place, pattern.pattern))
        only = used & {"match", "fullmatch"} if used <= {"match", "fullmatch", "pattern"} else ()
        methods = (limit and limit.methods) or tuple(only) or ("finditer",)
        flags = pattern.flags & ~re.UNICODE if isinstance(pattern.pattern, bytes) else pattern.flags
        own = atoms(pattern.pattern, flags)
        chance = random.Random(ascii(pattern.pattern))
        for method, unit in product(methods, units(own, pairs, ascii(pattern.pattern))):
            is_short = limit and limit.chars < longest and not (limit.by_lines and "\n" in unit)
            chars = limit.chars if limit and is_short else longest
            most = MOST_GROWTH_OF_SHORT if is_short else MOST_GROWTH
            before = ("", chance.choice(own or [""])) if pairs else ("",)
            found = (growth(work_of(pattern, method), each, unit, chars, most) for each in before)
            if words := next(filter(None, found), ""):
                yield f"{place} {method} {pattern.pattern!r:.80}: {words}"
                break


if __name__ == "__main__":
    for line in slow_patterns(int(sys.argv[1]), int(sys.argv[2])):
        sys.stdout.write(f"{line}\n")
