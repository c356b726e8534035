"""Formats in which numbers tell of the rest: each has texts, and a checker that is strict."""

import re
from collections.abc import Callable, Sequence
from functools import partial
from random import Random
from typing import NamedTuple


class CountedFormat(NamedTuple):
    """How to make a text, and whether one is well-formed."""

    name: str
    make: Callable[[Random], bytes]
    check: Callable[[bytes], bool]


def joined(words: Sequence[object]) -> str:
    return " ".join(map(str, words))


def lined(*lines: object) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def numbers(random: Random, count: int, below: int = 1000) -> list[int]:
    return [random.randrange(below) for _ in range(count)]


def counted_words(random: Random) -> bytes:
    count = random.randrange(8, 60)
    return f"{count}\n{joined(numbers(random, count))}\n".encode()


def is_counted_words(text: bytes) -> bool:
    count, *words = text.split()
    return int(count) == len(words)


def counted_lines(random: Random) -> bytes:
    count = random.randrange(8, 60)
    return lined(count, *(f"word{each} x" for each in range(count)))


def is_counted_lines(text: bytes) -> bool:
    count, *lines = text.splitlines()
    return int(count) == len(lines)


def csv(random: Random) -> bytes:
    count = random.randrange(8, 60)
    return lined(f"rows,{count}", *(f"{each},b{each},c" for each in range(count)))


def is_csv(text: bytes) -> bool:
    head, *lines = text.splitlines()
    return int(head.split(b",")[1]) == len(lines) and all(line.count(b",") == 2 for line in lines)


def test_cases(random: Random) -> bytes:
    cases = [numbers(random, random.randrange(1, 12)) for _ in range(random.randrange(3, 12))]
    body = "".join(f"{len(case)}\n{joined(case)}\n" for case in cases)
    return f"{len(cases)}\n{body}".encode()


def is_test_cases(text: bytes) -> bool:
    words = [*map(int, text.split())]
    at = 1
    for _ in range(words[0]):
        at += 1 + words[at]
    return at == len(words)


def graphs(random: Random) -> bytes:
    cases = []
    for _ in range(random.randrange(2, 7)):
        size, edges = random.randrange(2, 9), random.randrange(2, 12)
        lines = [joined([random.randrange(size) + 1 for _ in range(2)]) for _ in range(edges)]
        cases.append("\n".join([f"{size} {edges}", *lines, ""]))
    return f"{len(cases)}\n{''.join(cases)}".encode()


def is_graphs(text: bytes) -> bool:
    lines = [[*map(int, line.split())] for line in text.splitlines()]
    at = 1
    for _ in range(lines[0][0]):
        size, edges = lines[at]
        rows = lines[at + 1 : at + 1 + edges]
        if len(rows) != edges or any(not 1 <= end <= size for row in rows for end in row):
            return False
        at += 1 + edges
    return at == len(lines)


def graph(random: Random) -> bytes:
    size, edges = random.randrange(5, 20), random.randrange(10, 40)
    ends = [size, 1, *(random.randrange(size) + 1 for _ in range(2 * edges - 2))]
    rows = [
        f"{one} {two} {random.randrange(99)}\n" for one, two in zip(*[iter(ends)] * 2, strict=True)
    ]
    return f"{size} {edges}\n{''.join(rows)}".encode()


def is_graph(text: bytes) -> bool:
    (size, edges), *rows = [[*map(int, line.split())] for line in text.splitlines()]
    return len(rows) == edges and all(1 <= end <= size for row in rows for end in row[:2])


def matrix(random: Random) -> bytes:
    rows, columns = random.randrange(4, 12), random.randrange(4, 12)
    body = "".join(joined(numbers(random, columns)) + "\n" for _ in range(rows))
    return f"{rows} {columns}\n{body}".encode()


def is_matrix(text: bytes) -> bool:
    (rows, columns), *lines = [[*map(int, line.split())] for line in text.splitlines() if line]
    return len(lines) == rows and all(len(line) == columns for line in lines)


