"""Class files of Java: what the machine throws, prints or refuses, and what javap shows.

They are compiled here from sources that are made here, and need Java 17; without it there is none.
A test starts a Java machine, so the limit of a minute ends most of them: where other things run,
there is more left.
"""

import subprocess
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from pathlib import Path
from random import Random
from shutil import which
from tempfile import TemporaryDirectory
from zipfile import ZIP_DEFLATED, ZipFile

from benchmarks.probes.probe import Probe

from wynot_binaries import JAVA_CLASS

CASE = "Case.class"
JAVA = "java -Xint -Xshare:auto -XX:+UseSerialGC -XX:-UsePerfData -Xverify:all"
RUNS = f"#!/bin/bash\n{JAVA} -cp {{}} Case >out 2>&1 </dev/null\ngrep -q {{}} out\n"
JAVAP = "javap -J-XX:+UseSerialGC -J-XX:TieredStopAtLevel=1 -p -c -v"
SHOWS = f"#!/bin/bash\n{JAVAP} Case.class >out 2>&1 </dev/null\ngrep -q {{}} out\n"
LAMBDA = """
    java.util.function.Function<Object, Integer> f = x -> (Integer) x;
    Object o = f.apply(name); System.out.println(o);"""
CHECK = """static void check(int n) {
    switch (n) { case 4: throw new IllegalStateException("needle"); default: data[0]++; } }"""
NOTE = '@Deprecated(since = "needle") static void note() { data[3]++; }'
_THROWN = (
    ("divides by zero", "int z = odd(3) - 3; System.out.println(7 / z);",
        "static int odd(int a) { return a; }", "'ArithmeticException: / by zero'", 150),
    ("an array of less than nothing", "long k = -2; data = new int[(int) k];", "",
        "'NegativeArraySizeException: -2'", 140),
    ("casts in a lambda", LAMBDA, "", "ClassCastException", 900),
    ("calls itself for ever", "System.out.println(deep(1));",
        "static int deep(int n) { return deep(n + 1) + 1; }", "StackOverflowError", 180),
    ("throws its own message", "if (name.length() < 99) check(name.length());", CHECK,
        "'IllegalStateException: needle'", 330),
    ("prints a sum", "long s = 0; for (int i = 0; i < 100; i++) s += i; System.out.println(s);", "",
        "-x 4950", 280),
    ("finally throws instead", "try { data[99] = 1; } finally { Object o = null; o.hashCode(); }",
        "", "NullPointerException", 160),
)  # fmt: skip
_SHOWN = (
    ("a switch with far cases", "switch (data[1]) { case 5: data[2]++; case 70000: data[3]--; }",
        "", "lookupswitch", 140),
    ("an annotation with a value", "note();", NOTE, "'since=\"needle\"'", 190),
    ("a string among the constants", 'System.out.println(name + "ne\\u00e9dle");', "", "dle", 100),
)  # fmt: skip


def probes() -> Iterator[Probe]:
    """Yield what can be tried here."""
    if not (which("java") and which("javac") and which("javap")):
        return
    for number, (name, main, more, said, size) in enumerate(_THROWN):
        content = compiled(source(main, more, Random(number)))[CASE]
        yield Probe(f"class: {name}", {CASE: content}, RUNS.format(".", said), size)
    for number, (name, main, more, said, size) in enumerate(_SHOWN):
        content = compiled(source(main, more, Random(9 + number)))[CASE]
        yield Probe(f"class: {name}", {CASE: content}, SHOWS.format(said), size)
    content = unverifiable(compiled(source("data[0]++;", "", Random(20)))[CASE])
    yield Probe("class: is not verified", {CASE: content}, RUNS.format(".", "VerifyError"), 150)
    _, main, more, said, _ = _THROWN[4]
    jar = archived(compiled(source(main, more, Random(30))))
    yield Probe("class: in a jar", {"case.jar": jar}, RUNS.format("case.jar", said), 400)


def source(main: str, more: str, random: Random) -> str:
    """Return a class of forty methods, of which ``main`` matters."""
    methods = "\n".join(method(number, random) for number in range(40))
    return f"""
import java.util.*;
public class Case implements Comparable<Case> {{
  static int[] data = new int[8]; static String name = "case";
  long total; List<String> words = new ArrayList<>();
  record Pair(int left, String right) {{}}
  enum Kind {{ SMALL, LARGE }}
  public int compareTo(Case other) {{ return Long.compare(total, other.total); }}
  {methods}
  {more}
  public static void main(String[] a) throws Exception {{
    Case c = new Case(); c.m3(1, "x"); System.setProperty("a", "" + c.m7(2, "yy"));
    {main}
    c.m5(3, "zzz"); c.words.add(name);
  }}
}}"""


def method(number: int, random: Random) -> str:
    """Return a method that does a bit of everything, and no harm."""
    statements = (random.choice(STATEMENTS) for _ in range(6))
    body = "\n".join(each.format(odd=random.randrange(99999)) for each in statements)
    return f"""  long m{number}(int a, String b) {{
    long sum = {random.randrange(1 << 40)}L;
    {body}
    return sum;
  }}"""


STATEMENTS = (
    "for (int i = 0; i < a; i++) {{ sum += i * {odd}; if (sum > 99) break; }}",
    "try {{ sum += Integer.parseInt(b); }} catch (NumberFormatException e) {{ sum ^= {odd}; }}",
    'words.add(b + "text {odd}" + sum); total += sum;',
    'switch (b) {{ case "x" -> sum++; case "yy", "q{odd}" -> sum--; default -> sum *= 3; }}',
    "Runnable r{odd} = () -> total += a; r{odd}.run();",
    "synchronized (this) {{ sum += Map.entry(a, b).hashCode() > 0 ? {odd} : total; }}",
    "double d{odd} = Math.sqrt(sum) / {odd}.5; sum = (long) d{odd}; data[a & 7] += b.length();",
    "for (String each : words) if (each.isEmpty() || a > {odd}) sum |= each.hashCode();",
)


def compiled(text: str) -> dict[str, bytes]:
    """Return the classes of a source, by the names of their files."""
    with TemporaryDirectory(prefix="probe-") as name:
        path = Path(name) / "Case.java"
        path.write_text(text)
        command = ["javac", "-g", "-d", name, str(path)]
        subprocess.run(command, check=True, capture_output=True)
        return {each.name: each.read_bytes() for each in sorted(Path(name).glob("*.class"))}


def unverifiable(content: bytes) -> bytes:
    """Return a class with a method that gives a number for an object."""
    packed = JAVA_CLASS.read(content)
    last = max(number for number, each in enumerate(packed.members) if "method" in each.name)
    wrong = (
        b'(method $x "wrong" static (result "Ljava/lang/String;")(flat 1 0 (int 5) (areturn)))\n'
    )
    member = packed.members[last]
    changed = member.holding(wrong + member.content)
    members = (*packed.members[:last], changed, *packed.members[last + 1 :])
    return JAVA_CLASS.pack(replace(packed, members=members))


def archived(files: dict[str, bytes]) -> bytes:
    """Return some classes in a jar."""
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as jar:
        for name, content in files.items():
            jar.writestr(name, content)
    return file.getvalue()
