#!/bin/bash
# Install the failing programs of the cases beside this file, into ${WYNOT_BENCH_HOME:-~/.cache/wynot-bench}.
# Debian 12, root (for apt-get), node and npm, Python 3.11. Running it again installs only what is missing.
set -eu
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}
mkdir -p "$H/js"

npmdir() { # npmdir FOLDER PACKAGE@VERSION...: one node_modules per case
  local d=$H/js/$1; shift
  [ -e "$d/.done-$(echo "$*" | tr ' /' '__')" ] && return
  rm -rf "$d"; mkdir -p "$d"; echo '{}' > "$d/package.json"
  npm install --prefix "$d" --no-audit --no-fund --silent "$@"
  touch "$d/.done-$(echo "$*" | tr ' /' '__')"
}
venv() { # venv FOLDER PACKAGE==VERSION...: one environment per case
  local d=$H/$1; shift
  [ -e "$d/.done-$(echo "$*" | tr ' /' '__')" ] && return
  rm -rf "$d"; python3 -m venv "$d"
  "$d/bin/pip" install -q --disable-pip-version-check "$@"
  touch "$d/.done-$(echo "$*" | tr ' /' '__')"
}

debs="binaryen clang-14 clang-16 g++-11 g++-12 gfortran-12 ghdl golang-1.19-go iverilog jq luajit php-cli verilator wabt"
missing=
for p in $debs; do
  dpkg-query -W -f '${Status}\n' "$p" 2> /dev/null | grep -q 'ok installed' || missing="$missing $p"
done
if [ -n "$missing" ]; then
  apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing
fi

npmdir clean-css clean-css@4.1.0 csso@4.2.0
venv py-ruamel ruamel.yaml==0.17.21 pyyaml==6.0.1
venv py-tomlkit tomlkit==0.5.8
npmdir rome rome@12.0.0
venv py-z3-487 z3-solver==4.8.7.0
venv py-z3-413 z3-solver==4.13.0.0
npmdir less35 less@3.5.0
npmdir less42 less@4.2.0
venv py-sqlglot sqlglot==6.0.0
npmdir html-minifier html-minifier@3.5.0 parse5@6.0.1
npmdir butternut butternut@0.4.6 acorn@8.11.3
venv py-libcst libcst==0.4.9
npmdir prettier-php prettier@2.2.1 @prettier/plugin-php@0.16.1
npmdir luamin luamin@1.0.4
npmdir wasm source-map@0.7.4 lz4-wasm@0.9.2 argon2-browser@1.18.0  # modules for benchmarks/probes/wasm.py
