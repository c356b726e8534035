"""Which upgrade broke it: lock files as deltas, private environments as candidates."""
