"""WebAssembly modules as texts: a member for each function, as it is written in WebAssembly's text.

A module is opened only if it is written again as it is: so with numbers in as few bytes as can be,
and no types that nobody needs. Any other is made such a one first, which is a test.
"""

from wynot.formats.containers.container import Container
from wynot.formats.containers.modules.module_reading import fits_module, read_module
from wynot.formats.containers.modules.module_writing import write_module

WASM_TEXT = Container("WebAssembly", fits_module, read_module, write_module, exact=True)
