"""Which passes there are for what, and what they cut."""

import re
from collections.abc import Sequence
from math import inf

import pytest

from planned import Enough, walked
from reduce_inline import reduce_inline
from unit.formats.containers.samples import zip_of
from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.files import Files
from wynot.core.texts.parts import PartsCase
from wynot.formats.cuts import lines, paragraphs, tokens
from wynot.passes.binary_passes import ALWAYS_TRIED_CHUNKS, TESTS_PER_CHUNK
from wynot.passes.catalog import PlanOptions
from wynot.passes.reduction_pass import DeleteFiles, DeleteParts, Pass
from wynot.passes.rewrites.shorten import renames
from wynot.passes.tiers import TURN_PATIENCE
from wynot.passes.trees.tree_passes import PruneTrees, RewriteNodes

TEXT = Files({"a": b"f {\n  g\n}\n\nh i\n"})
BINARY = Files({"a": b"\x7fELF\0\1"})
FOLDER = Files({"d/a": b"x\n", "d/b": b"\0\1"})
CODE = Files({"a.c": b"int f() {\n  g();\n}\n"})
ZIPPED = Files({"a.zip": zip_of([("a.c", b"int f() {\n  g();\n}\n")])})


def passes(files: Files, options: PlanOptions) -> list[Pass]:
    """Return the passes, none of which changes anything."""
    return walked(files, options, lambda _step, before: (before, 0))


# Twice: once with little patience, and then, since nothing has changed, with all of it.
ROUND = "nodes,white space,white space,texts,meanings,names"
STRUCTURE = f"chains,links,{ROUND},{ROUND},windows,letters,white space"
AS_IT_COMES = STRUCTURE.replace(",white space", "")


@pytest.mark.parametrize(
    ("files", "options", "names"),
    [
        (TEXT, PlanOptions(), f"{STRUCTURE},characters,single nodes,tokens,lines"),
        (CODE, PlanOptions(), f"{STRUCTURE},single nodes,tokens"),
        (CODE, PlanOptions(fast=True), STRUCTURE),
        (CODE, PlanOptions(layout="keep", fast=True), AS_IT_COMES),
        (CODE, PlanOptions(rewrite=False, layout="keep", fast=True), "chains,nodes,nodes,windows"),
        (
            TEXT,
            PlanOptions(rewrite=False, layout="keep"),
            "chains,nodes,nodes,windows,single nodes,tokens",
        ),
        (CODE, PlanOptions(layout="pretty", fast=True), f"{AS_IT_COMES},white space"),
        (CODE, PlanOptions(layout="short", fast=True), STRUCTURE),
        (CODE, PlanOptions(rename=False, fast=True), STRUCTURE),
        (
            CODE,
            PlanOptions(passes=(PruneTrees,), fast=True),
            STRUCTURE.replace("names", "names,nodes"),
        ),
        (
            CODE,
            PlanOptions(rewrites=(renames,), fast=True),
            STRUCTURE.replace("names", "plug-ins,names"),
        ),
        (CODE, PlanOptions(tree="hdd"), "nodes"),
        (CODE, PlanOptions(lists=True), "paragraphs,blocks 1,blocks 2,lines,tokens,characters"),
        (TEXT, PlanOptions(atoms="chars"), "paragraphs,blocks 1,blocks 2,lines,tokens,characters"),
        (TEXT, PlanOptions(atoms="tokens"), "paragraphs,blocks 1,blocks 2,lines,tokens"),
        (TEXT, PlanOptions(atoms="lines"), "paragraphs,blocks 1,blocks 2,lines"),
        (TEXT, PlanOptions(atoms="bytes"), "bytes"),
        (TEXT, PlanOptions(atoms="records"), "records"),
        (BINARY, PlanOptions(), "bytes"),
        (BINARY, PlanOptions(tree="hdd*"), "bytes"),
        (FOLDER, PlanOptions(), f"files,{STRUCTURE},characters,single nodes,tokens,bytes"),
        (
            FOLDER,
            PlanOptions(lists=True),
            "files,paragraphs,blocks 1,lines,tokens,characters,bytes",
        ),
        (ZIPPED, PlanOptions(), f"members,{STRUCTURE},single nodes,tokens"),
    ],
)
def test_the_plan_goes_from_coarse_to_fine(files: Files, options: PlanOptions, names: str) -> None:
    assert ",".join(step.name for step in passes(files, options)) == names


