"""A reduction as one page: what went, when, and what is left; made from its journal alone."""
