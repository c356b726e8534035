"""What is said of damaged containers and of plain bytes."""

import gzip
from random import Random

from unit.binaries.sqlite.database_samples import SCRIPTS, made_by
from unit.binaries.wasm.module_samples import module_of
from unit.formats.containers.samples import tar_of, zip_of
from wynot.core.files import Files
from wynot.formats.containers.container import FREE
from wynot.passes import notices
from wynot.passes.binary_passes import ALWAYS_TRIED_CHUNKS
from wynot.passes.containers import laid_out


def said(files: Files) -> list[tuple[str, str]]:
    return [(each.slug, each.message) for each in notices.before(files)]


def bad_crcs(*names: str) -> bytes:
    """Return a zip in which the contents of some members are not what they should be."""
    content = bytearray(zip_of([("good", b"good"), *((name, b"bad" * 99) for name in names)]))
    for name in names:
        content[content.index(name.encode()) - 16] ^= 1
    for place in range(len(content)):
        if content[place : place + 4] == b"PK\1\2" and content[place + 46 :][:4] != b"good":
            content[place + 16] ^= 1
    return bytes(content)


def test_nothing_is_said_of_what_is_whole() -> None:
    tarred = gzip.compress(tar_of([("a", b"1")]))
    assert not said(Files({"a": b"text", "b.zip": zip_of([("b", b"\0")]), "c.tgz": tarred}))


def test_damaged_members_are_named_with_the_reason() -> None:
    files = Files({"a.zip": bad_crcs("b.txt"), "o.zip": zip_of([("i.zip", bad_crcs("x"))])})
    kept = "cannot be unpacked (bad CRC-32): its bytes are kept as they are"
    assert said(files) == [
        ("damaged", f"a.zip: member b.txt {kept}"),
        ("damaged", f"o.zip!i.zip: member x {kept}"),
    ]


def test_what_is_wrong_with_a_container_is_said() -> None:
    noise = Random(0).randbytes(4000)
    tarred = gzip.compress(tar_of([("b", b""), ("a", noise)]), mtime=0)[:-2000]
    (slug, gzipped), (_, member) = said(Files({"c.tar.gz": tarred}))
    assert slug == "damaged"
    assert gzipped == (
        "c.tar.gz: the data end too soon; that stays so, and what can be read is reduced"
    )
    assert member.startswith("c.tar.gz!c.tar: member a cannot be unpacked (the data end too soon)")


def test_only_a_few_are_named() -> None:
    names = [f"bad{number}" for number in range(9)]
    found = said(Files({"a.zip": bad_crcs(*names)}))
    assert len(found) == notices.MAX_NOTICES + 1
    assert found[-1] == ("damaged", "4 more like these")


def test_what_is_taken_as_bytes_is_said_with_the_reason() -> None:
    bomb = gzip.compress(bytes(FREE + 1))
    files = Files({"a.bin": b"\0\1", "b.zip": b"PK\3\4\0", "c.gz": bomb, "empty": b""})
    taken = "is treated as plain bytes: it"
    assert said(files) == [
        ("bytes", f"a.bin {taken} is neither text nor a container that wynot knows"),
        ("bytes", f"b.zip {taken} begins like a zip file, but it has no members"),
        ("bytes", f"c.gz {taken} begins like a gzip file, but it unpacks into too much"),
    ]


def test_at_the_end_it_is_said_that_not_all_bytes_were_tried() -> None:
    small = Files(
        {"a.bin": bytes(ALWAYS_TRIED_CHUNKS), "b.zip": zip_of([("b", bytes(ALWAYS_TRIED_CHUNKS))])}
    )
    assert not list(notices.after(small))
    ((slug, message),) = notices.after(
        Files({"a.bin": bytes(ALWAYS_TRIED_CHUNKS + 1), "b": b"text"})
    )
    assert slug == "bytes"
    assert message.startswith("almost no chunk of a.bin could be left out")


def test_a_database_that_is_still_to_be_laid_out_anew_is_only_mentioned_after_that() -> None:
    files = Files({"a.db": made_by(SCRIPTS["plain"])})
    assert not said(files)
    assert next(each.message for each in notices.after(files)) == (
        "a.db was treated as plain bytes: laid out anew, it does not fail"
    )
    assert not list(notices.after(laid_out(files)))
    [(_, message)] = said(Files({"b.db": b"SQLite format 3\0"}))
    assert message.endswith("it begins like a SQLite file, but the data end too soon")


def test_it_is_said_which_modules_were_reduced_by_their_sections() -> None:
    module = module_of("(func (result i32) (i32.const 1))").replace(b"\x0a\6\1\4", b"\x0a\7\1\5")
    module = module.replace(b"\x41\1\x0b", b"\x41\x81\0\x0b")
    assert [
        each.message for each in notices.after(Files({"a": module, "b": module_of("(func)")}))
    ] == ["a was reduced by its sections: laid out anew, it does not fail"]
