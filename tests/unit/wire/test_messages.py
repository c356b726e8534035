"""What goes wrong in an agent is told to whoever has asked, in words of the user's."""

import pytest

from wynot.agents.sandbox import lost
from wynot.core.errors import BrokenRunner
from wynot.wire.messages import failure_header, failure_of


def test_what_should_not_happen_is_no_fault_of_the_test() -> None:
    error = failure_of(failure_header(KeyError("x")))
    assert isinstance(error, BrokenRunner)
    assert "KeyError('x')" in error.message
    assert error.hint
    assert {error.slug, lost().slug} == {BrokenRunner.slug}


@pytest.mark.parametrize("error", [MemoryError(), ImportError("cannot map")])
def test_an_agent_that_lacks_memory_is_replaced(error: Exception) -> None:
    with pytest.raises(type(error)):
        failure_header(error)
