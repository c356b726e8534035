"""Numbers in a case that tell something of the rest of it: counts, lengths, checksums."""
