mkdir tests
cat > tests/test_basket.py <<'END'
import os
def test_dollars(): os.environ["CURRENCY"] = "$"
import pytest
@pytest.mark.parametrize("n", range(80))
def test_many(n): pass
END
cat > tests/test_price.py <<'END'
import os
def test_price(): assert os.environ.get("CURRENCY") is None
END
printf 'test_many\ntest_dollars\ntest_price\n' > all.txt
cat > run-tests <<'END'
#!/bin/sh
seen=
for test; do
  [ "$test" = test_dollars ] && seen=1
  if [ "$test" = test_price ] && [ -n "$seen" ]; then echo "FAIL test_price"; exit 1; fi
done
exit 0
END
chmod +x run-tests
