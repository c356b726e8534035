"""``wynot batch``: a whole folder of failing inputs, in groups, each group reduced."""
