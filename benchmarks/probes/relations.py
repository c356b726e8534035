"""Relations: inputs with numbers that tell of the rest, each with a checker that is strict."""

from collections.abc import Iterator
from random import Random
from struct import pack
from zlib import crc32

from benchmarks.probes.probe import Probe

STRICT = """
import sys
data = open({name!r}, "rb").read()
def need(what):
    if not what:
        sys.exit(1)
try:
{check}
except Exception:
    sys.exit(1)
"""


def strict(name: str, check: str) -> str:
    """Return a test: what a checker does not take is not interesting."""
    lines = "\n".join("    " + line for line in check.strip().splitlines())
    return STRICT.format(name=name, check=lines)


def probes() -> Iterator[Probe]:
    """Yield counted texts, then counted bytes."""
    random = Random(16)
    for name, text, check, size in (*texts(random), *binaries(random)):
        path = f"{name.replace(' ', '-')}.dat"
        yield Probe(name, {path: text}, strict(path, check), size)


def words(random: Random, count: int, below: int = 1000) -> list[int]:
    """Return some numbers."""
    return [random.randrange(below) for _ in range(count)]


def joined(items: list[int]) -> str:
    """Return them with blanks between."""
    return " ".join(map(str, items))


def texts(random: Random) -> Iterator[tuple[str, bytes, str, int]]:
    """Yield a name, a text, its checker, and the size within reach."""
    numbers = [each for each in words(random, 600) if each not in (777, 13)][:398]
    numbers[100:100], numbers[300:300] = [777], [13]
    yield (
        "counted text",
        f"400\n{joined(numbers)}\n".encode(),
        "n, *rest = map(int, data.split())\nneed(n == len(rest) and 777 in rest and 13 in rest)",
        9,
    )
    clauses = [
        [random.choice((1, -1)) * v for v in random.sample(range(1, 61), 3)] for _ in "x" * 150
    ]
    body = "".join(f"{joined(each)} 0\n" for each in clauses)
    yield (
        "dimacs",
        f"c made by hand\np cnf 60 150\n{body}".encode(),
        f"""
lines = [l for l in data.splitlines() if l[:1] != b"c"]
p, cnf, v, c = lines[0].split()
rest = [int(w) for l in lines[1:] for w in l.split()]
need((p, cnf) == (b"p", b"cnf") and rest[-1] == 0 and rest.count(0) == int(c))
need(max(map(abs, rest)) <= int(v))
rows = (" " + " ".join(map(str, rest)))
need({" " + joined(clauses[40]) + " 0"!r} in rows and {" " + joined(clauses[99]) + " 0"!r} in rows)
""",
        36,
    )
    cases = [words(random, random.randrange(1, 30)) for _ in range(30)]
    cases[17].append(777)
    body = "".join(f"{len(each)}\n{joined(each)}\n" for each in cases)
    yield (
        "test cases",
        f"30\n{body}".encode(),
        """
w = list(map(int, data.split())); at = 1; found = False
for _ in range(w[0]):
    n = w[at]; row = w[at + 1:at + 1 + n]; need(len(row) == n); found |= 777 in row; at += 1 + n
need(at == len(w) and found)
""",
        8,
    )
    edges = [(random.randrange(1, 51), random.randrange(1, 51)) for _ in range(120)]
    edges += [(50, 7), (7, 21), (21, 50)]
    body = "".join(f"{a} {b}\n" for a, b in edges)
    yield (
        "graph",
        f"50 {len(edges)}\n{body}".encode(),
        """
(n, m), *e = [tuple(map(int, l.split())) for l in data.splitlines()]
need(m == len(e) and all(1 <= x <= n for p in e for x in p) and all(len(p) == 2 for p in e))
s = set(e); need(any((b, c) in s and (c, a) in s for a, b in s for c in range(1, n + 1) if a != b))
""",
        22,
    )
    rows = [words(random, 14) for _ in range(12)]
    rows[4][9], rows[7][2] = 1234, 4321
    yield (
        "matrix",
        ("12 14\n" + "".join(joined(each) + "\n" for each in rows)).encode(),
        """
(n, m), *r = [list(map(int, l.split())) for l in data.splitlines()]
need(len(r) == n and all(len(x) == m for x in r))
flat = [v for x in r for v in x]; need(1234 in flat and 4321 in flat)
""",
        19,
    )
    pixels = [words(random, 48, 256) for _ in range(12)]
    pixels[5][21:24] = [254, 1, 253]
    yield (
        "netpbm P3",
        ("P3\n16 12\n255\n" + "".join(joined(each) + "\n" for each in pixels)).encode(),
        """
p, w, h, m, *v = data.split(); v = list(map(int, v))
need(p == b"P3" and len(v) == 3 * int(w) * int(h) and max(v) <= int(m))
need(any(v[i:i + 3] == [254, 1, 253] for i in range(0, len(v), 3)))
""",
        22,
    )
    entries = [
        (random.randrange(1, 41), random.randrange(1, 31), random.random()) for _ in "x" * 90
    ]
    entries += [(40, 30, 0.5), (9, 9, 99.5)]
    body = "".join(f"{a} {b} {c:.3f}\n" for a, b, c in entries)
    yield (
        "matrix market",
        f"%%MatrixMarket matrix coordinate real general\n40 30 92\n{body}".encode(),
        """
head, *rest = data.splitlines(); need(head == b"%%MatrixMarket matrix coordinate real general")
(r, c, n), *e = [l.split() for l in rest]; need(len(e) == int(n))
need(all(1 <= int(a) <= int(r) and 1 <= int(b) <= int(c) for a, b, _ in e))
need(any(float(v) > 9 for *_, v in e))
""",
        66,
    )
    fields = "&".join(f"field{each}=value{each}" for each in range(60)) + "&q=%00&z=1"
    yield (
        "http",
        f"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: {len(fields)}\r\n\r\n{fields}".encode(),
        """
head, _, body = data.partition(b"\\r\\n\\r\\n"); first, *h = head.split(b"\\r\\n")
need(first == b"POST / HTTP/1.1"); f = dict(x.split(b": ") for x in h)
need(int(f[b"Content-Length"]) == len(body) and b"%00" in body)
""",
        44,
    )
    strings = [b"s" * random.randrange(40) for _ in range(40)]
    strings[22] = b"needle"
    yield (
        "netstrings",
        b"".join(b"%d:%s," % (len(each), each) for each in strings),
        """
found = False
while data:
    n, _, data = data.partition(b":"); need(data[int(n):][:1] == b",")
    found |= b"needle" in data[:int(n)]; data = data[int(n) + 1:]
need(found)
""",
        9,
    )


