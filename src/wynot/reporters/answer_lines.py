"""How the answer to a question is written: a sentence, what it names, and what is proved of it."""

from wynot.core.events import Answered
from wynot.reporters.outlet import Outlet
from wynot.reporters.sidebyside import side_by_side
from wynot.reporters.words import clean, singular, wrap

PROOF = {
    "cause": "No single {one} of this can be left out: each was tried",
    "cure": "No single {one} of this can be spared: each was tried",
    "difference": "No single {one} of this can change sides: each was tried",
}


def answer(answered: Answered, outlet: Outlet) -> list[str]:
    """Return the lines of an answer, in the styles that the outlet takes."""
    paint = outlet.paint
    lines = [paint("bold", line) for line in wrap(clean(answered.title), width=outlet.width)]
    for text, style in answered.lines:
        line = f"  {clean(text)}" if text else ""
        lines.append(paint(style, line) if style else line)
    for name, passing, failing in answered.pairs:
        lines += [
            "".join(paint(style, text) if style else text for style, text in spans)
            for spans in side_by_side(
                passing, failing, name, outlet.width, coloured=outlet.coloured
            )
        ]
    if answered.minimal:
        proof = PROOF[answered.question].format(one=singular(answered.minimal))
        lines += wrap(f"{proof} (1-minimal).", width=outlet.width)
    return lines
