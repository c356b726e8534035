"""Python's pickles as texts: values inside of each other, of which anything can be left out."""
