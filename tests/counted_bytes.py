"""Formats of bytes in which numbers tell of the rest: each has contents, and a strict checker."""

from random import Random
from struct import pack, unpack, unpack_from
from zlib import crc32

from counted_formats import CountedFormat


def text_of(random: Random, most: int = 20) -> bytes:
    return bytes(random.choice(b"abcdefgh ") for _ in range(random.randrange(1, most)))


def tlv(random: Random) -> bytes:
    return b"".join(
        pack(">BH", random.randrange(9), len(body)) + body
        for body in (text_of(random) for _ in range(random.randrange(8, 30)))
    )


def is_tlv(content: bytes) -> bool:
    while content:
        (size,) = unpack_from(">H", content, 1)
        if len(content) < 3 + size:
            return False
        content = content[3 + size :]
    return True


def chunk(name: bytes, body: bytes) -> bytes:
    return name + pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


def riff(random: Random) -> bytes:
    names = (b"note", b"labl", b"data", b"cue ")
    infos = b"".join(chunk(b"INAM", text_of(random)) for _ in range(random.randrange(2, 6)))
    chunks = [chunk(random.choice(names), text_of(random, 60)) for _ in range(8)]
    chunks.insert(4, chunk(b"LIST", b"INFO" + infos))
    return chunk(b"RIFF", b"WAVE" + b"".join(chunks))


def is_riff(content: bytes) -> bool:
    return is_chunks(content) and content[:4] == b"RIFF"


def is_chunks(content: bytes) -> bool:
    while content:
        name, size = unpack_from("<4sI", content)
        body, content = content[8 : 8 + size], content[8 + size + size % 2 :]
        if len(body) != size or (name in (b"RIFF", b"LIST") and not is_chunks(body[4:])):
            return False
    return True


def boxes(random: Random) -> bytes:
    def box(name: bytes, body: bytes) -> bytes:
        return pack(">I", len(body) + 8) + name + body

    inner = b"".join(box(b"trak", text_of(random, 60)) for _ in range(random.randrange(2, 6)))
    others = [box(b"free", text_of(random, 60)) for _ in range(random.randrange(3, 9))]
    return box(b"ftyp", b"isom") + b"".join(others) + box(b"moov", inner)


def is_boxes(content: bytes) -> bool:
    while content:
        size, name = unpack_from(">I4s", content)
        if not 8 <= size <= len(content) or (name == b"moov" and not is_boxes(content[8:size])):
            return False
        content = content[size:]
    return True


def varint(number: int) -> bytes:
    low, rest = number & 127, number >> 7
    return bytes([low | 128]) + varint(rest) if rest else bytes([low])


def protobuf(random: Random) -> bytes:
    def person() -> bytes:
        name = text_of(random)
        inner = b"\x08\x01\x12" + varint(len(name)) + name
        return b"\x0a" + varint(len(name)) + name + b"\x10\x05\x1a" + varint(len(inner)) + inner

    people = [person() for _ in range(random.randrange(3, 12))]
    return b"".join(b"\x0a" + varint(len(each)) + each for each in people)


def is_protobuf(content: bytes) -> bool:
    """Tell whether a message has fields of its schema only: 1: Person(1: text, 2: int, 3: …)."""
    people = list(fields(content))
    return all(key == 10 and is_person(body) for key, body in people)


def is_person(content: bytes) -> bool:
    for key, body in fields(content):
        if key == 26:
            if any(inner not in (8, 18) for inner, _ in fields(body)):
                return False
        elif key not in (10, 16):
            return False
    return True


def fields(content: bytes) -> "list[tuple[int, bytes]]":
    found, at = [], 0

    def number() -> int:
        nonlocal at
        value, shift = 0, 0
        while True:
            byte = content[at]
            value, shift, at = value | (byte & 127) << shift, shift + 7, at + 1
            if byte < 128:
                return value

    while at < len(content):
        key = number()
        size = number()
        if key & 7 == 0:
            found.append((key, b""))
            continue
        if key & 7 != 2 or at + size > len(content):
            raise ValueError(key)
        found.append((key, content[at : at + size]))
        at += size
    return found


def raster(random: Random) -> bytes:
    kind = random.choice((4, 5, 6))
    width, height = random.randrange(4, 20), random.randrange(4, 20)
    size = {4: -(-width // 8) * height, 5: width * height, 6: 3 * width * height}[kind]
    most = b"" if kind == 4 else b"255\n"
    return b"P%d\n%d %d\n%s" % (kind, width, height, most) + bytes([0, 7] * size)[:size]


def is_raster(content: bytes) -> bool:
    kind, size, rest = content.split(b"\n", 2)
    width, height = map(int, size.split())
    if kind != b"P4":
        rest = rest.split(b"\n", 1)[1]
    row = {b"P4": -(-width // 8), b"P5": width, b"P6": 3 * width}[kind]
    return len(rest) == row * height


def archive(random: Random) -> bytes:
    members = []
    for number in range(random.randrange(2, 8)):
        body = text_of(random, 40) + b"\0"
        head = b"%-16s%-12d%-6d%-6d%-8s%-10d`\n" % (b"f%d/" % number, 0, 0, 0, b"644", len(body))
        members.append(head + body + b"\n" * (len(body) % 2))
    return b"!<arch>\n" + b"".join(members)


def is_archive(content: bytes) -> bool:
    at = 8
    while at < len(content):
        if content[at + 58 : at + 60] != b"`\n":
            return False
        size = int(content[at + 48 : at + 58])
        at += 60 + size
        if at > len(content):
            return False
        at += size % 2
    return content[:8] == b"!<arch>\n"


def summed(random: Random) -> bytes:
    body = b"\0\1" + b"".join(text_of(random, 60) for _ in range(random.randrange(4, 20)))
    whole = b"MAGI" + pack("<I", len(body) + 4) + body
    return whole + pack("<I", crc32(whole))


def is_summed(content: bytes) -> bool:
    (size,) = unpack_from("<I", content, 4)
    (total,) = unpack("<I", content[-4:])
    return bool(size == len(content) - 8 and crc32(content[:-4]) == total)


def triangles(random: Random) -> bytes:
    count = random.randrange(5, 40)
    body = b"".join(random.randbytes(48) + b"\0\0" for _ in range(count))
    return b"binary".ljust(80, b"\0") + pack("<I", count) + body


def is_triangles(content: bytes) -> bool:
    (count,) = unpack_from("<I", content, 80)
    return bool(len(content) == 84 + 50 * count)


BYTE_FORMATS = (
    CountedFormat("tlv", tlv, is_tlv),
    CountedFormat("riff", riff, is_riff),
    CountedFormat("boxes", boxes, is_boxes),
    CountedFormat("protobuf", protobuf, is_protobuf),
    CountedFormat("raster", raster, is_raster),
    CountedFormat("ar", archive, is_archive),
    CountedFormat("summed", summed, is_summed),
    CountedFormat("triangles", triangles, is_triangles),
)
