"""Files as edits of others."""

import json

from hypothesis import given
from hypothesis import strategies as st

from wynot.agent.machine_store import NO_STORE
from wynot.core.files import Files
from wynot.wire.file_edits import NO_FILES, HeldFiles, edited, edits, ends_kept

contents = st.dictionaries(st.sampled_from("abcd"), st.binary(max_size=3).map(lambda x: x * 200))
modes = st.dictionaries(st.sampled_from("abcd"), st.sampled_from([0o755, 0o600]))
links = st.dictionaries(st.sampled_from("xy"), st.sampled_from(["a", "/etc"]))
files = st.builds(Files, contents, modes, links)


@given(st.lists(files, min_size=1))
def test_edits_make_the_files_that_they_were_made_for(each: list[Files]) -> None:
    held, sent = NO_FILES, NO_FILES
    for wanted in each:
        header, pieces = edits(sent, wanted)
        held = edited(held, json.loads(json.dumps(header)), b"".join(pieces), NO_STORE.read)
        assert (held.contents, held.modes, held.links) == (
            wanted.contents,
            wanted.modes,
            wanted.links,
        )
        sent = HeldFiles(wanted.contents, wanted.modes, wanted.links)


@given(st.binary(max_size=400), st.binary(max_size=9), st.binary(max_size=9), st.data())
def test_as_much_as_can_be_stays(
    text: bytes, before: bytes, after: bytes, data: st.DataObject
) -> None:
    text = text + b"0" * 300
    at = data.draw(st.integers(0, len(text)))
    one, other = (text[:at] + each + text[at:] for each in (before, after))
    first, last = ends_kept(one, other)
    assert first + last >= min(len(one), len(other)) - max(len(before), len(after))
    assert one[:first] == other[:first]
    assert one[len(one) - last :] == other[len(other) - last :]
    assert first + last <= min(len(one), len(other))


def test_what_stays_is_not_sent() -> None:
    large = b"".join(b"%d\n" % number for number in range(100_000))
    base = Files({"large": large, "same": large, "gone": b"1"})
    now = Files({"large": large[:1000] + large[2000:], "same": large, "new": b"2"})
    header, pieces = edits(base, now)
    (path, first, last, length), new = header["put"]
    assert (path, first + last, length) == ("large", len(large) - 1000, 0)
    assert new == ("new", 0, 0, 1)
    assert header["drop"] == ["gone"]
    assert pieces == [b"", b"2"]
    assert edits(base, base) == ({}, [])
