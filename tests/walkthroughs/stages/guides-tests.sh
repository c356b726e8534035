printf 'def f(n):\n    return f(n + 1)\n\n\nx = 1\nf(x)\n' > prog.py
