#!/bin/bash
# Install the reducers that wynot is put beside, into ${WYNOT_BENCH_HOME:-~/.cache/wynot-bench}/peers:
# Shrink Ray from PyPI (Python 3.12 or newer: PY=…), C-Vise from Debian (root).
# Shrink Ray fetches its grammars when it runs; here they come from wheels, so that it has all its
# passes without a network. It gets no language model.
set -eu
H=${WYNOT_BENCH_HOME:-$HOME/.cache/wynot-bench}/peers
if ! [ -x "$H/peers/bin/shrinkray" ]; then
  mkdir -p "$H"
  "${PY:-python3}" -m venv "$H/peers"
  pip() { "$H/peers/bin/pip" install -q --disable-pip-version-check "$@"; }
  pip --no-deps shrinkray==26.9.13.0
  pip 'click>=8.2.1' chardet trio 'textual>=8' textual-plotext humanize 'libcst>=1.8.4' exceptiongroup \
    binaryornot black 'tree-sitter>=0.26' 'tree-sitter-language-pack>=1.12.2' 'huggingface-hub>=1.22'
  pip tree-sitter-{c,cpp,python,javascript,typescript,rust,html,css,json,sql}
  cat "$(dirname "$0")/shrinkray_grammars.txt" >> \
    "$("$H/peers/bin/python" -c 'import tree_sitter_language_pack; print(tree_sitter_language_pack.__file__)')"
fi
command -v cvise > /dev/null || {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends cvise
}
