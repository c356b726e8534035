"""Python programs that begin with their modules loaded: forked from a process that has them."""
