from wynot.core.events import (
    Answered,
    Event,
    GivenUp,
    InquiryEnded,
    InquiryStarted,
    LevelStarted,
    Narrowed,
    Noticed,
    Ran,
    Shown,
)
from wynot.core.verdict import Verdict
from wynot.report.inquiry_page import InquiryRecord, inquiry_page

HOSTILE = "<script>alert(1)</script>\u202e\x1b[31m"
COMMIT = {
    "commit": "0123456789abcdef",
    "subject": f"break it {HOSTILE}",
    "author": "A <a@b>",
    "date": "2026-01-02",
    "undone": False,
    "places": ["m.py:5", HOSTILE],
}
PATCH = "diff --git a/m.py b/m.py\n--- a/m.py\n+++ b/m.py\n@@ -1 +1 @@\n-good\n+<b>bad\n"


def told(*events: Event) -> tuple[str, list[Event]]:
    """Return the page of an inquiry that tells this, and what was handed on."""
    passed: list[Event] = []
    clock = iter(range(1000)).__next__
    record = InquiryRecord(passed.append, clock)
    for event in events:
        record.handle(event)
    return inquiry_page(record, "changes", ["wynot", "changes", "--", HOSTILE], "7.8"), passed


def test_it_tells_the_commits_their_places_and_the_patch() -> None:
    data = {"commits": [COMMIT], "patch": PATCH}
    events = (
        InquiryStarted("7 commits", 2, "exit status 1", 0.1, 0),
        LevelStarted("commit", "commits", 7),
        Narrowed("commit", "commits", 3, 2),
        Narrowed("commit", "commits", 1, 4),
        Ran(0, Verdict.INTERESTING, 0.5, "exit status 1"),
        GivenUp(1, 0.5),
        Noticed("slow", "it takes long"),
        Answered("cause", "1 change makes it fail:", (Shown("not this"),), "lines", data),
        InquiryEnded("finished", 8, 1, 6.1, (("cause", "out/cause.patch"),)),
    )
    page, passed = told(*events)
    assert passed == list(events)
    for words in (
        "<h1>1 change makes it fail</h1>",
        "No single line of this can be left out: each was tried (1-minimal).",
        "<code>0123456789</code></td><td>A &lt;a@b&gt;</td><td>2026-01-02</td>",
        "<td>m.py:5\n&lt;script&gt;",
        '<span class="d">-good\n</span><span class="a">+&lt;b&gt;bad\n</span>',
        '<td class="n">7</td><td class="n">1</td>',
        "it takes long",
        "2 workers",
        "out/cause.patch",
    ):
        assert words in page
    assert "not this" not in page  # the table and the patch say it better
    assert page.count("<script") == 1
    assert "\u202e" not in page
    assert "\x1b" not in page


def test_of_two_inputs_both_sides_stand_beside_each_other() -> None:
    pair = ("in.txt", b"one\ntwo <b>\nthree\n", b"one\ntwo\nthree;\n")
    page, _ = told(Answered("difference", "they differ", (), "tokens", {}, (pair,)))
    assert "No single token of this can change sides" in page
    assert ">one\ntwo<mark> &lt;b&gt;</mark>" in page
    assert "three<mark>;</mark>\n</pre>" in page
    assert "It has not come to its end" in page


def test_what_is_far_from_the_difference_is_left_out() -> None:
    lines = b"".join(b"line %d\n" % number for number in range(40_000))
    page, _ = told(Answered("difference", "t", (), "", {}, (("f", lines + b"x", lines + b"y"),)))
    assert "bytes before" in page
    assert "<mark>y</mark>" in page
    assert len(page) < 200_000


def test_other_answers_are_told_in_their_own_lines() -> None:
    lines = (Shown("-O3", "green"), Shown(HOSTILE))
    page, _ = told(Answered("cause", "it needs one option:", lines, "", {"options": ["-O3"]}))
    assert '<span class="a">-O3\n</span>' in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;\\u202e\\x1b[31m" in page


def test_without_an_answer_there_is_a_page_too() -> None:
    page, _ = told(InquiryEnded("max_tests", 3, 0, 1.0, ()))
    assert "wynot changes: no answer" in page
