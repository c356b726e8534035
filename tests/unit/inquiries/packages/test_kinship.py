"""Who goes with whom, as a graph of names."""

from collections.abc import Mapping

from hypothesis import given
from hypothesis import strategies as st

from wynot.inquiries.packages.mixture import Kinship, connected

NAMES = "abcdefgh"
graphs = st.dictionaries(
    st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=3, unique=True)
)


def reach(graph: Mapping[str, list[str]], name: str) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        new = {*graph.get(waiting.pop(), [])} - found
        found |= new
        waiting += new
    return found


@given(graphs)
def test_circles_come_after_what_they_lead_to(graph: dict[str, list[str]]) -> None:
    circles = [set(circle) for circle in connected(graph, NAMES)]
    assert sorted(name for circle in circles for name in circle) == list(NAMES)
    before: set[str] = set()
    for circle in circles:
        before |= circle
        for name in circle:
            there = reach(graph, name)
            assert there <= before
            assert {other for other in there if name in reach(graph, other)} == circle


@given(graphs, st.sets(st.sampled_from(NAMES)))
def test_what_comes_along_is_all_that_is_needed(
    graph: dict[str, list[str]], names: set[str]
) -> None:
    kinship = Kinship(graph)
    assert kinship.with_needs(names) == {each for name in names for each in reach(graph, name)}
    assert kinship.with_needing(names) == {
        each for each in {*NAMES} | names if reach(graph, each) & names
    }


def test_a_chain_may_be_longer_than_python_can_recurse() -> None:
    chain = {str(at): [str(at + 1)] for at in range(50_000)}
    circles = list(connected(chain, ["0"]))
    assert circles[0] == ["50000"]
    assert circles[-1] == ["0"]
    assert len(list(connected({**chain, "50000": ["0"]}, ["0"]))) == 1


def test_families_stay_with_what_the_project_asks_for() -> None:
    kinship = Kinship(
        needs={"api": ["sdk"], "sdk": ["api"], "web": ["core"]},
        below={"web": ["core", "dom"], "tool": ["dom", "io"], "sdk": ["api"]},
        direct=["tool", "web", "sdk"],
    )
    names = ["api", "core", "dom", "io", "sdk", "tool", "web"]
    assert kinship.families(names) == [
        ("dom",), ("io",), ("tool",), ("core",), ("web",), ("api", "sdk")
    ]  # fmt: skip
    assert kinship.owners(names) == {
        "tool": "tool", "dom": "tool", "io": "tool",
        "web": "web", "core": "web",
        "sdk": "sdk", "api": "sdk",
    }  # fmt: skip
    assert kinship.bringers("dom") == ["web", "tool"]
    assert kinship.bringers("api") == ["sdk"]
    assert kinship.bringers("web") == []
    assert kinship.bringers("unknown") == []


def test_where_all_are_listed_what_nothing_depends_on_comes_first() -> None:
    kinship = Kinship(below={"web": ["core", "dom"]}, direct=["core", "dom", "log", "web"])
    names = ["core", "dom", "log", "web"]
    assert kinship.owners(names) == {"web": "web", "core": "web", "dom": "web", "log": "log"}
    assert kinship.families(names) == [("log",), ("core",), ("dom",), ("web",)]
    assert kinship.bringers("core") == []
