"""The account: what each pass, kind of proposal and rewrite costs and gains.

    python -m benchmarks.account OUT [--from FOLDER …] [--probes PART …] [--without NAME …]
    python -m benchmarks.account OUT --against BEFORE

Reduces real failures (folders with `test.sh` and `meta.toml`) and probes, each with one worker and
two at a time, and appends a row for each to OUT. Cases that OUT has already are not run again.
Prints what every pass, kind and rewrite has cost and gained in all of OUT; with `--against`, case
by case what has changed since BEFORE.
"""

import argparse
import json
import shutil
import subprocess
import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from math import exp, log
from os import environ
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from benchmarks.probes.__main__ import all_parts
from benchmarks.probes.measured import CASE, write_script
from benchmarks.probes.probe import Probe

HERE = Path(__file__).resolve().parent
REPOSITORY = HERE.parent.parent
BENCH = REPOSITORY.parent / "shared" / "bench" / "cases"
OWN = [REPOSITORY / "benchmarks" / folder for folder in ("cases", "cpp")]
CASES = [*OWN, *([BENCH] if BENCH.exists() else [])]
SHOWN_KINDS = 60
TRACED = "benchmarks.account.traced"


class Job(NamedTuple):
    """One reduction: how to put its files into a folder, and what to call there."""

    name: str
    prepare: Callable[[Path], Sequence[str]]
    """Writes the files, and returns the command's arguments and, in front, what is reduced."""
    reach: int = 0
    """Bytes that are within reach, if that is known."""


def case_jobs(folders: Sequence[Path]) -> Iterator[Job]:
    """Yield the real failures in some folders."""
    for folder in folders:
        for meta in sorted(folder.resolve().glob("*/meta.toml")):
            yield Job(meta.parent.name, lambda place, case=meta.parent: prepared_case(case, place))  # type: ignore[misc]


def prepared_case(case: Path, place: Path) -> Sequence[str]:
    """Copy a case; return what is reduced, and the test."""
    name = tomllib.loads((case / "meta.toml").read_text())["file"]
    source = case / name
    if source.is_dir():
        shutil.copytree(source, place / name)
    else:
        shutil.copy2(source, place / name)
    return name, "--no-confine", str(case / "test.sh"), name


def probe_jobs(parts: Sequence[str]) -> Iterator[Job]:
    """Yield the probes of some parts."""
    for part, probes in all_parts():
        if part in parts:
            for probe in probes():
                prepare = lambda place, probe=probe: prepared_probe(probe, place)  # noqa: E731
                yield Job(f"{part}/{probe.name}", prepare, probe.size)


def prepared_probe(probe: Probe, place: Path) -> Sequence[str]:
    """Write a probe; return what is reduced, and the rest of the command."""
    folder = place / CASE if len(probe.files) > 1 else place
    for path, content in probe.files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    name = CASE if len(probe.files) > 1 else next(iter(probe.files))
    if isinstance(probe.test, str):
        write_script(place / "t.sh", probe.test)
        return name, *probe.options, "./t.sh", name
    return name, *probe.options, name, "--", *probe.test


