"""Finding blocks that a header before them counts: ``n m``, then n lines or a line of m words.

Such a text is one record or several in a row, possibly after the number of records. The blocks of
the first record are guessed: each is counted by one of the header's numbers. A guess counts if the
same blocks, record after record, lead to the end of the text.
"""

from collections.abc import Iterator, Sequence
from math import log2

from wynot.relations.counted_text import (
    Counted,
    CountedBlock,
    CountedRecord,
    CountedText,
    Section,
    column_measure,
    places,
)
from wynot.relations.relation import Columns, Lines, Words

MOST_STARTS = 12
"""How many lines with numbers are tried as the first header."""
MOST_NUMBERS = 4
"""How many numbers of a header may count something."""
MOST_BLOCKS = 3
"""How many blocks may follow a header."""
LEAST_EVIDENCE = 2.0
"""In bits: less may well be chance."""
MOST_COUNTED_RECORDS = 4096
LEAST_TRIES = 24
"""How many guesses are tried in any text."""
MOST_LINES_READ = 1 << 19
"""How many lines are read for more of them."""


def counted_blocks(text: CountedText) -> Counted | None:
    """Return the records of a text, if it looks as if it had any."""
    starts = [line for line in range(min(len(text), 4 * MOST_STARTS)) if text.numbers(line)]
    best: Counted | None = None
    tries = iter(range(LEAST_TRIES + MOST_LINES_READ // (len(text) + 1)))
    for place, start in enumerate(starts[:MOST_STARTS]):
        for guess in _guesses(text, start, tries):
            found = guess._replace(evidence=guess.evidence - place)
            if best is None or _order(found) > _order(best):
                best = found
    return best if best and best.evidence >= LEAST_EVIDENCE else None


def _order(found: Counted) -> tuple[float, int]:
    """Return what is compared: with equal evidence, the last number of a header counts."""
    return found.evidence, found.records[0].sections[-1].block.number


def _guesses(text: CountedText, start: int, tries: Iterator[int]) -> Iterator[Counted]:
    """Return what a text may be if the first header is a certain line, or the next."""
    for layout, _ in zip(_layouts(text, start, start + 1, ()), tries, strict=False):
        if records := _records(text, start, layout):
            yield Counted(records, None, _evidence(text, records))
    numbers = text.numbers(start)
    if len(numbers) != 1 or start + 1 >= len(text) or not numbers[0].value:
        return
    for layout, _ in zip(_layouts(text, start + 1, start + 2, ()), tries, strict=False):
        records = _records(text, start + 1, layout)
        if records and len(records) == numbers[0].value:
            yield Counted(records, numbers[0], _evidence(text, records) + log2(len(records) + 1))


def _layouts(
    text: CountedText, header: int, line: int, before: tuple[CountedBlock, ...]
) -> Iterator[tuple[CountedBlock, ...]]:
    """Return the blocks that may follow a header, as far as the first record tells."""
    if any(block.measure for block in before):
        yield before
    if len(before) == MOST_BLOCKS or line >= len(text):
        return
    measures: list[Words | Lines | Columns] = [Words(), Lines()]
    if len(text.numbers(header)) == text.words[header]:
        measures.append(Columns(b""))  # behind other words, a number of bytes is a size
    for number, (_, value) in enumerate(text.numbers(header)[:MOST_NUMBERS]):
        for measure in measures if value else ():
            block = CountedBlock(measure, number)
            after = _after(text, line, block, value)
            # A number of lines counts nothing else, nor twice; words may be counted twice.
            others = [each.measure for each in before if each.number == number]
            if after is not None and not (others and {measure, *others} != {Words()}):
                yield from _layouts(text, header, after, (*before, block))
    if CountedBlock(None) not in before:
        yield from _layouts(text, header, line + 1, (*before, CountedBlock(None)))


def _after(text: CountedText, line: int, block: CountedBlock, value: int) -> int | None:
    """Return the line after a block that begins in a line; None: it cannot be there."""
    if block.measure == Lines():
        return line + value if line + value <= len(text) else None
    if line >= len(text):
        return None
    if block.measure == Words() and text.words[line] != value:
        return None
    start, stop = text.lines[line]
    if block.measure == Columns(b"") and (stop - start != value or value == 1):
        return None
    return line + 1


def _records(text: CountedText, line: int, layout: tuple[CountedBlock, ...]) -> list[CountedRecord]:
    """Return the records from a line to the end of the text; none if they do not lead there."""
    found: list[CountedRecord] = []
    count = len(text.numbers(line))
    while line < len(text):
        numbers, sections, at = text.numbers(line), [], line + 1
        if found and not any(number.value for number in numbers) and at == len(text):
            return found if numbers else []  # zeros may end it
        if len(numbers) != count or len(found) == MOST_COUNTED_RECORDS:
            return []
        for block in layout:
            after = _after(text, at, block, numbers[block.number].value if block.number >= 0 else 1)
            if after is None:
                return []
            sections.append(Section(block, at, after))
            at = after
        found.append(CountedRecord(line, at, numbers, tuple(sections)))
        line = at
    return found


def _evidence(text: CountedText, records: Sequence[CountedRecord]) -> float:
    """Return how unlikely it is that this fits by chance, in bits."""
    bits, lines, is_alike = 0.0, 0, False
    for record in records:
        for block, first, stop in record.sections:
            if block.measure == Lines():
                lines += stop - first
                is_alike = is_alike or text.words[record.first] in text.words[first:stop]
            elif block.measure and text.words[first - 1] != text.words[first]:
                bits += log2(record.numbers[block.number].value + 1)
    # Steps by meaningless numbers come to the end by chance once in the size of a step; and to a
    # line that looks like a header if the lines between headers do.
    landing = log2(lines / len(records) + 1)
    headers = 0 if is_alike else len(records) - 1
    return bits + landing + headers + _column_bits(text, records) - len(records[0].sections)


def _column_bits(text: CountedText, records: Sequence[CountedRecord]) -> float:
    """Return the evidence of numbers that count no block, but the columns of one."""
    used = {section.block.number for section in records[0].sections}
    bits = 0.0
    for place in places(text, records):
        if place.sections[0].block.measure == Lines():
            for number in {*range(len(records[0].numbers))} - used:
                if column_measure(place, number):
                    # Rows come before columns, if nothing else tells them apart.
                    bits += sum(log2(each.numbers[number].value + 1) for each in records)
                    bits += number / 100
    return bits
