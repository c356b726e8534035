"""What the text forms of binary files have in common: lists in parentheses, strings, numbers."""
