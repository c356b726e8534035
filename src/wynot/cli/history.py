"""wynot history: the steps and events of a journal."""

import os
import re
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar

from wynot.cli.exit_codes import DONE
from wynot.commands.table import HistoryOptions
from wynot.core.errors import (
    BrokenJournal,
    ForeignJournal,
    InvalidOption,
    NoSuchFile,
    WynotError,
    nearest,
)
from wynot.core.events import (
    Accepted,
    Doing,
    Event,
    GivenUp,
    Noticed,
    PassEnded,
    PassStarted,
    Ran,
    ReductionEnded,
    ReductionStarted,
    StandingRead,
)
from wynot.core.files import Files
from wynot.core.foreign_text import for_json, for_shell_line, for_terminal, read_json
from wynot.core.standing import Standing
from wynot.core.verdict import Verdict
from wynot.disk.chronicle import GIVEN_UP, PassSpan, RunSpan
from wynot.disk.journal import Journal
from wynot.disk.journal_follower import JournalNews
from wynot.disk.load import OURS, targets
from wynot.disk.output import Output, shown
from wynot.disk.rows import StepRow
from wynot.disk.salvage import salvage
from wynot.disk.write import called_after, make_folder, write, write_beneath
from wynot.document.text_width import cut
from wynot.inquiries.inputs.paths import patch_of
from wynot.report.reproduction import command_of
from wynot.reporters.outlet import Outlet
from wynot.reporters.reporter import ticking
from wynot.reporters.vigil import murmur

SQLITE = b"SQLite format 3\0"
"""How such a file begins."""
MAX_COMMAND_CHARS = 2_000
"""How much is shown of a command that is not run."""


def named_journal(named: str, private: Path, *, only_reads: bool = True) -> Journal:
    """Open a journal; of a damaged one what can be read of it, in a private folder."""
    path = journal_path(named)
    try:
        journal = Journal.open(path, only_reads=only_reads)
    except BrokenJournal as error:
        found = salvage(path, _versions(path, named))
        if found is None:
            raise
        first = str(error).partition("\n")[0]
        sys.stderr.write(
            f"wynot: {for_terminal(first)}; {found.words} could be read [damaged-journal]\n"
        )
        return found.journal(private / "salvaged.journal")
    if journal is None:
        raise NoSuchFile(
            f"there is no journal for {named!r}: {shown(path)!r} does not exist",
            path=named,
            hint="give the file that was reduced; after reduce -o OUT, give OUT",
        )
    return journal


def own_journal(named: str, private: Path) -> Journal:
    """Open a journal that says what to run or to copy; raise if this user has not begun it."""
    journal = named_journal(named, private, only_reads=False)
    if journal.is_own:
        return journal
    with closing(journal):
        options = read_json(journal.fact("options"))
    command = (
        for_shell_line(command_of(options)) if isinstance(options, dict) else "an unknown command"
    )
    raise ForeignJournal(
        f"the journal of {named!r} was not written by you on this machine; it asks for:\n"
        f"  {cut(for_terminal(command), MAX_COMMAND_CHARS)}",
        hint="look at that command first; if it is harmless, reduce the file with it yourself",
    )


def journal_path(named: str) -> Path:
    """Return where the journal is that is meant by a name: of a file, or its own."""
    path = Path(os.path.abspath(named))  # noqa: PTH100 - without following links
    beside = path.parent / OURS / f"{called_after(path.name)}.journal"
    is_own = path.suffix == ".journal" and not beside.exists() and _is_journal(path)
    return path if is_own else beside


def _versions(journal: Path, named: str) -> list[Files]:
    """Return what the files are that a journal is about, as they are now and as they are kept."""
    if journal == Path(os.path.abspath(named)):  # noqa: PTH100 - without following links
        # Of one that was put aside, X.1.journal, it is X as well.
        named = str(journal.parent.parent / re.sub(r"(\.\d+)?\.journal$", "", journal.name))
    try:
        return list(Output(targets([named]), None).versions())
    except WynotError:
        return []


def _is_journal(path: Path) -> bool:
    try:
        with path.open("rb") as stream:
            return stream.read(len(SQLITE)) == SQLITE
    except OSError:
        return False


BEGINNING = ReductionStarted((), 0, 1, "", 0.0, 0)
NO_END = ReductionEnded("", 0, 0, 0, 0, 0.0, (), "", "", "")
Told = TypeVar("Told", ReductionStarted, ReductionEnded)


class TimedEvent(NamedTuple):
    """An event, and how many seconds after the beginning of the run it took place."""

    seconds: float
    event: Event


