# A file that refers to itself, and two projects.
cat > to_json.py <<'END'
import re, sys
text = open(sys.argv[1]).read()
for name in re.findall(r"&(\w+)", text):
    assert not re.search(rf"\*{name}\b", text.partition("&" + name)[2]), "Circular reference detected"
assert "services" in text or not text.strip(), "no services"
END
{ echo 'services:'
  for n in 1 2 3; do printf '  one-%s:\n    image: x\n' "$n"; done
  printf '  two:\n    depends: &after\n      - service-1\n      - needs: *after\n'; } > compose.yaml
mkdir good-project bad-project
printf 'all:\n\t@! grep -q boom a.txt\n' | tee good-project/Makefile > bad-project/Makefile
printf 'a\nb\n' > good-project/a.txt
printf 'a\nboom\nb\n' > bad-project/a.txt
