"""A large source is left out but for what its failure is about, and what that misses."""

import re
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain import Shuffled
from wynot.core.answer import Answer
from wynot.core.candidate import Candidate
from wynot.core.deltas import NONE, Deltas
from wynot.core.diagnostics import NO_DIAGNOSTICS, Diagnostic, Diagnostics
from wynot.core.files import Files
from wynot.core.round import Diagnosed, FirstRound, Pick, Search, Stage
from wynot.core.verdict import Verdict
from wynot.engine.recorder import Recorder
from wynot.engine.scheduler import Scheduler
from wynot.passes.large.large_sources import MAX_RESTORATIONS, FollowDiagnostics
from wynot.passes.reduction_pass import Cut
from wynot.passes.trees.parsed_files import Trees
from wynot.search.combinators import nested

COUNT = 900
NEEDED = (5, 77, 500)
"""Functions that the one that fails needs: one calls the next."""
_DEFINED = re.compile(rb"^int (\w+)\(", re.MULTILINE)
_CALLED = re.compile(rb"\b(\w+)\(s\)")
Say = Callable[[bytes], tuple[bool, Diagnostics]]


def source(count: int = COUNT) -> bytes:
    """Return a program in which every name is mentioned somewhere, if only as that of a field."""
    fields = ", ".join(f"f{number}" for number in range(count))
    calls = dict(zip(("fail", *(f"f{each}" for each in NEEDED)), NEEDED, strict=False))
    lines = [f"struct S {{ int {fields}; }};"]
    for name in (*(f"f{number}" for number in range(count)), "fail"):
        inside = f"f{calls[name]}(s)" if name in calls else f"s->f{count - 1}"
        extra = f" + s->f{(int(name[1:]) + 1) % count}" if name != "fail" else ""
        lines.append(f"int {name}(struct S *s) {{ return {inside}{extra}; }}")
    return "\n".join(lines).encode() + b"\n"


def compiler(text: bytes) -> tuple[bool, Diagnostics]:
    """Return whether ``fail`` is there with all that is called, and what is complained of else."""
    defined = set(_DEFINED.findall(text))
    found = []
    for number, line in enumerate(text.split(b"\n"), start=1):
        for match in _CALLED.finditer(line):
            if match[1] not in defined:
                name = match[1].decode()
                found.append(Diagnostic("a.c", number, match.start() + 1, (name,), "error", name))
        if line.startswith(b"int fail") and not found:
            found.append(Diagnostic("a.c", number, 5))
    is_failing = b"fail" in defined and all(b"f%d" % each in defined for each in NEEDED)
    return is_failing, tuple(found)


def cut_of(text: bytes) -> Cut:
    files = Files({"a.c": text})
    return FollowDiagnostics(Trees.of(files)).cut(files, ())


def driven(cut: Cut, say: Say) -> tuple[bytes, int]:
    """Return what the search leaves, and how often it has asked."""
    assert cut.minimizer is not None
    search, asked = cut.minimizer(cut.case.deltas), 0
    answer = None
    while True:
        try:
            round_ = search.send(answer)
        except StopIteration as end:
            return cut.case.render(Candidate.whole(end.value)).contents["a.c"], asked
        assert isinstance(round_, FirstRound)
        [candidate] = round_.candidates
        asked += 1
        works, said = say(cut.case.render(candidate).contents["a.c"])
        pick = Pick(0, Verdict.INTERESTING, candidate) if works else None
        answer = Diagnosed(pick, said)


def test_only_what_is_missed_comes_back() -> None:
    left, asked = driven(cut_of(source()), compiler)
    assert _DEFINED.findall(left) == [b"f5", b"f77", b"f500", b"fail"]
    assert asked <= 4 + 3 * len(NEEDED)


