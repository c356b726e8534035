# Reads nothing: builds a week of build records, groups and checks them, and prints a text report.
# Run with: jq -n -r -f report.jq

def seconds: . as $s | ($s / 3600 | floor) as $h | (($s % 3600) / 60 | floor) as $m | "\($h)h\($m)m\($s % 60)s";

def pad($n): tostring | . + (" " * ($n - length) // "");

def lpad($n): tostring | (" " * ($n - length) // "") + .;

def mean: if length == 0 then null else add / length end;

def median:
  sort as $s
  | ($s | length) as $n
  | if $n == 0 then null
    elif $n % 2 == 1 then $s[($n - 1) / 2]
    else ($s[$n / 2 - 1] + $s[$n / 2]) / 2
    end;

def stddev: . as $xs | mean as $m | if length < 2 then 0 else (map((. - $m) * (. - $m)) | add / (length - 1) | sqrt) end;

def round_to($d): . * pow(10; $d) | round | . / pow(10; $d);

def top($n; f): sort_by(f) | reverse | .[:$n];

def histogram($width):
  (max // 1) as $top
  | map((. * $width / $top) | floor | if . > 0 then "#" * . else "" end);

def letters: explode | map(select(. >= 97 and . <= 122)) | implode;

def rot($k):
  explode
  | map(if . >= 97 and . <= 122 then ((. - 97 + $k) % 26) + 97
        elif . >= 65 and . <= 90 then ((. - 65 + $k) % 26) + 65
        else . end)
  | implode;

def checksum: explode | reduce .[] as $c (7; (. * 31 + $c) % 1000003);

# a short code for a host, from the first letters of its parts
def host_code: split("-") | map(.[:1]) | implode;

def slug: ascii_downcase | gsub("[^a-z0-9]+"; "-") | ltrimstr("-") | rtrimstr("-");

def records:
  [
    {"id": 101, "project": "Parser", "branch": "main", "host": "north-linux-a", "start": 1700000000, "took": 312, "status": "ok", "tests": {"run": 4120, "failed": 0, "skipped": 12}, "tags": ["nightly", "full"]},
    {"id": 102, "project": "Parser", "branch": "fix/lexer", "host": "north-linux-b", "start": 1700003600, "took": 298, "status": "ok", "tests": {"run": 4119, "failed": 0, "skipped": 13}, "tags": ["pr"]},
    {"id": 103, "project": "Web UI", "branch": "main", "host": "south-mac-a", "start": 1700007200, "took": 845, "status": "failed", "tests": {"run": 911, "failed": 3, "skipped": 40}, "tags": ["nightly", "browser"]},
    {"id": 104, "project": "Web UI", "branch": "main", "host": "south-mac-a", "start": 1700010800, "took": 830, "status": "ok", "tests": {"run": 911, "failed": 0, "skipped": 40}, "tags": ["retry", "browser"]},
    {"id": 105, "project": "Store", "branch": "release/2.1", "host": "east-linux-c", "start": 1700086400, "took": 1520, "status": "ok", "tests": {"run": 20311, "failed": 0, "skipped": 201}, "tags": ["nightly", "full", "slow"]},
    {"id": 106, "project": "Store", "branch": "main", "host": "east-linux-c", "start": 1700090000, "took": 1611, "status": "timeout", "tests": {"run": 18002, "failed": 0, "skipped": 190}, "tags": ["pr", "slow"]},
    {"id": 107, "project": "Parser", "branch": "main", "host": "north-linux-a", "start": 1700172800, "took": 305, "status": "ok", "tests": {"run": 4133, "failed": 0, "skipped": 12}, "tags": ["nightly", "full"]},
    {"id": 108, "project": "Docs", "branch": "main", "host": "north-linux-b", "start": 1700176400, "took": 61, "status": "ok", "tests": null, "tags": []},
    {"id": 109, "project": "Docs", "branch": "typos", "host": "north-linux-b", "start": 1700180000, "took": 59, "status": "ok", "tests": null, "tags": ["pr"]},
    {"id": 110, "project": "Web UI", "branch": "dark-mode", "host": "south-mac-b", "start": 1700259200, "took": 902, "status": "failed", "tests": {"run": 930, "failed": 11, "skipped": 44}, "tags": ["pr", "browser"]}
  ];

def by_project:
  group_by(.project)
  | map({
      project: .[0].project,
      builds: length,
      ok: map(select(.status == "ok")) | length,
      took: {mean: (map(.took) | mean | round_to(1)), median: (map(.took) | median), dev: (map(.took) | stddev | round_to(2))},
      tests: (map(.tests // empty | .run) | if length > 0 then max else 0 end),
      failed: (map(.tests.failed // 0) | add),
      hosts: (map(.host) | unique)
    });

def by_day:
  group_by(.start / 86400 | floor)
  | map({day: (.[0].start | strftime("%Y-%m-%d")), builds: length, seconds: (map(.took) | add)});

def flaky:
  [group_by([.project, .branch])[]
   | select((map(.status) | unique | length) > 1)
   | {project: .[0].project, branch: .[0].branch, states: map(.status)}];

def tag_counts: map(.tags[]) | group_by(.) | map({key: .[0], value: length}) | from_entries;

def validate:
  map(
    . as $r
    | [ (if ($r.id | type) != "number" then "id is not a number" else empty end),
        (if ($r.took | . < 0) then "negative time" else empty end),
        (if ($r.status | IN("ok", "failed", "timeout") | not) then "unknown status \($r.status)" else empty end),
        (if $r.tests != null and $r.tests.failed > $r.tests.run then "more failures than tests" else empty end) ]
    | select(length > 0)
    | {id: $r.id, problems: .});

def table($rows; $cols):
  ($cols | map(pad(12)) | join(" ")),
  ($cols | map("-" * 12) | join(" ")),
  ($rows[] | . as $row | $cols | map($row[.] | pad(12)) | join(" "));

def bars:
  by_day as $days
  | ($days | map(.seconds) | histogram(30)) as $h
  | range($days | length)
  | "\($days[.].day) \($days[.].seconds | seconds | lpad(8)) \($h[.])";

def hosts: map({key: .host, value: (.host | host_code)}) | unique | from_entries;

def main:
  records as $all
  | ($all | validate) as $bad
  | if ($bad | length) > 0 then error("bad records: \($bad)")
    else
      "builds: \($all | length)",
      table($all | by_project | map(. + {mean: .took.mean, name: (.project | slug)}); ["name", "builds", "ok", "mean", "tests", "failed"]),
      "",
      ($all | bars),
      "",
      "slowest:",
      ($all | top(3; .took)[] | "  \(.id) \(.project) on \(.host): \(.took | seconds)"),
      "flaky: \($all | flaky | map("\(.project)/\(.branch)") | join(", "))",
      "tags: \($all | tag_counts | to_entries | map("\(.key)=\(.value)") | join(" "))",
      "sum: \($all | map(.project | letters | rot(13)) | join("") | checksum)",
      "hosts: \($all | hosts | to_entries | map("\(.value) \(.key)") | join(", "))"
    end;

main
