"""How the answer to a question is written: a sentence, what it names, and what is proved of it."""

from wynot.core.events import Answered
from wynot.core.foreign_text import for_terminal
from wynot.core.phrases import proof
from wynot.reporters.outlet import Outlet
from wynot.reporters.sidebyside import side_by_side
from wynot.reporters.words import wrap


def answer(answered: Answered, outlet: Outlet) -> list[str]:
    """Return the lines of an answer, in the styles that the outlet takes."""
    paint = outlet.paint
    lines = [paint("bold", line) for line in wrap(for_terminal(answered.title), width=outlet.width)]
    for text, style in answered.lines:
        line = f"  {for_terminal(text)}" if text else ""
        lines.append(paint(style, line) if style else line)
    for name, passing, failing in answered.pairs:
        lines += [
            "".join(paint(style, text) if style else text for style, text in spans)
            for spans in side_by_side(
                passing, failing, name, outlet.width, coloured=outlet.coloured
            )
        ]
    if answered.minimal:
        lines += wrap(proof([answered.minimal], question=answered.question), width=outlet.width)
    return lines
