"""What reduce and every inquiry have in common: a test that is tried, and then relied on."""
