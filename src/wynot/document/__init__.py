"""What people read, as values: blocks, and their renderings for a terminal, a page and Markdown.

Whoever has something to report makes a list of blocks (`blocks`), in which nothing is escaped. The
renderings (`terminal`, `html`, `markdown`) make foreign text harmless and fit it to the reader.
`sentences` has what several readers are told in the same words. It runs on the thread that reports,
and imports nothing but `core`.
"""
