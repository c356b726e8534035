"""ProbDD, probabilistic delta debugging: learn which deltas are likely to be needed.

Wang et al. 2021. Every delta has a chance of being needed, at first the same for all. Each time
those least likely to be needed are tried together, as many as promise the largest expected gain;
if the rest no longer fails, one of them is needed, and Bayes' rule raises the chances of all.

With weights the gain is what the deltas weigh, not how many they are (Zhou et al. 2025, WDD). The
choice is by chance and then by place, where the paper shuffles: so a run can be repeated, and
Zhang et al. 2024 found that randomness gains nothing.

Cost: O(n) tests in practice. Result: fails, need not be 1-minimal; ``star`` makes it so.
"""

from collections.abc import Sequence
from functools import partial
from math import e
from typing import TypeAlias

from wynot.core.candidate import Candidate
from wynot.core.deltas import Deltas
from wynot.core.edit import Edit
from wynot.core.round import FirstRound, Pick, Search
from wynot.search.lists.cdd import LIKELY_NEEDED

Chances: TypeAlias = tuple[tuple[float, int], ...]
"""(chance of being needed, delta), least likely first."""

CERTAIN_CHANCE = 1 - 1e-9
"""A chance above this is 1; the rest is rounding."""


def probdd(
    kept: Deltas,
    weights: Sequence[float] | None = None,
    chances: Chances = (),
    iteration: int = 1,
) -> Search[Deltas]:
    """Try the most promising deltas together; learn from the answer; until all are certain."""
    chances = chances or tuple((LIKELY_NEEDED, delta) for delta in kept)
    while len(kept) > 1 and chances[0][0] < CERTAIN_CHANCE:
        tried = _most_promising(chances, weights, most=len(kept) - 1)
        candidate = Candidate(
            kept, Edit.drop(Deltas.of(delta for _, delta in tried)), f"r{iteration}/p{len(tried)}"
        )
        again = partial(probdd, kept, weights, chances, iteration)
        pick = yield FirstRound((candidate,), iteration=iteration, again=again)
        chances, iteration = chances[len(tried) :], iteration + 1
        if isinstance(pick, Pick):
            kept = candidate.kept
        else:
            chances = tuple(sorted(chances + _likelier(tried)))
    return kept


def _most_promising(chances: Chances, weights: Sequence[float] | None, *, most: int) -> Chances:
    """Return the first deltas, as many as gain most: weight times chance that none is needed."""
    best, best_gain, gain, none_needed = 1, -1.0, 0.0, 1.0
    for count, (chance, delta) in enumerate(chances[:most], start=1):
        gain += weights[delta] if weights else 1
        none_needed *= 1 - chance
        if weights and count > 1 and none_needed < 1 / e:
            break  # a heavy delta is no reason to bet against the odds, time and again
        if gain * none_needed > best_gain:
            best, best_gain = count, gain * none_needed
        elif not weights:
            break  # from here on it only falls
    return chances[:best]


def _likelier(tried: Chances) -> Chances:
    """Return the chances after learning that not all of these can go: Bayes' rule."""
    none_needed = 1.0
    for chance, _ in tried:
        none_needed *= 1 - chance
    return tuple((min(1.0, chance / (1 - none_needed)), delta) for chance, delta in tried)
