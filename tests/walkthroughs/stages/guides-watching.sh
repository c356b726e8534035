# A run that has ended: who watches it is told so.
seq 100 > sums.txt
wynot reduce --quiet -c 'grep -q 44 sums.txt' sums.txt
