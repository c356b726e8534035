"""Tables as Markdown, so that they can be put into a document as they are."""


def print_row(*cells: object) -> None:
    """Print a row of a table."""
    print(f"| {' | '.join(map(str, cells))} |", flush=True)


def print_head(*cells: object) -> None:
    """Print the first lines of a table."""
    print()
    print_row(*cells)
    print_row(*("---" for _ in cells))
