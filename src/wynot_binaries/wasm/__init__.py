"""WebAssembly modules as texts: a function each, of which anything can be left out."""
