from dataclasses import replace

from wynot.core.explanation import (
    Explanation,
    FreePart,
    JointCheck,
    NearestPass,
    NeededPart,
    OtherCauses,
    PartPlace,
    recalled_explanation,
)
from wynot.document.explanation_blocks import explanation_blocks
from wynot.document.html import html

PLACE = PartPlace("in.py", 4, 9, 2)
LIST = FreePart("list", "list", (PLACE,), "[]", 5, scale="count", high=1, above="passes")
FOUND = Explanation(
    "in.py",
    "exit status 1",
    (("in.py", "f(\u2039list\u203a, '<b>\u2039other\u203a')\n"),),
    (LIST,),
    (
        NeededPart("f", PLACE, "passes"),
        NeededPart("<i>\x1b", PLACE, "other", "NameError: \u202e<u>"),
    ),
    JointCheck(99, 100),
    NearestPass(PLACE, "[]", "[0, 1]"),
    OtherCauses(2, "it fails otherwise", ("g(<p>)",)),
    *(20, 20, 159, 44, 5.4),
)


def section(explanation: Explanation) -> str:
    return html(explanation_blocks(explanation))


def test_it_shows_the_pattern_what_is_free_and_what_is_needed() -> None:
    shown = section(FOUND)
    for words in (
        "f(<mark>\u2039list\u203a</mark>, &#x27;&lt;b&gt;\u2039other\u203a&#x27;)\n",
        "any list of 0 or 1 item [2: passes] (5 of 5)</td><td><code>[]</code></td><td>2</td>",
        '<td><code>f</code></td><td class="n">2</td><td>passes</td>',
        "fails otherwise: NameError: \\u202e&lt;u&gt;",
        "<code>[]</code> → <code>[0, 1]</code> (line 2)",
        "free together: no (99 of 100)",
        "cause 2: <code>g(&lt;p&gt;)</code>",
        "fails in 20 of 20 runs",
        "159 tests run, 44 known already",
    ):
        assert words in shown
    assert "\x1b" not in shown


def test_what_was_put_in_or_left_out_is_said_so() -> None:
    for was, now, words in (("", "0", "with <code>0</code> put in"), ("x", "", "without <code>x")):
        assert words in section(replace(FOUND, nearest=NearestPass(PLACE, was, now)))


def test_a_foreign_explanation_of_strange_words_is_shown_too() -> None:
    strange = replace(FOUND, free=(replace(LIST, scale="<volume>"),))
    read = recalled_explanation(strange.fact)
    assert read is not None
    assert "<volume>" not in section(read)


def test_with_nothing_known_it_is_short() -> None:
    bare = replace(
        FOUND, pattern=(), free=(), needed=(), together=None, nearest=None, causes=None, left=3
    )
    shown = section(bare)
    assert "<table>" not in shown
    assert "3 parts not varied" in shown