def binaries(random: Random) -> Iterator[tuple[str, bytes, str, int]]:
    """Yield the same for bytes."""

    def chunk(name: bytes, body: bytes) -> bytes:
        return name + pack("<I", len(body)) + body + b"\0" * (len(body) % 2)

    notes = [chunk(b"note", random.randbytes(random.randrange(9, 99))) for _ in range(30)]
    notes[12] = chunk(b"cue ", b"\1\2needle\3")
    yield (
        "riff",
        chunk(b"RIFF", b"WAVE" + b"".join(notes)),
        """
import struct
name, size = struct.unpack_from("<4sI", data); body = data[8:]; found = False
need(name == b"RIFF" and size == len(body) and body[:4] == b"WAVE"); body = body[4:]
while body:
    _, n = struct.unpack_from("<4sI", body); need(len(body) >= 8 + n)
    found |= b"needle" in body[8:8 + n]; body = body[8 + n + n % 2:]
need(found)
""",
        26,
    )
    people = [b"\x0a" + bytes([n]) + b"p" * n + b"\x10\x07" for n in words(random, 40, 90)]
    people[17] = b"\x0a\x06needle\x10\x09"
    yield (
        "protobuf",
        b"".join(b"\x0a" + bytes([len(each)]) + each for each in people),
        """
def fields(b):
    at = 0
    while at < len(b):
        k = b[at]
        if k & 7 == 0: yield k, b""; at += 2; continue
        n = b[at + 1]; need(k & 7 == 2 and n < 128 and at + 2 + n <= len(b))
        yield k, b[at + 2:at + 2 + n]; at += 2 + n
found = False
for k, body in fields(data):
    need(k == 10)
    for k, text in fields(body): need(k in (10, 16)); found |= text == b"needle"
need(found)
""",
        10,
    )
    body = random.randbytes(700) + b"needle" + random.randbytes(500)
    whole = b"MAGI" + pack("<I", len(body) + 4) + body
    yield (
        "size and checksum",
        whole + pack("<I", crc32(whole)),
        """
import struct, zlib
need(data[:4] == b"MAGI" and struct.unpack_from("<I", data, 4)[0] == len(data) - 8)
need(zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0] and b"needle" in data)
""",
        18,
    )
