"""auto: which search suits a configuration of this size."""

from wynot.core.deltas import Deltas
from wynot.core.round import Search
from wynot.search.ddmin import ddmin
from wynot.search.rules import Rules
from wynot.search.zigzag import zigzag

SMALL_CASE = 100
"""Up to here ddmin's revisits cost little; above, zigzag needs fewer tests."""


def auto(kept: Deltas, rules: Rules) -> Search[Deltas]:
    """Minimize with ddmin while it is cheap, else with zigzag; both end 1-minimal."""
    return ddmin(kept, rules) if len(kept) <= SMALL_CASE or rules.subsets else zigzag(kept, rules)
