"""Records with a length before them."""

from wynot.relations.sized_records import TAGGED_RECORDS, RecordFormat, SizedRecord, records


def test_short_lengths_in_a_large_content_are_not_read() -> None:
    widths: list[int] = []

    def counting(form: RecordFormat) -> RecordFormat:
        def read(content: bytes, at: int, stop: int) -> SizedRecord | None:
            widths.append(form.width)
            return form.read(content, at, stop)

        return form._replace(read=read)

    records(b"\x01\x02\x03\x04" * (64 << 10), map(counting, TAGGED_RECORDS))
    # A length of one or two bytes fits wherever it is, so it is no evidence.
    assert {*widths} == {4, 8}
