# Every target makes what it needs: on a fresh machine `make demo` and `make test` are enough.
PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
# Two test processes a core: most tests wait for the programs that they run.
WORKERS := $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal
BENCH  := .bench
TOOLS  := wynot
RESULTS := $(BENCH)/results.jsonl
# More real failures, of the same shape as benchmarks/cases, if they are beside this folder.
BENCH_CASES ?= $(wildcard ../shared/bench)

# Compiled modules are kept: hundreds of tests start the command.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help demo check test test-slow test-clones test-all lint types format docs site papers gallery bench bench-scale bench-width bench-throughput bench-own bench-long-lines bench-warm bench-cases bench-large bench-growth bench-isolation bench-packages bench-order bench-changes bench-rates bench-isolate bench-batch bench-cluster bench-cluster-cases bench-probes account bench-view bench-explain bench-page fuzz axe pictures clean

help:  ## what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(MAKEFILE_LIST) | expand -t 26

define install
@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "wynot needs Python 3.11 or newer; try: make PYTHON=python3.12 ...")'
@echo "making an environment in $(VENV) ..."
@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '$(1)'
@touch $@
endef

$(VENV)/demo: pyproject.toml
	$(call install,.)

$(VENV)/dev: pyproject.toml
	$(call install,.[dev])
	@touch $(VENV)/demo

demo: $(VENV)/demo  ## the main job on a bundled failing example
	@examples/demo "$$PWD/$(BIN)/wynot" "$$PWD/$(BIN)/python"

check: lint types  ## while you work: lint, types, and the tests of single parts
	$(PYTEST) -m 'not slow' tests/unit tests/structure

# mypy runs beside the tests; what it says comes after them.
test: lint  ## before you commit: lint, types, and all tests but the long ones
	@echo "$(PYTEST) -m 'not slow'; $(BIN)/mypy"
	@$(BIN)/mypy >$(VENV)/types 2>&1 & types=$$!; trap 'kill $$types' INT TERM; \
	$(PYTEST) -m 'not slow'; tests=$$?; \
	wait $$types; types=$$?; cat $(VENV)/types; exit $$((tests | types))

test-slow: $(VENV)/dev  ## the long tests that make test leaves out
	$(PYTEST) -m slow

test-clones: $(VENV)/dev  ## make test in fresh clones: as a user, with other Pythons, one core, ...; IN="plain busy"
	$(BIN)/python -m benchmarks.clones $(IN)

test-all: lint types  ## everything that must hold: long tests, more examples, 96 % branch coverage
	$(PYTEST) --hypothesis-profile=thorough --cov

lint: $(VENV)/dev  ## ruff, both as linter and as formatter
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/dev  ## mypy --strict over source, tests, benchmarks
	$(BIN)/mypy

format: $(VENV)/dev  ## rewrite the source as the linter wants it
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

docs: $(VENV)/dev  ## write down what the examples of the documentation print, its tables of options, and man/
	PYTHONPATH=tests $(BIN)/python -m structure.pages

site: $(VENV)/dev  ## the documentation as a site, in .site/html; needs no network
	$(BIN)/python -m website.build

papers: $(VENV)/dev  ## the papers' figures and tables, from runs of our own; MEASURE=1: what takes time too, 20 minutes
	$(if $(MEASURE),$(BIN)/python -m website.papers.parallel_runs)
	$(BIN)/python -m website.papers

gallery: $(VENV)/dev  ## real failures reduced again, with pictures; ten minutes
	benchmarks/cases/install.sh
	$(BIN)/python -m website.gallery

$(BENCH)/picire: benchmarks/picire-requirements.txt
	$(PYTHON) -m venv $(BENCH)
	$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

$(BENCH)/bayesect: benchmarks/bayesect-requirements.txt
	$(PYTHON) -m venv $(BENCH)/bayesect-venv
	$(BENCH)/bayesect-venv/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

bench: bench-scale bench-width bench-throughput  ## all three of these

bench-scale: $(VENV)/dev $(BENCH)/picire  ## 10^3 to 10^6 items, beside Picire
	$(BIN)/python benchmarks/scale.py --picire $(BENCH)/bin/python

bench-width: $(VENV)/dev  ## real reductions with 1 to 64 workers, tests of 0.5 s; TABLES=peers: Shrink Ray, C-Vise
	benchmarks/cases/install.sh
	$(if $(filter peers,$(TABLES)),benchmarks/width/install-peers.sh)
	$(BIN)/python -m benchmarks.width $(TABLES) $(if $(BENCH_CASES),--from $(BENCH_CASES)/cases)

bench-cases: $(VENV)/dev  ## real failures in 19 languages; TOOLS=wynot,shrinkray,cvise for peers
	benchmarks/cases/install.sh
	PATH=$(abspath $(BIN)):$$PATH $(BIN)/python benchmarks/peers.py --tools $(TOOLS) $(RESULTS)
	$(BIN)/python benchmarks/compare.py $(RESULTS)

bench-large: $(VENV)/dev  ## 20 MB of JSON, 5 MB of C++: memory and CPU time
	$(BIN)/python benchmarks/large.py

bench-growth: $(VENV)/dev $(BENCH)/picire  ## eleven kinds of input of 0.1 and 1 MB, beside Picire and a bare ddmin; KIND=, SIZE=megabytes, PLACE=one|five|deep|all
	$(BIN)/python benchmarks/growth.py --picire $(BENCH)/bin/python $(if $(KIND),--kinds $(KIND)) $(if $(SIZE),--sizes $(SIZE)) $(if $(PLACE),--places $(PLACE))

