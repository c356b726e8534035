"""Why a case fails: what of it may be anything, what it needs, and what happens without that."""