def large_parts(*left: tuple[str, int]) -> list[str]:
    """Return the passes on a large text, of which some leave so much of it, up to the trees."""
    rest, names = list(left), list[str]()

    def leaves(step: Pass, before: Files) -> tuple[Files, int]:
        names.append(step.name)
        if rest and rest[0][0] == step.name:
            return Files({"a.json": b"some words\n" * (rest.pop(0)[1] // 11)}), 0
        return before, 0

    walked(Files({"a.json": b"some words\n" * 90_000}), PlanOptions(), leaves)
    return names[: names.index("nodes")]


PARTS = "large parts"


def test_large_parts_go_first_if_a_text_need_not_parse_as_long_as_half_of_it_goes() -> None:
    assert large_parts() == ["brackets", PARTS]
    names = ["brackets", PARTS, PARTS]
    assert large_parts(("brackets", 900_000), (PARTS, 500_000), (PARTS, 300_000)) == names
    names = ["brackets", PARTS, PARTS, PARTS, "chains", "links"]
    assert large_parts(("brackets", 900_000), (PARTS, 300_000), (PARTS, 20_000)) == names


def test_a_text_too_large_for_trees_is_left_to_lines() -> None:
    large = Files({"a.c": b"int a;\n" * 400_000})
    names = [step.name for step in passes(large, PlanOptions())]
    assert names == ["brackets", "large parts", "paragraphs", "blocks 1", "lines"]


def chunk_sizes(content: bytes, lefts: Sequence[int], cost: int) -> list[int]:
    """Return into how large chunks binary data are cut, if each pass leaves so much of them."""
    sizes: list[int] = []
    rest = list(lefts)

    def leaves(step: Pass, before: Files) -> tuple[Files, int]:
        assert step.name == "bytes"
        sizes.append(max(step.cut(before, ()).case.weights))
        assert step.proves == ("bytes" if sizes[-1] == 1 else "")
        return Files({"a": content[: rest.pop(0)]}) if rest else before, cost

    walked(Files({"a": content}), PlanOptions(), leaves)
    return sizes


def test_binary_data_are_cut_no_finer_than_pays() -> None:
    large = bytes(64 * ALWAYS_TRIED_CHUNKS)
    assert chunk_sizes(large, [], 2 * ALWAYS_TRIED_CHUNKS) == [64]
    # What is gone is worth what it took, once; then nothing more goes.
    assert chunk_sizes(
        large, [60 * ALWAYS_TRIED_CHUNKS], 4 * ALWAYS_TRIED_CHUNKS * TESTS_PER_CHUNK // 64
    ) == [64, 16]
    assert chunk_sizes(
        large, [60 * ALWAYS_TRIED_CHUNKS], 5 * ALWAYS_TRIED_CHUNKS * TESTS_PER_CHUNK // 64
    ) == [64]
    # What has become small is cut into bytes, whatever that took.
    assert chunk_sizes(large, [ALWAYS_TRIED_CHUNKS], 10**9) == [64, 1]
    assert chunk_sizes(bytes(ALWAYS_TRIED_CHUNKS), [], 10**9) == [1]


def test_a_list_search_that_was_asked_for_tries_all_bytes() -> None:
    (step,) = passes(Files({"a": bytes(2 * ALWAYS_TRIED_CHUNKS)}), PlanOptions(lists=True))
    assert (step.name, step.proves) == ("bytes", "bytes")


def test_as_long_as_a_pass_is_of_use_one_that_fails_for_long_lets_the_next_have_a_go() -> None:
    patience: list[float] = []

    def leaves(step: Pass, before: Files) -> tuple[Files, int]:
        if step.name == "windows":
            raise Enough
        if isinstance(step, PruneTrees):
            patience.append(step.patience)
        is_first = step.name == "names" and before is CODE
        return Files({"a.c": b"int x;"}) if is_first else before, 0

    walked(CODE, PlanOptions(), leaves)
    # The first round ends with a change, the second changes nothing; so in the third all is tried.
    assert patience == [TURN_PATIENCE, TURN_PATIENCE, inf]


def test_next_is_the_pass_that_has_saved_most_for_a_test() -> None:
    tests = {"nodes": 100, "white space": 10, "texts": 1, "meanings": 1, "names": 10}
    sizes = {"nodes": 900, "white space": 899, "texts": 890, "meanings": 800, "names": 790}
    names: list[str] = []

    def leaves(step: Pass, before: Files) -> tuple[Files, int]:
        if len(names) == 9:
            raise Enough
        if step.name == "white space" and names[-1:] == ["white space"]:
            return before, 0
        if step.name in {"chains", "links"}:
            return before, 0
        names.append(step.name)
        if len(names) > 5:
            return before, 0
        # Each is to show what it can do.
        return Files({"a.c": b"x" * sizes[step.name]}), tests[step.name]

    walked(Files({"a.c": b"x" * 1000}), PlanOptions(), leaves)
    # For each test: nodes 1 byte, texts 5, meanings 45, white space next to none.
    assert names[:5] == ["nodes", "white space", "texts", "meanings", "names"]
    assert names[5:] == ["meanings", "texts", "nodes", "white space"]


@pytest.mark.parametrize(
    "step",
    [*passes(FOLDER, PlanOptions()), *passes(FOLDER, PlanOptions(atoms="chars"))],
    ids=lambda step: step.name,
)
def test_leaving_out_any_part_makes_the_case_smaller_or_loses_a_file(step: Pass) -> None:
    case, groups, *_ = step.cut(FOLDER, ())
    assert not groups or sum(map(len, groups)) == len(case.deltas)
    for index in case.deltas:
        left = case.render(Candidate.whole(case.deltas.toggle(Deltas.of([index]))))
        if isinstance(step, RewriteNodes):  # a number for a name is no shorter, but simpler
            assert left.weight <= FOLDER.weight
            continue
        assert left.size < FOLDER.size or len(left.contents) < len(FOLDER.contents)


@pytest.mark.parametrize(
    ("keep", "parts"),
    [
        ([], [b"a b\n", b"c\n", b"d"]),
        ([rb"c"], [b"a b\n", b"d"]),
        ([rb"b$"], [b"c\n", b"d"]),
        ([rb"b\nc"], [b"d"]),
        ([rb"^", rb"$"], [b"a b\n", b"c\n", b"d"]),
        ([rb"a", rb"d"], [b"c\n"]),
        ([rb"[\s\S]*"], []),
    ],
)
def test_what_is_to_be_kept_is_part_of_no_part(keep: list[bytes], parts: list[bytes]) -> None:
    step = DeleteParts("lines", lines)
    patterns = [re.compile(each, re.MULTILINE) for each in keep]
    without_protected = step.cut(Files({"a": b"a b\nc\nd"}), patterns).case
    assert len(without_protected.deltas) == len(parts)
    assert sorted(without_protected.weights) == sorted(map(len, parts))


def groups_of(step: Pass, files: Files) -> Sequence[Deltas]:
    return step.cut(files, ()).groups


def test_a_search_starts_with_the_parts_of_the_coarser_format() -> None:
    step = DeleteParts("tokens", tokens, lines)
    files = Files({"a": b"a b\nc\n", "b": b"d"})
    assert groups_of(step, files) == (Deltas((0, 3)), Deltas((3, 5)), Deltas((5, 6)))
    assert groups_of(DeleteParts("lines", lines, paragraphs), Files({"a": b"a\n\nb\n"})) == (
        *(Deltas((0, 2)), Deltas((2, 3))),
    )


def test_files_are_grouped_by_folder_and_those_named_by_the_user_stay() -> None:
    files = Files({"a": b"1", "d/a": b"1", "d/b": b"keep", "d/e/c": b"3", "d/e/d": b"4"})
    case, groups, *_ = DeleteFiles().cut(files, [re.compile(b"keep")])
    assert len(case.deltas) == 3
    assert groups == (Deltas((0, 1)), Deltas((1, 3)))


def test_two_ways_to_cut_are_told_apart_by_their_key() -> None:
    files = Files({"a": b"a\nb\n"})
    newline_sensitive = PartsCase(files, {"a": lines(b"a\nb\n")})
    assert newline_sensitive.key == PartsCase(files, {"a": lines(b"a\nb\n")}).key
    assert newline_sensitive.key != PartsCase(files, {"a": tokens(b"a\nb\n")}).key


def test_a_line_after_a_needed_blank_line_goes() -> None:
    def fails(files: Files) -> bool:
        text = files.contents["a.yaml"]
        return b"|\n \n" in text and b"\n---" in text

    found = reduce_inline(Files({"a.yaml": b"a: |\n \n%G\n---\n"}), fails)
    assert found.files.contents == {"a.yaml": b"|\n \n---\n"}
