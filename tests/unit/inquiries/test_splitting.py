"""Command lines taken apart: what is fixed, and what can be left out together."""

from pathlib import Path

import pytest

from wynot.inquiries.splitting import OTHERS, family_of, options_in, split

FILES = ("a.c", "b.txt", "cfg.toml", "src")


@pytest.fixture
def here(tmp_path: Path) -> Path:
    for name in FILES:
        (tmp_path / name).touch()
    return tmp_path


def shown(line: str, here: Path) -> str:
    """Return the options in brackets."""
    return " ".join(
        f"[{' '.join(piece.tokens)}]" if piece.is_option else " ".join(piece.tokens)
        for piece in split(line.split(), here)
    )


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("gcc -O2 -o out a.c", "gcc [-O2] [-o out] a.c"),
        ("gcc -I src -Isrc -D X=1 -include a.c", "gcc [-I src] [-Isrc] [-D X=1] [-include a.c]"),
        ("/usr/bin/x86_64-linux-gnu-gcc-12 -x c -", "/usr/bin/x86_64-linux-gnu-gcc-12 [-x c] -"),
        ("clang++ -Xclang -foo -mllvm -bar=1 x.cc", "clang++ [-Xclang -foo] [-mllvm -bar=1] x.cc"),
        ("gcc --param x=3 -Wl,-z,now -g gone.c", "gcc [--param x=3] [-Wl,-z,now] [-g] gone.c"),
        ("gcc a.c -o", "gcc a.c [-o]"),
        ("ccache gcc -g gone.c", "ccache gcc [-g] gone.c"),
        ("timeout 10 cc -g gone.c -L lib", "timeout 10 cc [-g] gone.c [-L lib]"),
        ("env -i A=1 ld -T x.ld -m elf a.o", "env [-i A=1] ld [-T x.ld] [-m elf] a.o"),
    ],
)
def test_compilers_have_a_table(line: str, pieces: str, here: Path) -> None:
    assert shown(line, here) == pieces


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("tool --level 3 --name=x -abc b.txt", "tool [--level 3] [--name=x] [-abc] b.txt"),
        ("tool -n 5 b.txt", "tool [-n 5] b.txt"),
        ("tool --offset -3 -x -y", "tool [--offset -3] [-x] [-y]"),
        ("tool --dry b.txt", "tool [--dry] b.txt"),
        ("tool --config cfg.toml b.txt", "tool [--config cfg.toml] b.txt"),
        ("tool --log-file b.txt --out-dir src x", "tool [--log-file b.txt] [--out-dir src] x"),
        ("tool -o b.txt -C src", "tool [-o b.txt] [-C src]"),
        ("tool -o - -", "tool [-o -] -"),
        ("git --no-pager log -p", "git [--no-pager] log [-p]"),
        ("docker --debug run -v /x:/y image", "docker [--debug] run [-v] /x:/y image"),
        ("tool -x -- -y --level 3", "tool [-x] -- -y --level 3"),
        ("tool --level -- 3", "tool [--level] -- 3"),
        ("find src -name x -type f", "find src [-name x] [-type f]"),
        ("tool", "tool"),
        ("tool run b.txt", "tool run b.txt"),
        ("tool -a -a --a=1 --a=1", "tool [-a] [-a] [--a=1] [--a=1]"),
    ],
)
def test_other_programs_are_guessed_at(line: str, pieces: str, here: Path) -> None:
    assert shown(line, here) == pieces


@pytest.mark.parametrize(
    ("line", "pieces"),
    [
        ("python3 -X dev -m pytest -x src", "python3 [-X dev] -m pytest [-x] src"),
        ("python b.txt -m x -c y", "python b.txt [-m x] [-c y]"),
        ("sh -e -c true -x", "sh [-e] -c true [-x]"),
        ("sh -e b.txt", "sh [-e] b.txt"),
        ("perl -w -e 1", "perl [-w] -e 1"),
        ("java -cp src -jar b.txt -v", "java [-cp src] -jar b.txt [-v]"),
        ("sh -c x sh gcc -g gone.c", "sh -c x sh gcc [-g] gone.c"),
    ],
)
def test_what_an_interpreter_runs_is_fixed(line: str, pieces: str, here: Path) -> None:
    assert shown(line, here) == pieces


def test_no_word_is_lost_and_the_order_is_kept(here: Path) -> None:
    argv = ["tool", "", "-", "--x", "a b", "-\udcff", "--", "--x", "\0", "-y"]
    assert [word for piece in split(argv, here) for word in piece.tokens] == argv


def test_a_list_of_options_is_taken_apart_alike(here: Path) -> None:
    words = ["-O1", "--param", "x=1", "-I", "-odd", "a.c", "-g"]
    assert list(options_in(words, family_of("gcc"), here)) == [
        ("-O1",),
        ("--param", "x=1"),
        ("-I", "-odd"),
        ("a.c",),
        ("-g",),
    ]


def test_other_words_of_a_list_belong_to_the_option_before(here: Path) -> None:
    words = ["lost", "--verbose", "b.txt", "--both", "1", "2", "-x"]
    assert list(options_in(words, OTHERS, here)) == [
        ("lost",),
        ("--verbose", "b.txt"),
        ("--both", "1", "2"),
        ("-x",),
    ]