class JournalClock:
    """The seconds of a run that is another process's, by the clock on the wall.

    Whoever tells of what is past turns it back, for its own thread only.
    """

    def __init__(self) -> None:
        self._began = time.time()
        self._now = 0.0
        self._is_going = False
        self._past = threading.local()

    def __call__(self) -> float:
        """Return how many seconds the run has taken."""
        past: float | None = getattr(self._past, "seconds", None)
        if past is not None:
            return past
        return max(self._now, time.time() - self._began) if self._is_going else self._now

    def turn(self, seconds: float | None) -> None:
        """Let it be so late for this thread; None: let it be what it is."""
        self._past.seconds = seconds

    def go(self, began: float) -> None:
        """Let the run have begun at a time, and go on."""
        self._began, self._is_going = began, True

    def stand(self, seconds: float) -> None:
        """Let the run be over after so many seconds."""
        self._now, self._is_going = seconds, False


class JournalEvents:
    """Turns what is new in a journal into events."""

    def __init__(self) -> None:
        self._pass: PassStarted | None = None
        self._noticed: set[Noticed] = set()

    def told(self, news: JournalNews) -> list[TimedEvent]:
        """Return the events, in the order of their times."""
        events = [
            *(TimedEvent(span.ended, _ran(span)) for span in news.tests),
            *(TimedEvent(step.seconds, _accepted(step)) for step in news.steps),
            *(each for span in news.passes for each in self._passed(span)),
        ]
        events.sort(key=lambda each: each.seconds)
        last = latest(news)
        return [*events, *(TimedEvent(last, each) for each in self._stands(news.standing))]

    def _passed(self, span: PassSpan) -> Iterator[TimedEvent]:
        if self._pass is None or (self._pass.name, self._pass.loop) != (span.name, span.loop):
            yield TimedEvent(span.began, PassStarted(span.name, 0, span.loop))
        self._pass = None
        ended = PassEnded(span.name, span.size, span.tests, minimal=False)
        yield TimedEvent(span.ended, ended)

    def _stands(self, standing: object) -> Iterator[Event]:
        now = Standing.pass_in(standing)
        if now is not None and now != self._pass:
            self._pass = now
            yield now
        if not isinstance(standing, Mapping):
            return
        yield StandingRead(standing)
        if isinstance(doing := standing.get("doing"), str):
            yield Doing(doing)
        noticed = standing.get("noticed")
        for row in noticed if isinstance(noticed, list) else []:
            match row:
                case [str(slug), str(message)] if Noticed(slug, message) not in self._noticed:
                    self._noticed.add(Noticed(slug, message))
                    yield Noticed(slug, message)


def _accepted(step: StepRow) -> Accepted:
    return Accepted(step.number, step.size, step.tests, step.pass_name, step.candidate)


def _ran(span: RunSpan) -> Event:
    if span.what == GIVEN_UP:
        return GivenUp(span.worker, span.seconds)
    known = [verdict for verdict in Verdict if verdict.value == span.what]
    return Ran(span.worker, known[0] if known else Verdict.UNRESOLVED, span.seconds, "")


def latest(news: JournalNews) -> float:
    """Return how many seconds the run had taken when it wrote last."""
    standing = news.standing if isinstance(news.standing, Mapping) else {}
    times = [standing.get("time"), news.ended.get("seconds")]
    times += [news.steps[-1].seconds] if news.steps else []
    times += [news.tests[-1].ended] if news.tests else []
    return max((float(each) for each in times if isinstance(each, int | float)), default=0.0)


def began_in(news: JournalNews, size: int, names: tuple[str, ...]) -> ReductionStarted:
    """Return how the run began; of a version that has not written that down, what is known."""
    return _like(BEGINNING._replace(size=size, names=names), news.began)


def ended_in(news: JournalNews) -> ReductionEnded | None:
    """Return how the run ended, in its own words; None if it has none."""
    return _like(NO_END, news.ended) if news.ended else None


def _like(model: Told, row: Mapping[str, object]) -> Told:
    """Return an event, with the values of a row where that has something of the same kind."""
    fields: dict[str, Any] = model._asdict()
    for name, usual in fields.items():
        value = row.get(name, usual)
        if isinstance(value, list):
            read = _pair if name == "refused" else _word
            value = tuple(each for each in map(read, value) if each is not None)
        if isinstance(usual, float) and type(value) is int:
            value = float(value)
        if type(value) is type(usual) or (usual is None and isinstance(value, tuple)):
            fields[name] = value
    return model._replace(**fields)


def _word(value: object) -> str | None:
    return value if isinstance(value, str) else None


def _pair(value: object) -> tuple[str, int] | None:
    match value:
        case [str(word), int(number)]:
            return word, number
    return None


STYLES = {"-": "red", "+": "green", "@": "bold", "diff": "bold", "---": "bold", "+++": "bold"}
"""How a line of a diff is shown, by how it begins; the longest beginning counts."""


