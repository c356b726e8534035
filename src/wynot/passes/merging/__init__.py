"""One file out of several: what a statement brings in is put in its place, and the file goes."""
