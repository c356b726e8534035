"""Whatever a failure needs, no part of it is called free."""

import json
from functools import partial

import pytest
from benchmarks.explain.instances import instance
from hypothesis import given
from hypothesis import strategies as st

from explain_inline import VERDICTS, driven, explain_inline
from wynot.commands.reduce_options import ReduceOptions
from wynot.core.files import Files
from wynot.explaining.explain_job import found_so_far
from wynot.explaining.explain_search import Explained, explain
from wynot.reduction.whole_plan import trees_of
from wynot.search.script import scripted

WORDS = st.text("abcdefgh", min_size=1, max_size=6)


def in_json(files: Files) -> object:
    [content] = files.contents.values()
    try:
        return json.loads(content)
    except ValueError:
        return ...


@given(
    st.dictionaries(WORDS, st.integers(0, 10**6), min_size=2, max_size=5),
    st.integers(0, 10**6),
    st.booleans(),
)
def test_a_key_and_a_limit_that_matter_are_never_free(
    given: dict[str, int], limit: int, above: bool
) -> None:
    """One key matters, and its value up to a limit, or from a limit on."""
    key, value = max(given.items(), key=lambda item: (item[1], item[0]))
    least = min(limit, value) if above else max(limit, value)

    def fails(files: Files) -> bool | None:
        found = in_json(files)
        if found is ...:
            return None
        number = found.get(key) if isinstance(found, dict) else None
        if type(number) is not int:
            return False
        return number >= least if above else number <= least

    case = Files({"a.json": json.dumps(given).encode()})
    explained = explain_inline(case, fails, reduce=False, tests=300)
    [content] = case.contents.values()
    at = content.index(f'"{key}"'.encode())
    for part in explained.free:
        spans = [(place.start, place.stop) for place in part.places]
        if part.together and not part.choices:
            assert not any(start <= at < stop for start, stop in spans), part
        if part.scale == "value" and part.text == str(value) and part.steady:
            assert (part.low if above else part.high) == least
    if explained.findings.joint and explained.findings.joint[0] == explained.findings.joint[1]:
        fresh = [fails(instance(case, explained.free, seed)) for seed in range(20)]
        assert fresh.count(True) >= 19


@given(st.lists(WORDS, min_size=2, max_size=8), st.data())
def test_words_that_must_be_equal_are_free_only_together(
    words: list[str], data: st.DataObject
) -> None:
    twice = data.draw(st.sampled_from(words))
    text = " ".join([*words, twice]).encode() + b"\n"

    def fails(files: Files) -> bool:
        [content] = files.contents.values()
        found = content.split()
        return len(found) > len({*found})

    explained = explain_inline(Files({"a.txt": text}), fails, tests=300)
    [content] = explained.case.contents.values()
    assert len(content.split()) == 2
    assert all(len(part.places) == 2 for part in explained.free if part.together)


@pytest.mark.slow
@given(st.dictionaries(WORDS, st.integers(0, 99), min_size=1, max_size=4), st.integers(0, 120))
def test_what_was_found_before_an_end_is_found_again_from_its_verdicts(
    given: dict[str, int], most: int
) -> None:
    """Ended after any verdict, the search gives what it had, and goes on to the same end."""
    key = next(iter(given))
    case = Files({"a.json": json.dumps(given).encode()})
    languages = trees_of(ReduceOptions(files=()), case).languages
    subject = Explained(case, case, languages, {}, None, find_all=False)
    said = {}

    def fails(files: Files) -> bool | None:
        found = in_json(files)
        verdict = None if found is ... else isinstance(found, dict) and key in found
        said[files.digest] = VERDICTS[verdict]
        return verdict

    whole = driven(partial(scripted, partial(explain, subject, 200, None)), fails)
    some = dict([*said.items()][:most])
    part = found_so_far(subject, 200, some)
    kinds = [(found.kind, found.spans) for found in part.free]
    assert kinds == [(found.kind, found.spans) for found in whole.free][: len(kinds)] or part.joint
    again = found_so_far(subject, 200, said)
    assert again.is_complete
    assert (again.tests, again.recalled) == (whole.tests, whole.recalled)
