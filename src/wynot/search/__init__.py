"""Which candidates, in what order: pure generators of rounds. Imports only ``core``."""
