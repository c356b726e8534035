"""Ranges of npm: what node-semver says of the same versions."""

import pytest

from wynot.inquiries.packages.npm.npm_lock import is_within, newest_first

VERSIONS = ("0.0.3", "0.2.3", "1.2.0", "1.2.3-beta.2", "1.2.3", "1.9.9", "2.0.0-rc.1", "2.0.0")


@pytest.mark.parametrize(
    ("wanted", "within"),
    [
        ("*", "0.0.3 0.2.3 1.2.0 1.2.3 1.9.9 2.0.0"),
        ("", "0.0.3 0.2.3 1.2.0 1.2.3 1.9.9 2.0.0"),
        ("^1.2.3", "1.2.3 1.9.9"),
        (" ^1.2.0 ", "1.2.0 1.2.3 1.9.9"),
        ("^0.2.3", "0.2.3"),
        ("^0.0.3", "0.0.3"),
        ("^0.0", "0.0.3"),
        ("^0", "0.0.3 0.2.3"),
        ("~1.2.3", "1.2.3"),
        ("~1", "1.2.0 1.2.3 1.9.9"),
        ("~>0.2", "0.2.3"),
        ("1.x", "1.2.0 1.2.3 1.9.9"),
        ("1.2.*", "1.2.0 1.2.3"),
        ("v1.2.3", "1.2.3"),
        ("=1.2.3", "1.2.3"),
        (">1", "2.0.0"),
        (">1.2", "1.9.9 2.0.0"),
        (">= 1.2.3", "1.2.3 1.9.9 2.0.0"),
        ("<1.2", "0.0.3 0.2.3"),
        ("<=1.2", "0.0.3 0.2.3 1.2.0 1.2.3"),
        (">=0.2.0 <1.2.3", "0.2.3 1.2.0"),
        ("0.2 - 1.2.0", "0.2.3 1.2.0"),
        ("1 - 1", "1.2.0 1.2.3 1.9.9"),
        ("0.0.x || 2", "0.0.3 2.0.0"),
        (">=1.2.3-beta.1 <2", "1.2.3-beta.2 1.2.3 1.9.9"),
        ("^1.2.3-beta.10", "1.2.3 1.9.9"),
        ("^2.0.0-rc.0", "2.0.0-rc.1 2.0.0"),
        ("<*", ""),
        ("npm:real@~1.2.0", "1.2.0 1.2.3"),
        ("npm:@scope/real@2.x", "2.0.0"),
    ],
)
def test_versions_within_a_range(wanted: str, within: str) -> None:
    assert " ".join(each for each in VERSIONS if is_within(each, wanted)) == within


@pytest.mark.parametrize(
    ("version", "wanted"),
    [
        ("1.0.0", "latest"),
        ("1.0.0", "git+https://example.org/a.git"),
        ("1.0.0", "file:../a"),
        ("1.0.0", "^1.0.0 or so"),
        ("1.0.0", "1 - latest"),
        ("1.0.0", "^1" + " " * 2000),
        ("1.0.0", "9" * 17),
        ("1.0", "^1.0.0"),
        ("1.0.x", "^1.0.0"),
        ("", "*"),
        ("1" * 2000, "*"),
    ],
)
def test_what_is_no_range_or_no_version(version: str, wanted: str) -> None:
    assert is_within(version, wanted) is None


def test_versions_can_be_ordered() -> None:
    mixed = ["1.10.0", "odd", "1.9.0", "1.10.0-rc.2", "1.10.0-rc.10"]
    ordered = sorted(mixed, key=newest_first, reverse=True)
    assert ordered == ["1.10.0", "1.10.0-rc.10", "1.10.0-rc.2", "1.9.0", "odd"]
