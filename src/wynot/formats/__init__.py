"""What a text is made of: languages as tables, parsers, lines and tokens; containers of files.

Pure, on the thread that calls ``run()``; it knows no test.
"""
