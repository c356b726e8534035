seq 3000 > t.txt
wynot reduce --quiet -c 'grep -q 44 t.txt && grep -q 17 t.txt && grep -q 2900 t.txt' t.txt