def run(job: Job, python: str, limit: float, without: Sequence[str]) -> dict[str, Any]:
    """Reduce one case in a folder of its own; return its row."""
    with TemporaryDirectory(prefix="account-") as folder:
        place, out = Path(folder) / "here", Path(folder) / "out"
        place.mkdir()
        name, *arguments = job.prepare(place)
        options = ["--fresh", "-j", "1", "--max-time", f"{limit:g}"]
        done = subprocess.run(
            [python, "-m", TRACED, str(out), ",".join(without), "reduce", *options, *arguments],
            cwd=place,
            env={**environ, "PYTHONPATH": str(REPOSITORY)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        if not out.exists():
            return {"case": job.name, "error": (done.stdout + done.stderr)[-800:]}
        left = place / name
        files = sorted(each for each in (left, *left.rglob("*")) if each.is_file())
        contents = [each.read_bytes() for each in files]
        return {
            "case": job.name,
            **json.loads(out.read_text()),
            "nonblank": sum(len(b"".join(content.split())) for content in contents),
            "digest": sha256(b"\0".join(contents)).hexdigest(),
            "reach": job.reach,
        }


def read(path: Path) -> dict[str, dict[str, Any]]:
    """Return the rows of a file, by case."""
    lines = path.read_text().splitlines() if path.exists() else []
    rows = map(json.loads, lines)
    return {row["case"]: row for row in rows}


def tables(rows: Sequence[dict[str, Any]]) -> Iterator[str]:
    """Yield the lines of the tables over all cases."""
    passes: dict[str, list[tuple[str, list[float]]]] = defaultdict(list)
    kinds: dict[str, list[tuple[str, list[float]]]] = defaultdict(list)
    rewrites: dict[str, list[tuple[str, list[float]]]] = defaultdict(list)
    for row in rows:
        for pass_name, kind, *figures in row["rows"]:
            passes[pass_name].append((row["case"], figures))
            if kind:
                kinds[f"{pass_name}: {kind}"].append((row["case"], figures))
            if kind in row["owners"]:
                rewrites[row["owners"][kind]].append((row["case"], figures))
    yield from table("pass", passes)
    yield from table("rewrite", rewrites)
    yield from table("kind of proposal", kinds, SHOWN_KINDS)
    tests, seconds = sum(row["tests"] for row in rows), sum(row["seconds"] for row in rows)
    yield (
        f"{len(rows)} cases: {sum(row['before'] for row in rows):,} → "
        f"{sum(row['after'] for row in rows):,} bytes, {sum(row['nonblank'] for row in rows):,} of "
        f"them not blank, in {tests:,} tests; {seconds:,.0f} s, {own(rows):,.0f} of them our own"
    )


def own(rows: Sequence[dict[str, Any]]) -> float:
    """Return wynot's own processor time for all rows."""
    return float(sum(row["own"] for row in rows))


def table(
    what: str, groups: dict[str, list[tuple[str, list[float]]]], most: int | None = None
) -> Iterator[str]:
    """Yield the lines of one table, the most tests first."""
    yield f"{what:<44} {'tests':>7} {'steps':>6} {'bytes':>10} {'gained in':>10} {'own s':>7}"
    summed = []
    for name, entries in groups.items():
        tests, steps, size, cpu = (sum(each[at] for _, each in entries) for at in range(4))
        cases = len({case for case, _ in entries})
        where = f"{len({case for case, each in entries if each[1]})} of {cases}"
        summed.append((tests, name, steps, size, where, cpu))
    for tests, name, steps, size, where, cpu in sorted(summed, reverse=True)[:most]:
        yield f"{name[:44]:<44} {tests:>7,} {steps:>6,} {size:>10,} {where:>10} {cpu:>7.1f}"
    yield ""


def comparison(before: dict[str, Any], after: dict[str, Any]) -> Iterator[str]:
    """Yield what has changed, case by case, and in the geometric mean."""
    both = [name for name in before if name in after and "error" not in before[name] | after[name]]
    yield f"{'case':<44} {'not blank':>15} {'bytes':>15} {'tests':>15} {'ratio':>6} {'own s':>13}"
    logs = []
    for name in both:
        one, two = before[name], after[name]
        ratio = (two["tests"] + 1) / (one["tests"] + 1)
        logs.append(log(ratio))
        mark = " larger" if two["nonblank"] > one["nonblank"] else ""
        if one["stopped"] != "finished" or two["stopped"] != "finished":
            mark += f" ({one['stopped']}, {two['stopped']})"
        yield (
            f"{name[:44]:<44} {one['nonblank']:>7}→{two['nonblank']:<7} "
            f"{one['after']:>7}→{two['after']:<7} {one['tests']:>7}→{two['tests']:<7} "
            f"{ratio:>6.2f} "
            f"{one['own']:>6.1f}→{two['own']:<6.1f}{mark}"
        )
    if both:
        sums = (
            f"{key} {sum(before[name][key] for name in both):,} → "
            f"{sum(after[name][key] for name in both):,}"
            for key in ("nonblank", "after", "tests")
        )
        yield f"\n{len(both)} cases: tests x {exp(sum(logs) / len(logs)):.3f}; " + "; ".join(sums)


def main() -> None:
    """Run what OUT lacks, and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path)
    parser.add_argument("--from", dest="folders", nargs="*", type=Path, default=CASES)
    parser.add_argument("--probes", nargs="*", default=[], help="parts of benchmarks/probes")
    parser.add_argument("--match", default="", help="only cases with this in their names")
    parser.add_argument("--without", nargs="*", default=[], help="mechanisms to switch off")
    parser.add_argument("--limit", type=float, default=300, help="seconds for each case")
    parser.add_argument("--python", default=sys.executable, help="another wynot's Python")
    parser.add_argument("--jobs", type=int, default=2, help="cases at a time")
    parser.add_argument("--against", type=Path, help="rows to compare with")
    given = parser.parse_args()
    rows = read(given.out)
    jobs = [
        job
        for job in (*case_jobs(given.folders), *probe_jobs(given.probes))
        if job.name not in rows and given.match in job.name
    ]
    with ThreadPoolExecutor(given.jobs) as pool, given.out.open("a") as out:
        running = [pool.submit(run, job, given.python, given.limit, given.without) for job in jobs]
        for future in running:
            row = future.result()
            rows[row["case"]] = row
            out.write(json.dumps(row) + "\n")
            out.flush()
            short = " ".join(f"{key} {row[key]}" for key in ("nonblank", "tests") if key in row)
            print(f"{row['case']}: {short or row['error']}", file=sys.stderr, flush=True)
    if given.against:
        print("\n".join(comparison(read(given.against), rows)))
    else:
        print("\n".join(tables([row for row in rows.values() if "error" not in row])))


if __name__ == "__main__":
    main()
