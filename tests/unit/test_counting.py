"""What tests of costs rely on: that they would notice."""

from counting import is_linear, steps


def linear(size: int) -> None:
    total = 0
    for number in range(size):
        total += number


def quadratic(size: int) -> None:
    for _ in range(size):
        bytes(size).count(b"x")


def test_lines_are_counted() -> None:
    assert steps(lambda: linear(1000)) - steps(lambda: linear(10)) == 2 * 990


def test_what_grows_with_the_square_is_noticed() -> None:
    assert is_linear(linear, 5_000)
    assert not is_linear(quadratic, 2_000)
