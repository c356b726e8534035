"""Reasons to stop are words wherever they go."""

import json

import pytest

from wynot.core.standing import Stop


@pytest.mark.parametrize("stop", Stop)
def test_a_reason_is_the_word_that_is_written_and_shown(stop: Stop) -> None:
    word = stop.name.lower().replace("_", "-")
    assert stop == word
    assert (str(stop), repr(stop), json.dumps(stop)) == (word, repr(word), json.dumps(word))