bench-isolation: $(VENV)/dev  ## tests of isolate beside those of reduce; BENCH_CASES=a folder with cases/
	PATH=$(abspath $(BIN)):$$PATH $(BIN)/python benchmarks/isolation.py $(BENCH_CASES)

bench-packages: $(VENV)/dev  ## which upgrade broke it: real breaks of npm, uv, Poetry and pip
	PATH=$(abspath $(BIN)):$$PATH $(BIN)/python benchmarks/breaks.py

$(BENCH)/order/ready: benchmarks/order-requirements.txt
	$(PYTHON) -m venv $(BENCH)/order
	$(BENCH)/order/bin/python -m pip install --quiet --disable-pip-version-check -r $<
	@touch $@

bench-order: $(VENV)/dev $(BENCH)/order/ready  ## polluters in suites of 300 and 850 tests, beside detect-test-pollution
	$(BIN)/python benchmarks/test_order.py $(BENCH)/order/bin/python

bench-changes: $(VENV)/dev  ## changes beside git bisect run, on ten histories made of real releases; JSON=a file, PAUSE=seconds of a test
	$(BIN)/python -m benchmarks.histories $(if $(JSON),--json $(JSON)) $(if $(PAUSE),--pause $(PAUSE))

bench-rates: $(VENV)/dev $(BENCH)/bayesect  ## failures that show now and then, beside git bayesect
	$(BIN)/python benchmarks/rates.py --bayesect $(BENCH)/bayesect-venv/bin/python

bench-isolate: $(VENV)/dev  ## isolate without a passing side, on a dozen real failures
	benchmarks/cases/install.sh
	$(BIN)/python benchmarks/no_passing_side.py

bench-batch: $(VENV)/dev  ## the crashes of three old releases: every cause once, killed in the middle
	$(BIN)/python -m benchmarks.batch

bench-warm: $(VENV)/dev  ## eight Python programs with their modules loaded ahead, beside --cold; VERDICTS=10000 compares answers
	$(BIN)/python -m benchmarks.warm $(if $(VERDICTS),--verdicts $(VERDICTS))

bench-throughput: $(VENV)/dev  ## tests a second, beside bare loops; PEERS=1: beside other reducers too; AGAINST=the Python of another version
	$(BIN)/python benchmarks/throughput.py $(if $(PEERS),--peers) $(if $(AGAINST),--against $(AGAINST) --rounds 20)

bench-own: $(VENV)/dev  ## our own processor time for each test, on 20 KB to 5 MB of text, JSON, C, Python
	$(BIN)/python benchmarks/own.py

bench-long-lines: $(VENV)/dev  ## our own processor time before the first test of one line of 1 MB
	$(BIN)/python benchmarks/long_lines.py

bench-cluster: $(VENV)/dev  ## tests of 0.5 s on 16, 64 and 256 slots of a cluster, beside -j; SLOTS=16
	$(BIN)/python benchmarks/cluster.py $(if $(SLOTS),--slots $(SLOTS))

bench-cluster-cases: $(VENV)/dev  ## the same bytes on a cluster as with -j 1, also while workers come and go
	benchmarks/cases/install.sh
	$(BIN)/python benchmarks/cluster_cases.py
	$(if $(BENCH_CASES),$(BIN)/python benchmarks/cluster_cases.py --from $(BENCH_CASES)/cases)

$(BENCH)/axe/node_modules/axe-core/axe.min.js:
	npm install --prefix $(BENCH)/axe --no-fund --no-audit --silent axe-core

axe: $(BENCH)/axe/node_modules/axe-core/axe.min.js  ## get axe-core from npm: the tests look at pages with it

bench-page: $(VENV)/dev  ## the page of 10,000 steps and 1 MB, in Chromium: bytes, first paint, how long a step takes
	PYTHONPATH=tests $(BIN)/python -m benchmarks.page_size

pictures: $(VENV)/dev  ## the pictures of pages in the documentation, made anew in Chromium
	PYTHONPATH=tests $(BIN)/python -m benchmarks.page_pictures docs/pictures

bench-probes: $(VENV)/dev  ## kinds of input that are hard to reduce: sizes, tests, time; ONLY=a part of it
	$(BIN)/python -m benchmarks.probes $(if $(ONLY),--only $(ONLY))

account: $(VENV)/dev  ## what each pass, kind of proposal and rewrite costs and gains; OUT=a file, AGAINST=another, WITHOUT=names
	benchmarks/cases/install.sh
	$(BIN)/python -m benchmarks.account $(or $(OUT),$(BENCH)/account.jsonl) $(if $(PROBES),--probes $(PROBES)) $(if $(WITHOUT),--without $(WITHOUT)) $(if $(AGAINST),--against $(AGAINST))

bench-view: $(VENV)/dev  ## what a frame of the live view costs: processor time, bytes
	$(BIN)/python benchmarks/view.py

bench-explain: $(VENV)/dev  ## explanations of failures whose pattern is known: right, exact, within 300 tests
	$(BIN)/python -m benchmarks.explain $(if $(ONLY),--match $(ONLY))

fuzz: $(VENV)/dev  ## reduce hostile inputs, each within 10 s of processor time and 300 MB; N=10000, START=the first one
	PYTHONPATH=tests $(BIN)/python -m benchmarks.fuzz $(or $(N),1000) --start $(or $(START),0)

clean:  ## remove what the targets above made
	rm -rf $(VENV) $(BENCH) .site .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage
