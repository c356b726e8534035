"""Large sources: a few lines that fail, behind hundreds of kilobytes that they seem to need.

Nothing is bundled: C and C++ are preprocessed by the compilers that are installed, Python and
JavaScript put together from the standard library and from the modules that npm comes with. Each
failure shows only if there is no other error before it. What is not installed is left out. A
probe ends when it is as small as can be expected of so many tests.
"""

import json
import re
import shutil
import subprocess
import sysconfig
from collections.abc import Iterator
from pathlib import Path

from benchmarks.probes.probe import Probe

SIZE = 20_000
"""Bytes within reach."""
TESTS = 400
ENOUGH = ("--target-size", str(SIZE))
"""The question is how soon it gets there; what is left then is as any small source."""
CPP = {
    "a requirement of a lambda": (
        "map string_view",
        """
namespace shop {
template<class Key, class Value> class Registry {
  std::map<Key, Value> entries;
public:
  void add(Key key, Value value) { entries.insert({key, value}); }
  template<class... Visitors> void visit(Visitors... visitors) {
    for (auto& [key, value] : entries)
      ([&]<class Entry>(Entry entry) requires (sizeof(Visitors) <= sizeof(Entry)) {
        entry(value);
      }(visitors), ...);
  }
};
}
int main() {
  shop::Registry<std::string_view, int> registry;
  registry.add("one", 1);
  registry.visit([](int value) { return value + 1; }, [](int) {});
}
""",
        "internal compiler error: in dependent_type_p",
    ),
    "a lambda as a default": (
        "ranges vector",
        """
template<class Item>
using Formatter = decltype([](const Item& item) -> const Item& { return item; });
template<std::ranges::input_range Range,
         class Format = Formatter<std::ranges::range_value_t<Range>>>
int printed(Range&& range, Format format = {}) {
  int count = 0;
  for (auto&& each : range | std::views::transform(format)) count += each;
  return count;
}
int main() {
  std::vector<int> numbers{1, 2, 3};
  return printed(numbers);
}
""",
        "internal compiler error: Segmentation fault",
    ),
    "a failed assertion of the library": (
        "functional string variant vector",
        """
struct Circle { double radius; };
struct Square { double side; };
using Shape = std::variant<Circle, Square>;
class Canvas {
  std::vector<Shape> shapes;
  std::function<void(const std::string&)> report;
public:
  void add(const Shape& shape) { shapes.push_back(shape); }
  void total() const { report(std::to_string(shapes.size())); }
};
std::variant<int, int&> broken;
int main() {
  Canvas canvas;
  canvas.add(Circle{2});
  canvas.total();
}
""",
        "error: static assertion failed: variant must have no reference alternative",
    ),
    "an ambiguous call": (
        "algorithm list utility",
        """
namespace geometry {
struct Point { int x, y; };
template<class T> auto norm(T a, long b) -> decltype(a.x + b) { return a.x + b; }
template<class T> auto norm(T a, unsigned b) -> decltype(a.y + b) { return a.y + b; }
template<class Points> long longest(const Points& points) {
  long most = 0;
  std::for_each(points.begin(), points.end(), [&](auto& point) {
    most = std::max<long>(most, norm(point, 0));
  });
  return most;
}
}
int main() {
  std::list<geometry::Point> points{{1, 2}, {3, 4}};
  auto pair = std::make_pair(points, 1);
  return geometry::longest(pair.first);
}
""",
        "error: call of overloaded .norm(const geometry::Point&, int). is ambiguous",
    ),
}
"""Headers, the program, and what must stand in the first line with an error."""
C_HEADERS = (
    "arpa/inet complex dirent errno fcntl ftw inttypes limits locale math netdb poll pthread regex "
    "sched search semaphore signal stdio stdlib string sys/mman sys/socket sys/stat sys/wait time "
    "unistd wchar"
)
C_PROGRAM = """
struct record { char name[16]; struct stat info; pthread_mutex_t lock; };
static struct record entries[8];
static int used;
static struct record *found(const char *name) {
  for (int i = 0; i < used; i++)
    if (!strcmp(entries[i].name, name)) return &entries[i];
  return 0;
}
int add(const char *name) {
  struct record *entry = found(name);
  if (entry) return 0;
  strncpy(entries[used].name, name, sizeof entries[used].name - 1);
  pthread_mutex_init(&entries[used].lock, 0);
  return stat(name, &entries[used++].info);
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (add(argv[i])) perror(argv[i]);
  FAILURE
  return used;
}
"""
C = {
    "an array that is left": (
        "-O2 -Werror=array-bounds",
        "used += entries[used > 0 ? 9 : 8].name[0];",
        "error: array subscript [89] is above array bounds",
    ),
    "types that do not fit": (
        "-O0",
        "entries[0].info = entries[0].lock;",
        "error: incompatible types when assigning to type .struct stat.",
    ),
}
PYTHON = (
    "string textwrap bisect heapq calendar shlex cmd difflib fractions statistics "
    "configparser optparse ast tokenize doctest _pydecimal"
)
PYTHON_FAILURES = {
    "a fraction": (
        """
import sys

def part(text):
    parser = OptionParser()
    parser.add_option('-n')
    options, rest = parser.parse_args(text)
    return Fraction(1, len(rest))

print(part(['-n', '3']))
""",
        "ZeroDivisionError: Fraction(1, 0)",
    ),
    "a template": (
        """
import sys

class Report(Cmd):
    def do_show(self, line):
        for word in split(line):
            print(Template(word).substitute())

Report().onecmd('show one $two')
""",
        "KeyError: .two.",
    ),
}
SCRIPTS = "semver minimatch brace-expansion balanced-match ms ini diff nopt abbrev"
LOADER = """
const loaded = {};
function load(name) {
  if (!(name in loaded)) {
    const module = loaded[name] = { exports: {} };
    modules[name](module, module.exports, load);
  }
  return loaded[name].exports;
}
"""
SCRIPT_FAILURES = {
    "a setting": (
        r"""
function range(text) {
  const found = load('ini/lib/ini.js').parse(`range = ${text}`).range;
  if (!/^[\d.]+$/.test(found)) throw new TypeError('bad ' + found);
  return found.split('.');
}
const { coerce } = { coerce: text => load('ms/index.js')(text) };
console.log(coerce('2 days'), range('x.1'));
""",
        "TypeError: bad x.1",
    ),
    "a duration": (
        """
const ms = load('ms/index.js');
function wait(times) {
  return times.map(each => ms(each)).reduce((a, b) => a + b);
}
console.log(wait(['2 days', {}]));
""",
        "Error: val is not a non-empty string",
    ),
}
FIRST_ERROR = r"""#!/bin/sh
{command} 2>&1 | grep -m 1 'error:' | grep -q '{pattern}'
"""
LAST_LINE = r"""#!/bin/sh
{command} 2>&1 | grep -q '{pattern}'
"""


