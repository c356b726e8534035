"""Programs and folders of one machine: start, label, watch, confine and end; make, lock, remove.

An agent's process uses all of it. Wynot's own uses what starts agents, and what makes, sweeps and
removes folders. It knows nothing of candidates, and imports `core` and `wire` only.
"""
