"""What is measured of a run, and from where on it is worse."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wynot.core.ending import Ending
from wynot.core.errors import InvalidOption
from wynot.core.verdict import Verdict
from wynot.failures.metrics import ByMetric, Metric, Threshold


@pytest.mark.parametrize(
    ("name", "printed", "value"),
    [
        ("number", b"first 3, then 4.5e1 ms", 45.0),
        ("number", b"a-7", -7.0),
        ("number", b"nothing", None),
        (r"number:(\d+) ms", b"12 ms of 99 s", 12.0),
        (r"number:\d+", b"12 and 13", 13.0),
        (r"number:=(\w+)", b"=many", None),
        (r"number:(x)?\d", b"5", None),
        (r"number:(\w+)", b"inf", None),
        ("number", b"9" * 5000, None),
        ("output", b"four", 4.0),
        ("time", b"", 2.5),
    ],
)
def test_what_is_measured(name: str, printed: bytes, value: float | None) -> None:
    assert Metric.read(name).of(Ending(0, 2.5, stdout=printed)) == value
    assert Metric.read(name).of(Ending(1, 2.5, stdout=printed)) is None
    assert Metric.read(name).of(Ending(0, 2.5, "timeout", printed)) is None


@pytest.mark.parametrize("name", ["", "speed", "time:x", "number:", "number:(", "output:3"])
def test_what_is_no_metric(name: str) -> None:
    with pytest.raises(InvalidOption, match="worse"):
        Metric.read(name)


values = st.lists(st.integers(0, 50).map(float), min_size=1, max_size=9)


@given(values, values)
def test_the_threshold_tells_the_sides_apart_as_well_as_any(
    passing: list[float], failing: list[float]
) -> None:
    found = Threshold.between(passing, failing)
    for each in range(102):
        other = Threshold(each / 2, found.is_upper)
        shares = [sum(map(other.is_worse, some)) / len(some) for some in (failing, passing)]
        assert shares[0] - shares[1] <= found.apart + 1e-9
    if max(passing) < min(failing) or max(failing) < min(passing):
        assert found.apart == 1
        assert all(map(found.is_worse, failing))
        assert not any(map(found.is_worse, passing))


def test_what_is_worse_is_what_the_failing_side_is() -> None:
    judge = ByMetric(Metric.read("number"), Threshold.between([90.0, 80.0], [10.0, 20.0]))
    assert judge.words == "the number is below 50"
    said = [judge.judge(Ending(0, 0.1, stdout=text)) for text in (b"12", b"70", b"none")]
    assert said == [Verdict.INTERESTING, Verdict.UNINTERESTING, Verdict.UNRESOLVED]
    assert judge.judge(Ending(1, 0.1, stdout=b"12")) is Verdict.UNRESOLVED
    assert judge.after(Ending(0, 0.1)) is judge


def test_before_both_sides_are_measured_nothing_can_be_told() -> None:
    judge = ByMetric(Metric.read("output"))
    assert judge.judge(Ending(0, 0.1, stdout=b"12")) is Verdict.UNRESOLVED
    assert judge.words == "the output is worse"