def test_what_complains_and_is_not_needed_goes() -> None:
    def say(text: bytes) -> tuple[bool, Diagnostics]:
        lines = text.split(b"\n")
        bad = [at for at, line in enumerate(lines, start=1) if b"volatile" in line]
        place = [at for at, line in enumerate(lines, start=1) if b"int fail" in line]
        if b"int f1(" in text:
            return True, tuple(Diagnostic("a.c", at, 5) for at in place)
        return not bad, tuple(Diagnostic("a.c", at, 3, ("gone",)) for at in bad)

    text = source() + b"int fail2;\n"
    inner = b"{ return f5(s); }"
    assert inner in text
    text = text.replace(inner, b"{\n volatile int x = gone;\n return f5(s); }")
    left, _ = driven(cut_of(text), say)
    assert b"volatile" not in left
    assert b"f5(s)" in left


def test_a_program_that_says_nothing_costs_one_test() -> None:
    text = source()
    assert driven(cut_of(text), lambda _: (True, NO_DIAGNOSTICS)) == (text, 1)


def test_a_small_source_is_not_asked_about() -> None:
    assert not cut_of(source(20)).case.deltas


@pytest.mark.parametrize("path", ["b.c", "x/b.c", ""])
def test_places_in_other_files_count_for_nothing(path: str) -> None:
    text = source()
    assert driven(cut_of(text), lambda _: (True, (Diagnostic(path, 3, 1),))) == (text, 1)


NONSENSE = st.lists(
    st.builds(
        Diagnostic,
        st.sampled_from(["a.c", "/elsewhere/a.c", "b.c"]),
        st.integers(1, 2000) | st.integers(1, 10**9),
        st.integers(0, 200) | st.integers(0, 10**9),
        st.lists(st.sampled_from(["f1", "f2", "S", "fail", "\ud800", "x"]), max_size=3).map(tuple),
        st.sampled_from(["error", "warning", "aside"]),
        st.sampled_from(["", "f3", "S", "fail"]),
    ),
    max_size=6,
).map(tuple)
CUT = cut_of(source())


@settings(max_examples=20)
@given(NONSENSE, st.lists(st.tuples(st.booleans(), NONSENSE), max_size=12), st.booleans())
def test_nonsense_leads_to_an_end(
    first: Diagnostics, then: list[tuple[bool, Diagnostics]], works: bool
) -> None:
    answers = iter([(True, first), *then])
    seen: list[tuple[bytes, bool]] = []

    def say(text: bytes) -> tuple[bool, Diagnostics]:
        answer = next(answers, (works, first))
        seen.append((text, answer[0]))
        return answer

    left, asked = driven(CUT, say)
    assert asked <= MAX_RESTORATIONS + 1
    assert (left, True) in seen


@pytest.mark.slow
@settings(max_examples=5)
@given(st.integers(0, 1000), st.integers(2, 8))
def test_the_same_is_asked_and_left_at_any_width(seed: int, width: int) -> None:
    assert scheduled(seed, 1) == scheduled(seed, width)


@dataclass(frozen=True)
class Compiling:
    """Runs the compiler in an executor."""

    executor: Executor
    width: int

    def submit(self, stage: Stage, candidate: Candidate) -> Future[Answer]:
        return self.executor.submit(self.judge, stage.case.render(candidate))

    def judge(self, files: Files) -> Answer:
        works, found = compiler(files.contents["a.c"])
        verdict = Verdict.INTERESTING if works else Verdict.UNINTERESTING
        return Answer(verdict, diagnostics=found)

    def close(self, *, wait: bool) -> None:
        """Leave the executor to the test."""


def scheduled(seed: int, width: int) -> tuple[Deltas, list[str], list[Verdict]]:
    """Return what the engine comes to with workers that finish in any order."""
    stage = Stage(CUT.case, wants_diagnostics=True)

    def search() -> Search[Deltas]:
        assert CUT.minimizer is not None
        return outer(CUT.minimizer(CUT.case.deltas))

    def outer(inner: Search[Deltas]) -> Search[Deltas]:
        return (yield from nested(inner, outer, stage=stage)).found

    with Shuffled(seed) as executor:
        runner = Compiling(executor, width)
        recorder = Recorder(CUT.case, NONE, CUT.case.deltas)
        scheduler = Scheduler(search, runner=runner, ledger=recorder)
        left = scheduler.run()
    return left, recorder.trace.names, recorder.trace.verdicts