def grid(random: Random) -> bytes:
    rows, columns = random.randrange(4, 12), random.randrange(4, 12)
    body = "".join("".join(random.choice(".#") for _ in range(columns)) + "\n" for _ in range(rows))
    return f"{rows} {columns}\n{body}".encode()


def is_grid(text: bytes) -> bool:
    head, *lines = filter(None, text.splitlines())
    rows, columns = map(int, head.split())
    return len(lines) == rows and all(len(line) == columns for line in lines)


def dimacs(random: Random) -> bytes:
    variables, clauses = random.randrange(5, 60), random.randrange(10, 60)
    signed = [variables, *(random.randrange(variables) + 1 for _ in range(3 * clauses - 1))]
    signed = [random.choice((1, -1)) * each for each in signed]
    body = "".join(f"{joined(row)} 0\n" for row in zip(*[iter(signed)] * 3, strict=True))
    return f"c a comment\np cnf {variables} {clauses}\n{body}".encode()


def dimacs_in_lines(random: Random) -> bytes:
    *head, body = dimacs(random).split(b"\n", 2)
    return b"\n".join((*head, b"\n".join(body.split(b" ", 40))))


def is_dimacs(text: bytes) -> bool:
    lines = [line for line in text.splitlines() if not line.startswith(b"c")]
    kind, name, variables, clauses = lines[0].split()
    words = [int(word) for line in lines[1:] for word in line.split()]
    return (
        (kind, name) == (b"p", b"cnf")
        and words.count(0) == int(clauses)
        and (not words or words[-1] == 0)
        and max(map(abs, words), default=0) <= int(variables)
    )


def matrix_market(random: Random) -> bytes:
    rows, columns, count = (random.randrange(8, 40) for _ in range(3))
    entries = [(rows, columns), *((1 + random.randrange(rows), 1) for _ in range(count - 1))]
    body = "".join(f"{row} {column} {random.random():.3f}\n" for row, column in entries)
    head = "%%MatrixMarket matrix coordinate real general\n% written by hand\n"
    return f"{head}{rows} {columns} {count}\n{body}".encode()


def is_matrix_market(text: bytes) -> bool:
    banner, *rest = text.splitlines()
    head, *lines = [line.split() for line in rest if not line.startswith(b"%")]
    rows, columns, count = map(int, head)
    return (
        banner.startswith(b"%%MatrixMarket")
        and len(lines) == count
        and all(1 <= int(row) <= rows and 1 <= int(col) <= columns for row, col, _ in lines)
    )


def picture(kind: str, random: Random) -> bytes:
    width, height = random.randrange(4, 12), random.randrange(4, 12)
    words = {"P1": 1, "P2": 1, "P3": 3}[kind] * width
    most = [] if kind == "P1" else ["255"]
    rows = [joined(numbers(random, words, 2 if kind == "P1" else 256)) for _ in range(height)]
    if random.random() < 0.5:
        rows = [joined(rows)]
    return lined(kind, "# drawn by hand", f"{width} {height}", *most, *rows)


def is_picture(text: bytes) -> bool:
    kind, *words = re.sub(rb"#[^\n]*", b"", text).split()
    width, height, *rest = map(int, words)
    most = 1 if kind == b"P1" else rest.pop(0)
    samples = 3 if kind == b"P3" else 1
    return len(rest) == samples * width * height and all(each <= most for each in rest)


def xyz(random: Random) -> bytes:
    count = random.randrange(8, 40)
    atoms = "".join(f"H {random.random():.2f} 0.1 {each}.5\n" for each in range(count))
    return f"{count}\nwater and more\n{atoms}".encode()


def is_xyz(text: bytes) -> bool:
    count, _, *atoms = text.splitlines()
    return len(atoms) == int(count) and all(len(atom.split()) == 4 for atom in atoms)


def tsp(random: Random) -> bytes:
    count = random.randrange(8, 40)
    cities = "".join(f"{each + 1} {random.random():.2f} 0.1\n" for each in range(count))
    return f"NAME: some\nDIMENSION: {count}\nNODE_COORD_SECTION\n{cities}EOF\n".encode()