def probes() -> Iterator[Probe]:
    """Yield C++, C, Python and JavaScript."""
    if shutil.which("g++"):
        yield from _cpp()
    if shutil.which("gcc"):
        yield from _c()
    yield from _python()
    if shutil.which("node"):
        yield from _scripts()


def _cpp() -> Iterator[Probe]:
    for name, (headers, program, pattern) in CPP.items():
        included = "".join(f"#include <{each}>\n" for each in headers.split())
        text = _preprocessed(["g++", "-std=c++20", "-x", "c++"], included + program)
        command = "g++ -std=c++20 -fsyntax-only large.ii"
        test = FIRST_ERROR.format(command=command, pattern=pattern)
        yield Probe(f"C++: {name}", {"large.ii": text}, test, SIZE, TESTS, ENOUGH)


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
    folder = Path(sysconfig.get_path("stdlib"))
    texts = [(folder / f"{name}.py").read_text() for name in PYTHON.split()]
    whole = re.sub(r"(?m)^if __name__ == ['\"]__main__['\"]", "if False", "\n".join(texts))
    whole = re.sub(r"(?m)^from __future__ import .*$", "", whole)
    for name, (failure, pattern) in PYTHON_FAILURES.items():
        test = LAST_LINE.format(command="python3 large.py", pattern=pattern)
        yield Probe(
            f"Python: {name}",
            {"large.py": f"{whole}\n{failure}".encode()},
            test,
            SIZE,
            TESTS,
            ENOUGH,
        )


def _scripts() -> Iterator[Probe]:
    root = Path(shutil.which("npm") or "").resolve().parent.parent / "node_modules"
    files = {
        f"{package}/{path.relative_to(root / package)}": path.read_text()
        for package in SCRIPTS.split()
        for path in sorted((root / package).rglob("*.js"))
        if "node_modules" not in path.relative_to(root).parts and "esm" not in path.parts
    }
    if not files:
        return
    modules = ",\n".join(
        f"{json.dumps(name)}: function (module, exports, require) {{\n{text}\n}}"
        for name, text in files.items()
        if not text.startswith("#!") and not re.search(r"(?m)^(?:import|export) ", text)
    )
    for name, (failure, pattern) in SCRIPT_FAILURES.items():
        text = f"const modules = {{\n{modules}\n}};\n{LOADER}{failure}"
        test = LAST_LINE.format(command="node large.js", pattern=pattern)
        yield Probe(f"JavaScript: {name}", {"large.js": text.encode()}, test, SIZE, TESTS, ENOUGH)
