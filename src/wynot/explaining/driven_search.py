"""Runs a search of deltas by questions about variants: what it takes is counted with them."""

from typing import TypeVar

from wynot.core.rendered import RenderedCase
from wynot.core.round import Answer, Pick, Search
from wynot.explaining.variant_questions import VariantQuestions
from wynot.explaining.variants import Variant

Found = TypeVar("Found")


def driven(
    questions: VariantQuestions, case: RenderedCase, search: Search[Found], name: str
) -> Search[Found]:
    """Run a search to its end; it asks rounds of the first kind only."""
    answer: Answer = None
    asked = 0
    while True:
        try:
            now = search.send(answer)
        except StopIteration as end:
            found: Found = end.value
            return found
        answer = None
        for position, candidate in enumerate(now.candidates):
            files = case.render(candidate)
            verdict = yield from questions.verdict(f"{name} {asked}", Variant(()), of=files)
            asked += 1
            if verdict in now.wanted:
                answer = Pick(position, verdict, candidate)
                break
