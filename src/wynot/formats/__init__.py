"""Where a text can be cut: formats turn content into parts, and know nothing of tests."""