def run(options: HistoryOptions) -> int:
    """Show the steps, or one of them, or the difference of two; or restore one."""
    options.validate()
    with TemporaryDirectory(prefix="wynot-") as private, ExitStack() as closed:
        with ticking(murmur()) as reporter:
            reporter.handle(Doing("reading the journal"))
            journal = closed.enter_context(closing(named_journal(options.file, Path(private))))
        if options.restore is not None:
            _restore(journal, options.restore, options.file, options.out)
        elif options.show is not None:
            _show(journal, options.show)
        elif options.diff is not None:
            _print_diff(*(_step(journal, number) for number in options.diff))
        else:
            _list(journal, as_json=options.json)
    return DONE


def _list(journal: Journal, *, as_json: bool) -> None:
    rows = journal.steps()
    if as_json:
        for row in rows:
            sys.stdout.write(for_json({**row._asdict(), "digest": row.digest.hex()}) + "\n")
        return
    sys.stdout.write(f"{'step':>5} {'tests':>7} {'seconds':>9} {'bytes':>12}  pass\n")
    size = journal.original().size
    sys.stdout.write(f"{0:>5} {0:>7} {0.0:>9.1f} {size:>12,}  (the original)\n")
    for row in rows:
        line = f"{row.number:>5} {row.tests:>7,} {row.seconds:>9.1f} {row.size:>12,}"
        sys.stdout.write(f"{line}  {for_terminal(row.pass_name)} {for_terminal(row.candidate)}\n")


def _step(journal: Journal, number: int) -> Files:
    """Return the case as it was after a step; raise if there is no such step."""
    numbers = {0, *(row.number for row in journal.steps())}
    if number not in numbers:
        raise InvalidOption(f"there is no step {number}", hint=f"the steps are 0 to {max(numbers)}")
    return journal.restore(number)


def _show(journal: Journal, asked: str) -> None:
    """Print a file as it was; of several files their names and sizes, unless one is named."""
    number, _, path = asked.partition(":")
    if not re.fullmatch(r"-?\d{1,9}", number, re.ASCII):
        raise InvalidOption(
            f"--show is {asked!r}", hint="it is the number of a step, or STEP:PATH in a folder"
        )
    files = _step(journal, int(number))
    if path:
        print_content(_found(files, path, number))
    elif len(files.contents) == 1 and "/" not in next(iter(files.contents)):
        print_content(*files.contents.values())
    else:
        for name, content in files.contents.items():
            sys.stdout.write(f"{len(content):>12,}  {for_terminal(_inner(name, files))}\n")


def _found(files: Files, path: str, number: str) -> bytes:
    """Return the content of the file that is meant by a path, as it is listed or in full."""
    by_name = {_inner(name, files): content for name, content in files.contents.items()}
    content = {**by_name, **files.contents}.get(path)
    if content is None:
        hint = nearest(path, sorted(by_name)) if by_name else "it has no files any more"
        raise InvalidOption(f"there is no file {path!r} in step {number}", hint=hint)
    return content


def _inner(name: str, files: Files) -> str:
    """Return a path as seen from the folder that was reduced, if it was one folder."""
    tops = {each.partition("/")[0] for each in files.contents}
    return name.partition("/")[2] if len(tops) == 1 and "/" in name else name


def print_content(content: bytes) -> None:
    """Print a content to the byte; on a terminal, what would move its cursor is escaped."""
    if not Outlet(sys.stdout).isatty():
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
        return
    for line in content.decode("utf-8", "surrogateescape").removesuffix("\n").split("\n"):
        sys.stdout.write(_harmless(line) + "\n")


def _print_diff(before: Files, after: Files) -> None:
    """Print a patch, in colours on a terminal."""
    patch = patch_of(before, after)
    outlet = Outlet(sys.stdout)
    if not outlet.isatty():
        print_content(patch)
        return
    for line in patch.decode("utf-8", "surrogateescape").split("\n")[:-1]:
        begins = max((start for start in STYLES if line.startswith(start)), key=len, default="")
        text = _harmless(line)
        sys.stdout.write((outlet.paint(STYLES[begins], text) if begins else text) + "\n")


def _harmless(line: str) -> str:
    return "\t".join(map(for_terminal, line.split("\t")))


def _restore(journal: Journal, step: int, named: str, out: str | None) -> None:
    files = _step(journal, step)
    target = Path(out or f"{named.removesuffix('.journal')}.{step}")
    if target.exists():
        raise InvalidOption(f"{str(target)!r} is there already", hint="give another name with -o")
    _write(files, target)
    sys.stdout.write(f"step {step}, {files.size:,} bytes, is in {for_terminal(str(target))}\n")


def _write(files: Files, target: Path) -> None:
    """Write a file to the target itself, a folder's files into it, several ones too."""
    [*names] = files.contents
    if len(names) == 1 and "/" not in names[0]:
        write(target, files.contents[names[0]])
        return
    tops = {name.split("/")[0] for name in names}
    strips = len(tops) == 1
    make_folder(target)
    for name, content in files.contents.items():
        path = name.partition("/")[2] if strips else name
        write_beneath(target, path, content, files.modes.get(name))
