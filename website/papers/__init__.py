"""The figures and tables of the papers, drawn again from runs of wynot: ``make papers``."""