def is_tsp(text: bytes) -> bool:
    _, dimension, section, *cities, last = text.splitlines()
    count = int(dimension.split()[1])
    return (section, last) == (b"NODE_COORD_SECTION", b"EOF") and len(cities) == count


def http(random: Random) -> bytes:
    body = "&".join(f"field{each}=value" for each in range(random.randrange(4, 40)))
    head = f"POST / HTTP/1.1\r\nHost: example.org\r\nContent-Length: {len(body)}\r\nAccept: */*"
    return f"{head}\r\n\r\n{body}".encode()


def is_http(text: bytes) -> bool:
    head, _, body = text.partition(b"\r\n\r\n")
    match = re.search(rb"Content-Length: (\d+)", head)
    return match is not None and int(match[1]) == len(body)


def netstrings(random: Random) -> bytes:
    words = [b"a" * random.randrange(30) for _ in range(random.randrange(4, 12))]
    return b"".join(b"%d:%s," % (len(word), word) for word in words)


def is_netstrings(text: bytes) -> bool:
    while text:
        size, _, text = text.partition(b":")
        if text[int(size) :][:1] != b",":
            return False
        text = text[int(size) + 1 :]
    return True


def fast_export(random: Random) -> bytes:
    blobs = [b"line\n" * random.randrange(1, 9) for _ in range(random.randrange(3, 9))]
    return b"".join(
        b"blob\nmark :%d\ndata %d\n%s" % (number, len(blob), blob)
        for number, blob in enumerate(blobs, 1)
    )


def is_fast_export(text: bytes) -> bool:
    while text:
        head = re.match(rb"blob\nmark :\d+\ndata (\d+)\n", text)
        if head is None or len(text) < head.end() + int(head[1]):
            return False
        text = text[head.end() + int(head[1]) :]
    return True


def patch(random: Random) -> bytes:
    hunks = []
    for number in range(random.randrange(2, 6)):
        signs = [random.choice(" -+") for _ in range(random.randrange(3, 12))]
        old, new = (sum(sign in kind for sign in signs) for kind in (" -", " +"))
        start = 1 + 20 * number
        lines = "".join(f"{sign}line {number}\n" for sign in signs)
        hunks.append(f"@@ -{start},{old} +{start},{new} @@\n{lines}")
    return f"--- a/x\n+++ b/x\n{''.join(hunks)}".encode()


def is_patch(text: bytes) -> bool:
    _, *hunks = re.split(rb"^(?=@@)", text, flags=re.MULTILINE)
    for hunk in hunks:
        head, *lines = hunk.splitlines()
        old, new = map(int, re.findall(rb",(\d+)", head))
        if [sum(line[:1] in kind for line in lines) for kind in (b" -", b" +")] != [old, new]:
            return False
    return True


FORMATS = (
    CountedFormat("counted words", counted_words, is_counted_words),
    CountedFormat("counted lines", counted_lines, is_counted_lines),
    CountedFormat("csv", csv, is_csv),
    CountedFormat("test cases", test_cases, is_test_cases),
    CountedFormat("graphs", graphs, is_graphs),
    CountedFormat("graph", graph, is_graph),
    CountedFormat("matrix", matrix, is_matrix),
    CountedFormat("grid", grid, is_grid),
    CountedFormat("dimacs", dimacs, is_dimacs),
    CountedFormat("dimacs in lines", dimacs_in_lines, is_dimacs),
    CountedFormat("matrix market", matrix_market, is_matrix_market),
    CountedFormat("netpbm P1", partial(picture, "P1"), is_picture),
    CountedFormat("netpbm P2", partial(picture, "P2"), is_picture),
    CountedFormat("netpbm P3", partial(picture, "P3"), is_picture),
    CountedFormat("xyz", xyz, is_xyz),
    CountedFormat("tsp", tsp, is_tsp),
    CountedFormat("http", http, is_http),
    CountedFormat("netstrings", netstrings, is_netstrings),
    CountedFormat("fast-export", fast_export, is_fast_export),
    CountedFormat("patch", patch, is_patch),
)
