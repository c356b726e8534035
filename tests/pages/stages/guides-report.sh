printf 'a = 1\nb = 2\nprint(a + b)\n' > report.py
wynot reduce --quiet -c 'grep -q b report.py' report.py
