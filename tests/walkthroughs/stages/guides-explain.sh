# A program that cannot have two peers with the same id.
cat > serve.py <<'END'
import json, sys

config = json.load(open(sys.argv[1]))
ids = [peer["id"] for peer in config.get("peers", [])]
assert len(ids) == len(set(ids)), "two peers are one"
END
printf '{"name": "a", "peers": [{"id": 3, "host": "b"}, {"id": 4}, {"id": 3}], "log": true}\n' > config.json
