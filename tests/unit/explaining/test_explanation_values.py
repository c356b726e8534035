"""An explanation as a value: what is written down comes back, and nothing else does."""

import json
from dataclasses import replace

import pytest

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
from wynot.document.explanation_blocks import lines_of, title_of

PLACE = PartPlace("a.json", 8, 12, 1)
FREE = FreePart("integer", "integer", (PLACE,), "8080", 24, "value", 1025, None, "passes", "")
WHOLE = Explanation(
    "a.json",
    "planted",
    (("a.json", '{"port":\u2039integer\u203a}\n'),),
    (FREE,),
    (
        NeededPart('"port"', PLACE, "passes"),
        NeededPart("{}", PLACE, "other", "SyntaxError: x"),
        NeededPart(":", PLACE, "unclear"),
    ),
    JointCheck(100, 100),
    NearestPass(PLACE, "8080", "80"),
    OtherCauses(1, "the original without this one passes"),
    20,
    20,
    140,
    60,
    1.5,
)


def said(explanation: Explanation) -> str:
    lines = [title_of(explanation), *(line.text for line in lines_of(explanation))]
    assert all(len(line) <= 78 for line in lines), "two columns are for an indent"
    return " ".join(" ".join(lines).split())


def test_it_is_written_down_and_read_back() -> None:
    assert recalled_explanation(WHOLE.fact) == WHOLE
    assert recalled_explanation(replace(WHOLE, together=None, nearest=None, causes=None).fact)


@pytest.mark.parametrize(
    "fact",
    [
        "",
        "null",
        "[]",
        "{",
        "[" * 100_000,
        json.dumps({"name": "x"}),
        json.dumps({**WHOLE.data, "tests": "many"}),
        json.dumps({**WHOLE.data, "tests": True}),
        json.dumps({**WHOLE.data, "free": {}}),
        json.dumps({**WHOLE.data, "free": [3]}),
        json.dumps({**WHOLE.data, "pattern": [["a"]]}),
        json.dumps({**WHOLE.data, "more": 1}),
        WHOLE.fact.replace('"outcome": "', '"outcome": "un'),
    ],
)
def test_what_cannot_be_one_is_none(fact: str) -> None:
    assert recalled_explanation(fact) is None


def test_it_reads_like_this() -> None:
    words = said(WHOLE)
    assert words.startswith("a.json fails for everything of this form (100 of 100 variants).")
    assert "any integer from 1,025 on [1,024: passes] (24 of 24)" in words
    assert 'passes `"port"`' in words
    assert "fails otherwise: SyntaxError: x `{}`" in words
    assert "nearest that passes: `8080` \u2192 `80` (line 1)" in words
    assert "free together: yes (100 of 100)" in words
    assert "140 tests run, 60 known already, 1.5 s" in words


@pytest.mark.parametrize(
    ("part", "words"),
    [
        (replace(FREE, scale="", low=None, below=""), "any integer (24 of 24)"),
        (replace(FREE, high=2000, above="unclear"), "from 1,025 to 2,000"),
        (replace(FREE, low=None, high=5, below="", above="passes"), "up to 5 [6: passes]"),
        (replace(FREE, again=-8), "-8: fails again, it is not monotone"),
        (
            replace(FREE, kind="list", scale="count", low=None, high=1, below="", above="passes"),
            "any list of 0 or 1 item [2: passes]",
        ),
        (
            replace(FREE, kind="string", scale="length", content=False, text='"aa"', low=10),
            '`"aa"` stretched to 10 characters or more [9: passes]',
        ),
        (replace(FREE, scale="depth", content=False, text="[[]]", low=12), "nested 12 levels"),
        (replace(FREE, scale="repeats", content=False, text="x", low=3), "`x` repeated 3 times"),
        (replace(FREE, choices=("<", "<="), refused=(">",)), "one of `<` or `<=`; not `>`"),
        (replace(FREE, places=(PLACE, PLACE)), "the same in all 2 places"),
        (replace(FREE, together=False), "as long as the others stay as they are"),
        (replace(FREE, together=False, steady=False), "without a limit between them"),
    ],
)
def test_what_a_part_may_be_is_said_in_words(part: FreePart, words: str) -> None:
    assert words in said(replace(WHOLE, free=(part,)))


def test_nothing_is_said_with_confidence_that_was_not_seen() -> None:
    assert "as it is" in title_of(replace(WHOLE, free=()))
    assert "for most of this form" in title_of(replace(WHOLE, together=JointCheck(97, 100)))
    assert "as far as that was tried" in title_of(replace(WHOLE, together=None))
    assert "7 parts not varied" in said(replace(WHOLE, left=7))


def test_a_long_line_of_the_form_is_folded_and_no_label_is_cut() -> None:
    label = "\u2039integer\u203a"
    pattern = (("a.json", '{"' + "k" * 55 + f'":{label},"' + "m" * 80 + f'":{label}}}\n'),)
    lines = [line.text.strip() for line in lines_of(replace(WHOLE, pattern=pattern))]
    shown = "".join(lines[1 : lines.index("", 1)])
    assert shown == pattern[0][1].strip()
    assert sum(line.count(label) for line in lines[1 : lines.index("", 1)]) == 2
    assert all(len(line.text) <= 80 for line in lines_of(replace(WHOLE, pattern=pattern)))


def test_an_endless_line_of_the_form_is_cut() -> None:
    lines = lines_of(replace(WHOLE, pattern=(("a.json", "x" * 1_000_000),)))
    assert sum(line.text.count("x") for line in lines) < 1_000
