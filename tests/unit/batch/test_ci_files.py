"""What a batch writes for CI: JUnit's XML and SARIF, in the shape that others read."""

from typing import Any
from urllib.parse import unquote
from xml.etree import ElementTree as ET

from wynot.batch.batch_outcome import (
    DUPLICATE,
    OPEN,
    REDUCED,
    BatchOutcome,
    GroupOutcome,
    InputOutcome,
)
from wynot.batch.batch_results import junit, sarif
from wynot.core.standing import Stop

HOSTILE = "]]>\n</failure> \x1b\udcff\u202e&\"'<b>"
SEEN = InputOutcome("a", "00", Stop.FINISHED, 90, 3, 12, 1.5)
GROUPS = (
    GroupOutcome(
        *(1, "0a", "KeyError", f"KeyError {HOSTILE!r}", ("deep",), ("a", HOSTILE), REDUCED),
        inputs=(SEEN,),
        content=b"zap",
        file_name="reduced.txt",
        output=HOSTILE,
    ),
    GroupOutcome(2, "0b", "KeyError", "KeyError", (), ("c",), DUPLICATE, same_as=1),
    GroupOutcome(3, "0c", "", "signal 11", (), ("d",), OPEN),
)
WHOLE = BatchOutcome(
    "crashes", "./prog {}", GROUPS, ("e",), (), (), (), 5, 12, 0, 3.25, Stop.MAX_TESTS
)
FOLDERS = {1: "KeyError-deep 0a", 3: "failure-0c"}


def test_each_cause_is_a_failing_test() -> None:
    top = ET.fromstring(junit(WHOLE, FOLDERS))  # noqa: S314 - our own
    assert top.tag == "testsuites"
    [suite] = top
    assert suite.tag == "testsuite"
    counts = {"tests": "2", "failures": "2", "errors": "0", "skipped": "0", "time": "3.250"}
    assert suite.attrib.items() >= {"name": "wynot batch", **counts}.items()
    assert [each.tag for each in suite] == ["testcase", "testcase"]
    for case in suite:
        assert case.attrib.keys() == {"classname", "name", "time"}
        assert [each.tag for each in case] == ["failure", "system-out"]
        assert case[0].attrib.keys() == {"type", "message"}
    assert len({case.attrib["name"] for case in suite}) == 2


def test_names_of_inputs_are_lines() -> None:
    case = ET.fromstring(junit(WHOLE, FOLDERS))[0][0]  # noqa: S314 - our own
    names = (case.findtext("system-out") or "").split("\n")
    assert names == ["a", r"""]]>\n</failure> \x1b\xff\u202e&"'<b>""", "c"]


def test_each_cause_is_a_result() -> None:
    log: dict[str, Any] = sarif(WHOLE, FOLDERS)
    assert log["version"] == "2.1.0"
    [run] = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "wynot"
    assert len(run["results"]) == 2
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in {"none", "note", "warning", "error"}
        assert result["message"]["text"]
        assert result["partialFingerprints"]
        assert result["occurrenceCount"] >= 1
    [place] = run["results"][0]["locations"]
    where = place["physicalLocation"]["artifactLocation"]["uri"]
    assert unquote(where) == "KeyError-deep 0a/reduced.txt"
    assert " " not in where
