"""What else than the input can make a program fail: changes, options, packages, earlier tests."""
